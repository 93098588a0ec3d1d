#include "onnx/fold/fold.h"

#include <unordered_map>

#include "onnx/fold/element.h"
#include "onnx/fold/families.h"
#include "onnx/fold/index.h"

namespace cameo::onnx {
namespace {

const std::unordered_map<std::string_view, Fold>& table() {
  static const auto kRows = [] {
    std::unordered_map<std::string_view, Fold> all;
    for (auto family : {unary_folds(), binary_folds(), cast_folds(), layout_folds(), select_folds(),
                        reduce_folds(), generate_folds(), quantize_folds()})
      for (const FoldRow& row : family) all.emplace(row.op, row.fold);
    return all;
  }();
  return kRows;
}

bool worth_it(const Folding& folding) {
  std::int64_t read = 0;
  for (std::size_t i = 0; i < folding.inputs(); ++i)
    if (folding.has(i)) read += folding.input(i).numel();
  if (read > kMaxRead) return false;
  for (std::size_t i = 0; i < folding.outputs(); ++i) {
    if (const auto shape = folding.shape(i)) {
      std::int64_t total = 1;
      for (std::int64_t dim : *shape) {
        if (dim > kMaxFolded) return false;
        total *= dim;
        if (total > kMaxFolded) return false;
      }
    }
  }
  return true;
}

}  // namespace

std::vector<std::int64_t> Folding::integers(std::size_t index) const { return read_integers(input(index)); }

std::optional<std::vector<std::int64_t>> Folding::shape(std::size_t output) const {
  if (!types_[output].shape) return std::nullopt;
  std::vector<std::int64_t> result;
  for (const Dim& dim : *types_[output].shape) {
    const auto number = known(dim);
    if (!number) return std::nullopt;
    result.push_back(*number);
  }
  return result;
}

std::int64_t Folding::integer_attribute(std::string_view name, std::int64_t otherwise) const {
  const auto* value = node_.attribute_if<std::int64_t>(name);
  return value ? *value : otherwise;
}

float Folding::float_attribute(std::string_view name, float otherwise) const {
  const auto* value = node_.attribute_if<float>(name);
  return value ? *value : otherwise;
}

std::string_view Folding::string_attribute(std::string_view name, std::string_view otherwise) const {
  const auto* value = node_.attribute_if<std::string>(name);
  return value ? std::string_view(*value) : otherwise;
}

Folded fold(const Node& node, const std::vector<Type>& types) {
  if (!node.domain.empty()) return {};
  const auto row = table().find(node.op);
  if (row == table().end()) return {};
  const Folding folding(node, types);
  if (node.op != "QuantizeLinear" && !worth_it(folding))
    return node.op == "Cast" ? cast_later(folding) : Folded{};
  return row->second(folding);
}

}  // namespace cameo::onnx
