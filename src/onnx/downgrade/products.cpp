// Products of matrices.

#include <algorithm>

#include "onnx/downgrade/families.h"
#include "onnx/downgrade/steps.h"
#include "onnx/graph/versions.h"

namespace cameo::onnx {
namespace {

void gemm_with_zero(Translation& t) {
  if (!has_input(t, 2)) t.node.inputs.push_back(t.emit.scalar(t.node.inputs[0]->dtype(), 0.0));
}

// A labelled operand of Einsum.
struct Labelled {
  Value* value;
  std::string labels;
  std::int64_t axis(char label) const { return static_cast<std::int64_t>(labels.find(label)); }
  Dim size(char label) const { return (*value->type.shape)[axis(label)]; }
};

bool has(const std::string& labels, char label) { return labels.find(label) != labels.npos; }

Labelled ordered(Emit& e, const Labelled& x, const std::string& labels) {
  std::vector<std::int64_t> perm;
  for (char label : labels) perm.push_back(x.axis(label));
  return {e.transpose(x.value, perm), labels};
}

// Sums over the labels that are not wanted.
Labelled summed(Emit& e, const Labelled& x, const std::string& wanted) {
  std::vector<std::int64_t> axes;
  std::string kept;
  for (char label : x.labels) {
    if (has(wanted, label))
      kept += label;
    else
      axes.push_back(x.axis(label));
  }
  if (axes.empty()) return x;
  return {e.op("ReduceSum", {x.value, e.ints(axes)}, {{"keepdims", std::int64_t{0}}}), kept};
}

// A size of 1 spreads over the others of its label: as if it had none.
Labelled without_ones(Emit& e, const Labelled& x, const std::vector<Labelled>& all) {
  std::vector<std::int64_t> axes;
  std::string kept;
  for (char label : x.labels) {
    const bool spreads =
        known(x.size(label)) == 1 && std::any_of(all.begin(), all.end(), [&](const Labelled& y) {
          return has(y.labels, label) && known(y.size(label)) != 1;
        });
    if (spreads)
      axes.push_back(x.axis(label));
    else
      kept += label;
  }
  return {e.squeeze(x.value, axes), kept};
}

Value* counting(Emit& e, const Dim& count, std::int64_t behind) {
  return e.unsqueeze(e.op("Range", {e.dim(0), e.dim(count), e.dim(1)}), consecutive(1, behind));
}

// A label that stands twice takes the diagonal: the sum of a row where all else is zero.
Labelled without_repeats(Emit& e, Labelled x) {
  for (std::int64_t i = 0; i < std::ssize(x.labels); ++i) {
    const auto first = x.labels.begin() + i, repeat = std::find(first + 1, x.labels.end(), *first);
    if (repeat == x.labels.end()) continue;
    const Shape& shape = *x.value->type.shape;
    const std::int64_t again = repeat - x.labels.begin(), last = std::ssize(x.labels) - 1;
    Value* same = e.op("Equal", {counting(e, shape[i], last - i), counting(e, shape[again], last - again)});
    Value* zero = e.scalar(x.value->dtype(), std::int64_t{0});
    Value* alone = e.op("Where", {same, x.value, zero});
    x.value = e.op("ReduceSum", {alone, e.ints({again})}, {{"keepdims", std::int64_t{0}}});
    x.labels.erase(repeat);
    --i;
  }
  return x;
}

// A product of batches of matrices.
Labelled contracted(Emit& e, Labelled a, Labelled b, const std::string& wanted) {
  a = summed(e, a, wanted + b.labels);
  b = summed(e, b, wanted + a.labels);
  std::string batch, rows, inner, columns;
  for (char label : a.labels) (!has(b.labels, label) ? rows : has(wanted, label) ? batch : inner) += label;
  for (char label : b.labels)
    if (!has(a.labels, label)) columns += label;
  auto count = [](const Labelled& x, const std::string& labels) {
    Dim product = 1;
    for (char label : labels) product = product * x.size(label);
    return product;
  };
  const Dim batches = count(a, batch), common = count(a, inner);
  Value* left = e.reshape(ordered(e, a, batch + rows + inner).value, {batches, count(a, rows), common});
  Value* right =
      e.reshape(ordered(e, b, batch + inner + columns).value, {batches, common, count(b, columns)});
  Shape shape;
  for (char label : batch + rows) shape.push_back(a.size(label));
  for (char label : columns) shape.push_back(b.size(label));
  return {e.reshape(e.op("MatMul", {left, right}), shape), batch + rows + columns};
}

void einsum(Translation& t) {
  Emit& e = t.emit;
  const std::string equation = text_attribute(t, "equation", "");
  const std::size_t arrow = equation.find("->");
  const std::string result = equation.substr(arrow + 2);
  std::vector<Labelled> operands;
  std::string labels = equation.substr(0, arrow) + ",";
  for (Value* input : t.node.inputs) {
    const std::string own = labels.substr(0, labels.find(','));
    labels.erase(0, own.size() + 1);
    shape_of(t, operands.size());
    operands.push_back(without_repeats(e, {input, own}));
  }
  for (Labelled& operand : operands) operand = without_ones(e, operand, operands);
  for (const Labelled& a : operands)
    for (const Labelled& b : operands)
      for (char label : a.labels)
        if (has(b.labels, label) && e.sym().equal(a.size(label), b.size(label)) != sym::Truth::yes)
          needs(t, "sizes of 1 may spread over others");
  Labelled all = operands.front();
  for (std::size_t i = 1; i < operands.size(); ++i) {
    std::string wanted = result;
    for (std::size_t k = i + 1; k < operands.size(); ++k) wanted += operands[k].labels;
    all = contracted(e, all, operands[i], wanted);
  }
  t.instead = {ordered(e, summed(e, all, result), result).value};
}

// It never took bf16.
constexpr Revision kEinsum[] = {{kMaxOpset + 1, no_bf16}};
constexpr Revision kGemm[] = {{11, gemm_with_zero}};

constexpr Revisions kProducts[] = {{"Gemm", kGemm}, {"Einsum", kEinsum, einsum}};

}  // namespace

std::span<const Revisions> products_revisions() { return kProducts; }

}  // namespace cameo::onnx
