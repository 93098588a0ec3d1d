// Which elements are among others, and how many lie where: membership and histograms.
#include <fmt/format.h>

#include "aten/elementwise.h"
#include "aten/families.h"
#include "aten/reduce.h"
#include "aten/support.h"

namespace cameo::aten {
namespace {

using onnx::Value;

Tensor flat(Emit& e, const Tensor& x) { return e.reshape(x, {numel(e, x)}); }

Tensor membership(Emit& e, const Operand& elements, const Operand& tests, bool invert) {
  const Operands x = operands(e, elements, tests);
  const Tensor element(x.a);
  Value* equal = compute(e, "Equal", {e.unsqueeze(x.a, {element.rank()}), flat(e, x.b)});
  Value* found = any_of(e, equal, {element.rank()}, false);
  return invert ? e.op("Not", {found}) : found;
}
template <class Elements, class Tests>
Tensor isin(Emit& e, Elements elements, Tests tests, bool, bool invert) {
  return membership(e, elements, tests, invert);
}

// The two ends of what is counted: as given, or those of the data, moved apart where they coincide.
struct Ends {
  Value *low, *high;
};
Ends known_ends(Emit& e, DType dtype, double low, double high, double apart) {
  if (low > high) throw ProgramError("'max' must be larger than 'min'");
  if (low == high) return {e.scalar(dtype, low - apart), e.scalar(dtype, high + apart)};
  return {e.scalar(dtype, low), e.scalar(dtype, high)};
}
Ends ends_of(Emit& e, const Tensor& x, double apart) {
  Value* low = reduce(e, "ReduceMin", x, {0}, false);
  Value* high = reduce(e, "ReduceMax", x, {0}, false);
  Value* margin = e.op("Mul", {e.cast(e.op("Equal", {low, high}), x.dtype()), like(e, x, apart)});
  return {e.op("Sub", {low, margin}), e.op("Add", {high, margin})};
}

// Adds each weight up in its bin.
Value* counted(Emit& e, Value* bin, Value* weights, const Dim& bins) {
  Value* start = filled(e, like(e, weights, 0), {bins});
  return e.op("ScatterElements", {start, bin, weights}, {{"axis", std::int64_t{0}}, {"reduction", "add"}});
}

void need_floats(const Tensor& self) {
  if (!is_floating(self.dtype())) throw ProgramError("the input must have a floating-point type");
}

Tensor histc(Emit& e, Tensor self, Dim bins, Scalar min, Scalar max) {
  need_floats(self);
  if (e.sym().less(bins, 1) == sym::Truth::yes) throw ProgramError("'bins' must be positive");
  const double low = known_number(min, "min"), high = known_number(max, "max");
  const Tensor x = flat(e, self);
  if (x.dim(0).as_constant() == 0) return filled(e, like(e, x, 0), {bins});
  const Ends ends = low == high ? ends_of(e, x, 1) : known_ends(e, x.dtype(), low, high, 1);
  Value* inside =
      e.op("And", {compute(e, "GreaterOrEqual", {x, ends.low}), compute(e, "LessOrEqual", {x, ends.high})});
  Value* from_low = e.op("Sub", {compute(e, "Where", {inside, x, ends.low}), ends.low});
  Value* scaled = e.op("Mul", {from_low, e.cast(e.dim(bins), x.dtype())});
  Value* place = e.cast(e.op("Div", {scaled, e.op("Sub", {ends.high, ends.low})}), DType::i64);
  return counted(e, compute(e, "Min", {place, e.dim(bins - 1)}), e.cast(inside, x.dtype()), bins);
}

// Bins lie between neighbouring edges; the last one includes its upper edge.
std::vector<Tensor> between_edges(Emit& e, const Tensor& self, const Tensor& edges,
                                  const std::optional<Tensor>& weight, bool density) {
  need_floats(self);
  const Tensor x = flat(e, self);
  const Dim bins = edges.dim(0) - 1;
  Value* reached = compute(e, "LessOrEqual", {edges, e.unsqueeze(x, {1})});
  Value* place = reduce(e, "ReduceSum", e.cast(reached, DType::i64), {1}, false);
  Value *first = e.gather(edges, e.dim(0), 0), *last = e.gather(edges, e.dim(-1), 0);
  Value* inside =
      e.op("And", {compute(e, "GreaterOrEqual", {x, first}), compute(e, "LessOrEqual", {x, last})});
  Value* bin =
      compute(e, "Min", {e.op("Sub", {compute(e, "Max", {place, e.dim(1)}), e.dim(1)}), e.dim(bins - 1)});
  Value* ones = e.cast(inside, x.dtype());
  Value* weights =
      weight ? compute(e, "Where", {inside, e.cast(flat(e, *weight), x.dtype()), like(e, x, 0)}) : ones;
  Value* hist = counted(e, bin, weights, bins);
  if (density) {
    Value* widths = e.op("Sub", {e.slice(edges, 0, 1, bins + 1), e.slice(edges, 0, 0, bins)});
    Value* total = reduce(e, "ReduceSum", hist, {0}, false);
    hist = e.op("Div", {e.op("Div", {hist, total}), widths});
  }
  return {hist, edges};
}

std::vector<Tensor> histogram_edges(Emit& e, Tensor self, Tensor bins, std::optional<Tensor> weight,
                                    bool density) {
  if (bins.rank() != 1) throw ProgramError("the edges must have one dimension");
  return between_edges(e, self, e.cast(bins, self.dtype()), weight, density);
}

// Counted from the nearer end, as linspace does it.
Tensor even_edges(Emit& e, const Ends& ends, const Dim& bins) {
  const DType dtype = ends.low->dtype();
  Value* count = e.cast(e.dim(bins), dtype);
  Value* step = e.op("Div", {e.op("Sub", {ends.high, ends.low}), count});
  Value* numbers = indices(e, bins + 1);
  Value* at = e.cast(numbers, dtype);
  Value* from_low = e.op("Add", {ends.low, e.op("Mul", {step, at})});
  Value* from_high = e.op("Sub", {ends.high, e.op("Mul", {step, e.op("Sub", {count, at})})});
  Value* lower = e.op("Less", {numbers, e.dim(sym::floordiv(bins + 1, 2))});
  return compute(e, "Where", {lower, from_low, from_high});
}

std::vector<Tensor> histogram(Emit& e, Tensor self, Dim bins, std::optional<std::vector<double>> range,
                              std::optional<Tensor> weight, bool density) {
  need_floats(self);
  if (e.sym().less(bins, 1) == sym::Truth::yes) throw ProgramError("'bins' must be positive");
  if (range && range->size() != 2) throw ProgramError("the range must be two numbers");
  const Tensor x = flat(e, self);
  constexpr double kApart = 0.5;
  const Ends ends = range                         ? known_ends(e, x.dtype(), (*range)[0], (*range)[1], kApart)
                    : x.dim(0).as_constant() == 0 ? known_ends(e, x.dtype(), 0, 1, kApart)
                                                  : ends_of(e, x, kApart);
  return between_edges(e, x, even_edges(e, ends, bins), weight, density);
}

constexpr Declaration kCounting[] = {
    op<isin<Tensor, Tensor>>("aten::isin.Tensor_Tensor(Tensor elements, Tensor test_elements, *, bool "
                             "assume_unique=False, bool invert=False) -> Tensor",
                             {.doc = "Which elements are among others; work grows with the product of both.",
                              .result = Result::boolean}),
    op<isin<Tensor, Scalar>>("aten::isin.Tensor_Scalar(Tensor elements, Scalar test_element, *, bool "
                             "assume_unique=False, bool invert=False) -> Tensor",
                             {.doc = "Which elements are this number.", .result = Result::boolean}),
    op<isin<Scalar, Tensor>>("aten::isin.Scalar_Tensor(Scalar element, Tensor test_elements, *, bool "
                             "assume_unique=False, bool invert=False) -> Tensor",
                             {.doc = "Whether a number is among elements.", .result = Result::boolean}),
    op<histc>("aten::histc(Tensor self, int bins=100, Scalar min=0, Scalar max=0) -> Tensor",
              {.doc = "How many elements lie in each of equal ranges."}),
    op<histogram>("aten::histogram.bin_ct(Tensor self, int bins=100, *, float[]? range=None, Tensor? "
                  "weight=None, bool density=False) -> (Tensor hist, Tensor bin_edges)",
                  {.doc = "How many elements, or weights, lie in each of equal ranges, and their edges."}),
    op<histogram_edges>("aten::histogram.bins_tensor(Tensor self, Tensor bins, *, Tensor? weight=None, bool "
                        "density=False) -> (Tensor hist, Tensor bin_edges)",
                        {.doc = "How many elements, or weights, lie between given edges."}),
};

}  // namespace

std::span<const Declaration> counting_ops() { return kCounting; }

}  // namespace cameo::aten
