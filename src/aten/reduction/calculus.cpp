// Areas under sampled curves, and their slopes.
#include <algorithm>

#include "aten/elementwise.h"
#include "aten/families.h"
#include "aten/reduce.h"
#include "aten/support.h"

namespace cameo::aten {
namespace {

Expr add(Emit& e, Expr a, Expr b) {
  const Operands x = operands(e, Expr(a), Expr(b));
  return x.a + x.b;
}
Expr product(Emit& e, const Operand& a, const Operand& b) {
  const Operands x = operands(e, a, b);
  return x.a * x.b;
}
Expr quotient(Emit& e, const Operand& a, const Operand& b) {
  const Operands x = float_operands(e, a, b);
  return x.a / x.b;
}
Expr difference(Expr a, Expr b) { return a - b; }

// `count` positions from `from`, which counts from the end where it is negative.
Expr part(Emit&, const Expr& x, std::int64_t axis, std::int64_t from, const Dim& count) {
  const Dim start = from < 0 ? x.dim(axis) + from : Dim(from);
  return slice(x, axis, start, start + count);
}
// Neighbours: all but the last, all but the first.
Expr left(Emit& e, const Expr& x, std::int64_t axis) { return part(e, x, axis, 0, x.dim(axis) - 1); }
Expr right(Emit& e, const Expr& x, std::int64_t axis) { return part(e, x, axis, 1, x.dim(axis) - 1); }

Expr summed(Emit&, const Expr& x, std::int64_t axis) {
  return reduce_sum(is_whole(x) ? cast(x, DType::i64) : x, {axis});
}
Expr running_sum(const Expr& x, std::int64_t axis) {
  const DType dtype = is_whole(x) ? DType::i64 : x.dtype();
  return cast(cumulative_sum(cast(x, implemented("CumSum", dtype)), axis), dtype);
}

std::int64_t curve_axis(const Expr& y, std::int64_t dim) {
  if (y.rank() == 0) throw ProgramError("the input must have at least one dimension");
  if (y.dtype() == DType::boolean) throw ProgramError("booleans are not supported");
  return y.wrap(dim);
}

Expr nothing(const Expr& y, std::int64_t axis) {
  Shape shape = y.shape();
  shape.erase(shape.begin() + axis);
  return filled(y.number(0), shape);
}

// The distances of neighbouring sample points. One line of points serves all curves.
Expr distances(Emit& e, const Expr& y, const Expr& points, std::int64_t axis) {
  if (points.dtype() == DType::boolean) throw ProgramError("booleans are not supported");
  Expr x = points;
  if (x.rank() == 1) {
    if (e.sym().equal(x.dim(0), y.dim(axis)) == sym::Truth::no)
      throw ProgramError("there must be one x for each y");
    Shape shape(y.shape().size(), Dim(1));
    shape[axis] = x.dim(0);
    x = reshape(x, shape);
  } else if (x.rank() < y.rank()) {
    Axes front;
    for (std::int64_t i = 0; i < y.rank() - x.rank(); ++i) front.push_back(i);
    x = unsqueeze(x, front);
  }
  return difference(right(e, x, axis), left(e, x, axis));
}

Expr half_of(Emit& e, const Expr& x) { return quotient(e, x, Scalar{2.0}); }

Expr trapezoid_x(Emit& e, Expr y, Expr x, std::int64_t dim) {
  const std::int64_t axis = curve_axis(y, dim);
  if (y.dim(axis).as_constant() == 0) return nothing(y, axis);
  const Expr areas = product(e, add(e, left(e, y, axis), right(e, y, axis)), distances(e, y, x, axis));
  return half_of(e, summed(e, areas, std::max(areas.rank() - y.rank(), std::int64_t{0}) + axis));
}
Expr trapezoid(Emit& e, Expr y, Scalar dx, std::int64_t dim) {
  const std::int64_t axis = curve_axis(y, dim);
  if (y.dim(axis).as_constant() == 0) return nothing(y, axis);
  const Expr ends = add(e, gather(y, e.dim(0), axis), gather(y, e.dim(-1), axis));
  const Expr half = product(e, ends, Scalar{0.5});
  const Operands x = operands(e, summed(e, y, axis), half);
  return product(e, difference(x.a, x.b), Scalar{known_number(dx, "dx")});
}
Expr cumulative_trapezoid_x(Emit& e, Expr y, Expr x, std::int64_t dim) {
  const std::int64_t axis = curve_axis(y, dim);
  const Expr areas = product(e, add(e, left(e, y, axis), right(e, y, axis)), distances(e, y, x, axis));
  return half_of(e, running_sum(areas, axis));
}
Expr cumulative_trapezoid(Emit& e, Expr y, Scalar dx, std::int64_t dim) {
  const std::int64_t axis = curve_axis(y, dim);
  const Expr both = add(e, left(e, y, axis), right(e, y, axis));
  return running_sum(product(e, both, Scalar{known_number(dx, "dx") / 2}), axis);
}

// One dimension's slopes: `first`, those between, `last`.
struct Slopes {
  Expr first, middle, last;
};

void check_size(Emit& e, const Expr& self, std::int64_t axis, std::int64_t edge_order) {
  if (edge_order != 1 && edge_order != 2) throw ProgramError("'edge_order' must be 1 or 2");
  if (e.sym().less(self.dim(axis), edge_order + 1) == sym::Truth::yes)
    throw ProgramError("each dimension must have at least edge_order + 1 elements");
}

Slopes even_slopes(Emit& e, const Expr& x, std::int64_t axis, const Scalar& step, std::int64_t edge_order) {
  const Dim inner = x.dim(axis) - 2;
  auto at = [&](std::int64_t from) { return part(e, x, axis, from, 1); };
  const Expr around = difference(part(e, x, axis, 2, inner), part(e, x, axis, 0, inner));
  const Expr middle = half_of(e, quotient(e, around, step));
  if (edge_order == 1)
    return {quotient(e, difference(at(1), at(0)), step), middle,
            quotient(e, difference(at(-1), at(-2)), step)};
  auto edge = [&](const Expr& outer, const Expr& next, const Expr& third, double sign) {
    const Expr a = product(e, outer, Scalar{-1.5 * sign}), b = product(e, next, Scalar{2.0 * sign}),
               c = product(e, third, Scalar{-0.5 * sign});
    return quotient(e, add(e, add(e, a, b), c), step);
  };
  return {edge(at(0), at(1), at(2), 1), middle, edge(at(-1), at(-2), at(-3), -1)};
}

Slopes slopes_at(Emit& e, const Expr& x, std::int64_t axis, const Expr& points, std::int64_t edge_order) {
  if (points.rank() != 1) throw ProgramError("the coordinates of a dimension must have one dimension");
  const Dim inner = x.dim(axis) - 2;
  auto at = [&](std::int64_t from) { return part(e, x, axis, from, 1); };
  const Expr steps = difference(right(e, points, 0), left(e, points, 0));
  Shape line(x.shape().size(), Dim(1));
  line[axis] = inner;
  auto weighted = [&](const Expr& a, const Expr& xa, const Expr& b, const Expr& xb, const Expr& c,
                      const Expr& xc) {
    return add(e, add(e, product(e, a, xa), product(e, b, xb)), product(e, c, xc));
  };
  auto negative = [&](const Expr& v) { return product(e, v, Scalar{Dim(-1)}); };
  auto along = [&](const Expr& v) { return Expr(reshape(v, line)); };

  const Expr d1 = part(e, steps, 0, 0, inner), d2 = part(e, steps, 0, 1, inner), both = add(e, d1, d2);
  const Expr middle =
      weighted(along(quotient(e, negative(d2), product(e, d1, both))), part(e, x, axis, 0, inner),
               along(quotient(e, difference(d2, d1), product(e, d1, d2))), part(e, x, axis, 1, inner),
               along(quotient(e, d1, product(e, d2, both))), part(e, x, axis, 2, inner));
  auto step = [&](std::int64_t i) { return Expr(gather(steps, e.dim(i), 0)); };
  if (edge_order == 1)
    return {quotient(e, difference(at(1), at(0)), step(0)), middle,
            quotient(e, difference(at(-1), at(-2)), step(-1))};
  // The same at both ends, mirrored.
  auto edge = [&](const Expr& near, const Expr& far, std::int64_t outer, std::int64_t next,
                  std::int64_t third, bool end) {
    const Expr reach = add(e, near, far);
    const Expr a = quotient(e, add(e, near, reach), product(e, near, reach));
    const Expr b = quotient(e, reach, product(e, near, far));
    const Expr c = quotient(e, near, product(e, far, reach));
    return end ? weighted(a, at(outer), negative(b), at(next), c, at(third))
               : weighted(negative(a), at(outer), b, at(next), negative(c), at(third));
  };
  return {edge(step(0), step(1), 0, 1, 2, false), middle, edge(step(-1), step(-2), -1, -2, -3, true)};
}

using Spacing = std::variant<Scalar, Expr>;

std::vector<Expr> gradients(Emit& e, const Expr& self, const std::vector<Spacing>& spacing, const Axes& dims,
                            std::int64_t edge_order) {
  if (spacing.size() != dims.size()) throw ProgramError("there must be one spacing for each dimension");
  std::vector<Expr> out;
  for (std::size_t i = 0; i < dims.size(); ++i) {
    const std::int64_t axis = self.wrap(dims[i]);
    check_size(e, self, axis, edge_order);
    const Scalar* step = std::get_if<Scalar>(&spacing[i]);
    const Slopes s = step ? even_slopes(e, self, axis, *step, edge_order)
                          : slopes_at(e, self, axis, std::get<Expr>(spacing[i]), edge_order);
    const DType dtype = promote(promote(s.first.dtype(), s.middle.dtype()), s.last.dtype());
    out.emplace_back(concat({cast(s.first, dtype), cast(s.middle, dtype), cast(s.last, dtype)}, axis));
  }
  return out;
}

Axes dims_of(const Expr& self, const std::optional<std::int64_t>& dim) {
  return dim ? Axes{*dim} : all_axes(self);
}

template <class T>
std::vector<Spacing> each(const std::vector<T>& spacing) {
  return {spacing.begin(), spacing.end()};
}

std::vector<Expr> gradient_number(Emit& e, Expr self, std::optional<Scalar> spacing,
                                  std::optional<std::int64_t> dim, std::int64_t edge_order) {
  const Axes dims = dims_of(self, dim);
  return gradients(e, self, std::vector<Spacing>(dims.size(), spacing.value_or(Scalar{Dim(1)})), dims,
                   edge_order);
}
std::vector<Expr> gradient_number_dims(Emit& e, Expr self, Scalar spacing, Axes dim,
                                       std::int64_t edge_order) {
  return gradients(e, self, std::vector<Spacing>(dim.size(), spacing), dim, edge_order);
}
std::vector<Expr> gradient_dims(Emit& e, Expr self, Axes dim, std::int64_t edge_order) {
  return gradient_number_dims(e, self, Scalar{Dim(1)}, dim, edge_order);
}
template <class T>
std::vector<Expr> gradient_list(Emit& e, Expr self, std::vector<T> spacing, std::optional<std::int64_t> dim,
                                std::int64_t edge_order) {
  return gradients(e, self, each(spacing), dims_of(self, dim), edge_order);
}
template <class T>
std::vector<Expr> gradient_list_dims(Emit& e, Expr self, std::vector<T> spacing, Axes dim,
                                     std::int64_t edge_order) {
  return gradients(e, self, each(spacing), dim, edge_order);
}

constexpr Declaration kCalculus[] = {
    op<trapezoid_x>(
        "aten::trapezoid.x(Tensor y, Tensor x, *, int dim=-1) -> Tensor",
        {.doc = "The area under a curve, of trapezoids between points.", .aliases = {"aten::trapz.x"}}),
    op<trapezoid>("aten::trapezoid.dx(Tensor y, *, Scalar dx=1, int dim=-1) -> Tensor",
                  {.doc = "The area under a curve, of trapezoids of one width."}),
    op<trapezoid>("aten::trapz.dx(Tensor y, *, float dx=1., int dim=-1) -> Tensor",
                  {.doc = "The area under a curve, of trapezoids of one width."}),
    op<cumulative_trapezoid_x>("aten::cumulative_trapezoid.x(Tensor y, Tensor x, *, int dim=-1) -> Tensor",
                               {.doc = "Running areas under a curve, of trapezoids between points."}),
    op<cumulative_trapezoid>("aten::cumulative_trapezoid.dx(Tensor y, *, Scalar dx=1, int dim=-1) -> Tensor",
                             {.doc = "Running areas under a curve, of trapezoids of one width."}),
    op<gradient_number>("aten::gradient.scalarint(Tensor self, *, Scalar? spacing=None, int? dim=None, int "
                        "edge_order=1) -> Tensor[]",
                        {.doc = "Slopes along dimensions, of points at one distance."}),
    op<gradient_number_dims>(
        "aten::gradient.scalararray(Tensor self, *, Scalar spacing, int[] dim, int edge_order=1) -> "
        "Tensor[]",
        {.doc = "Slopes along dimensions, of points at one distance."}),
    op<gradient_dims>("aten::gradient.array(Tensor self, *, int[] dim, int edge_order=1) -> Tensor[]",
                      {.doc = "Slopes along dimensions, of points at distance 1."}),
    op<gradient_list<Scalar>>(
        "aten::gradient.scalarrayint(Tensor self, *, Scalar[] spacing, int? dim=None, int "
        "edge_order=1) -> Tensor[]",
        {.doc = "Slopes along dimensions, of points at one distance per dimension.",
         .sample = "self=f32[batch,6], spacing=[0.5], dim=1"}),
    op<gradient_list_dims<Scalar>>(
        "aten::gradient.scalarrayarray(Tensor self, *, Scalar[] spacing, int[] dim, int "
        "edge_order=1) -> Tensor[]",
        {.doc = "Slopes along dimensions, of points at one distance per dimension.",
         .sample = "self=f32[batch,6], spacing=[0.5], dim=[1]"}),
    op<gradient_list<Expr>>(
        "aten::gradient.tensorarrayint(Tensor self, *, Tensor[] spacing, int? dim=None, int "
        "edge_order=1) -> Tensor[]",
        {.doc = "Slopes along dimensions, of points at given coordinates.",
         .sample = "self=f32[batch,6], spacing=[f32[6]], dim=1"}),
    op<gradient_list_dims<Expr>>(
        "aten::gradient.tensorarray(Tensor self, *, Tensor[] spacing, int[] dim, int "
        "edge_order=1) -> Tensor[]",
        {.doc = "Slopes along dimensions, of points at given coordinates.",
         .sample = "self=f32[batch,6], spacing=[f32[6]], dim=[1]"}),
};

}  // namespace

std::span<const Declaration> calculus_ops() { return kCalculus; }

}  // namespace cameo::aten
