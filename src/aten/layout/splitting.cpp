// Tensors taken apart and joined along dimensions.
#include <fmt/core.h>

#include <algorithm>
#include <numeric>

#include "aten/families.h"
#include "aten/support.h"

namespace cameo::aten {
namespace {

std::vector<Expr> split_node(Emit& e, const Expr& self, std::int64_t axis, std::int64_t count, Expr sizes) {
  onnx::Attributes attributes;
  if (axis != 0) attributes.push_back({"axis", axis});
  if (!sizes.value) attributes.push_back({"num_outputs", count});
  return ops(e, "Split", {self, sizes}, std::move(attributes), as_size(count));
}

// Parts of the given sizes, one after the other.
std::vector<Expr> parts(Emit& e, const Expr& self, std::int64_t axis, const Shape& sizes) {
  Dim total = 0;
  for (const Dim& size : sizes) {
    if (e.sym().less(size, 0) == sym::Truth::yes) throw ProgramError("a size is negative");
    total = total + size;
  }
  if (e.sym().equal(total, self.dim(axis)) == sym::Truth::no)
    throw ProgramError(fmt::format("the sizes add up to {}, but dimension {} has the size {}",
                                   to_string(total), axis, to_string(self.dim(axis))));
  if (sizes.size() <= 1) return std::vector<Expr>(sizes.size(), self);
  const bool equal = std::ranges::all_of(
      sizes, [&](const Dim& size) { return e.sym().equal(size, sizes[0]) == sym::Truth::yes; });
  const auto count = std::ssize(sizes);
  const bool exact = equal && e.sym().equal(sizes[0] * count, self.dim(axis)) == sym::Truth::yes;
  return split_node(e, self, axis, sizes.rank(), exact ? Expr() : Expr(e.dims(sizes)));
}

// `count` parts of one size; the last one takes what is left.
std::vector<Expr> equal_parts(Emit& e, const Expr& self, std::int64_t axis, const Dim& size,
                              std::int64_t count) {
  Shape sizes(as_size(std::max<std::int64_t>(count - 1, 0)), size);
  sizes.push_back(self.dim(axis) - size * std::ssize(sizes));
  return parts(e, self, axis, sizes);
}

std::vector<Expr> split(Emit& e, Expr self, Dim split_size, std::int64_t dim) {
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
std::vector<Expr> split_sizes(Emit& e, Expr self, Shape sizes, std::int64_t dim) {
  return parts(e, self, self.wrap(dim), sizes);
}

// PyTorch gives fewer parts for some small sizes. A size that is a runtime value is assumed not to be one of
// them.
std::vector<Expr> chunk(Emit& e, Expr self, std::int64_t chunks, std::int64_t dim) {
  if (chunks <= 0) throw ProgramError("the number of chunks must be positive");
  if (self.rank() == 0) throw ProgramError("the input must have at least one dimension");
  const std::int64_t axis = self.wrap(dim);
  const Dim total = self.dim(axis), size = e.simplify(sym::ceildiv(total, chunks));
  if (total.as_constant() == 0) return std::vector<Expr>(as_size(chunks), self);
  const Dim count = size.as_constant() ? e.simplify(sym::ceildiv(total, size)) : Dim(chunks);
  return equal_parts(e, self, axis, size, count.as_constant().value_or(chunks));
}

// The first ones are larger by one, as many as the division leaves over.
std::vector<Expr> tensor_split(Emit& e, Expr self, std::int64_t sections, std::int64_t dim) {
  if (sections <= 0) throw ProgramError("the number of sections must be positive");
  const std::int64_t axis = self.wrap(dim);
  const Dim size = self.dim(axis), base = sym::floordiv(size, sections), left = sym::mod(size, sections);
  Shape sizes;
  for (std::int64_t i = 0; i < sections; ++i)
    sizes.push_back(e.simplify(base + sym::min(left, i + 1) - sym::min(left, i)));
  return parts(e, self, axis, sizes);
}
std::vector<Expr> tensor_split_at(Emit& e, Expr self, Shape indices, std::int64_t dim) {
  const std::int64_t axis = self.wrap(dim);
  std::vector<Expr> out;
  Dim from = 0;
  indices.push_back(self.dim(axis));
  for (const Dim& index : indices) {
    auto [first, last] = slice_range(e, self.dim(axis), from, index);
    out.push_back(slice(self, axis, first, last));
    from = index;
  }
  return out;
}
// One number says how many sections there are, several say where they begin.
std::vector<Expr> tensor_split_by(Emit& e, Expr self, Expr by, std::int64_t dim) {
  const std::int64_t axis = self.wrap(dim);
  const Expr numbers = cast(by, DType::i64);
  if (by.rank() == 0) {
    if (const auto sections = e.number(numbers).as_constant()) return tensor_split(e, self, *sections, axis);
    throw Unsupported("the number of sections must be known at export time, but it depends on the inputs");
  }
  const std::int64_t count = known_sizes(by.shape(), "the number of indices").at(0);
  std::vector<Expr> out;
  Expr from = e.ints({0});
  for (std::int64_t i = 0; i <= count; ++i) {
    const Expr to = i < count ? slice(numbers, 0, i, i + 1) : e.dims({self.dim(axis)});
    out.push_back(e.op("Slice", {self, from, to, e.ints({axis})}));
    from = to;
  }
  return out;
}
// Along the second dimension, but along the only one of a vector.
std::vector<Expr> hsplit(Emit& e, Expr self, std::int64_t sections) {
  return tensor_split(e, self, sections, self.rank() == 1 ? 0 : 1);
}
std::vector<Expr> hsplit_at(Emit& e, Expr self, Shape indices) {
  return tensor_split_at(e, self, std::move(indices), self.rank() == 1 ? 0 : 1);
}
template <std::int64_t kDim>
std::vector<Expr> split_along(Emit& e, Expr self, std::int64_t sections) {
  return tensor_split(e, self, sections, kDim);
}
template <std::int64_t kDim>
std::vector<Expr> split_along_at(Emit& e, Expr self, Shape indices) {
  return tensor_split_at(e, self, std::move(indices), kDim);
}

std::vector<Expr> unbind(Emit& e, Expr self, std::int64_t dim) {
  if (self.rank() == 0) throw ProgramError("the input must have at least one dimension");
  const std::int64_t axis = self.wrap(dim);
  const std::optional<std::int64_t> count = self.dim(axis).as_constant();
  if (!count)
    throw Unsupported(fmt::format("the number of parts is the size {}, which is a runtime value",
                                  to_string(self.dim(axis))),
                      "give that dimension a fixed size");
  std::vector<Expr> out;
  for (std::int64_t i = 0; i < *count; ++i) out.push_back(gather(self, e.dim(i), axis));
  return out;
}

// Tensors of one dtype and, but for empty 1-d ones that PyTorch passes by, of one rank.
std::vector<Expr> promoted(const std::vector<Expr>& tensors, bool skip_empty) {
  std::vector<Operand> operands(tensors.begin(), tensors.end());
  const DType dtype = result_type(operands);
  std::vector<Expr> out;
  for (const Expr& tensor : tensors) {
    const bool empty = skip_empty && tensor.rank() == 1 && tensor.dim(0).as_constant() == 0;
    if (!empty || tensors.size() == 1) out.push_back(cast(tensor, dtype));
  }
  if (out.empty()) out.push_back(cast(tensors.at(0), dtype));
  return out;
}

Expr cat(Emit&, std::vector<Expr> tensors, std::int64_t dim) {
  if (tensors.empty()) throw ProgramError("the list of tensors is empty");
  std::vector<Expr> values = promoted(tensors, true);
  for (const Expr& value : values)
    if (value.rank() == 0) throw ProgramError("each tensor must have at least one dimension");
  return concat(values, Expr(values[0]).wrap(dim));
}
Expr stack(Emit&, std::vector<Expr> tensors, std::int64_t dim) {
  if (tensors.empty()) throw ProgramError("the list of tensors is empty");
  const std::int64_t count = tensors[0].rank() + 1;
  const std::int64_t axis = dim < 0 ? dim + count : dim;
  if (axis < 0 || axis >= count) throw ProgramError(fmt::format("dimension {} is out of range", dim));
  std::vector<Expr> values = promoted(tensors, false);
  for (Expr& value : values) value = unsqueeze(value, {axis});
  return concat(values, axis);
}

// With dimensions of size 1 where a tensor has fewer than `rank`: a vector as a row, or as a column.
Expr at_least(const Expr& x, std::int64_t rank, bool column = false) {
  if (x.rank() >= rank) return x;
  if (x.rank() == 0) return reshape(x, Shape(as_size(rank), Dim(1)));
  if (x.rank() == 1 && rank == 2) return unsqueeze(x, {column ? 1 : 0});
  return x.rank() == 1 ? unsqueeze(x, {0, 2}) : unsqueeze(x, {2});
}
Expr joined(Emit& e, std::vector<Expr> tensors, std::int64_t rank, std::int64_t axis, bool column) {
  for (Expr& tensor : tensors) tensor = at_least(tensor, rank, column);
  return cat(e, std::move(tensors), axis);
}
Expr hstack(Emit& e, std::vector<Expr> tensors) {
  const bool vectors = !tensors.empty() && tensors[0].rank() <= 1;
  return joined(e, std::move(tensors), 1, vectors ? 0 : 1, false);
}
Expr vstack(Emit& e, std::vector<Expr> tensors) { return joined(e, std::move(tensors), 2, 0, false); }
Expr dstack(Emit& e, std::vector<Expr> tensors) { return joined(e, std::move(tensors), 3, 2, false); }
Expr column_stack(Emit& e, std::vector<Expr> tensors) { return joined(e, std::move(tensors), 2, 1, true); }

// Sequences of different lengths as rows, filled up at one end.
Expr pad_sequence(Emit& e, std::vector<Expr> sequences, bool batch_first, double padding_value,
                  std::string padding_side) {
  if (sequences.empty()) throw ProgramError("the list of tensors is empty");
  if (padding_side != "right" && padding_side != "left")
    throw ProgramError("'padding_side' must be 'left' or 'right'");
  Dim longest = sequences[0].dim(0);
  for (const Expr& sequence : sequences) longest = e.simplify(sym::max(longest, sequence.dim(0)));
  for (Expr& sequence : sequences) {
    if (e.sym().equal(sequence.dim(0), longest) == sym::Truth::yes) continue;
    Shape rest = sequence.shape();
    rest[0] = longest - sequence.dim(0);
    const Expr padding = expand(sequence.number(padding_value), rest);
    sequence = padding_side == "right" ? concat({sequence, padding}, 0) : concat({padding, sequence}, 0);
  }
  return stack(e, std::move(sequences), batch_first ? 0 : 1);
}

Expr flatten_dense_tensors(Emit&, std::vector<Expr> tensors) {
  for (Expr& tensor : tensors) tensor = reshape(tensor, {tensor.shape().product()});
  if (tensors.empty()) throw ProgramError("the list of tensors is empty");
  return concat(tensors, 0);
}
std::vector<Expr> unflatten_dense_tensors(Emit& e, Expr flat, std::vector<Expr> tensors) {
  Shape sizes;
  for (const Expr& tensor : tensors) sizes.push_back(tensor.shape().product());
  std::vector<Expr> out = parts(e, flat, 0, sizes);
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = reshape(out[i], tensors[i].shape());
  return out;
}

Expr repeat(Emit& e, Expr self, Shape repeats) {
  if (std::ssize(repeats) < self.rank())
    throw ProgramError("there are fewer numbers of repetitions than dimensions");
  Axes added(repeats.size() - self.shape().size());
  std::iota(added.begin(), added.end(), 0);
  const Expr x = added.empty() ? self : unsqueeze(self, added);
  return std::ranges::all_of(repeats, [](const Dim& n) { return n.as_constant() == 1; })
             ? Expr(x)
             : Expr(e.op("Tile", {x, e.dims(repeats)}));
}
Expr tile(Emit& e, Expr self, Shape dims) {
  while (std::ssize(dims) < self.rank()) dims.insert(dims.begin(), 1);
  return repeat(e, self, std::move(dims));
}

std::vector<Expr> broadcast_tensors(Emit& e, std::vector<Expr> tensors) {
  Shape shape;
  for (const Expr& tensor : tensors) shape = broadcast_shape(e, shape, tensor.shape());
  for (Expr& tensor : tensors) tensor = expand(tensor, shape);
  return tensors;
}

// Each tensor is divided into chunks along the dimension, with zeros after the last element, and the chunks of all
// tensors are joined.
Expr chunk_cat(Emit& e, std::vector<Expr> tensors, std::int64_t dim, std::int64_t num_chunks) {
  if (tensors.empty()) throw ProgramError("the list of tensors is empty");
  if (num_chunks < 1) throw ProgramError("the number of chunks must be positive");
  std::vector<Expr> rows;
  std::int64_t axis = 0;
  for (const Expr& tensor : tensors) {
    axis = tensor.wrap(dim);
    const Dim size = tensor.dim(axis), chunk = sym::floordiv(size + (num_chunks - 1), num_chunks);
    Shape missing = tensor.shape(), shape = tensor.shape().first(axis);
    missing[axis] = e.simplify(chunk * num_chunks - size);
    const Dim rest = tensor.shape().last(tensor.rank() - axis - 1).product();
    shape.push_back(num_chunks);
    shape.push_back(e.simplify(chunk * rest));
    const Expr zeros = expand(tensor.number(0), missing);
    rows.push_back(reshape(missing[axis].as_constant() == 0 ? tensor : concat({tensor, zeros}, axis), shape));
  }
  return concat(rows, axis + 1);
}

constexpr Declaration kSplitting[] = {
    op<chunk_cat>("aten::_chunk_cat(Tensor[] tensors, int dim, int num_chunks) -> Tensor",
                  {.doc = "Joins the chunks of tensors, padded with zeros.",
                   .sample = "tensors=[f32[6,4], f32[5,4]], dim=0, num_chunks=2"}),
    op<split>("aten::split.Tensor(Tensor(a) self, int split_size, int dim=0) -> Tensor(a)[]",
              {.doc = "Parts of one size; the last may be smaller.",
               .complex = OnComplex::by_parts,
               .quantized = OnQuantized::integers,
               .copies = {"aten::split_copy.Tensor"},
               .sample = "split_size=2, dim=1",
               .view = View::part}),
    op<split_sizes>("aten::split.sizes(Tensor(a) self, int[] split_size, int dim=0) -> Tensor(a)[]",
                    {.doc = "Parts of given sizes.",
                     .complex = OnComplex::by_parts,
                     .quantized = OnQuantized::integers,
                     .sample = "split_size=[2, 4], dim=1",
                     .view = View::part}),
    op<split_sizes>("aten::split_with_sizes(Tensor(a) self, int[] split_sizes, int dim=0) -> Tensor(a)[]",
                    {.doc = "Parts of given sizes.",
                     .complex = OnComplex::by_parts,
                     .quantized = OnQuantized::integers,
                     .copies = {"aten::split_with_sizes_copy"},
                     .sample = "split_sizes=[2, 4], dim=1"}),
    op<chunk>("aten::chunk(Tensor(a) self, int chunks, int dim=0) -> Tensor(a)[]",
              {.doc = "At most so many parts of equal size.",
               .complex = OnComplex::by_parts,
               .quantized = OnQuantized::integers,
               .sample = "chunks=2, dim=1",
               .view = View::part}),
    op<chunk>("aten::unsafe_chunk(Tensor self, int chunks, int dim=0) -> Tensor[]",
              {.doc = "At most so many parts of equal size.",
               .complex = OnComplex::by_parts,
               .quantized = OnQuantized::integers,
               .sample = "chunks=2, dim=1"}),
    op<split>("aten::unsafe_split.Tensor(Tensor self, int split_size, int dim=0) -> Tensor[]",
              {.doc = "Parts of one size; the last may be smaller.",
               .complex = OnComplex::by_parts,
               .quantized = OnQuantized::integers,
               .sample = "split_size=2, dim=1"}),
    op<tensor_split>(
        "aten::tensor_split.sections(Tensor(a) self, int sections, int dim=0) -> Tensor(a)[]",
        {.doc = "So many parts of nearly equal size.", .complex = OnComplex::by_parts, .sample = "dim=1"}),
    op<tensor_split_at>(
        "aten::tensor_split.indices(Tensor(a) self, int[] indices, int dim=0) -> Tensor(a)[]",
        {.doc = "Parts that end at the given indices.", .complex = OnComplex::by_parts, .sample = "dim=1"}),
    op<tensor_split_by>(
        "aten::tensor_split.tensor_indices_or_sections(Tensor(a) self, Tensor tensor_indices_or_sections, "
        "int dim=0) -> Tensor(a)[]",
        {.doc = "Parts that end at the given indices, or as many as one number says.",
         .complex = OnComplex::by_parts,
         .sample = "dim=1"}),
    op<unbind>("aten::unbind.int(Tensor(a) self, int dim=0) -> Tensor(a)[]",
               {.doc = "Every index of a dimension.",
                .complex = OnComplex::by_parts,
                .quantized = OnQuantized::integers,
                .copies = {"aten::unbind_copy.int"},
                .sample = "dim=1",
                .view = View::part}),
    op<cat>("aten::cat(Tensor[] tensors, int dim=0) -> Tensor",
            {.doc = "Joins tensors along a dimension.",
             .complex = OnComplex::by_parts,
             .quantized = OnQuantized::integers,
             .aliases = {"aten::concat", "aten::concatenate"}}),
    op<stack>("aten::stack(Tensor[] tensors, int dim=0) -> Tensor",
              {.doc = "Joins tensors along a new dimension.",
               .complex = OnComplex::by_parts,
               .quantized = OnQuantized::integers,
               .aliases = {"aten::_stack"}}),
    op<pad_sequence>("aten::pad_sequence(Tensor[] sequences, bool batch_first=False, float "
                     "padding_value=0.0, str padding_side=\"right\") -> Tensor",
                     {.doc = "Joins sequences of different lengths along a new dimension, filled up.",
                      .sample = "sequences=[f32[height,6], f32[width,6]]"}),
    op<flatten_dense_tensors>("aten::flatten_dense_tensors(Tensor[] tensors) -> Tensor",
                              {.doc = "All elements of several tensors, one after the other."}),
    op<unflatten_dense_tensors>("aten::unflatten_dense_tensors(Tensor flat, Tensor[] tensors) -> Tensor[]",
                                {.doc = "A vector taken apart into the shapes of several tensors.",
                                 .sample = "flat=f32[20], tensors=[f32[4,2], f32[12]]"}),
    op<repeat>("aten::repeat(Tensor self, int[] repeats) -> Tensor",
               {.doc = "Repeats a tensor along its dimensions.",
                .complex = OnComplex::by_parts,
                .quantized = OnQuantized::integers,
                .sample = "self=f32[batch,width], repeats=[2, 3]"}),
    op<tile>("aten::tile(Tensor self, int[] dims) -> Tensor",
             {.doc = "Repeats a tensor along its dimensions.",
              .complex = OnComplex::by_parts,
              .quantized = OnQuantized::integers,
              .sample = "self=f32[batch,width], dims=[2, 3]"}),
    op<hstack>("aten::hstack(Tensor[] tensors) -> Tensor",
               {.doc = "Joins tensors along the second dimension, vectors along their only one.",
                .complex = OnComplex::by_parts,
                .quantized = OnQuantized::integers}),
    op<vstack>("aten::vstack(Tensor[] tensors) -> Tensor",
               {.doc = "Joins tensors along the first dimension; vectors are rows.",
                .complex = OnComplex::by_parts,
                .quantized = OnQuantized::integers,
                .aliases = {"aten::row_stack"}}),
    op<dstack>("aten::dstack(Tensor[] tensors) -> Tensor", {.doc = "Joins tensors along the third dimension.",
                                                            .complex = OnComplex::by_parts,
                                                            .quantized = OnQuantized::integers}),
    op<column_stack>("aten::column_stack(Tensor[] tensors) -> Tensor",
                     {.doc = "Joins tensors along the second dimension; vectors are columns.",
                      .complex = OnComplex::by_parts,
                      .quantized = OnQuantized::integers}),
    op<hsplit>("aten::hsplit.int(Tensor(a) self, int sections) -> Tensor(a)[]",
               {.doc = "So many parts of the second dimension, or of a vector.",
                .complex = OnComplex::by_parts,
                .quantized = OnQuantized::integers,
                .sample = "self=f32[6,6,6]"}),
    op<hsplit_at>("aten::hsplit.array(Tensor(a) self, int[] indices) -> Tensor(a)[]",
                  {.doc = "Parts of the second dimension, or of a vector, that end at the given indices.",
                   .complex = OnComplex::by_parts,
                   .quantized = OnQuantized::integers,
                   .sample = "self=f32[6,6,6]"}),
    op<split_along<0>>("aten::vsplit.int(Tensor(a) self, int sections) -> Tensor(a)[]",
                       {.doc = "So many parts of the first dimension.",
                        .complex = OnComplex::by_parts,
                        .quantized = OnQuantized::integers,
                        .sample = "self=f32[6,6,6]"}),
    op<split_along_at<0>>("aten::vsplit.array(Tensor(a) self, int[] indices) -> Tensor(a)[]",
                          {.doc = "Parts of the first dimension that end at the given indices.",
                           .complex = OnComplex::by_parts,
                           .quantized = OnQuantized::integers,
                           .sample = "self=f32[6,6,6]"}),
    op<split_along<2>>("aten::dsplit.int(Tensor(a) self, int sections) -> Tensor(a)[]",
                       {.doc = "So many parts of the third dimension.",
                        .complex = OnComplex::by_parts,
                        .quantized = OnQuantized::integers,
                        .sample = "self=f32[6,6,6]"}),
    op<split_along_at<2>>("aten::dsplit.array(Tensor(a) self, int[] indices) -> Tensor(a)[]",
                          {.doc = "Parts of the third dimension that end at the given indices.",
                           .complex = OnComplex::by_parts,
                           .quantized = OnQuantized::integers,
                           .sample = "self=f32[6,6,6]"}),
    op<split_sizes>("aten::unsafe_split_with_sizes(Tensor self, int[] split_sizes, int dim=0) -> Tensor[]",
                    {.doc = "Parts of given sizes.",
                     .complex = OnComplex::by_parts,
                     .quantized = OnQuantized::integers,
                     .sample = "split_sizes=[2, 4], dim=1"}),
    op<broadcast_tensors>("aten::broadcast_tensors(Tensor[] tensors) -> Tensor[]",
                          {.doc = "All tensors in the shape that they broadcast to.",
                           .complex = OnComplex::by_parts,
                           .quantized = OnQuantized::integers,
                           .sample = "tensors=[f32[batch,1], f32[1,width]]"}),
};

}  // namespace

std::span<const Declaration> splitting_ops() { return kSplitting; }

}  // namespace cameo::aten
