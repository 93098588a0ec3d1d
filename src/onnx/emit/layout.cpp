#include <algorithm>
#include <limits>
#include <numeric>

#include "onnx/emit/assume.h"
#include "onnx/emit/tables.h"
#include "onnx/fold/index.h"
#include "onnx/infer/infer.h"

namespace cameo::onnx {
namespace {

bool equal(sym::Context& symbols, const Dim& a, const Dim& b) {
  return a == b || symbols.equal(a, b) == sym::Truth::yes;
}

bool equal(sym::Context& symbols, const Shape& a, const Shape& b) {
  if (a.size() != b.size()) return false;
  for (std::size_t i = 0; i < a.size(); ++i)
    if (!equal(symbols, a[i], b[i])) return false;
  return true;
}

std::vector<std::int64_t> wrapped(std::vector<std::int64_t> axes, std::size_t rank) {
  for (std::int64_t& axis : axes) axis = wrap_axis(axis, rank);
  std::sort(axes.begin(), axes.end());
  return axes;
}

// The second input of Reshape: 0 for sizes that equal those of the input, -1 for one that follows from the
// others.
struct Target {
  Shape sizes;
  bool allow_zero = false;
  std::vector<Dim> filled = {};  // sizes that must not be 0 at run time
  bool constant() const {
    return std::all_of(sizes.begin(), sizes.end(), [](const Dim& size) { return known(size).has_value(); });
  }
};

// Writes -1 for one of the open sizes. The others must not be empty, or -1 says nothing.
bool infer_one(sym::Context& symbols, const std::vector<std::size_t>& open, const Shape& to, Target& target) {
  std::optional<std::size_t> possible;
  for (std::size_t chosen : open) {
    Shape rest = to;
    rest.erase(rest.begin() + static_cast<std::ptrdiff_t>(chosen));
    const auto filled = inputs_to_fill(symbols, rest);
    if (!filled || (possible && !filled->empty())) continue;
    possible = chosen;
    target.filled = *filled;
    if (filled->empty()) break;
  }
  if (possible) target.sizes[*possible] = -1;
  return possible.has_value();
}

Target reshape_target(sym::Context& symbols, const std::optional<Shape>& from, const Shape& to) {
  Target target{.sizes = to};
  const bool literal_zero =
      std::any_of(to.begin(), to.end(), [](const Dim& size) { return known(size) == 0; });
  if (literal_zero) {
    target.allow_zero = true;
    return target;
  }
  std::vector<std::size_t> open;
  for (std::size_t i = 0; i < to.size(); ++i) {
    if (known(to[i])) continue;
    if (from && i < from->size() && equal(symbols, (*from)[i], to[i]))
      target.sizes[i] = 0;
    else
      open.push_back(i);
  }
  if (open.empty()) return target;
  auto cost = [&to](std::size_t i) { return sym::atoms_below(to[i]).size(); };
  std::stable_sort(open.begin(), open.end(), [&](std::size_t a, std::size_t b) { return cost(a) > cost(b); });
  if (infer_one(symbols, open, to, target)) return target;
  // A number that is 0 at run time would stand for the size of the input.
  const bool copies = std::ranges::find(target.sizes, Dim(0)) != target.sizes.end();
  for (std::size_t i : open)
    if (symbols.less_equal(1, to[i]) != sym::Truth::yes) target.filled.push_back(to[i]);
  target.allow_zero = !target.filled.empty() && !copies;
  if (target.allow_zero) target.filled.clear();
  return target;
}

bool only_regroups(const Node& node) {
  return node.domain.empty() &&
         (node.op == "Reshape" || node.op == "Squeeze" || node.op == "Unsqueeze" || node.op == "Flatten");
}

}  // namespace

Emitted Emit::reshape(Value* x, const Shape& asked) {
  Shape shape = asked;
  for (Dim& dim : shape) dim = simplify(dim);
  if (x->has_rank() && equal(sym(), *x->type.shape, shape)) return {this, x};
  if (x->elements) {
    if (const auto sizes = product(shape); sizes == std::ssize(*x->elements))
      return {this, elements(x->dtype(), shape, *x->elements)};
  }
  Target target = reshape_target(sym(), x->type.shape, shape);
  while (!options_.differentiable && x->producer && only_regroups(*x->producer)) {
    Value* before = x->producer->inputs[0];
    if (before->has_rank() && equal(sym(), *before->type.shape, shape)) return {this, before};
    const Target direct = reshape_target(sym(), before->type.shape, shape);
    if (!direct.constant() && target.constant()) break;
    x = before;
    target = direct;
  }
  for (const Dim& size : target.filled) require_filled(*this, size);
  Attributes attributes;
  if (target.allow_zero) attributes.push_back({"allowzero", std::int64_t{1}});
  Node node{.op = "Reshape",
            .domain = {},
            .inputs = {x, dims(target.sizes)},
            .outputs = {},
            .attributes = attributes,
            .name = {}};
  return {this, emit(std::move(node), {{Type{.dtype = x->dtype(), .shape = shape}, std::nullopt}}).front()};
}

Emitted Emit::transpose(Value* x, std::vector<std::int64_t> perm) {
  for (std::int64_t& axis : perm) axis = wrap_axis(axis, perm.size());
  if (!options_.differentiable && x->producer && x->producer->op == "Transpose" &&
      x->producer->domain.empty()) {
    const auto* inner = x->producer->attribute_if<std::vector<std::int64_t>>("perm");
    if (inner) {
      for (std::int64_t& axis : perm) axis = element_at(*inner, axis);
      x = x->producer->inputs[0];
    }
  }
  std::vector<std::int64_t> plain(perm.size());
  std::iota(plain.begin(), plain.end(), 0);
  if (perm == plain) return {this, x};
  return {this, op("Transpose", {x}, {{"perm", std::move(perm)}})};
}

Emitted Emit::unsqueeze(Value* x, std::vector<std::int64_t> axes) {
  if (axes.empty()) return {this, x};
  if (x->has_rank()) {
    const std::size_t rank = x->type.shape->size() + axes.size();
    axes = wrapped(std::move(axes), rank);
  }
  return {this, op("Unsqueeze", {x, ints(axes)})};
}

Emitted Emit::squeeze(Value* x, std::vector<std::int64_t> axes) {
  if (axes.empty()) return {this, x};
  if (x->has_rank()) axes = wrapped(std::move(axes), x->type.shape->size());
  Value* which = ints(axes);
  if (!options_.differentiable && x->producer && x->producer->op == "Unsqueeze" &&
      x->producer->inputs.size() == 2 && x->producer->inputs[1] == which)
    return {this, x->producer->inputs[0]};
  return {this, op("Squeeze", {x, which})};
}

Emitted Emit::expand(Value* x, const Shape& asked) {
  Shape shape = asked;
  for (Dim& dim : shape) dim = simplify(dim);
  if (x->has_rank() && equal(sym(), *x->type.shape, shape)) return {this, x};
  Shape target = shape;
  if (x->has_rank() && x->type.shape->size() <= shape.size()) {
    const std::size_t shift = shape.size() - x->type.shape->size();
    for (std::size_t i = shift; i < shape.size(); ++i)
      if (equal(sym(), (*x->type.shape)[i - shift], shape[i])) target[i] = 1;
  }
  if (x->elements) {
    const auto count = product(shape);
    if (count && *count <= kMaxElements) return {this, op("Expand", {x, dims(shape)})};
  }
  Node node{
      .op = "Expand", .domain = {}, .inputs = {x, dims(target)}, .outputs = {}, .attributes = {}, .name = {}};
  return {this, emit(std::move(node), {{Type{.dtype = x->dtype(), .shape = shape}, std::nullopt}}).front()};
}

Emitted Emit::slice(Value* x, std::int64_t axis, const Dim& start, const Dim& end, std::int64_t step) {
  constexpr std::int64_t kEnd = std::numeric_limits<std::int64_t>::max();
  Dim first = simplify(start), stop = simplify(end);
  std::optional<Dim> size;
  if (x->has_rank()) {
    axis = wrap_axis(axis, x->type.shape->size());
    size = (*x->type.shape)[axis];
    if (step > 0 && sym().less_equal(*size, stop) == sym::Truth::yes) stop = kEnd;
  }
  if (step == 1 && known(first) == 0 && known(stop) == kEnd) return {this, x};
  auto slice_node = [&] {
    Node node{.op = "Slice",
              .domain = {},
              .inputs = {x, dims({first}), dims({stop}), ints({axis})},
              .outputs = {},
              .attributes = {},
              .name = {}};
    if (step != 1) node.inputs.push_back(ints({step}));
    return node;
  };
  std::vector<Inferred> results = inferred(slice_node(), 1);
  // Positions that count from the end need no size.
  for (Dim* bound : {&first, &stop})
    if (size && step > 0 && !known(*bound))
      if (const auto from_end = known(simplify(*bound - *size)); from_end && *from_end < 0)
        *bound = *from_end;
  return {this, emit(slice_node(), std::move(results)).front()};
}

Emitted Emit::gather(Value* x, Value* indices, std::int64_t axis) {
  if (x->has_rank()) axis = wrap_axis(axis, x->type.shape->size());
  return {this, op("Gather", {x, indices}, {{"axis", axis}})};
}

Emitted Emit::concat(std::vector<Value*> xs, std::int64_t axis) {
  if (xs.size() > 1) {
    std::vector<Value*> filled;
    for (Value* x : xs) {
      const bool empty = x->has_rank() && x->rank() > 0 &&
                         known((*x->type.shape)[wrap_axis(axis, x->type.shape->size())]) == 0;
      if (!empty) filled.push_back(x);
    }
    if (filled.empty()) filled.push_back(xs.front());
    xs = std::move(filled);
  }
  if (xs.size() == 1) return {this, xs.front()};
  if (xs.front()->has_rank()) axis = wrap_axis(axis, xs.front()->type.shape->size());
  return {this, op("Concat", std::move(xs), {{"axis", axis}})};
}

Emitted Emit::shape_of(Value* x) {
  if (x->has_rank()) return {this, dims(*x->type.shape)};
  return {this, op("Shape", {x})};
}

}  // namespace cameo::onnx
