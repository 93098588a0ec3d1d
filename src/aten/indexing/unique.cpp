// Which elements there are: distinct ones, runs of equal ones, those that are not 0.
#include "aten/elementwise.h"
#include "aten/families.h"
#include "aten/reduce.h"
#include "aten/support.h"

namespace cameo::aten {
namespace {

Tensor nothing(Emit& e) { return e.ints({}); }

struct Asked {
  bool inverse, counts;
};

std::vector<Tensor> distinct(Emit& e, const Tensor& self, std::optional<std::int64_t> axis, Asked asked) {
  const DType inside = self.dtype() == DType::boolean ? DType::i8 : implemented("Unique", self.dtype());
  onnx::Attributes attributes;
  if (axis) attributes.push_back({"axis", *axis});
  std::vector<onnx::Value*> out = e.ops("Unique", {e.cast(self, inside)}, std::move(attributes), 4);
  return {e.cast(out[0], self.dtype()),
          !asked.inverse ? nothing(e)
          : axis         ? Tensor(out[2])
                         : Tensor(e.reshape(out[2], self.shape())),
          asked.counts ? Tensor(out[3]) : nothing(e)};
}

std::vector<Tensor> unique(Emit& e, Tensor self, bool, bool return_inverse) {
  std::vector<Tensor> out = distinct(e, self, std::nullopt, {return_inverse, false});
  out.pop_back();
  return out;
}
std::vector<Tensor> unique2(Emit& e, Tensor self, bool, bool return_inverse, bool return_counts) {
  return distinct(e, self, std::nullopt, {return_inverse, return_counts});
}
std::vector<Tensor> unique_dim(Emit& e, Tensor self, std::int64_t dim, bool, bool return_inverse,
                               bool return_counts) {
  return distinct(e, self, self.wrap(dim), {return_inverse, return_counts});
}

// Runs of equal neighbours along an axis: the first of each stands for it.
std::vector<Tensor> runs(Emit& e, const Tensor& self, std::int64_t axis, Asked asked) {
  const Dim n = self.dim(axis);
  if (n.as_constant() == 0) return {self, nothing(e), nothing(e)};
  Axes others = all_axes(self);
  others.erase(others.begin() + axis);
  onnx::Value* same = compute(e, "Equal", {e.slice(self, axis, 1, n), e.slice(self, axis, 0, n - 1)});
  onnx::Value* equal = others.empty() ? same : all_of(e, same, others, false);
  onnx::Value* first =
      e.op("Concat", {filled(e, e.scalar(DType::boolean, std::int64_t{1}), {1}), e.op("Not", {equal})},
           {{"axis", std::int64_t{0}}});
  onnx::Value* values = e.op("Compress", {self, first}, {{"axis", axis}});
  Tensor inverse = nothing(e), counts = nothing(e);
  if (asked.inverse) {
    onnx::Value* started = e.op("CumSum", {e.cast(first, DType::i64), e.dim(0)});
    inverse = e.op("Sub", {started, e.dim(1)});
  }
  if (asked.counts) {
    const Dim found = Tensor(values).dim(axis);
    onnx::Value* starts = e.op("Compress", {indices(e, n), first}, {{"axis", std::int64_t{0}}},
                               onnx::Type{.dtype = DType::i64, .shape = Shape{found}});
    onnx::Value* ends =
        e.op("Concat", {e.slice(starts, 0, 1, found), e.dims({n})}, {{"axis", std::int64_t{0}}},
             onnx::Type{.dtype = DType::i64, .shape = Shape{found}});
    counts = e.op("Sub", {ends, starts});
  }
  return {values, inverse, counts};
}

std::vector<Tensor> unique_dim_consecutive(Emit& e, Tensor self, std::int64_t dim, bool return_inverse,
                                           bool return_counts) {
  return runs(e, self, self.wrap(dim), {return_inverse, return_counts});
}
std::vector<Tensor> unique_consecutive(Emit& e, Tensor self, bool return_inverse, bool return_counts,
                                       std::optional<std::int64_t> dim) {
  if (dim) return unique_dim_consecutive(e, self, *dim, return_inverse, return_counts);
  std::vector<Tensor> out = runs(e, e.reshape(self, {numel(e, self)}), 0, {return_inverse, return_counts});
  if (return_inverse) out[1] = e.reshape(out[1], self.shape());
  return out;
}

onnx::Value* places(Emit& e, const Tensor& self) {
  return e.op("NonZero", {e.cast(self, implemented("NonZero", self.dtype()))});
}

Tensor nonzero(Emit& e, Tensor self) {
  if (self.rank() == 0) {
    onnx::Value* found = e.cast(e.cast(self, DType::boolean), DType::i64);
    return filled(e, e.dim(0), {e.number(found), 0});
  }
  return e.transpose(places(e, self), {1, 0});
}
std::vector<Tensor> nonzero_numpy(Emit& e, Tensor self) {
  const Tensor x = self.rank() == 0 ? Tensor(e.reshape(self, {1})) : self;
  onnx::Value* found = places(e, x);
  std::vector<Tensor> out;
  for (std::int64_t axis = 0; axis < x.rank(); ++axis) out.push_back(e.gather(found, e.dim(axis), 0));
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
    op<nonzero>("aten::nonzero(Tensor self) -> Tensor", {.doc = "The indices of what is not 0, one a row.",
                                                         .aliases = {"aten::argwhere"},
                                                         .result = Result::index}),
    op<nonzero_numpy>("aten::nonzero_numpy(Tensor self) -> Tensor[]",
                      {.doc = "The indices of what is not 0, a tensor for each dimension."}),
    op<nonzero_numpy>("aten::where(Tensor condition) -> Tensor[]",
                      {.doc = "The indices of what is true, a tensor for each dimension."}),
};

}  // namespace

std::span<const Declaration> unique_ops() { return kUnique; }

}  // namespace cameo::aten
