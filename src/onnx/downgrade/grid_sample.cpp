// GridSample by the elements around each position, for opsets that sample two axes or none.

#include "onnx/downgrade/resample.h"
#include "onnx/downgrade/steps.h"

namespace cameo::onnx {
namespace {

// Elements that a position is made of: where they are, and how much each counts; null for all of it.
struct Neighbour {
  Value* index = nullptr;
  Value* weight = nullptr;
};

class Sampler {
 public:
  explicit Sampler(Translation& t)
      : e_(t.emit),
        x_(t.node.inputs[0]),
        grid_(t.node.inputs[1]),
        nearest_(text_attribute(t, "mode", "linear") == "nearest"),
        corners_(integer_attribute(t, "align_corners", 0) != 0),
        padding_(text_attribute(t, "padding_mode", "zeros")) {}

  Value* run(const Shape& result) {
    const Shape& shape = *x_->type.shape;
    Shape points{shape[0], 1, 1}, plane{shape[0], shape[1], 1};
    for (std::size_t i = 2; i < shape.size(); ++i) {
      points[2] = points[2] * result[i];
      plane[2] = plane[2] * shape[i];
    }
    const Shape chosen{shape[0], shape[1], points[2]};
    Value *flat = e_.reshape(x_, plane), *sum = nullptr;
    for (const Neighbour& each : neighbours(points)) {
      Value* part =
          e_.op("GatherElements", {flat, e_.expand(each.index, chosen)}, {{"axis", std::int64_t{2}}});
      if (each.weight) part = times(part, e_.cast(each.weight, x_->dtype()));
      sum = sum ? plus(sum, part) : part;
    }
    return e_.reshape(sum, result);
  }

 private:
  Value* number(double value) { return e_.scalar(grid_->dtype(), value); }
  Value* plus(Value* a, Value* b) { return e_.op("Add", {a, b}); }
  Value* minus(Value* a, Value* b) { return e_.op("Sub", {a, b}); }
  Value* times(Value* a, Value* b) { return e_.op("Mul", {a, b}); }
  Value* within(Value* x, Value* last) { return e_.op("Max", {e_.op("Min", {x, last}), number(0)}); }

  // Places along one axis, counted in elements.
  Value* position(Value* relative, Value* size, Value* last) {
    Value* from_start = plus(relative, number(1));
    Value* at = corners_ ? times(times(from_start, number(0.5)), last)
                         : times(minus(times(from_start, size), number(1)), number(0.5));
    if (padding_ == "zeros") return at;
    return within(padding_ == "reflection" ? reflected(at, size, last) : at, last);
  }

  Value* reflected(Value* at, Value* size, Value* last) {
    Value *low = number(corners_ ? 0 : -0.5), *span = corners_ ? last : size;
    Value* period = e_.op("Max", {plus(span, span), number(1)});
    Value* distance = e_.op("Abs", {minus(at, low)});
    Value* rest = minus(distance, times(e_.op("Floor", {e_.op("Div", {distance, period})}), period));
    return plus(low, minus(span, e_.op("Abs", {minus(rest, span)})));
  }

  std::vector<Neighbour> along(Value* at, Value* last) {
    std::vector<Neighbour> out;
    if (nearest_) {
      out = {{e_.op("Round", {at}), nullptr}};
    } else {
      Value* low = e_.op("Floor", {at});
      Value* part = minus(at, low);
      out = {{low, minus(number(1), part)}, {plus(low, number(1)), part}};
    }
    for (Neighbour& each : out) {
      if (padding_ == "zeros") {
        Value* inside = e_.op("Equal", {within(each.index, last), each.index});
        Value* counts = e_.cast(inside, grid_->dtype());
        each.weight = each.weight ? times(each.weight, counts) : counts;
      }
      each.index = e_.cast(within(each.index, last), DType::i64);
    }
    return out;
  }

  // For all axes together; the grid begins with the last axis.
  std::vector<Neighbour> neighbours(const Shape& points) {
    const Shape& shape = *x_->type.shape;
    std::vector<Neighbour> all(1);
    for (std::int64_t axis = 2; axis < shape.rank(); ++axis) {
      const std::int64_t column = shape.rank() - 1 - axis;
      Value* relative = e_.gather(grid_, e_.dim(column), grid_->rank() - 1);
      Value* size = e_.cast(e_.dim(shape[axis]), grid_->dtype());
      Value* last = minus(size, number(1));
      const std::vector<Neighbour> here = along(position(e_.reshape(relative, points), size, last), last);
      std::vector<Neighbour> joined;
      for (const Neighbour& a : all)
        for (const Neighbour& b : here)
          joined.push_back({a.index ? plus(times(a.index, e_.dim(shape[axis])), b.index) : b.index,
                            a.weight && b.weight ? times(a.weight, b.weight) : b.weight});
      all = std::move(joined);
    }
    return all;
  }

  Emit& e_;
  Value *x_, *grid_;
  bool nearest_, corners_;
  std::string padding_;
};

}  // namespace

void sample_grid(Translation& t) {
  if (!t.node.inputs[0]->has_rank() || !t.node.inputs[1]->has_rank())
    needs(t, "the number of axes is not known");
  if (text_attribute(t, "mode", "linear") == "cubic") needs(t, "it interpolates by cubics");
  t.instead = {Sampler(t).run(*t.results[0].type.shape)};
}

}  // namespace cameo::onnx
