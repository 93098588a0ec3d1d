// Areas under sampled curves, and their slopes.
#include <algorithm>

#include "aten/elementwise.h"
#include "aten/families.h"
#include "aten/reduce.h"
#include "aten/support.h"

namespace cameo::aten {
namespace {

using onnx::Value;

Tensor add(Emit& e, Value* a, Value* b) {
  const Operands x = operands(e, Tensor(a), Tensor(b));
  return e.op("Add", {x.a, x.b});
}
Tensor product(Emit& e, const Operand& a, const Operand& b) {
  const Operands x = operands(e, a, b);
  return e.op("Mul", {x.a, x.b});
}
Tensor quotient(Emit& e, const Operand& a, const Operand& b) {
  const Operands x = float_operands(e, a, b);
  return e.op("Div", {x.a, x.b});
}
Tensor difference(Emit& e, Value* a, Value* b) { return e.op("Sub", {a, b}); }

// `count` positions from `from`, which counts from the end where it is negative.
Tensor part(Emit& e, const Tensor& x, std::int64_t axis, std::int64_t from, const Dim& count) {
  const Dim start = from < 0 ? x.dim(axis) + from : Dim(from);
  return e.slice(x, axis, start, start + count);
}
// Neighbours: all but the last, all but the first.
Tensor left(Emit& e, const Tensor& x, std::int64_t axis) { return part(e, x, axis, 0, x.dim(axis) - 1); }
Tensor right(Emit& e, const Tensor& x, std::int64_t axis) { return part(e, x, axis, 1, x.dim(axis) - 1); }

Tensor summed(Emit& e, const Tensor& x, std::int64_t axis) {
  return reduce(e, "ReduceSum", is_whole(x) ? e.cast(x, DType::i64) : x.value, {axis}, false);
}
Tensor running_sum(Emit& e, const Tensor& x, std::int64_t axis) {
  const DType dtype = is_whole(x) ? DType::i64 : x.dtype();
  return e.cast(e.op("CumSum", {e.cast(x, implemented("CumSum", dtype)), e.dim(axis)}), dtype);
}

std::int64_t curve_axis(const Tensor& y, std::int64_t dim) {
  if (y.rank() == 0) throw ProgramError("the input must have at least one dimension");
  if (y.dtype() == DType::boolean) throw ProgramError("booleans are not supported");
  return y.wrap(dim);
}

Tensor nothing(Emit& e, const Tensor& y, std::int64_t axis) {
  Shape shape = y.shape();
  shape.erase(shape.begin() + axis);
  return filled(e, like(e, y, 0), shape);
}

// How far neighbouring sample points are apart. One line of points serves all curves.
Tensor distances(Emit& e, const Tensor& y, const Tensor& points, std::int64_t axis) {
  if (points.dtype() == DType::boolean) throw ProgramError("booleans are not supported");
  Tensor x = points;
  if (x.rank() == 1) {
    if (e.sym().equal(x.dim(0), y.dim(axis)) == sym::Truth::no)
      throw ProgramError("there must be one x for each y");
    Shape shape(y.shape().size(), Dim(1));
    shape[static_cast<std::size_t>(axis)] = x.dim(0);
    x = e.reshape(x, shape);
  } else if (x.rank() < y.rank()) {
    Axes front;
    for (std::int64_t i = 0; i < y.rank() - x.rank(); ++i) front.push_back(i);
    x = e.unsqueeze(x, front);
  }
  return difference(e, right(e, x, axis), left(e, x, axis));
}

Tensor half_of(Emit& e, const Tensor& x) { return quotient(e, x, Scalar{2.0}); }

Tensor trapezoid_x(Emit& e, Tensor y, Tensor x, std::int64_t dim) {
  const std::int64_t axis = curve_axis(y, dim);
  if (y.dim(axis).as_constant() == 0) return nothing(e, y, axis);
  const Tensor areas = product(e, add(e, left(e, y, axis), right(e, y, axis)), distances(e, y, x, axis));
  return half_of(e, summed(e, areas, std::max(areas.rank() - y.rank(), std::int64_t{0}) + axis));
}
Tensor trapezoid(Emit& e, Tensor y, Scalar dx, std::int64_t dim) {
  const std::int64_t axis = curve_axis(y, dim);
  if (y.dim(axis).as_constant() == 0) return nothing(e, y, axis);
  const Tensor ends = add(e, e.gather(y, e.dim(0), axis), e.gather(y, e.dim(-1), axis));
  const Tensor half = product(e, ends, Scalar{0.5});
  const Operands x = operands(e, summed(e, y, axis), half);
  return product(e, difference(e, x.a, x.b), Scalar{known_number(dx, "dx")});
}
Tensor cumulative_trapezoid_x(Emit& e, Tensor y, Tensor x, std::int64_t dim) {
  const std::int64_t axis = curve_axis(y, dim);
  const Tensor areas = product(e, add(e, left(e, y, axis), right(e, y, axis)), distances(e, y, x, axis));
  return half_of(e, running_sum(e, areas, axis));
}
Tensor cumulative_trapezoid(Emit& e, Tensor y, Scalar dx, std::int64_t dim) {
  const std::int64_t axis = curve_axis(y, dim);
  const Tensor both = add(e, left(e, y, axis), right(e, y, axis));
  return running_sum(e, product(e, both, Scalar{known_number(dx, "dx") / 2}), axis);
}

// One dimension's slopes: `first`, those between, `last`.
struct Slopes {
  Tensor first, middle, last;
};

void check_size(Emit& e, const Tensor& self, std::int64_t axis, std::int64_t edge_order) {
  if (edge_order != 1 && edge_order != 2) throw ProgramError("'edge_order' must be 1 or 2");
  if (e.sym().less(self.dim(axis), edge_order + 1) == sym::Truth::yes)
    throw ProgramError("each dimension must have at least edge_order + 1 elements");
}

Slopes even_slopes(Emit& e, const Tensor& x, std::int64_t axis, const Scalar& step, std::int64_t edge_order) {
  const Dim inner = x.dim(axis) - 2;
  auto at = [&](std::int64_t from) { return part(e, x, axis, from, 1); };
  const Tensor around = difference(e, part(e, x, axis, 2, inner), part(e, x, axis, 0, inner));
  const Tensor middle = half_of(e, quotient(e, around, step));
  if (edge_order == 1)
    return {quotient(e, difference(e, at(1), at(0)), step), middle,
            quotient(e, difference(e, at(-1), at(-2)), step)};
  auto edge = [&](const Tensor& outer, const Tensor& next, const Tensor& third, double sign) {
    const Tensor a = product(e, outer, Scalar{-1.5 * sign}), b = product(e, next, Scalar{2.0 * sign}),
                 c = product(e, third, Scalar{-0.5 * sign});
    return quotient(e, add(e, add(e, a, b), c), step);
  };
  return {edge(at(0), at(1), at(2), 1), middle, edge(at(-1), at(-2), at(-3), -1)};
}

Slopes slopes_at(Emit& e, const Tensor& x, std::int64_t axis, const Tensor& points, std::int64_t edge_order) {
  if (points.rank() != 1) throw ProgramError("the coordinates of a dimension must have one dimension");
  const Dim inner = x.dim(axis) - 2;
  auto at = [&](std::int64_t from) { return part(e, x, axis, from, 1); };
  const Tensor steps = difference(e, right(e, points, 0), left(e, points, 0));
  Shape line(x.shape().size(), Dim(1));
  line[static_cast<std::size_t>(axis)] = inner;
  auto weighted = [&](const Tensor& a, const Tensor& xa, const Tensor& b, const Tensor& xb, const Tensor& c,
                      const Tensor& xc) {
    return add(e, add(e, product(e, a, xa), product(e, b, xb)), product(e, c, xc));
  };
  auto negative = [&](const Tensor& v) { return product(e, v, Scalar{Dim(-1)}); };
  auto along = [&](const Tensor& v) { return Tensor(e.reshape(v, line)); };

  const Tensor d1 = part(e, steps, 0, 0, inner), d2 = part(e, steps, 0, 1, inner), both = add(e, d1, d2);
  const Tensor middle =
      weighted(along(quotient(e, negative(d2), product(e, d1, both))), part(e, x, axis, 0, inner),
               along(quotient(e, difference(e, d2, d1), product(e, d1, d2))), part(e, x, axis, 1, inner),
               along(quotient(e, d1, product(e, d2, both))), part(e, x, axis, 2, inner));
  auto step = [&](std::int64_t i) { return Tensor(e.gather(steps, e.dim(i), 0)); };
  if (edge_order == 1)
    return {quotient(e, difference(e, at(1), at(0)), step(0)), middle,
            quotient(e, difference(e, at(-1), at(-2)), step(-1))};
  // The same at both ends, mirrored.
  auto edge = [&](const Tensor& near, const Tensor& far, std::int64_t outer, std::int64_t next,
                  std::int64_t third, bool end) {
    const Tensor reach = add(e, near, far);
    const Tensor a = quotient(e, add(e, near, reach), product(e, near, reach));
    const Tensor b = quotient(e, reach, product(e, near, far));
    const Tensor c = quotient(e, near, product(e, far, reach));
    return end ? weighted(a, at(outer), negative(b), at(next), c, at(third))
               : weighted(negative(a), at(outer), b, at(next), negative(c), at(third));
  };
  return {edge(step(0), step(1), 0, 1, 2, false), middle, edge(step(-1), step(-2), -1, -2, -3, true)};
}

using Spacing = std::variant<Scalar, Tensor>;

std::vector<Tensor> gradients(Emit& e, const Tensor& self, const std::vector<Spacing>& spacing,
                              const Axes& dims, std::int64_t edge_order) {
  if (spacing.size() != dims.size()) throw ProgramError("there must be one spacing for each dimension");
  std::vector<Tensor> out;
  for (std::size_t i = 0; i < dims.size(); ++i) {
    const std::int64_t axis = self.wrap(dims[i]);
    check_size(e, self, axis, edge_order);
    const Scalar* step = std::get_if<Scalar>(&spacing[i]);
    const Slopes s = step ? even_slopes(e, self, axis, *step, edge_order)
                          : slopes_at(e, self, axis, std::get<Tensor>(spacing[i]), edge_order);
    const DType dtype = promote(promote(s.first.dtype(), s.middle.dtype()), s.last.dtype());
    out.emplace_back(
        e.concat({e.cast(s.first, dtype), e.cast(s.middle, dtype), e.cast(s.last, dtype)}, axis));
  }
  return out;
}

Axes dims_of(const Tensor& self, const std::optional<std::int64_t>& dim) {
  return dim ? Axes{*dim} : all_axes(self);
}

std::vector<Spacing> each(const std::vector<Tensor>& spacing) { return {spacing.begin(), spacing.end()}; }

std::vector<Tensor> gradient_number(Emit& e, Tensor self, std::optional<Scalar> spacing,
                                    std::optional<std::int64_t> dim, std::int64_t edge_order) {
  const Axes dims = dims_of(self, dim);
  return gradients(e, self, std::vector<Spacing>(dims.size(), spacing.value_or(Scalar{Dim(1)})), dims,
                   edge_order);
}
std::vector<Tensor> gradient_number_dims(Emit& e, Tensor self, Scalar spacing, Axes dim,
                                         std::int64_t edge_order) {
  return gradients(e, self, std::vector<Spacing>(dim.size(), spacing), dim, edge_order);
}
std::vector<Tensor> gradient_dims(Emit& e, Tensor self, Axes dim, std::int64_t edge_order) {
  return gradient_number_dims(e, self, Scalar{Dim(1)}, dim, edge_order);
}
std::vector<Tensor> gradient_list(Emit& e, Tensor self, std::vector<Tensor> spacing,
                                  std::optional<std::int64_t> dim, std::int64_t edge_order) {
  return gradients(e, self, each(spacing), dims_of(self, dim), edge_order);
}
std::vector<Tensor> gradient_list_dims(Emit& e, Tensor self, std::vector<Tensor> spacing, Axes dim,
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
    op<gradient_list>("aten::gradient.tensorarrayint(Tensor self, *, Tensor[] spacing, int? dim=None, int "
                      "edge_order=1) -> Tensor[]",
                      {.doc = "Slopes along dimensions, of points at given coordinates.",
                       .sample = "self=f32[batch,6], spacing=[f32[6]], dim=1"}),
    op<gradient_list_dims>("aten::gradient.tensorarray(Tensor self, *, Tensor[] spacing, int[] dim, int "
                           "edge_order=1) -> Tensor[]",
                           {.doc = "Slopes along dimensions, of points at given coordinates.",
                            .sample = "self=f32[batch,6], spacing=[f32[6]], dim=[1]"}),
};

}  // namespace

std::span<const Declaration> calculus_ops() { return kCalculus; }

}  // namespace cameo::aten
