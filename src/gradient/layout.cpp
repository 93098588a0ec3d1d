#include <algorithm>

#include "aten/elementwise.h"
#include "aten/reduce.h"
#include "gradient/rules.h"

namespace cameo::gradient {
namespace {

void regroup(const NodeStep& s) { s.give(0, reshape(s.grad(), s.in(0).shape())); }

void reorder(const NodeStep& s) {
  const auto* perm = s.node.attribute_if<Axes>("perm");
  Axes order = perm ? *perm : Axes();
  if (!perm)
    for (std::int64_t axis = s.in(0).rank(); axis-- > 0;) order.push_back(axis);
  s.give(0, transpose(s.grad(), inverse_permutation(order)));
}

void broadcast(const NodeStep& s) { s.give(0, s.grad()); }

void join(const NodeStep& s) {
  const std::int64_t axis = s.out().wrap(s.integer("axis", 0));
  Dim start = 0;
  for (std::size_t i = 0; i < s.inputs(); ++i) {
    const Dim end = s.e.simplify(start + s.in(i).dim(axis));
    if (s.wants(i)) s.give(i, slice(s.grad(), axis, start, end));
    start = end;
  }
}

void split(const NodeStep& s) {
  std::vector<Expr> parts;
  for (std::size_t i = 0; i < s.node.outputs.size(); ++i)
    parts.push_back(s.grad(i).value ? s.grad(i) : zeros(s.e, s.node.outputs[i]));
  s.give(0, concat(parts, s.in(0).wrap(s.integer("axis", 0))));
}

// Zeros before and behind each axis.
Expr with_margins(const Expr& x, const Shape& before, const Shape& behind, const Shape& shape) {
  Shape pads = before;
  pads.insert(pads.end(), behind.begin(), behind.end());
  if (std::ranges::all_of(pads, [](const Dim& pad) { return pad == Dim(0); })) return x;
  return x.e->op("Pad", {x, x.e->dims(pads)}, {}, onnx::Type{.dtype = x.dtype(), .shape = shape});
}

// The elements of `part`, put back to the places in a tensor like `whole` from which `slice` took them along
// one axis: Slice of the positions tells them.
Expr put_back(const NodeStep& s, const Expr& part, const Shape& whole, std::int64_t axis, std::size_t index) {
  Emit& e = s.e;
  const Expr at = e.ints({static_cast<std::int64_t>(index)});
  std::vector<onnx::Value*> arguments{aten::indices(e, whole[axis]), gather(s.in(1), at, 0),
                                      gather(s.in(2), at, 0), e.ints({0})};
  if (s.has(4)) arguments.push_back(gather(s.in(4), at, 0));
  Shape column = Shape::filled(whole.rank(), 1);
  column[axis] = part.dim(axis);
  const Expr places = reshape(Expr(e.op("Slice", arguments)), column);
  const Expr base = aten::filled(part.number(0), whole);
  return e.op("ScatterElements", {base, expand(places, part.shape()), part}, {{"axis", axis}});
}

// The first index of a slice with step 1, if it is known to lie inside.
std::optional<Dim> first_index(Emit& e, const Dim& start, const Dim& size) {
  if (e.sym().less_equal(0, start) == sym::Truth::yes) {
    if (e.sym().less_equal(start, size) == sym::Truth::yes) return start;
    return std::nullopt;
  }
  const Dim from_end = e.simplify(size + start);
  if (e.sym().less(start, 0) == sym::Truth::yes && e.sym().less_equal(0, from_end) == sym::Truth::yes)
    return from_end;
  return std::nullopt;
}

bool has_formulas(const onnx::Value* value) { return value->constant() || value->elements; }

void cut(const NodeStep& s) {
  const Expr x = s.in(0);
  const bool formulas = has_formulas(s.node.inputs[1]);
  Axes axes;
  if (s.has(3)) {
    for (std::int64_t axis : s.known(3)) axes.push_back(x.wrap(axis));
  } else {
    axes = aten::all_axes(x);
  }
  const bool stepped = s.has(4) && !has_formulas(s.node.inputs[4]);
  const Shape steps = s.has(4) && !stepped ? s.formulas(4) : Shape(axes.size(), Dim(1));
  Expr g = s.grad();
  Shape before = Shape::filled(x.rank(), 0), behind = before, padded = s.out().shape();
  for (std::size_t i = 0; i < axes.size(); ++i) {
    const std::int64_t axis = axes[i];
    std::optional<Dim> first;
    if (formulas && !stepped && steps[i] == Dim(1)) first = first_index(s.e, s.formulas(1)[i], x.dim(axis));
    if (!first) continue;
    before[axis] = *first;
    behind[axis] = s.e.simplify(x.dim(axis) - *first - s.out().dim(axis));
    padded[axis] = x.dim(axis);
    axes[i] = -1;
  }
  g = with_margins(g, before, behind, padded);
  for (std::size_t i = 0; i < axes.size(); ++i) {
    if (axes[i] < 0) continue;
    padded[axes[i]] = x.dim(axes[i]);
    g = put_back(s, g, padded, axes[i], i);
  }
  s.give(0, g);
}

void pad(const NodeStep& s) {
  const Expr x = s.in(0);
  const std::string_view mode = s.text("mode", "constant");
  if (mode != "constant")
    throw aten::Unsupported("the derivative of Pad is supported for constant padding only");
  const Shape pads = s.formulas(1);
  Axes axes = aten::all_axes(x);
  if (s.has(3)) axes = s.known(3);
  const std::size_t half = pads.size() / 2;
  Expr g = s.grad();
  Shape outer_before = Shape::filled(x.rank(), 0), outer_behind = outer_before;
  for (std::size_t i = 0; i < axes.size(); ++i) {
    const std::int64_t axis = x.wrap(axes[i]);
    for (const std::size_t end : {i, i + half}) {
      const Dim& amount = pads[end];
      if (s.e.sym().less_equal(0, amount) == sym::Truth::yes) continue;
      if (s.e.sym().less_equal(amount, 0) != sym::Truth::yes)
        throw aten::Unsupported("the derivative of Pad needs to know which sides become shorter");
      (end == i ? outer_before : outer_behind)[axis] = -amount;
    }
    const Dim start = sym::max(pads[i], 0), end = g.dim(axis) - sym::max(pads[i + half], 0);
    g = slice(g, axis, s.e.simplify(start), s.e.simplify(end));
  }
  s.give(0, with_margins(g, outer_before, outer_behind, x.shape()));
}

void tile(const NodeStep& s) {
  const Expr x = s.in(0);
  const Shape repeats = s.formulas(1);
  Shape parted;
  Axes copies;
  for (std::int64_t axis = 0; axis < x.rank(); ++axis) {
    copies.push_back(parted.rank());
    parted.push_back(repeats[axis]);
    parted.push_back(x.dim(axis));
  }
  s.give(0, aten::reduce_sum(reshape(s.grad(), parted), copies));
}

void triangle(const NodeStep& s) {
  std::vector<onnx::Value*> inputs{s.grad()};
  if (s.has(1)) inputs.push_back(s.in(1));
  s.give(0, compute(s.e, "Trilu", std::move(inputs), {{"upper", s.integer("upper", 1)}}));
}

// Blocks of channels as blocks of pixels, backwards.
void depth_to_space(const NodeStep& s) {
  const Expr x = s.in(0);
  const std::int64_t r = s.integer("blocksize", 1);
  const bool channels_first = s.text("mode", "DCR") == "CRD";
  const Dim depth = s.e.simplify(sym::floordiv(x.dim(1), r * r));
  const Expr blocks = reshape(s.grad(), {x.dim(0), depth, x.dim(2), r, x.dim(3), r});
  const Axes order = channels_first ? Axes{0, 1, 3, 5, 2, 4} : Axes{0, 3, 5, 1, 2, 4};
  s.give(0, reshape(transpose(blocks, order), x.shape()));
}

constexpr NodeRow kLayout[] = {
    {"Concat", join},       {"DepthToSpace", depth_to_space},
    {"Expand", broadcast},  {"Flatten", regroup},
    {"Pad", pad},           {"Reshape", regroup},
    {"Slice", cut},         {"Split", split},
    {"Squeeze", regroup},   {"Tile", tile},
    {"Transpose", reorder}, {"Trilu", triangle},
    {"Unsqueeze", regroup},
};

}  // namespace

std::span<const NodeRow> layout_rules() { return kLayout; }

}  // namespace cameo::gradient
