#include "eval/state/strides.h"

#include <algorithm>
#include <numeric>

#include "aten/support.h"
#include "base/index.h"

namespace cameo::eval {
namespace {

using aten::Arg;
using aten::Dim;
using aten::Shape;
using aten::View;

std::optional<Dim> number_of(const aten::Bound& call, std::string_view name) {
  const Arg* arg = call.argument(name);
  const aten::Scalar* scalar = arg ? arg->get_if<aten::Scalar>() : nullptr;
  const Dim* dim = scalar ? std::get_if<Dim>(&scalar->value) : nullptr;
  return dim ? std::optional(*dim) : std::nullopt;
}

std::optional<std::int64_t> axis_of(const aten::Bound& call, std::string_view name, std::int64_t rank) {
  const std::optional<Dim> given = number_of(call, name);
  const std::optional<std::int64_t> known = given ? given->as_constant() : std::nullopt;
  if (!known || *known < -rank || *known >= rank) return std::nullopt;
  return *known < 0 ? *known + rank : *known;
}

// A tensor as its axes are grouped for another shape. The axes of a chunk lie one after the other in memory.
class Regrouping {
 public:
  Regrouping(sym::Context& symbols, const Shape& from, const Shape& steps, const Shape& to)
      : symbols_(symbols),
        from_(from),
        steps_(steps),
        to_(to),
        made_(to.size(), Dim(1)),
        open_(to.rank() - 1) {}

  Placed run(const std::optional<Dim>& offset) {
    if (from_.empty()) return {Sharing::view, Strides{made_, offset}};
    Dim step = steps_.back(), size = 1;
    for (std::int64_t axis = from_.rank(); axis-- > 0;) {
      size = size * from_[axis];
      if (axis > 0 && continues(axis, step * size)) continue;
      if (const Sharing sharing = fill(step, size); sharing != Sharing::view) return {sharing};
      if (axis > 0) step = steps_[axis - 1];
      size = 1;
    }
    for (; open_ >= 0; --open_)
      if (to_[open_].as_constant() != 1) return {Sharing::unknown};
    return {Sharing::view, Strides{made_, offset}};
  }

 private:
  bool same(const Dim& a, const Dim& b) const { return a == b || symbols_.equal(a, b) == sym::Truth::yes; }
  bool continues(std::int64_t axis, const Dim& next) {
    if (from_[axis - 1].as_constant() == 1 || same(steps_[axis - 1], next)) return true;
    certain_ = certain_ && symbols_.less_equal(2, from_[axis - 1]) == sym::Truth::yes &&
               symbols_.equal(steps_[axis - 1], next) == sym::Truth::no;
    return false;
  }
  // Makes the strides of the new axes that a chunk holds.
  Sharing fill(const Dim& step, const Dim& size) {
    Dim filled = 1;
    while (open_ >= 0) {
      const bool one = to_[open_].as_constant() == 1;
      const Dim next = symbols_.simplify(filled * to_[open_]);
      if (!one &&
          (same(filled, size) || !(same(next, size) || symbols_.less(filled, size) == sym::Truth::yes)))
        break;
      made_[open_] = filled * step;
      filled = next;
      --open_;
    }
    if (same(filled, size)) return Sharing::view;
    return certain_ && symbols_.equal(filled, size) == sym::Truth::no ? Sharing::copy : Sharing::unknown;
  }

