#include "onnx/graph/versions.h"

#include <fmt/core.h>

#include "cameo/diagnostic.h"

namespace cameo::onnx {

void check_opset(int opset) {
  if (opset >= kMinOpset && opset <= kMaxOpset) return;
  Diagnostic diagnostic{.code = Code::unsupported_opset};
  diagnostic.message = fmt::format("Unsupported ONNX opset version: {}", opset);
  diagnostic.hint = fmt::format("choose one from {} to {}", kMinOpset, kMaxOpset);
  throw Error(std::move(diagnostic));
}

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
