#include "cameo/model.h"
#include "model/open.h"
#include "model/print_onnx.h"

namespace cameo {

std::string print_model(const std::string& path, PrintStyle style) {
  const model::Opened opened(path);
  switch (style) {
    case PrintStyle::onnx: return model::printable_graph(opened.graph()) + "\n";
  }
  return {};
}

}  // namespace cameo
