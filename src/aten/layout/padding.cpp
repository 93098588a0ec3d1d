// Padding and cropping. The list of pads begins with the last dimension: front, back, front, back, …
#include <fmt/core.h>

#include <algorithm>

#include "aten/families.h"
#include "aten/support.h"

namespace cameo::aten {
namespace {

struct Edges {
  Dim front, back;
};

// One a dimension.
std::vector<Edges> edges_of(const Expr& self, const Shape& pad) {
  if (pad.size() % 2 != 0) throw ProgramError("the list of pads must have an even length");
  if (pad.size() / 2 > self.shape().size())
    throw ProgramError(fmt::format("{} pads for a tensor of {} dimensions", pad.size(), self.shape().size()));
  std::vector<Edges> edges(self.shape().size(), Edges{0, 0});
  for (std::size_t i = 0; i < pad.size() / 2; ++i) edges[edges.size() - 1 - i] = {pad[2 * i], pad[2 * i + 1]};
  return edges;
}

bool negative(Emit& e, const Dim& pad) { return e.sym().less(pad, 0) == sym::Truth::yes; }

// Takes away what negative pads say, and leaves the others in `edges`.
Expr crop(Emit& e, Expr x, std::vector<Edges>& edges) {
  std::int64_t axis = 0;
  for (auto& [front, back] : edges) {
    const Dim size = (*x->type.shape)[axis];
    const Dim from = negative(e, front) ? -front : Dim(0), to = negative(e, back) ? size + back : size;
    x = slice(x, axis++, from, to);
    if (negative(e, front)) front = 0;
    if (negative(e, back)) back = 0;
  }
  return x;
}

// The dtype in which Pad is done: one that holds every number of this one.
DType paddable(DType dtype) { return dtype == DType::i16 ? DType::i32 : dtype; }

Expr grow(Emit& e, const Expr& self, const std::vector<Edges>& edges, const char* mode,
          const std::optional<Scalar>& value) {
  Shape pads;
  for (const Edges& edge : edges) pads.push_back(edge.front);
  for (const Edges& edge : edges) pads.push_back(edge.back);
  if (std::ranges::all_of(pads, [](const Dim& pad) { return pad == Dim(0); })) return self;
  const DType dtype = paddable(self.dtype());
  onnx::Attributes attributes;
  if (mode) attributes.push_back({"mode", std::string(mode)});
  const bool zero = !value || value->known() == 0.0;
  const Expr filling = zero ? Expr() : cast(as(e, *value, self.dtype()), dtype);
  return cast(e.op("Pad", {cast(self, dtype), e.dims(pads), filling}, attributes), self.dtype());
}

Expr constant_pad(Emit& e, Expr self, Shape pad, Scalar value) {
  std::vector<Edges> edges = edges_of(self, pad);
  return grow(e, crop(e, self, edges), edges, nullptr, value);
}

// Copies of the tensor's own elements: what is cropped may be copied to the other side.
Expr copying_pad(Emit& e, const Expr& self, const Shape& pad, const char* mode) {
  std::vector<Edges> grown = edges_of(self, pad), cropped = grown;
  for (std::size_t axis = 0; axis < grown.size(); ++axis) {
    for (Dim Edges::*side : {&Edges::front, &Edges::back})
      (negative(e, grown[axis].*side) ? grown : cropped)[axis].*side = 0;
  }
  return crop(e, grow(e, self, grown, mode, std::nullopt), cropped);
}
Expr reflection_pad(Emit& e, Expr self, Shape padding) { return copying_pad(e, self, padding, "reflect"); }
Expr replication_pad(Emit& e, Expr self, Shape padding) { return copying_pad(e, self, padding, "edge"); }

Expr circular_pad(Emit& e, Expr self, Shape pad) {
  std::vector<Edges> edges = edges_of(self, pad);
  Expr x = crop(e, self, edges);
  std::int64_t axis = 0;
  for (const auto& [front, back] : edges) {
    const Dim size = (*x->type.shape)[axis];
    std::vector<Expr> pieces{x};
    if (front != Dim(0)) pieces.insert(pieces.begin(), slice(x, axis, size - front, size));
    if (back != Dim(0)) pieces.push_back(slice(x, axis, 0, back));
    x = concat(pieces, axis++);
  }
  return x;
}

Expr pad(Emit& e, Expr self, Shape pad, std::string mode, std::optional<Scalar> value) {
  if (mode == "constant") return constant_pad(e, self, pad, value.value_or(Scalar{0.0}));
  if (value && value->known() != 0.0)
    throw ProgramError(fmt::format("padding mode '{}' does not take a value", mode));
  if (mode == "reflect") return reflection_pad(e, self, pad);
  if (mode == "replicate") return replication_pad(e, self, pad);
  if (mode == "circular") return circular_pad(e, self, pad);
  throw ProgramError(fmt::format("unknown padding mode '{}'", mode));
}

Expr pad_enum(Emit& e, Expr self, Shape sizes, std::int64_t mode, std::optional<Scalar> value) {
  constexpr const char* kModes[] = {"reflect", "replicate", "circular", "constant"};
  if (mode < 0 || mode >= std::ssize(kModes))
    throw ProgramError(fmt::format("unknown padding mode {}", mode));
  return pad(e, self, std::move(sizes), kModes[mode], value);
}

constexpr Declaration kPadding[] = {
    op<constant_pad>("aten::constant_pad_nd(Tensor self, int[] pad, Scalar value=0) -> Tensor",
                     {.doc = "Pads with a number; negative pads crop.",
                      .complex = OnComplex::by_parts,
                      .quantized = OnQuantized::requantized,
                      .sample = "self=f32[batch,6,height,width], pad=[1, 2, 3, 4]"}),
    op<pad>("aten::pad(Tensor self, int[] pad, str mode=\"constant\", float? value=None) -> Tensor",
            {.doc = "Pads with a number, or by reflecting, repeating the edge or wrapping round.",
             .complex = OnComplex::by_parts,
             .quantized = OnQuantized::requantized,
             .sample = "self=f32[batch,6,height,width], pad=[1, 2, 3, 4]"}),
    op<pad_enum>(
        "aten::_pad_enum(Tensor self, int[] pad, int mode, float? value=None) -> Tensor",
        {.doc = "Pads by reflecting (0), repeating the edge (1), wrapping round (2) or with a number.",
         .complex = OnComplex::by_parts,
         .sample = "self=f32[batch,6,height,width], pad=[1, 2, 3, 4], mode=3"}),
    op<reflection_pad>("aten::reflection_pad1d(Tensor self, int[2] padding) -> Tensor",
                       {.doc = "Pads one dimension with its reflection.",
                        .complex = OnComplex::by_parts,
                        .quantized = OnQuantized::integers,
                        .sample = "padding=[1, 2]"}),
    op<reflection_pad>("aten::reflection_pad2d(Tensor self, int[4] padding) -> Tensor",
                       {.doc = "Pads two dimensions with their reflection.",
                        .complex = OnComplex::by_parts,
                        .quantized = OnQuantized::integers,
                        .sample = "padding=[1, 2, 3, 4]"}),
    op<reflection_pad>("aten::reflection_pad3d(Tensor self, int[6] padding) -> Tensor",
                       {.doc = "Pads three dimensions with their reflection.",
                        .complex = OnComplex::by_parts,
                        .quantized = OnQuantized::integers,
                        .sample = "padding=[1, 2, 3, 4, 5, 6]"}),
    op<replication_pad>("aten::replication_pad1d(Tensor self, int[2] padding) -> Tensor",
                        {.doc = "Pads one dimension by repeating its edge.",
                         .complex = OnComplex::by_parts,
                         .quantized = OnQuantized::integers,
                         .sample = "padding=[1, 2]"}),
    op<replication_pad>("aten::replication_pad2d(Tensor self, int[4] padding) -> Tensor",
                        {.doc = "Pads two dimensions by repeating their edges.",
                         .complex = OnComplex::by_parts,
                         .quantized = OnQuantized::integers,
                         .sample = "padding=[1, 2, 3, 4]"}),
    op<replication_pad>("aten::replication_pad3d(Tensor self, int[6] padding) -> Tensor",
                        {.doc = "Pads three dimensions by repeating their edges.",
                         .complex = OnComplex::by_parts,
                         .quantized = OnQuantized::integers,
                         .sample = "padding=[1, 2, 3, 4, 5, 6]"}),
    op<circular_pad>("aten::_pad_circular(Tensor self, int[] pad) -> Tensor",
                     {.doc = "Pads by wrapping round.",
                      .complex = OnComplex::by_parts,
                      .sample = "self=f32[batch,6,height,width], pad=[1, 2, 3, 4]"}),
};

}  // namespace

std::span<const Declaration> padding_ops() { return kPadding; }

}  // namespace cameo::aten
