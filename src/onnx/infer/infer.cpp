#include "onnx/infer/infer.h"

#include <unordered_map>

#include <fmt/core.h>

#include "onnx/infer/families.h"

namespace cameo::onnx {
namespace {

const std::unordered_map<std::string_view, Infer>& table() {
  static const auto kRows = [] {
    std::unordered_map<std::string_view, Infer> all;
    for (auto family :
         {elementwise_inference(), arithmetic_inference(), layout_inference(), parts_inference(),
          indexing_inference(), convolution_inference(), pooling_inference(), reduction_inference(),
          linear_inference(), normalization_inference(), recurrent_inference(), sequence_inference(),
          control_inference(), generator_inference(), resize_inference(), quantization_inference(),
          signal_inference(), text_inference(), learning_inference(), linger_inference()})
      for (const InferRow& row : family) all.emplace(row.op, row.infer);
    return all;
  }();
  return kRows;
}

std::string full_name(const Node& node) {
  return node.domain.empty() ? node.op : fmt::format("{}::{}", node.domain, node.op);
}

}  // namespace

bool can_infer(const Node& node) { return table().contains(full_name(node)); }

std::vector<Inferred> infer(sym::Context& symbols, const Node& node, std::size_t outputs,
                            const Visible& visible) {
  const auto row = table().find(full_name(node));
  if (row == table().end()) throw InternalError(fmt::format("no type inference for {}", full_name(node)));
  Inference inference(symbols, node, outputs, visible);
  row->second(inference);
  return inference.take();
}

std::optional<std::int64_t> product(std::span<const Dim> shape) {
  std::int64_t total = 1;
  for (const Dim& dim : shape) {
    const auto number = known(dim);
    if (!number || __builtin_mul_overflow(total, *number, &total)) return std::nullopt;
  }
  return total;
}

}  // namespace cameo::onnx
