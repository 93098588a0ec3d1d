#include "model/stats/multiply_adds.h"

#include <algorithm>
#include <array>
#include <set>

#include "onnx/graph/size_name.h"

namespace cameo::model {
namespace {

using namespace onnx::proto;  // NOLINT(google-build-using-namespace): the messages are what this is about
using onnx::proto::ValueInfo;

using Count = std::optional<Polynomial>;
using Sizes = std::optional<std::vector<Polynomial>>;  // none: the shape is not known

enum class Rule { convolution, transposed, matrices, gemm, einsum, recurrent, unknown };

struct Row {
  std::string_view op;
  Rule rule;
  std::size_t data, weight;  // inputs
};
constexpr Row kRows[] = {
    {"Attention", Rule::unknown, 0, 0},       {"Conv", Rule::convolution, 0, 1},
    {"ConvInteger", Rule::convolution, 0, 1}, {"ConvTranspose", Rule::transposed, 0, 1},
    {"DeformConv", Rule::convolution, 0, 1},  {"Einsum", Rule::einsum, 0, 0},
    {"GRU", Rule::recurrent, 0, 1},           {"Gemm", Rule::gemm, 0, 1},
    {"LSTM", Rule::recurrent, 0, 1},          {"MatMul", Rule::matrices, 0, 1},
    {"MatMulInteger", Rule::matrices, 0, 1},  {"QLinearConv", Rule::convolution, 0, 3},
    {"QLinearMatMul", Rule::matrices, 0, 3},  {"RNN", Rule::recurrent, 0, 1},
};

class Counting {
 public:
  Counting(const Node& node, const ValueInfos& infos) : node_(node), infos_(infos) {}

  Count count(const Row& row) const {
    switch (row.rule) {
      case Rule::convolution: return product(elements(result()), per_channel(input(row.weight)));
      case Rule::transposed: return product(elements(input(row.data)), per_channel(input(row.weight)));
      case Rule::matrices: return product(elements(result()), at(input(row.data), -1));
      case Rule::gemm: return product(elements(result()), at(input(0), transposed() ? 0 : 1));
      case Rule::einsum: return einsum();
      case Rule::recurrent: return recurrent();
      case Rule::unknown: break;
    }
    return std::nullopt;
  }

 private:
  static Count product(const Count& a, const Count& b) {
    return a && b ? Polynomial::product(*a, *b) : std::nullopt;
  }
  static Count elements(const Sizes& sizes, std::size_t from = 0) {
    if (!sizes) return std::nullopt;
    Count count = Polynomial(std::uint64_t{1});
    for (std::size_t i = from; i < sizes->size(); ++i) count = product(count, (*sizes)[i]);
    return count;
  }
  // A weight has the channels of one side first.
  static Count per_channel(const Sizes& sizes) {
    return sizes && !sizes->empty() ? elements(sizes, 1) : std::nullopt;
  }
  static Count at(const Sizes& sizes, int axis) {
    if (!sizes) return std::nullopt;
    const auto index = static_cast<std::size_t>(axis < 0 ? static_cast<int>(sizes->size()) + axis : axis);
    return index < sizes->size() ? Count((*sizes)[index]) : std::nullopt;
  }

  Sizes sizes(Text value) const {
    const ValueInfo info = infos_.describe(value);
    if (!info.type || info.type->kind != Type::Kind::tensor || !info.type->shape) return std::nullopt;
    std::vector<Polynomial> found;
    for (const Dimension& dim : info.type->shape->dims) {
      if (dim.value && *dim.value >= 0)
        found.emplace_back(static_cast<std::uint64_t>(*dim.value));
      else if (onnx::names_size(dim.parameter))
        found.emplace_back(std::string(dim.parameter));
      else
        return std::nullopt;
    }
    return found;
  }
  Sizes input(std::size_t index) const {
    return index < node_.inputs.size() ? sizes(node_.inputs[index]) : std::nullopt;
  }
  Sizes result() const { return node_.outputs.empty() ? std::nullopt : sizes(node_.outputs[0]); }

  bool transposed() const {
    const auto found = std::ranges::find(node_.attributes, "transA", &Attribute::name);
    return found != node_.attributes.end() && found->i.value_or(0) != 0;
  }

  // Each letter of the equation is a loop.
  Count einsum() const {
    const auto found = std::ranges::find(node_.attributes, "equation", &Attribute::name);
    if (found == node_.attributes.end()) return std::nullopt;
    std::string inputs(found->s.substr(0, found->s.find("->")));
    std::erase(inputs, ' ');
    if (inputs.find('.') != inputs.npos) return std::nullopt;
    std::set<char> seen;
    Count count = Polynomial(std::uint64_t{1});
    for (std::size_t operand = 0, from = 0; from <= inputs.size(); ++operand) {
      const std::size_t end = std::min(inputs.find(',', from), inputs.size());
      const Sizes dims = input(operand);
      if (!dims || dims->size() != end - from) return std::nullopt;
      for (std::size_t i = from; i < end; ++i)
        if (seen.insert(inputs[i]).second) count = product(count, (*dims)[i - from]);
      from = end + 1;
    }
    return count;
  }

  // Both weights, each step of each sequence.
  Count recurrent() const {
    const Count w = elements(input(1)), r = elements(input(2));
    const Count steps = product(at(input(0), 0), at(input(0), 1));
    return w && r ? product(steps, Polynomial::sum(*w, *r)) : std::nullopt;
  }

  const Node& node_;
  const ValueInfos& infos_;
};

}  // namespace

MultiplyAdds multiply_adds(const Node& node, const ValueInfos& infos) {
  if (!node.domain.empty() && node.domain != "ai.onnx") return {.count = {}, .why = "of another domain"};
  const auto row = std::ranges::find(kRows, node.op_type, &Row::op);
  if (row == std::end(kRows)) return {.count = Polynomial(), .why = {}};
  if (row->rule == Rule::unknown) return {.count = {}, .why = "not known how to count them"};
  Count count = Counting(node, infos).count(*row);
  return {.count = count, .why = count ? "" : "sizes that are not known"};
}

}  // namespace cameo::model
