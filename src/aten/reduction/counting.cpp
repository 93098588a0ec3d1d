// Which elements are among others, and how many lie where: membership and histograms.
#include <fmt/core.h>

#include "aten/elementwise.h"
#include "aten/families.h"
#include "aten/reduce.h"
#include "aten/support.h"

namespace cameo::aten {
namespace {

Expr flat(Emit&, const Expr& x) { return reshape(x, {x.shape().product()}); }

Expr membership(Emit& e, const Operand& elements, const Operand& tests, bool invert) {
  const Operands x = operands(e, elements, tests);
  const Expr element(x.a);
  const Expr same = equal(unsqueeze(x.a, {element.rank()}), flat(e, x.b));
  const Expr found = any_of(same, {element.rank()}, false);
  return invert ? !found : found;
}
template <class Elements, class Tests>
Expr isin(Emit& e, Elements elements, Tests tests, bool, bool invert) {
  return membership(e, elements, tests, invert);
}

// The two ends of what is counted: as given, or those of the data, moved apart where they coincide.
struct Ends {
  Expr low, high;
};
Ends known_ends(Emit& e, DType dtype, double low, double high, double apart) {
  if (low > high) throw ProgramError("'max' must be larger than 'min'");
  if (low == high) return {e.scalar(dtype, low - apart), e.scalar(dtype, high + apart)};
  return {e.scalar(dtype, low), e.scalar(dtype, high)};
}
Ends ends_of(const Expr& x, double apart) {
  const Expr low = reduce_min(x, {0});
  const Expr high = reduce_max(x, {0});
  const Expr margin = cast(equal(low, high), x.dtype()) * apart;
  return {low - margin, high + margin};
}

// Adds each weight up in its bin.
Expr counted(Emit& e, Expr bin, Expr weights, const Dim& bins) {
  const Expr start = filled(weights.number(0), {bins});
  return e.op("ScatterElements", {start, bin, weights}, {{"axis", std::int64_t{0}}, {"reduction", "add"}});
}

void need_floats(const Expr& self) {
  if (!is_floating(self.dtype())) throw ProgramError("the input must have a floating-point type");
}

Expr histc(Emit& e, Expr self, Dim bins, Scalar min, Scalar max) {
  need_floats(self);
  if (e.sym().less(bins, 1) == sym::Truth::yes) throw ProgramError("'bins' must be positive");
  const double low = known_number(min, "min"), high = known_number(max, "max");
  const Expr x = flat(e, self);
  if (x.dim(0).as_constant() == 0) return filled(x.number(0), {bins});
  const Ends ends = low == high ? ends_of(x, 1) : known_ends(e, x.dtype(), low, high, 1);
  const Expr inside = x >= ends.low && x <= ends.high;
  const Expr from_low = where(inside, x, ends.low) - ends.low;
  const Expr scaled = from_low * e.cast(e.dim(bins), x.dtype());
  const Expr place = cast(scaled / (ends.high - ends.low), DType::i64);
  return counted(e, minimum(place, bins - 1), cast(inside, x.dtype()), bins);
}

// Bins lie between neighbouring edges; the last one includes its upper edge.
std::vector<Expr> between_edges(Emit& e, const Expr& self, const Expr& edges,
                                const std::optional<Expr>& weight, bool density) {
  need_floats(self);
  const Expr x = flat(e, self);
  const Dim bins = edges.dim(0) - 1;
  const Expr reached = edges <= unsqueeze(x, {1});
  const Expr place = reduce_sum(cast(reached, DType::i64), {1});
  const Expr first = gather(edges, e.dim(0), 0), last = gather(edges, e.dim(-1), 0);
  const Expr inside = x >= first && x <= last;
  const Expr bin = minimum(maximum(place, 1) - 1, bins - 1);
  const Expr ones = cast(inside, x.dtype());
  const Expr weights = weight ? where(inside, cast(flat(e, *weight), x.dtype()), 0) : ones;
  Expr hist = counted(e, bin, weights, bins);
  if (density) {
    const Expr widths = slice(edges, 0, 1, bins + 1) - slice(edges, 0, 0, bins);
    const Expr total = reduce_sum(hist, {0});
    hist = hist / total / widths;
  }
  return {hist, edges};
}

std::vector<Expr> histogram_edges(Emit& e, Expr self, Expr bins, std::optional<Expr> weight, bool density) {
  if (bins.rank() != 1) throw ProgramError("the edges must have one dimension");
  return between_edges(e, self, cast(bins, self.dtype()), weight, density);
}

// Counted from the nearer end, as linspace does it.
Expr even_edges(Emit& e, const Ends& ends, const Dim& bins) {
  const DType dtype = ends.low->dtype();
  const Expr count = e.cast(e.dim(bins), dtype);
  const Expr step = (ends.high - ends.low) / count;
  const Expr numbers = indices(e, bins + 1);
  const Expr at = cast(numbers, dtype);
  const Expr from_low = ends.low + step * at;
  const Expr from_high = ends.high - step * (count - at);
  const Expr lower = numbers < sym::floordiv(bins + 1, 2);
  return where(lower, from_low, from_high);
}

std::vector<Expr> histogram(Emit& e, Expr self, Dim bins, std::optional<std::vector<double>> range,
                            std::optional<Expr> weight, bool density) {
  need_floats(self);
  if (e.sym().less(bins, 1) == sym::Truth::yes) throw ProgramError("'bins' must be positive");
  if (range && range->size() != 2) throw ProgramError("the range must be two numbers");
  const Expr x = flat(e, self);
  constexpr double kApart = 0.5;
  const Ends ends = range                         ? known_ends(e, x.dtype(), (*range)[0], (*range)[1], kApart)
                    : x.dim(0).as_constant() == 0 ? known_ends(e, x.dtype(), 0, 1, kApart)
                                                  : ends_of(x, kApart);
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
