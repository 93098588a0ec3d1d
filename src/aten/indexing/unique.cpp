// Which elements there are: distinct ones, runs of equal ones, those that are not 0.
#include "aten/elementwise.h"
#include "aten/families.h"
#include "aten/reduce.h"
#include "aten/support.h"

namespace cameo::aten {
namespace {

Expr nothing(Emit& e) { return e.ints({}); }

struct Asked {
  bool inverse, counts;
};

std::vector<Expr> distinct(Emit& e, const Expr& self, std::optional<std::int64_t> axis, Asked asked) {
  const DType inside = self.dtype() == DType::boolean ? DType::i8 : implemented("Unique", self.dtype());
  onnx::Attributes attributes;
  if (axis) attributes.push_back({"axis", *axis});
  std::vector<Expr> out = ops(e, "Unique", {cast(self, inside)}, std::move(attributes), 4);
  return {cast(out[0], self.dtype()),
          !asked.inverse ? nothing(e)
          : axis         ? Expr(out[2])
                         : Expr(reshape(out[2], self.shape())),
          asked.counts ? Expr(out[3]) : nothing(e)};
}

std::vector<Expr> unique(Emit& e, Expr self, bool, bool return_inverse) {
  std::vector<Expr> out = distinct(e, self, std::nullopt, {return_inverse, false});
  out.pop_back();
  return out;
}
std::vector<Expr> unique2(Emit& e, Expr self, bool, bool return_inverse, bool return_counts) {
  return distinct(e, self, std::nullopt, {return_inverse, return_counts});
}
std::vector<Expr> unique_dim(Emit& e, Expr self, std::int64_t dim, bool, bool return_inverse,
                             bool return_counts) {
  return distinct(e, self, self.wrap(dim), {return_inverse, return_counts});
}

// Runs of equal neighbours along an axis: the first of each stands for it.
std::vector<Expr> runs(Emit& e, const Expr& self, std::int64_t axis, Asked asked) {
  const Dim n = self.dim(axis);
  if (n.as_constant() == 0) return {self, nothing(e), nothing(e)};
  Axes others = all_axes(self);
  others.erase(others.begin() + axis);
  const Expr same = equal(slice(self, axis, 1, n), slice(self, axis, 0, n - 1));
  const Expr equal = others.empty() ? same : all_of(same, others, false);
  const Expr first = e.op("Concat", {filled(e.scalar(DType::boolean, std::int64_t{1}), {1}), !equal},
                          {{"axis", std::int64_t{0}}});
  const Expr values = e.op("Compress", {self, first}, {{"axis", axis}});
  Expr inverse = nothing(e), counts = nothing(e);
  if (asked.inverse) {
    const Expr started = cumulative_sum(cast(first, DType::i64), 0);
    inverse = started - 1;
  }
  if (asked.counts) {
    const Dim found = values.dim(axis);
    const Expr starts = e.op("Compress", {indices(e, n), first}, {{"axis", std::int64_t{0}}},
                             onnx::Type{.dtype = DType::i64, .shape = Shape{found}});
    const Expr ends = e.op("Concat", {slice(starts, 0, 1, found), e.dims({n})}, {{"axis", std::int64_t{0}}},
                           onnx::Type{.dtype = DType::i64, .shape = Shape{found}});
    counts = ends - starts;
  }
  return {values, inverse, counts};
}

std::vector<Expr> unique_dim_consecutive(Emit& e, Expr self, std::int64_t dim, bool return_inverse,
                                         bool return_counts) {
  return runs(e, self, self.wrap(dim), {return_inverse, return_counts});
}
std::vector<Expr> unique_consecutive(Emit& e, Expr self, bool return_inverse, bool return_counts,
                                     std::optional<std::int64_t> dim) {
  if (dim) return unique_dim_consecutive(e, self, *dim, return_inverse, return_counts);
  std::vector<Expr> out =
      runs(e, reshape(self, {self.shape().product()}), 0, {return_inverse, return_counts});
  if (return_inverse) out[1] = reshape(out[1], self.shape());
  return out;
}

Expr places(Emit& e, const Expr& self) {
  return e.op("NonZero", {cast(self, implemented("NonZero", self.dtype()))});
}

Expr nonzero(Emit& e, Expr self) {
  if (self.rank() == 0) {
    const Expr found = cast(cast(self, DType::boolean), DType::i64);
    return filled(e.dim(0), {e.number(found), 0});
  }
  return transpose(places(e, self), {1, 0});
}
// So many rows; what is missing is filled up.
Expr nonzero_static(Emit& e, Expr self, Dim size, std::int64_t fill_value) {
  const Expr found = nonzero(e, self);
  const Expr missing = filled(e.scalar(DType::i64, fill_value), {size, found.dim(1)});
  return slice(concat({found, missing}, 0), 0, 0, size);
}
std::vector<Expr> nonzero_numpy(Emit& e, Expr self) {
  const Expr x = self.rank() == 0 ? Expr(reshape(self, {1})) : self;
  const Expr found = places(e, x);
  std::vector<Expr> out;
  for (std::int64_t axis = 0; axis < x.rank(); ++axis) out.push_back(gather(found, e.dim(axis), 0));
  return out;
}

constexpr Declaration kUnique[] = {
    op<unique>("aten::_unique(Tensor self, bool sorted=True, bool return_inverse=False) -> (Tensor, Tensor)",
               {.doc = "The distinct elements in order, and which one each element is.",
                .result = Result::with_indices}),
    op<unique2>("aten::_unique2(Tensor self, bool sorted=True, bool return_inverse=False, bool "
                "return_counts=False) -> (Tensor, Tensor, Tensor)",
                {.doc = "The distinct elements in order, which one each element is, and how many of each.",
                 .result = Result::with_indices}),
    op<unique_dim>("aten::unique_dim(Tensor self, int dim, bool sorted=True, bool return_inverse=False, bool "
                   "return_counts=False) -> (Tensor, Tensor, Tensor)",
                   {.doc = "The distinct slices of a dimension in order.", .result = Result::with_indices}),
    op<unique_consecutive>(
        "aten::unique_consecutive(Tensor self, bool return_inverse=False, bool return_counts=False, int? "
        "dim=None) -> (Tensor, Tensor, Tensor)",
        {.doc = "One element for each run of equal ones.", .result = Result::with_indices}),
    op<unique_dim_consecutive>(
        "aten::unique_dim_consecutive(Tensor self, int dim, bool return_inverse=False, bool "
        "return_counts=False) -> (Tensor, Tensor, Tensor)",
        {.doc = "One slice of a dimension for each run of equal ones.", .result = Result::with_indices}),
    op<nonzero>("aten::nonzero(Tensor self) -> Tensor",
                {.doc = "The indices of nonzero elements, one per row.",
                 .aliases = {"aten::argwhere"},
                 .result = Result::index}),
    op<nonzero_static>("aten::nonzero_static(Tensor self, *, SymInt size, int fill_value=-1) -> Tensor",
                       {.doc = "The first indices of nonzero elements, one per row, filled up with a number.",
                        .sample = "self=f32[batch,6], size=5",
                        .result = Result::index}),
    op<nonzero_numpy>("aten::nonzero_numpy(Tensor self) -> Tensor[]",
                      {.doc = "The indices of what is not 0, a tensor for each dimension."}),
    op<nonzero_numpy>("aten::where(Tensor condition) -> Tensor[]",
                      {.doc = "The indices of what is true, a tensor for each dimension."}),
};

}  // namespace

std::span<const Declaration> unique_ops() { return kUnique; }

}  // namespace cameo::aten
