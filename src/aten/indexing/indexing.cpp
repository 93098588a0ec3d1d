// x[…] with tensors of indices and masks, read and written.
#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "aten/elementwise.h"
#include "aten/families.h"
#include "aten/reduce.h"
#include "aten/support.h"

namespace cameo::aten {
namespace {

using Indices = std::vector<std::optional<Tensor>>;

bool is_mask(const Tensor& index) { return index.dtype() == DType::boolean || index.dtype() == DType::u8; }

// Which dimensions are indexed, and the tensors that do it: masks are taken apart into indices.
struct Chosen {
  Axes axes;
  std::vector<onnx::Value*> indices;

  bool adjacent() const { return axes.back() - axes.front() + 1 == static_cast<std::int64_t>(axes.size()); }
};

void check_mask(Emit& e, const Tensor& self, const Tensor& mask, std::int64_t axis) {
  for (std::int64_t i = 0; i < mask.rank(); ++i)
    if (axis + i >= self.rank() || e.sym().equal(mask.dim(i), self.dim(axis + i)) == sym::Truth::no)
      throw ProgramError(fmt::format("the mask does not fit the tensor in dimension {}", axis + i));
}

Chosen choose(Emit& e, const Tensor& self, const Indices& indices) {
  Chosen chosen;
  std::int64_t axis = 0;
  for (const std::optional<Tensor>& index : indices) {
    if (!index) {
      ++axis;
    } else if (is_mask(*index)) {
      if (index->rank() == 0)
        throw Unsupported("a mask without dimensions among other indices is not supported");
      check_mask(e, self, *index, axis);
      onnx::Value* places = e.op("NonZero", {*index});
      for (std::int64_t i = 0; i < index->rank(); ++i) {
        chosen.axes.push_back(axis++);
        chosen.indices.push_back(e.gather(places, e.dim(i), 0));
      }
    } else {
      if (!is_integral(index->dtype()))
        throw ProgramError("tensors used as indices must be integers or masks");
      chosen.axes.push_back(axis++);
      chosen.indices.push_back(e.cast(*index, DType::i64));
    }
  }
  if (axis > self.rank()) throw ProgramError("too many indices for the dimensions of the tensor");
  return chosen;
}

Shape index_shape(Emit& e, const Chosen& chosen) {
  Shape shape = Tensor(chosen.indices[0]).shape();
  for (onnx::Value* index : chosen.indices) shape = broadcast_shape(e, shape, Tensor(index).shape());
  return shape;
}

// The indices as tuples, along a last dimension.
onnx::Value* tuples(Emit& e, const Chosen& chosen, const Shape& shape) {
  std::vector<onnx::Value*> columns;
  for (onnx::Value* index : chosen.indices)
    columns.push_back(e.unsqueeze(e.expand(index, shape), {static_cast<std::int64_t>(shape.size())}));
  return e.concat(columns, static_cast<std::int64_t>(shape.size()));
}

// The indexed dimensions first, then the others.
Axes chosen_first(const Tensor& self, const Chosen& chosen) {
  Axes perm = chosen.axes;
  for (std::int64_t axis = 0; axis < self.rank(); ++axis)
    if (std::ranges::find(chosen.axes, axis) == chosen.axes.end()) perm.push_back(axis);
  return perm;
}

Axes inverse(const Axes& perm) {
  Axes out(perm.size());
  for (std::size_t i = 0; i < perm.size(); ++i)
    out[static_cast<std::size_t>(perm[i])] = static_cast<std::int64_t>(i);
  return out;
}

// From [indices…, others…] to where PyTorch has the dimensions of the indices: in the place of the indexed
// ones if those are neighbours, at the front otherwise.
Axes result_order(const Tensor& self, const Chosen& chosen, std::int64_t index_rank) {
  const auto indexed = static_cast<std::int64_t>(chosen.axes.size());
  Axes perm(static_cast<std::size_t>(self.rank() - indexed + index_rank));
  std::iota(perm.begin(), perm.end(), 0);
  if (chosen.adjacent())
    std::rotate(perm.begin(), perm.begin() + index_rank, perm.begin() + index_rank + chosen.axes[0]);
  return perm;
}

// A single mask picks out elements without indices.
std::optional<Tensor> compressed(Emit& e, const Tensor& self, const Tensor& mask, std::int64_t axis) {
  check_mask(e, self, mask, axis);
  onnx::Value* condition = e.cast(mask, DType::boolean);
  if (mask.rank() == 0)
    return Tensor(e.op("Compress", {e.unsqueeze(self, {axis}), e.reshape(condition, {1})}, {{"axis", axis}}));
  if (mask.rank() == 1) return Tensor(e.op("Compress", {self, condition}, {{"axis", axis}}));
  if (mask.rank() == self.rank())
    return Tensor(e.op("Compress", {self, e.reshape(condition, {numel(e, mask)})}));
  return std::nullopt;
}

std::optional<std::pair<Tensor, std::int64_t>> only_index(const Indices& indices) {
  std::optional<std::pair<Tensor, std::int64_t>> only;
  for (std::size_t i = 0; i < indices.size(); ++i) {
    if (!indices[i]) continue;
    if (only) return std::nullopt;
    only = {*indices[i], static_cast<std::int64_t>(i)};
  }
  return only;
}

Tensor index(Emit& e, Tensor self, Indices indices) {
  if (std::ranges::none_of(indices, [](const auto& i) { return i.has_value(); })) return self;
  if (auto only = only_index(indices); only && is_mask(only->first))
    if (std::optional<Tensor> result = compressed(e, self, only->first, only->second)) return *result;
  const Chosen chosen = choose(e, self, indices);
  if (chosen.axes.size() == 1) return e.gather(self, chosen.indices[0], chosen.axes[0]);
  const Shape shape = index_shape(e, chosen);
  onnx::Value* first = e.transpose(self, chosen_first(self, chosen));
  onnx::Value* found = e.op("GatherND", {first, tuples(e, chosen, shape)});
  return e.transpose(found, result_order(self, chosen, static_cast<std::int64_t>(shape.size())));
}
Tensor index_all(Emit& e, Tensor self, std::vector<Tensor> indices) {
  return index(e, self, Indices(indices.begin(), indices.end()));
}

// Values that are the same for every element of a mask need no indices.
std::optional<Tensor> put_masked(Emit& e, const Tensor& self, const Tensor& mask, std::int64_t axis,
                                 const Tensor& values, bool accumulate) {
  check_mask(e, self, mask, axis);
  const std::int64_t after = self.rank() - axis - mask.rank();
  if (values.rank() > after + 1 || axis > 0) {
    if (numel(e, values).as_constant() != 1) return std::nullopt;
  } else if (values.rank() == after + 1 && values.dim(0).as_constant() != 1) {
    return std::nullopt;
  }
  Axes trailing(static_cast<std::size_t>(after));
  std::iota(trailing.begin(), trailing.end(), mask.rank());
  onnx::Value* condition = e.unsqueeze(e.cast(mask, DType::boolean), trailing);
  onnx::Value* value = e.cast(values, self.dtype());
  if (numel(e, values).as_constant() == 1) {
    value = e.reshape(value, {});
  } else if (values.rank() == after + 1) {
    value = e.squeeze(value, {0});
  }
  if (accumulate) value = e.op(self.dtype() == DType::boolean ? "Or" : "Add", {self, value});
  return Tensor(compute(e, "Where", {condition, value, self}));
}

Tensor index_put(Emit& e, Tensor self, Indices indices, Tensor values, bool accumulate) {
  if (std::ranges::none_of(indices, [](const auto& i) { return i.has_value(); }))
    throw ProgramError("there must be at least one tensor of indices");
  if (auto only = only_index(indices); only && is_mask(only->first))
    if (auto result = put_masked(e, self, only->first, only->second, values, accumulate)) return *result;
  const Chosen chosen = choose(e, self, indices);
  const Shape shape = index_shape(e, chosen);
  const auto index_rank = static_cast<std::int64_t>(shape.size());
  const Axes first = chosen_first(self, chosen), order = result_order(self, chosen, index_rank);
  Shape flat = shape;
  for (std::size_t i = chosen.axes.size(); i < first.size(); ++i) flat.push_back(self.dim(first[i]));
  Shape target;
  for (std::int64_t axis : order) target.push_back(flat[static_cast<std::size_t>(axis)]);
  const bool adds_booleans = accumulate && self.dtype() == DType::boolean;
  const DType inside = adds_booleans ? DType::i32 : self.dtype();
  onnx::Value* updates =
      e.transpose(e.expand(e.cast(e.cast(values, self.dtype()), inside), target), inverse(order));
  onnx::Attributes attributes;
  if (accumulate) attributes.push_back({"reduction", std::string("add")});
  onnx::Value* written =
      e.op("ScatterND", {e.transpose(e.cast(self, inside), first), tuples(e, chosen, shape), updates},
           std::move(attributes));
  return e.cast(e.transpose(written, inverse(first)), self.dtype());
}
Tensor index_put_all(Emit& e, Tensor self, std::vector<Tensor> indices, Tensor values, bool accumulate) {
  return index_put(e, self, Indices(indices.begin(), indices.end()), values, accumulate);
}
Tensor index_put_impl(Emit& e, Tensor self, Indices indices, Tensor values, bool accumulate, bool) {
  return index_put(e, self, indices, values, accumulate);
}

constexpr Declaration kIndexing[] = {
    op<index>("aten::index.Tensor(Tensor self, Tensor?[] indices) -> Tensor",
              {.doc = "Elements chosen by tensors of indices and masks.",
               .sample = "self=f32[batch,6,width], indices=[i64[5]]"}),
    op<index_all>("aten::index.Tensor_hacked_twin(Tensor self, Tensor[] indices) -> Tensor",
                  {.doc = "Elements chosen by tensors of indices and masks.",
                   .sample = "self=f32[batch,6,width], indices=[i64[5]]"}),
    op<index_put>(
        "aten::index_put(Tensor self, Tensor?[] indices, Tensor values, bool accumulate=False) -> Tensor",
        {.doc = "Writes or adds values where tensors of indices and masks say.",
         .sample = "self=f32[batch,6,width], indices=[i64[5]], values=f32[5,6,width]"}),
    op<index_put_all>("aten::index_put.hacked_twin(Tensor self, Tensor[] indices, Tensor values, bool "
                      "accumulate=False) -> Tensor",
                      {.doc = "Writes or adds values where tensors of indices and masks say.",
                       .sample = "self=f32[batch,6,width], indices=[i64[5]], values=f32[5,6,width]"}),
    op<index_put_impl>("aten::_index_put_impl(Tensor self, Tensor?[] indices, Tensor values, bool "
                       "accumulate=False, bool unsafe=False) -> Tensor",
                       {.doc = "Writes or adds values where tensors of indices and masks say.",
                        .sample = "self=f32[batch,6,width], indices=[i64[5]], values=f32[5,6,width]"}),
};

}  // namespace

std::span<const Declaration> indexing_ops() { return kIndexing; }

}  // namespace cameo::aten