  sym::Context& symbols_;
  const Shape &from_, &steps_, &to_;
  Shape made_;
  std::int64_t open_;
  bool certain_ = true;  // chunks end where they do at all sizes
};

std::optional<std::vector<std::int64_t>> order_of(const aten::Bound& call, std::int64_t rank) {
  std::vector<std::int64_t> order = consecutive(0, rank);
  const View view = call.op->traits.view;
  if (view == View::permute) {
    order.clear();
    for (const Arg& dim : aten::detail::to_list(*call.argument("dims"))) {
      const std::int64_t axis = aten::detail::to_int(dim, "dims");
      order.push_back(axis < 0 ? axis + rank : axis);
    }
    return order;
  }
  if (view == View::reverse_axes) {
    std::ranges::reverse(order);
  } else if (view == View::transpose_last) {
    if (rank > 1) std::swap(order[order.size() - 1], order[order.size() - 2]);
  } else {
    const auto first = axis_of(call, call.argument("dim0") ? "dim0" : "axis0", rank);
    const auto second = axis_of(call, call.argument("dim1") ? "dim1" : "axis1", rank);
    if (!first || !second) return std::nullopt;
    std::swap(element_at(order, *first), element_at(order, *second));
  }
  return order;
}

Placed reordered_axes(const aten::Bound& call, const Strides& strides) {
  const auto order = order_of(call, strides.steps.rank());
  if (!order) return {Sharing::view};
  Strides out{{}, strides.offset};
  for (std::int64_t axis : *order) out.steps.push_back(strides.steps[axis]);
  return {Sharing::view, out};
}

// Where a slice begins; absent if that depends on runtime values.
std::optional<Dim> first_index(onnx::Emit& e, const std::optional<Dim>& start, const Dim& size) {
  const auto certain = [&](const Dim& least, const Dim& most) {
    return e.sym().less_equal(least, most) == sym::Truth::yes;
  };
  const Dim from = start.value_or(Dim(0));
  if (certain(0, from)) return certain(from, size) ? std::optional(from) : std::nullopt;
  if (certain(from, -1) && certain(0, size + from)) return size + from;
  return std::nullopt;
}

Placed ranges(onnx::Emit& e, const aten::Bound& call, const aten::Tensor& base, Strides strides) {
  const View view = call.op->traits.view;
  const auto axis = axis_of(call, call.argument("dim") ? "dim" : "axis", strides.steps.rank());
  if (!axis) return {Sharing::view};
  Dim& step = strides.steps[*axis];
  if (view == View::select) {
    std::optional<Dim> index = number_of(call, "index");
    if (index && e.sym().less(*index, 0) == sym::Truth::yes) index = *index + base.dim(*axis);
    if (!index || e.sym().less_equal(0, *index) != sym::Truth::yes) return {Sharing::view};
    if (strides.offset) strides.offset = e.simplify(*strides.offset + *index * step);
    strides.steps.erase_at(*axis);
    return {Sharing::view, strides};
  }
  if (view == View::part) {
    strides.offset.reset();
    return {Sharing::view, strides};
  }
  const auto by = call.argument("step") ? number_of(call, "step") : std::optional<Dim>(1);
  if (!by) return {Sharing::view};
  const std::optional<Dim> start = first_index(e, number_of(call, "start"), base.dim(*axis));
  if (strides.offset && start)
    strides.offset = e.simplify(*strides.offset + *start * step);
  else
    strides.offset.reset();
  step = e.simplify(step * *by);
  return {Sharing::view, strides};
}

// expand and its like: axes that are repeated have the stride 0.
Placed repeated(onnx::Emit& e, const aten::Tensor& base, const Strides& strides, const Shape& result) {
  Strides out{Shape::filled(result.rank(), 0), strides.offset};
  const Shape sizes = base.shape();
  const std::int64_t lead = result.rank() - sizes.rank();
  for (std::int64_t axis = 0; axis < sizes.rank(); ++axis) {
    const bool kept = e.sym().equal(sizes[axis], result[axis + lead]) == sym::Truth::yes;
    if (!kept && sizes[axis].as_constant() != 1) return {Sharing::view};
    if (kept) out.steps[axis + lead] = strides.steps[axis];
  }
  return {Sharing::view, out};
}

}  // namespace

Shape row_major(const Shape& sizes) {
  Shape steps(sizes.size(), Dim(1));
  for (std::int64_t axis = sizes.rank() - 1; axis-- > 0;) steps[axis] = steps[axis + 1] * sizes[axis + 1];
  return steps;
}

bool is_row_major(sym::Context& symbols, const Shape& sizes, const Shape& steps) {
  const Shape plain = row_major(sizes);
  for (std::int64_t axis = 0; axis < sizes.rank(); ++axis)
    if (sizes[axis].as_constant() != 1 && symbols.equal(plain[axis], steps[axis]) != sym::Truth::yes)
      return false;
  return true;
}

bool is_not_channels_last(sym::Context& symbols, const Shape& sizes, const std::optional<Strides>& strides) {
  return strides && sizes.rank() > 1 && symbols.less_equal(2, sizes[1]) == sym::Truth::yes &&
         symbols.less_equal(2, strides->steps[1]) == sym::Truth::yes;
}

std::optional<Shape> in_order_of(sym::Context& symbols, const Shape& sizes, const Shape& steps) {
  std::vector<std::int64_t> order(sizes.size());
  std::iota(order.begin(), order.end(), 0);
  std::ranges::stable_sort(order, [&](std::int64_t a, std::int64_t b) {
    return symbols.less(steps[b], steps[a]) == sym::Truth::yes;
  });
  Shape made(sizes.size(), Dim(1));
  Dim step = 1;
  for (auto axis = order.rbegin(); axis != order.rend(); ++axis) {
    if (symbols.equal(steps[*axis], step) != sym::Truth::yes && sizes[*axis].as_constant() != 1)
      return std::nullopt;
    made[*axis] = step;
    step = symbols.simplify(step * sizes[*axis]);
  }
  return made;
}

Placed place(onnx::Emit& e, const aten::Bound& call, const aten::Tensor& base,
             const std::optional<Strides>& strides, const Shape& result) {
  const View view = call.op->traits.view;
  const bool may_copy = view == View::reshape_or_copy || view == View::contiguous;
  if (!strides || base.complex) return {may_copy ? Sharing::unknown : Sharing::view};
  const Shape sizes = base.shape();
  switch (view) {
    case View::reshape:
    case View::reshape_or_copy: {
      Placed placed = Regrouping(e.sym(), sizes, strides->steps, result).run(strides->offset);
      if (view == View::reshape) placed.sharing = Sharing::view;
      return placed;
    }
    case View::contiguous: {
      if (is_row_major(e.sym(), sizes, strides->steps)) return {Sharing::view, strides};
      for (std::int64_t axis = 0; axis < sizes.rank(); ++axis)
        if (sizes[axis].as_constant() != 1 && e.sym().less_equal(2, sizes[axis]) != sym::Truth::yes)
          return {Sharing::unknown};
      return {Sharing::copy};
    }
    case View::transpose:
    case View::transpose_last:
    case View::reverse_axes:
    case View::permute: return reordered_axes(call, *strides);
    case View::select:
    case View::slice:
    case View::part: return ranges(e, call, base, *strides);
    case View::unchanged: return {Sharing::view, strides};
    case View::elements: {
      const std::string_view name = call.op->schema.name;
      if (name == "aten::expand" || name == "aten::expand_as" || name == "aten::broadcast_to")
        return repeated(e, base, *strides, result);
      return {Sharing::view};
    }
    default: return {Sharing::view};
  }
}

}  // namespace cameo::eval
