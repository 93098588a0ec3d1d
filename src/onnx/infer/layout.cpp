#include <algorithm>

#include <fmt/core.h>

#include "onnx/infer/contents.h"
#include "onnx/infer/families.h"

namespace cameo::onnx {
namespace {

void reshape(Inference& f) {
  const Elements target = f.elements(1);
  const auto& from = f.shape(0);
  if (!target) return f.set(f.dtype(0), f.fresh_shape_like(1, "reshaped"));
  Shape shape(*target);
  Dim rest = 1;
  std::optional<std::size_t> open;
  const bool allow_zero = f.integer("allowzero", 0) != 0;
  for (std::size_t i = 0; i < shape.size(); ++i) {
    if (known(shape[i]) == 0 && !allow_zero)
      shape[i] = from && i < from->size() ? (*from)[i] : f.fresh("reshaped");
    if (known(shape[i]) == -1) {
      if (open) f.fail("more than one size is -1");
      open = i;
    } else {
      if (known(shape[i]).value_or(0) < 0) f.fail(fmt::format("the size {} is negative", *known(shape[i])));
      rest = rest * shape[i];
    }
  }
  if (open) {
    if (from) {
      Dim total = 1;
      for (const Dim& dim : *from) total = total * dim;
      if (known(rest) == 0)
        shape[*open] = 0;
      else if (const auto exact = f.symbols().divide_exactly(total, rest))
        shape[*open] = *exact;
      else
        shape[*open] = sym::floordiv(total, rest);
    } else {
      shape[*open] = f.fresh("reshaped");
    }
  }
  const auto before = from ? product(*from) : std::nullopt, after = product(shape);
  if (before && after && *before != *after)
    f.fail(fmt::format("{} elements do not make a shape of {}", *before, *after));
  f.set(f.dtype(0), shape);
  f.set_elements(f.elements(0));
}

void transpose(Inference& f) {
  const auto& from = f.shape(0);
  std::vector<std::int64_t> perm = f.list("perm");
  if (!from) {
    f.set(f.dtype(0), perm.empty() ? std::nullopt : std::optional(f.fresh_shape(perm.size(), "transposed")));
    return;
  }
  if (perm.empty())
    for (std::int64_t i = std::ssize(*from); i-- > 0;) perm.push_back(i);
  if (perm.size() != from->size()) f.fail("the permutation does not fit the number of axes");
  Shape shape;
  for (std::int64_t axis : perm) shape.push_back((*from)[f.axis(axis, from->size())]);
  f.set(f.dtype(0), shape);
  const auto sizes = numbers(*from);
  if (!sizes || !f.elements(0)) return;
  const Ints own = contiguous_strides(*sizes);
  Ints strides;
  for (std::int64_t axis : perm) strides.push_back(own[f.axis(axis, own.size())]);
  const Ints to = *numbers(shape);
  rearrange(f, to, positions(to, strides));
}

void unsqueeze(Inference& f) {
  const auto axes = f.integers(1);
  const auto& from = f.shape(0);
  if (!from || !axes) return f.set(f.dtype(0), std::nullopt);
  const std::size_t rank = from->size() + axes->size();
  std::vector<bool> added(rank);
  for (std::int64_t axis : *axes) {
    const std::size_t at = f.axis(axis, rank);
    if (added[at]) f.fail(fmt::format("axis {} is added twice", axis));
    added[at] = true;
  }
  Shape shape;
  for (std::size_t i = 0, next = 0; i < rank; ++i) shape.push_back(added[i] ? Dim(1) : (*from)[next++]);
  f.set(f.dtype(0), shape);
  f.set_elements(f.elements(0));
}

void squeeze(Inference& f) {
  const auto& from = f.shape(0);
  const auto axes = f.integers(1);
  if (!from || (f.has(1) && !axes)) return f.set(f.dtype(0), std::nullopt);
  std::vector<bool> gone(from->size());
  if (axes) {
    for (std::int64_t axis : *axes) {
      const std::size_t at = f.axis(axis, from->size());
      if (known((*from)[at]).value_or(1) != 1)
        f.fail(fmt::format("axis {} must have size 1, not {}", axis, *known((*from)[at])));
      gone[at] = true;
    }
  } else {
    for (std::size_t i = 0; i < from->size(); ++i) {
      if (!known((*from)[i]) && !f.at_least((*from)[i], 2)) return f.set(f.dtype(0), std::nullopt);
      gone[i] = known((*from)[i]) == 1;
    }
  }
  Shape shape;
  for (std::size_t i = 0; i < from->size(); ++i)
    if (!gone[i]) shape.push_back((*from)[i]);
  f.set(f.dtype(0), shape);
  f.set_elements(f.elements(0));
}

void flatten(Inference& f) {
  const auto& from = f.shape(0);
  if (!from) return f.set(f.dtype(0), f.fresh_shape(2, "flattened"));
  const std::int64_t given = f.integer("axis", 1);
  const std::size_t axis = given == std::ssize(*from) ? from->size() : f.axis(given, from->size());
  Shape shape{1, 1};
  for (std::size_t i = 0; i < from->size(); ++i)
    shape[i < axis ? 0 : 1] = shape[i < axis ? 0 : 1] * (*from)[i];
  f.set(f.dtype(0), shape);
}

void expand(Inference& f) {
  const Elements target = f.elements(1);
  if (!target) {
    // Sizes of 1 tell nothing, since they may be stretched.
    const std::optional<Shape> open = f.fresh_shape_like(1, "expanded");
    if (!open || !f.shape(0)) return f.set(f.dtype(0), std::nullopt);
    Shape own = *f.shape(0), to = *open;
    while (to.size() < own.size()) to.insert(to.begin(), 1);
    for (std::size_t i = 0; i < own.size(); ++i) {
      Dim& size = to[to.size() - own.size() + i];
      if (known(size) == 1 || f.at_least(own[i], 2)) size = own[i];
    }
    return f.set(f.dtype(0), to);
  }
  for (const Dim& size : *target)
    if (known(size).value_or(0) < 0) f.fail(fmt::format("the size {} is negative", *known(size)));
  const std::optional<Shape> shape = f.broadcast(f.shape(0), std::optional<Shape>(*target));
  f.set(f.dtype(0), shape);
  if (!shape || !f.elements(0)) return;
  const auto sizes = numbers(*shape), from = numbers(*f.shape(0));
  if (!sizes || !from || count(*sizes) > kMaxElements) return;
  rearrange(f, *sizes, broadcast_positions(*from, *sizes));
}

std::int64_t block_size(const Inference& f) {
  constexpr std::int64_t kLargest = std::int64_t{1} << 30;
  const std::int64_t size = f.integer("blocksize", 1);
  if (size < 1 || size > kLargest) f.fail(fmt::format("the block size {} is not valid", size));
  return size;
}

void depth_to_space(Inference& f) {
  const auto& from = f.shape(0);
  if (!from || from->size() != 4)
    return f.set(f.dtype(0), from ? std::nullopt : std::optional(f.fresh_shape(4, "depth")));
  const std::int64_t block = block_size(f);
  f.set(f.dtype(0),
        Shape{(*from)[0], sym::floordiv((*from)[1], block * block), (*from)[2] * block, (*from)[3] * block});
}

void space_to_depth(Inference& f) {
  const auto& from = f.shape(0);
  if (!from || from->size() != 4)
    return f.set(f.dtype(0), from ? std::nullopt : std::optional(f.fresh_shape(4, "depth")));
  const std::int64_t block = block_size(f);
  f.set(f.dtype(0), Shape{(*from)[0], (*from)[1] * (block * block), sym::floordiv((*from)[2], block),
                          sym::floordiv((*from)[3], block)});
}

void shape_of(Inference& f) {
  const auto& from = f.shape(0);
  if (!from) return f.set(DType::i64, Shape{f.fresh("rank")});
  const auto rank = std::ssize(*from);
  auto clamp = [rank](std::int64_t at) { return std::clamp<std::int64_t>(at < 0 ? at + rank : at, 0, rank); };
  const std::int64_t start = clamp(f.integer("start", 0));
  const std::int64_t end = std::max(start, clamp(f.integer("end", rank)));
  f.set(DType::i64, Shape{end - start});
  f.set_elements(std::vector<Dim>(from->begin() + start, from->begin() + end));
}

void size_of_tensor(Inference& f) {
  f.set(DType::i64, Shape{});
  if (!f.shape(0)) return;
  Dim total = 1;
  for (const Dim& dim : *f.shape(0)) total = total * dim;
  f.set_elements(std::vector<Dim>{total});
}

void reverse_sequence(Inference& f) { f.set_type(0, f.input(0).type); }

constexpr InferRow kLayout[] = {
    {"Reshape", reshape},
    {"Transpose", transpose},
    {"Unsqueeze", unsqueeze},
    {"Squeeze", squeeze},
    {"Flatten", flatten},
    {"Expand", expand},
    {"DepthToSpace", depth_to_space},
    {"SpaceToDepth", space_to_depth},
    {"Shape", shape_of},
    {"Size", size_of_tensor},
    {"ReverseSequence", reverse_sequence},
};

}  // namespace

std::span<const InferRow> layout_inference() { return kLayout; }

}  // namespace cameo::onnx
