// Tensors taken apart and joined along dimensions.
#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "aten/families.h"
#include "aten/support.h"

namespace cameo::aten {
namespace {

using Axes = std::vector<std::int64_t>;

std::vector<Tensor> split_node(Emit& e, const Tensor& self, std::int64_t axis, std::size_t count,
                               onnx::Value* sizes) {
  onnx::Attributes attributes;
  if (axis != 0) attributes.push_back({"axis", axis});
  if (!sizes) attributes.push_back({"num_outputs", static_cast<std::int64_t>(count)});
  std::vector<onnx::Value*> out = e.ops("Split", {self, sizes}, std::move(attributes), count);
  return {out.begin(), out.end()};
}

// Parts of the given sizes, one after the other.
std::vector<Tensor> parts(Emit& e, const Tensor& self, std::int64_t axis, const Shape& sizes) {
  Dim total = 0;
  for (const Dim& size : sizes) {
    if (e.sym().less(size, 0) == sym::Truth::yes) throw ProgramError("a size is negative");
    total = total + size;
  }
  if (e.sym().equal(total, self.dim(axis)) == sym::Truth::no)
    throw ProgramError(fmt::format("the sizes add up to {}, but dimension {} has the size {}",
                                   to_string(total), axis, to_string(self.dim(axis))));
  if (sizes.size() <= 1) return std::vector<Tensor>(sizes.size(), self);
  const bool equal = std::ranges::all_of(
      sizes, [&](const Dim& size) { return e.sym().equal(size, sizes[0]) == sym::Truth::yes; });
  const auto count = static_cast<std::int64_t>(sizes.size());
  const bool exact = equal && e.sym().equal(sizes[0] * count, self.dim(axis)) == sym::Truth::yes;
  return split_node(e, self, axis, sizes.size(), exact ? nullptr : e.dims(sizes));
}

// `count` parts of one size; the last one takes what is left.
std::vector<Tensor> equal_parts(Emit& e, const Tensor& self, std::int64_t axis, const Dim& size,
                                std::int64_t count) {
  Shape sizes(static_cast<std::size_t>(std::max<std::int64_t>(count - 1, 0)), size);
  sizes.push_back(self.dim(axis) - size * static_cast<std::int64_t>(sizes.size()));
  return parts(e, self, axis, sizes);
}

std::vector<Tensor> split(Emit& e, Tensor self, Dim split_size, std::int64_t dim) {
  const std::int64_t axis = self.wrap(dim);
  if (self.rank() == 0) throw ProgramError("the input must have at least one dimension");
  if (e.sym().less(split_size, 0) == sym::Truth::yes) throw ProgramError("the size is negative");
  if (split_size.as_constant() == 0) {
    if (e.sym().equal(self.dim(axis), 0) == sym::Truth::no)
      throw ProgramError("the size of the parts must not be 0");
    return {self};
  }
  const Dim count = e.simplify(sym::ceildiv(self.dim(axis), split_size));
  if (!count.as_constant())
    throw Unsupported(fmt::format("the number of parts depends on the size {}, which is a runtime value",
                                  to_string(self.dim(axis))),
                      "give that dimension a fixed size");
  return equal_parts(e, self, axis, split_size, *count.as_constant());
}
std::vector<Tensor> split_sizes(Emit& e, Tensor self, Shape sizes, std::int64_t dim) {
  return parts(e, self, self.wrap(dim), sizes);
}

// PyTorch gives fewer parts for some small sizes. Of a size that only a run can tell it is taken for granted
// that it is not one of them.
std::vector<Tensor> chunk(Emit& e, Tensor self, std::int64_t chunks, std::int64_t dim) {
  if (chunks <= 0) throw ProgramError("the number of chunks must be positive");
  if (self.rank() == 0) throw ProgramError("the input must have at least one dimension");
  const std::int64_t axis = self.wrap(dim);
  const Dim total = self.dim(axis), size = e.simplify(sym::ceildiv(total, chunks));
  if (total.as_constant() == 0) return std::vector<Tensor>(static_cast<std::size_t>(chunks), self);
  const Dim count = size.as_constant() ? e.simplify(sym::ceildiv(total, size)) : Dim(chunks);
  return equal_parts(e, self, axis, size, count.as_constant().value_or(chunks));
}

// The first ones are larger by one, as many as the division leaves over.
std::vector<Tensor> tensor_split(Emit& e, Tensor self, std::int64_t sections, std::int64_t dim) {
  if (sections <= 0) throw ProgramError("the number of sections must be positive");
  const std::int64_t axis = self.wrap(dim);
  const Dim size = self.dim(axis), base = sym::floordiv(size, sections), left = sym::mod(size, sections);
  Shape sizes;
  for (std::int64_t i = 0; i < sections; ++i)
    sizes.push_back(e.simplify(base + sym::min(left, i + 1) - sym::min(left, i)));
  return parts(e, self, axis, sizes);
}
std::vector<Tensor> tensor_split_at(Emit& e, Tensor self, Shape indices, std::int64_t dim) {
  const std::int64_t axis = self.wrap(dim);
  std::vector<Tensor> out;
  Dim from = 0;
  indices.push_back(self.dim(axis));
  for (const Dim& index : indices) {
    auto [first, last] = slice_range(e, self.dim(axis), from, index);
    out.push_back(e.slice(self, axis, first, last));
    from = index;
  }
  return out;
}
// One number says how many sections there are, several say where they begin.
std::vector<Tensor> tensor_split_by(Emit& e, Tensor self, Tensor by, std::int64_t dim) {
  const std::int64_t axis = self.wrap(dim);
  onnx::Value* numbers = e.cast(by, DType::i64);
  if (by.rank() == 0) {
    if (const auto sections = e.number(numbers).as_constant()) return tensor_split(e, self, *sections, axis);
    throw Unsupported("the number of sections must be known at export time, but it depends on the inputs");
  }
  const std::int64_t count = known_sizes(by.shape(), "the number of indices").at(0);
  std::vector<Tensor> out;
  onnx::Value* from = e.ints({0});
  for (std::int64_t i = 0; i <= count; ++i) {
    onnx::Value* to = i < count ? e.slice(numbers, 0, i, i + 1) : e.dims({self.dim(axis)});
    out.push_back(e.op("Slice", {self, from, to, e.ints({axis})}));
    from = to;
  }
  return out;
}
// Along the second dimension, but along the only one of a vector.
std::vector<Tensor> hsplit(Emit& e, Tensor self, std::int64_t sections) {
  return tensor_split(e, self, sections, self.rank() == 1 ? 0 : 1);
}
std::vector<Tensor> hsplit_at(Emit& e, Tensor self, Shape indices) {
  return tensor_split_at(e, self, std::move(indices), self.rank() == 1 ? 0 : 1);
}
template <std::int64_t kDim>
std::vector<Tensor> split_along(Emit& e, Tensor self, std::int64_t sections) {
  return tensor_split(e, self, sections, kDim);
}
template <std::int64_t kDim>
std::vector<Tensor> split_along_at(Emit& e, Tensor self, Shape indices) {
  return tensor_split_at(e, self, std::move(indices), kDim);
}

std::vector<Tensor> unbind(Emit& e, Tensor self, std::int64_t dim) {
  if (self.rank() == 0) throw ProgramError("the input must have at least one dimension");
  const std::int64_t axis = self.wrap(dim);
  const std::optional<std::int64_t> count = self.dim(axis).as_constant();
  if (!count)
    throw Unsupported(fmt::format("the number of parts is the size {}, which is a runtime value",
                                  to_string(self.dim(axis))),
                      "give that dimension a fixed size");
  std::vector<Tensor> out;
  for (std::int64_t i = 0; i < *count; ++i) out.push_back(e.gather(self, e.dim(i), axis));
  return out;
}

// Tensors of one dtype and, but for empty 1-d ones that PyTorch passes by, of one rank.
std::vector<onnx::Value*> promoted(Emit& e, const std::vector<Tensor>& tensors, bool skip_empty) {
  std::vector<Operand> operands(tensors.begin(), tensors.end());
  const DType dtype = result_type(operands);
  std::vector<onnx::Value*> out;
  for (const Tensor& tensor : tensors) {
    const bool empty = skip_empty && tensor.rank() == 1 && tensor.dim(0).as_constant() == 0;
    if (!empty || tensors.size() == 1) out.push_back(e.cast(tensor, dtype));
  }
  if (out.empty()) out.push_back(e.cast(tensors.at(0), dtype));
  return out;
}

Tensor cat(Emit& e, std::vector<Tensor> tensors, std::int64_t dim) {
  if (tensors.empty()) throw ProgramError("the list of tensors is empty");
  std::vector<onnx::Value*> values = promoted(e, tensors, true);
  for (const Tensor value : values)
    if (value.rank() == 0) throw ProgramError("each tensor must have at least one dimension");
  return e.concat(values, Tensor(values[0]).wrap(dim));
}
Tensor stack(Emit& e, std::vector<Tensor> tensors, std::int64_t dim) {
  if (tensors.empty()) throw ProgramError("the list of tensors is empty");
  const std::int64_t count = tensors[0].rank() + 1;
  const std::int64_t axis = dim < 0 ? dim + count : dim;
  if (axis < 0 || axis >= count) throw ProgramError(fmt::format("dimension {} is out of range", dim));
  std::vector<onnx::Value*> values = promoted(e, tensors, false);
  for (onnx::Value*& value : values) value = e.unsqueeze(value, {axis});
  return e.concat(values, axis);
}

// With dimensions of size 1 where a tensor has fewer than `rank`: a vector as a row, or as a column.
Tensor at_least(Emit& e, const Tensor& x, std::int64_t rank, bool column = false) {
  if (x.rank() >= rank) return x;
  if (x.rank() == 0) return e.reshape(x, Shape(static_cast<std::size_t>(rank), Dim(1)));
  if (x.rank() == 1 && rank == 2) return e.unsqueeze(x, {column ? 1 : 0});
  return x.rank() == 1 ? e.unsqueeze(x, {0, 2}) : e.unsqueeze(x, {2});
}
Tensor joined(Emit& e, std::vector<Tensor> tensors, std::int64_t rank, std::int64_t axis, bool column) {
  for (Tensor& tensor : tensors) tensor = at_least(e, tensor, rank, column);
  return cat(e, std::move(tensors), axis);
}
Tensor hstack(Emit& e, std::vector<Tensor> tensors) {
  const bool vectors = !tensors.empty() && tensors[0].rank() <= 1;
  return joined(e, std::move(tensors), 1, vectors ? 0 : 1, false);
}
Tensor vstack(Emit& e, std::vector<Tensor> tensors) { return joined(e, std::move(tensors), 2, 0, false); }
Tensor dstack(Emit& e, std::vector<Tensor> tensors) { return joined(e, std::move(tensors), 3, 2, false); }
Tensor column_stack(Emit& e, std::vector<Tensor> tensors) {
  return joined(e, std::move(tensors), 2, 1, true);
}

Tensor repeat(Emit& e, Tensor self, Shape repeats) {
  if (static_cast<std::int64_t>(repeats.size()) < self.rank())
    throw ProgramError("there are fewer numbers of repetitions than dimensions");
  Axes added(repeats.size() - self.shape().size());
  std::iota(added.begin(), added.end(), 0);
  onnx::Value* x = added.empty() ? self.value : e.unsqueeze(self, added);
  return std::ranges::all_of(repeats, [](const Dim& n) { return n.as_constant() == 1; })
             ? Tensor(x)
             : Tensor(e.op("Tile", {x, e.dims(repeats)}));
}
Tensor tile(Emit& e, Tensor self, Shape dims) {
  while (static_cast<std::int64_t>(dims.size()) < self.rank()) dims.insert(dims.begin(), 1);
  return repeat(e, self, std::move(dims));
}

std::vector<Tensor> broadcast_tensors(Emit& e, std::vector<Tensor> tensors) {
  Shape shape;
  for (const Tensor& tensor : tensors) shape = broadcast_shape(e, shape, tensor.shape());
  for (Tensor& tensor : tensors) tensor = e.expand(tensor, shape);
  return tensors;
}

constexpr Declaration kSplitting[] = {
    op<split>("aten::split.Tensor(Tensor(a) self, int split_size, int dim=0) -> Tensor(a)[]",
              {.doc = "Parts of one size; the last may be smaller.",
               .sample = "split_size=2, dim=1",
               .view = View::part}),
    op<split_sizes>(
        "aten::split.sizes(Tensor(a) self, int[] split_size, int dim=0) -> Tensor(a)[]",
        {.doc = "Parts of given sizes.", .sample = "split_size=[2, 4], dim=1", .view = View::part}),
    op<split_sizes>("aten::split_with_sizes(Tensor(a) self, int[] split_sizes, int dim=0) -> Tensor(a)[]",
                    {.doc = "Parts of given sizes.", .sample = "split_sizes=[2, 4], dim=1"}),
    op<chunk>(
        "aten::chunk(Tensor(a) self, int chunks, int dim=0) -> Tensor(a)[]",
        {.doc = "At most so many parts of equal size.", .sample = "chunks=2, dim=1", .view = View::part}),
    op<chunk>("aten::unsafe_chunk(Tensor self, int chunks, int dim=0) -> Tensor[]",
              {.doc = "At most so many parts of equal size.", .sample = "chunks=2, dim=1"}),
    op<split>("aten::unsafe_split.Tensor(Tensor self, int split_size, int dim=0) -> Tensor[]",
              {.doc = "Parts of one size; the last may be smaller.", .sample = "split_size=2, dim=1"}),
    op<tensor_split>("aten::tensor_split.sections(Tensor(a) self, int sections, int dim=0) -> Tensor(a)[]",
                     {.doc = "So many parts of nearly equal size.", .sample = "dim=1"}),
    op<tensor_split_at>("aten::tensor_split.indices(Tensor(a) self, int[] indices, int dim=0) -> Tensor(a)[]",
                        {.doc = "Parts that end at the given indices.", .sample = "dim=1"}),
    op<tensor_split_by>(
        "aten::tensor_split.tensor_indices_or_sections(Tensor(a) self, Tensor tensor_indices_or_sections, "
        "int dim=0) -> Tensor(a)[]",
        {.doc = "Parts that end at the given indices, or as many as one number says.", .sample = "dim=1"}),
    op<unbind>("aten::unbind.int(Tensor(a) self, int dim=0) -> Tensor(a)[]",
               {.doc = "Every index of a dimension.", .sample = "dim=1", .view = View::part}),
    op<cat>("aten::cat(Tensor[] tensors, int dim=0) -> Tensor",
            {.doc = "Joins tensors along a dimension.", .aliases = {"aten::concat", "aten::concatenate"}}),
    op<stack>("aten::stack(Tensor[] tensors, int dim=0) -> Tensor",
              {.doc = "Joins tensors along a new dimension."}),
    op<repeat>(
        "aten::repeat(Tensor self, int[] repeats) -> Tensor",
        {.doc = "Repeats a tensor along its dimensions.", .sample = "self=f32[batch,width], repeats=[2, 3]"}),
    op<tile>(
        "aten::tile(Tensor self, int[] dims) -> Tensor",
        {.doc = "Repeats a tensor along its dimensions.", .sample = "self=f32[batch,width], dims=[2, 3]"}),
    op<hstack>("aten::hstack(Tensor[] tensors) -> Tensor",
               {.doc = "Joins tensors along the second dimension, vectors along their only one."}),
    op<vstack>("aten::vstack(Tensor[] tensors) -> Tensor",
               {.doc = "Joins tensors along the first dimension; vectors are rows.",
                .aliases = {"aten::row_stack"}}),
    op<dstack>("aten::dstack(Tensor[] tensors) -> Tensor",
               {.doc = "Joins tensors along the third dimension."}),
    op<column_stack>("aten::column_stack(Tensor[] tensors) -> Tensor",
                     {.doc = "Joins tensors along the second dimension; vectors are columns."}),
    op<hsplit>(
        "aten::hsplit.int(Tensor(a) self, int sections) -> Tensor(a)[]",
        {.doc = "So many parts of the second dimension, or of a vector.", .sample = "self=f32[6,6,6]"}),
    op<hsplit_at>("aten::hsplit.array(Tensor(a) self, int[] indices) -> Tensor(a)[]",
                  {.doc = "Parts of the second dimension, or of a vector, that end at the given indices.",
                   .sample = "self=f32[6,6,6]"}),
    op<split_along<0>>("aten::vsplit.int(Tensor(a) self, int sections) -> Tensor(a)[]",
                       {.doc = "So many parts of the first dimension.", .sample = "self=f32[6,6,6]"}),
    op<split_along_at<0>>(
        "aten::vsplit.array(Tensor(a) self, int[] indices) -> Tensor(a)[]",
        {.doc = "Parts of the first dimension that end at the given indices.", .sample = "self=f32[6,6,6]"}),
    op<split_along<2>>("aten::dsplit.int(Tensor(a) self, int sections) -> Tensor(a)[]",
                       {.doc = "So many parts of the third dimension.", .sample = "self=f32[6,6,6]"}),
    op<split_along_at<2>>(
        "aten::dsplit.array(Tensor(a) self, int[] indices) -> Tensor(a)[]",
        {.doc = "Parts of the third dimension that end at the given indices.", .sample = "self=f32[6,6,6]"}),
    op<split_sizes>("aten::unsafe_split_with_sizes(Tensor self, int[] split_sizes, int dim=0) -> Tensor[]",
                    {.doc = "Parts of given sizes.", .sample = "split_sizes=[2, 4], dim=1"}),
    op<broadcast_tensors>("aten::broadcast_tensors(Tensor[] tensors) -> Tensor[]",
                          {.doc = "All tensors in the shape that they broadcast to.",
                           .sample = "tensors=[f32[batch,1], f32[1,width]]"}),
};

}  // namespace

std::span<const Declaration> splitting_ops() { return kSplitting; }

}  // namespace cameo::aten
