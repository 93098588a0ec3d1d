#include "onnx/opset/versions.h"

namespace cameo::onnx {

int ir_version(int opset) {
  struct Row {
    int opset, ir;
  };
  constexpr Row kRows[] = {{25, 13}, {24, 12}, {23, 11}, {21, 10}, {19, 9},
                           {15, 8},  {12, 7},  {11, 6},  {10, 5}};
  for (const Row& row : kRows)
    if (opset >= row.opset) return row.ir;
  return 4;
}

}  // namespace cameo::onnx
