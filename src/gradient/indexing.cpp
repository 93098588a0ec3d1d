#include "aten/elementwise.h"
#include "aten/support.h"
#include "gradient/rules.h"

namespace cameo::gradient {
namespace {

Expr scatter_sum(const NodeStep& s, const Expr& places, const Expr& updates, std::int64_t axis) {
  return s.e.op("ScatterElements", {zeros(s.e, s.node.inputs[0]), places, updates},
                {{"axis", axis}, {"reduction", "add"}});
}

// One known index of an axis: zeros before and behind it.
Expr one_slice(const NodeStep& s, std::int64_t axis, std::int64_t index) {
  const Shape shape = s.in(0).shape();
  const Dim first = index < 0 ? s.e.simplify(shape[axis] + index) : Dim(index);
  Shape pads = Shape::filled(2 * shape.rank(), 0);
  pads[axis] = first;
  pads[axis + shape.rank()] = s.e.simplify(shape[axis] - 1 - first);
  const Expr column = reshape(s.grad(), [&] {
    Shape one = shape;
    one[axis] = 1;
    return one;
  }());
  return s.e.op("Pad", {column, s.e.dims(pads)}, {}, s.in(0)->type);
}

void gather_slices(const NodeStep& s) {
  const Expr x = s.in(0), indices = s.in(1);
  const std::int64_t axis = x.wrap(s.integer("axis", 0));
  if (indices->constant() && indices->data->numel() == 1)
    return s.give(0, one_slice(s, axis, indices->data->integer(0)));
  if (axis == 0 && indices.rank() > 0) {
    const Expr places = unsqueeze(cast(indices, DType::i64), {indices.rank()});
    return s.give(0, s.e.op("ScatterND", {zeros(s.e, x), places, s.grad()}, {{"reduction", "add"}}));
  }
  Shape flat = x.shape(), column = Shape::filled(x.rank(), 1);
  flat[axis] = column[axis] = indices.shape().product();
  const Expr places = expand(reshape(indices, column), flat);
  s.give(0, scatter_sum(s, places, reshape(s.grad(), flat), axis));
}

void gather_single(const NodeStep& s) {
  s.give(0, scatter_sum(s, s.in(1), s.grad(), s.in(0).wrap(s.integer("axis", 0))));
}

void gather_tuples(const NodeStep& s) {
  if (s.integer("batch_dims", 0) != 0)
    throw aten::Unsupported("the derivative of GatherND with batch dimensions is not supported");
  s.give(0, s.e.op("ScatterND", {zeros(s.e, s.node.inputs[0]), s.in(1), s.grad()}, {{"reduction", "add"}}));
}

// "none" overwrites; "add" adds.
bool adds(const NodeStep& s) {
  const std::string_view how = s.text("reduction", "none");
  if (how != "none" && how != "add")
    throw aten::Unsupported("the derivative of " + s.node.op + " is not supported for the reduction '" +
                            std::string(how) + "'");
  return how == "add";
}

void scatter_single(const NodeStep& s) {
  const std::int64_t axis = s.in(0).wrap(s.integer("axis", 0));
  const bool add = adds(s);
  if (s.wants(0)) {
    const Expr kept = add ? s.grad()
                          : Expr(s.e.op("ScatterElements", {s.grad(), s.in(1), zeros(s.e, s.node.inputs[2])},
                                        {{"axis", axis}}));
    s.give(0, kept);
  }
  if (s.wants(2)) s.give(2, gather_elements(s.grad(), s.in(1), axis));
}

void scatter_tuples(const NodeStep& s) {
  const bool add = adds(s);
  if (s.wants(0))
    s.give(0, add ? s.grad() : Expr(s.e.op("ScatterND", {s.grad(), s.in(1), zeros(s.e, s.node.inputs[2])})));
  if (s.wants(2)) s.give(2, s.e.op("GatherND", {s.grad(), s.in(1)}));
}

void largest(const NodeStep& s) {
  const std::int64_t axis = s.in(0).wrap(s.integer("axis", -1));
  s.give(0, s.e.op("ScatterElements", {zeros(s.e, s.node.inputs[0]), s.out(1), s.grad()}, {{"axis", axis}}));
}

void compress(const NodeStep& s) {
  const Expr x = s.in(0);
  const auto* axis = s.node.attribute_if<std::int64_t>("axis");
  const std::int64_t along = axis ? x.wrap(*axis) : 0;
  const Shape shape = axis ? x.shape() : Shape{x.shape().product()};
  const Dim kept = s.out().dim(along);
  const Expr places = reshape(s.e.op("NonZero", {s.in(1)}), {kept});
  Shape column = Shape::filled(shape.rank(), 1);
  column[along] = kept;
  const Expr base = aten::filled(x.number(0), shape);
  const Expr all = expand(reshape(places, column), s.out().shape());
  const Expr put = s.e.op("ScatterElements", {base, all, s.grad()}, {{"axis", along}});
  s.give(0, reshape(put, x.shape()));
}

constexpr NodeRow kIndexing[] = {
    {"Compress", compress},      {"Gather", gather_slices},           {"GatherElements", gather_single},
    {"GatherND", gather_tuples}, {"ScatterElements", scatter_single}, {"ScatterND", scatter_tuples},
    {"TopK", largest},
};

}  // namespace

std::span<const NodeRow> indexing_rules() { return kIndexing; }

}  // namespace cameo::gradient
