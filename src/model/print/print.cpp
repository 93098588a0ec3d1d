#include "cameo/model.h"
#include "model/file/open.h"
#include "model/print/onnx.h"
#include "model/print/text.h"
#include "model/print/torch.h"

namespace cameo {

std::string Model::print(PrintStyle style, std::size_t max_elements) const {
  const model::Opened& opened = with_graph();
  switch (style) {
    case PrintStyle::onnx: return model::printable_graph(opened.graph()) + "\n";
    case PrintStyle::text: return model::onnx_text(opened.model, max_elements);
    case PrintStyle::torch: return onnx::torch_text::dump(model::torch_block(opened));
    case PrintStyle::torch_0_3:
    case PrintStyle::annotated:
      return onnx::torch_text::dump_0_3(model::torch_block(opened), style == PrintStyle::annotated);
  }
  return {};
}

}  // namespace cameo
