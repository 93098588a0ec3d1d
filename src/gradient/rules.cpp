#include "gradient/rules.h"

#include <fmt/core.h>

#include <algorithm>

#include "aten/elementwise.h"
#include "aten/reduce.h"
#include "aten/support.h"

namespace cameo::gradient {
namespace {

template <class Row>
auto find_rule(std::initializer_list<std::span<const Row>> families, std::string_view op)
    -> decltype(Row::rule) {
  for (std::span<const Row> rows : families)
    if (const auto row = std::ranges::find(rows, op, &Row::op); row != rows.end()) return row->rule;
  return nullptr;
}

// Sums the undecided axes whose size in `like` is 1 at run time.
Expr sum_at_run_time(const Expr& gradient, const onnx::Value* like, const Axes& undecided) {
  Emit& e = *gradient.e;
  Shape sizes;
  for (std::int64_t axis : undecided) sizes.push_back((*like->type.shape)[axis]);
  const Expr is_one = equal(Expr(e.dims(sizes)), 1);
  const Expr places = reshape(e.op("NonZero", {is_one}), {e.fresh_dim("summed")});
  const Expr axes = gather(Expr(e.ints(undecided)), places, 0);
  return e.op("ReduceSum", {gradient, axes}, {{"noop_with_empty_axes", std::int64_t{1}}},
              onnx::Type{.dtype = gradient.dtype(), .shape = like->type.shape});
}

}  // namespace

NodeRule node_rule(const onnx::Node& node) {
  if (!node.domain.empty()) return nullptr;
  return find_rule<NodeRow>({elementwise_rules(), reduction_rules(), layout_rules(), indexing_rules(),
                             linear_rules(), window_rules()},
                            node.op);
}

CallRule call_rule(const aten::Op& op) {
  const std::string full = fmt::format("{}.{}", op.schema.name, op.schema.overload);
  if (const CallRule rule = find_rule<CallRow>({call_rules()}, full)) return rule;
  return find_rule<CallRow>({call_rules()}, op.schema.name);
}

std::int64_t NodeStep::integer(std::string_view name, std::int64_t otherwise) const {
  const auto* value = node.attribute_if<std::int64_t>(name);
  return value ? *value : otherwise;
}

double NodeStep::real(std::string_view name, double otherwise) const {
  const auto* value = node.attribute_if<float>(name);
  return value ? *value : otherwise;
}

std::string_view NodeStep::text(std::string_view name, std::string_view otherwise) const {
  const auto* value = node.attribute_if<std::string>(name);
  return value ? std::string_view(*value) : otherwise;
}

Shape NodeStep::formulas(std::size_t i) const {
  const onnx::Value* value = node.inputs.at(i);
  if (value->elements) return Shape(*value->elements);
  if (!value->constant())
    throw aten::Unsupported("the derivative of " + node.op +
                            " needs arguments that are known at export time");
  Shape out;
  for (std::int64_t k = 0; k < value->data->numel(); ++k) out.emplace_back(value->data->integer(k));
  return out;
}

std::vector<std::int64_t> NodeStep::known(std::size_t i) const {
  return aten::known_sizes(formulas(i), "an argument of " + node.op);
}

bool CallStep::is_tensor(std::string_view name) const {
  const aten::Arg* arg = recorded.call.argument(name);
  return arg && arg->get_if<aten::Tensor>();
}

Expr CallStep::tensor(std::string_view name) const {
  return {e, aten::detail::to_real_tensor(*recorded.call.argument(name), name)};
}

void CallStep::give(std::string_view name, const Expr& gradient) const {
  if (!is_tensor(name)) return;
  onnx::Value* value = tensor(name);
  if (sums.wants(value)) sums.add(value, cast(gradient, value->dtype()));
}

std::optional<double> CallStep::number(std::string_view name) const {
  const aten::Arg* arg = recorded.call.argument(name);
  const aten::Scalar* scalar = arg ? arg->get_if<aten::Scalar>() : nullptr;
  return scalar ? scalar->known() : std::nullopt;
}

std::optional<Axes> CallStep::axes(std::string_view name) const {
  const aten::Arg* arg = recorded.call.argument(name);
  if (!arg || arg->is_none()) return std::nullopt;
  if (arg->get_if<aten::Scalar>()) return Axes{aten::detail::to_int(*arg, name)};
  Axes out;
  for (const aten::Arg& item : aten::detail::to_list(*arg)) out.push_back(aten::detail::to_int(item, name));
  return out;
}

Expr zeros(Emit& e, const onnx::Value* like) {
  const aten::ValueRef ref{const_cast<onnx::Value*>(like)};
  return aten::filled(e.scalar(like->dtype(), 0.0), ref.shape());
}

Expr sum_to(const Expr& gradient, const onnx::Value* like) {
  const aten::ValueRef ref{const_cast<onnx::Value*>(like)};
  const Shape &have = gradient.shape(), &want = ref.shape();
  sym::Context& symbols = gradient.e->sym();
  const std::int64_t lead = have.rank() - want.rank();
  Axes added, summed, undecided;
  for (std::int64_t axis = 0; axis < lead; ++axis) added.push_back(axis);
  for (std::int64_t axis = 0; axis < want.rank(); ++axis) {
    const Dim &from = have[axis + lead], &to = want[axis];
    if (from == to || symbols.equal(from, to) == sym::Truth::yes) continue;
    if (to.as_constant() == 1)
      summed.push_back(axis);
    else if (!to.as_constant() && symbols.less_equal(2, to) != sym::Truth::yes)
      undecided.push_back(axis);
  }
  Expr sum = aten::reduce_sum(gradient, added);
  sum = aten::reduce_sum(sum, summed, true);
  return undecided.empty() ? sum : sum_at_run_time(sum, like, undecided);
}

Expr spread(const Expr& reduced, const Axes& axes, bool kept, const Shape& shape) {
  return expand(kept ? reduced : unsqueeze(reduced, axes), shape);
}

}  // namespace cameo::gradient
