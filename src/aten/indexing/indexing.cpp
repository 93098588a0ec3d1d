// x[…] with tensors of indices and masks, read and written.
#include <fmt/core.h>

#include <algorithm>
#include <numeric>

#include "aten/elementwise.h"
#include "aten/families.h"
#include "aten/reduce.h"
#include "aten/support.h"

namespace cameo::aten {
namespace {

using Indices = std::vector<std::optional<Expr>>;

bool is_mask(const Expr& index) { return index.dtype() == DType::boolean || index.dtype() == DType::u8; }

// Which dimensions are indexed, and the tensors that do it: masks are taken apart into indices.
struct Chosen {
  Axes axes;
  std::vector<Expr> indices;

  bool adjacent() const { return axes.back() - axes.front() + 1 == std::ssize(axes); }
};

void check_mask(Emit& e, const Expr& self, const Expr& mask, std::int64_t axis) {
  for (std::int64_t i = 0; i < mask.rank(); ++i)
    if (axis + i >= self.rank() || e.sym().equal(mask.dim(i), self.dim(axis + i)) == sym::Truth::no)
      throw ProgramError(fmt::format("the mask does not fit the tensor in dimension {}", axis + i));
}

Chosen choose(Emit& e, const Expr& self, const Indices& indices) {
  Chosen chosen;
  std::int64_t axis = 0;
  for (const std::optional<Expr>& index : indices) {
    if (!index) {
      ++axis;
    } else if (is_mask(*index)) {
      if (index->rank() == 0)
        throw Unsupported("a mask without dimensions among other indices is not supported");
      check_mask(e, self, *index, axis);
      const Expr places = e.op("NonZero", {*index});
      for (std::int64_t i = 0; i < index->rank(); ++i) {
        chosen.axes.push_back(axis++);
        chosen.indices.push_back(gather(places, e.dim(i), 0));
      }
    } else {
      if (!is_integral(index->dtype()))
        throw ProgramError("tensors used as indices must be integers or masks");
      chosen.axes.push_back(axis++);
      chosen.indices.push_back(cast(*index, DType::i64));
    }
  }
  if (axis > self.rank()) throw ProgramError("too many indices for the dimensions of the tensor");
  return chosen;
}

Shape index_shape(Emit& e, const Chosen& chosen) {
  Shape shape = Expr(chosen.indices[0]).shape();
  for (const Expr& index : chosen.indices) shape = broadcast_shape(e, shape, index.shape());
  return shape;
}

// The indices as tuples, along a last dimension.
Expr tuples(const Chosen& chosen, const Shape& shape) {
  std::vector<Expr> columns;
  for (const Expr& index : chosen.indices) columns.push_back(unsqueeze(expand(index, shape), {shape.rank()}));
  return concat(columns, shape.rank());
}

// The indexed dimensions first, then the others.
Axes chosen_first(const Expr& self, const Chosen& chosen) {
  Axes perm = chosen.axes;
  for (std::int64_t axis = 0; axis < self.rank(); ++axis)
    if (std::ranges::find(chosen.axes, axis) == chosen.axes.end()) perm.push_back(axis);
  return perm;
}

// From [indices…, others…] to where PyTorch has the dimensions of the indices: in the place of the indexed
// ones if those are neighbours, at the front otherwise.
Axes result_order(const Expr& self, const Chosen& chosen, std::int64_t index_rank) {
  const auto indexed = std::ssize(chosen.axes);
  Axes perm(as_size(self.rank() - indexed + index_rank));
  std::iota(perm.begin(), perm.end(), 0);
  if (chosen.adjacent())
    std::rotate(perm.begin(), perm.begin() + index_rank, perm.begin() + index_rank + chosen.axes[0]);
  return perm;
}

// A single mask picks out elements without indices.
std::optional<Expr> compressed(Emit& e, const Expr& self, const Expr& mask, std::int64_t axis) {
  check_mask(e, self, mask, axis);
  const Expr condition = cast(mask, DType::boolean);
  if (mask.rank() == 0)
    return Expr(e.op("Compress", {unsqueeze(self, {axis}), reshape(condition, {1})}, {{"axis", axis}}));
  if (mask.rank() == 1) return Expr(e.op("Compress", {self, condition}, {{"axis", axis}}));
  if (mask.rank() == self.rank())
    return Expr(e.op("Compress", {self, reshape(condition, {mask.shape().product()})}));
  return std::nullopt;
}

std::optional<std::pair<Expr, std::int64_t>> only_index(const Indices& indices) {
  std::optional<std::pair<Expr, std::int64_t>> only;
  std::int64_t axis = 0;
  for (const auto& index : indices) {
    if (index && only) return std::nullopt;
    if (index) only = {*index, axis};
    ++axis;
  }
  return only;
}

Expr index(Emit& e, Expr self, Indices indices) {
  if (std::ranges::none_of(indices, [](const auto& i) { return i.has_value(); })) return self;
  if (auto only = only_index(indices); only && is_mask(only->first))
    if (std::optional<Expr> result = compressed(e, self, only->first, only->second)) return *result;
  const Chosen chosen = choose(e, self, indices);
  if (chosen.axes.size() == 1) return gather(self, chosen.indices[0], chosen.axes[0]);
  const Shape shape = index_shape(e, chosen);
  const Expr first = transpose(self, chosen_first(self, chosen));
  const Expr found = e.op("GatherND", {first, tuples(chosen, shape)});
  return transpose(found, result_order(self, chosen, shape.rank()));
}
Expr index_all(Emit& e, Expr self, std::vector<Expr> indices) {
  return index(e, self, Indices(indices.begin(), indices.end()));
}

// Values that are the same for every element of a mask need no indices.
std::optional<Expr> put_masked(Emit& e, const Expr& self, const Expr& mask, std::int64_t axis,
                               const Expr& values, bool accumulate) {
  check_mask(e, self, mask, axis);
  const std::int64_t after = self.rank() - axis - mask.rank();
  if (values.rank() > after + 1 || axis > 0) {
    if (values.shape().product().as_constant() != 1) return std::nullopt;
  } else if (values.rank() == after + 1 && values.dim(0).as_constant() != 1) {
    return std::nullopt;
  }
  Axes trailing(as_size(after));
  std::iota(trailing.begin(), trailing.end(), mask.rank());
  const Expr condition = unsqueeze(cast(mask, DType::boolean), trailing);
  Expr value = cast(values, self.dtype());
  if (values.shape().product().as_constant() == 1) {
    value = reshape(value, {});
  } else if (values.rank() == after + 1) {
    value = squeeze(value, {0});
  }
  if (accumulate) value = e.op(self.dtype() == DType::boolean ? "Or" : "Add", {self, value});
  return Expr(where(condition, value, self));
}

Expr index_put(Emit& e, Expr self, Indices indices, Expr values, bool accumulate) {
  if (std::ranges::none_of(indices, [](const auto& i) { return i.has_value(); }))
    throw ProgramError("there must be at least one tensor of indices");
  if (auto only = only_index(indices); only && is_mask(only->first))
    if (auto result = put_masked(e, self, only->first, only->second, values, accumulate)) return *result;
  const Chosen chosen = choose(e, self, indices);
  const Shape shape = index_shape(e, chosen);
  const auto index_rank = shape.rank();
  const Axes first = chosen_first(self, chosen), order = result_order(self, chosen, index_rank);
  Shape flat = shape;
  for (std::size_t i = chosen.axes.size(); i < first.size(); ++i) flat.push_back(self.dim(first[i]));
  Shape target;
  for (std::int64_t axis : order) target.push_back(flat[axis]);
  const bool adds_booleans = accumulate && self.dtype() == DType::boolean;
  const DType inside = adds_booleans ? DType::i32 : self.dtype();
  const Expr updates =
      transpose(expand(cast(cast(values, self.dtype()), inside), target), inverse_permutation(order));
  onnx::Attributes attributes;
  if (accumulate) attributes.push_back({"reduction", std::string("add")});
  const Expr written =
      e.op("ScatterND", {transpose(cast(self, inside), first), tuples(chosen, shape), updates},
           std::move(attributes));
  return cast(transpose(written, inverse_permutation(first)), self.dtype());
}
Expr index_put_all(Emit& e, Expr self, std::vector<Expr> indices, Expr values, bool accumulate) {
  return index_put(e, self, Indices(indices.begin(), indices.end()), values, accumulate);
}
Expr index_put_impl(Emit& e, Expr self, Indices indices, Expr values, bool accumulate, bool) {
  return index_put(e, self, indices, values, accumulate);
}

// Indices limited to what the dimensions have.
Indices within(const Expr& self, Indices indices) {
  std::int64_t axis = 0;
  for (auto& given : indices) {
    const std::int64_t at = axis++;
    if (!given) continue;
    if (is_mask(*given)) throw ProgramError("a mask must not be among the indices");
    const Expr index = cast(*given, DType::i64);
    const Expr size = index.number(self.dim(at));
    given = clip(index, -size, size - 1);
  }
  return indices;
}

// Indices may be out of range where the mask is false.
Expr unsafe_masked_index(Emit& e, Expr self, Expr mask, Indices indices, Scalar fill) {
  if (self.shape().product().as_constant() == 0) return filled_like(scalar_like(self, fill), mask);
  const Expr found = index(e, self, within(self, std::move(indices)));
  return where(cast(mask, DType::boolean), found, scalar_like(self, fill));
}
Expr unsafe_masked_index_put(Emit& e, Expr self, Expr mask, Indices indices, Expr values) {
  if (self.shape().product().as_constant() == 0) return self;
  const Expr added = where(cast(mask, DType::boolean), values, 0);
  return index_put(e, self, within(self, std::move(indices)), added, true);
}

constexpr Declaration kIndexing[] = {
    op<unsafe_masked_index>(
        "aten::_unsafe_masked_index(Tensor self, Tensor mask, Tensor?[] indices, Scalar fill) -> Tensor",
        {.doc = "Elements chosen by tensors of indices, a number where the mask is false.",
         .complex = OnComplex::by_parts,
         .sample = "self=f32[6,width], mask=bool[5,width], indices=[i64[5]], fill=0.5"}),
    op<unsafe_masked_index_put>(
        "aten::_unsafe_masked_index_put_accumulate(Tensor self, Tensor mask, Tensor?[] indices, Tensor "
        "values) -> Tensor",
        {.doc = "Adds values where tensors of indices say and the mask is true.",
         .sample = "self=f32[6,width], mask=bool[5,width], indices=[i64[5]], values=f32[5,width]"}),
    op<index>("aten::index.Tensor(Tensor self, Tensor?[] indices) -> Tensor",
              {.doc = "Elements chosen by tensors of indices and masks.",
               .complex = OnComplex::by_parts,
               .quantized = OnQuantized::integers,
               .aliases = {"aten::_unsafe_index.Tensor"},
               .sample = "self=f32[batch,6,width], indices=[i64[5]]"}),
    op<index_all>("aten::index.Tensor_hacked_twin(Tensor self, Tensor[] indices) -> Tensor",
                  {.doc = "Elements chosen by tensors of indices and masks.",
                   .complex = OnComplex::by_parts,
                   .quantized = OnQuantized::integers,
                   .aliases = {"aten::_unsafe_index.Tensor_hacked_twin"},
                   .sample = "self=f32[batch,6,width], indices=[i64[5]]"}),
    op<index_put>(
        "aten::index_put(Tensor self, Tensor?[] indices, Tensor values, bool accumulate=False) -> Tensor",
        {.doc = "Writes or adds values where tensors of indices and masks say.",
         .complex = OnComplex::by_parts,
         .aliases = {"aten::_unsafe_index_put"},
         .sample = "self=f32[batch,6,width], indices=[i64[5]], values=f32[5,6,width]"}),
    op<index_put_all>("aten::index_put.hacked_twin(Tensor self, Tensor[] indices, Tensor values, bool "
                      "accumulate=False) -> Tensor",
                      {.doc = "Writes or adds values where tensors of indices and masks say.",
                       .complex = OnComplex::by_parts,
                       .aliases = {"aten::_unsafe_index_put.hacked_twin"},
                       .sample = "self=f32[batch,6,width], indices=[i64[5]], values=f32[5,6,width]"}),
    op<index_put_impl>("aten::_index_put_impl(Tensor self, Tensor?[] indices, Tensor values, bool "
                       "accumulate=False, bool unsafe=False) -> Tensor",
                       {.doc = "Writes or adds values where tensors of indices and masks say.",
                        .complex = OnComplex::by_parts,
                        .sample = "self=f32[batch,6,width], indices=[i64[5]], values=f32[5,6,width]"}),
};

}  // namespace

std::span<const Declaration> indexing_ops() { return kIndexing; }

}  // namespace cameo::aten
