#include <algorithm>
#include <limits>
#include <numeric>

#include <fmt/format.h>

#include "onnx/fold/index.h"
#include "onnx/infer/families.h"

namespace cameo::onnx {
namespace {

// The contents of input 0, rearranged as positions() of the result says.
void rearrange(Inference& f, const std::optional<Shape>& from, const Ints& shape, const Ints& positions) {
  const Elements own = f.elements(0);
  if (!own || !from || count(shape) > kMaxElements) return;
  std::vector<Dim> result;
  for (std::int64_t at : positions) result.push_back((*own)[static_cast<std::size_t>(at)]);
  f.set_elements(std::move(result));
}

std::optional<Ints> numbers(const Shape& shape) {
  Ints result;
  for (const Dim& dim : shape) {
    if (!known(dim)) return std::nullopt;
    result.push_back(*known(dim));
  }
  return result;
}

void reshape(Inference& f) {
  const Elements target = f.elements(1);
  const auto& from = f.shape(0);
  if (!target) return f.set(f.dtype(0), f.fresh_shape_like(1, "reshaped"));
  Shape shape = *target;
  Dim rest = 1;
  std::optional<std::size_t> open;
  const bool allow_zero = f.integer("allowzero", 0) != 0;
  for (std::size_t i = 0; i < shape.size(); ++i) {
    if (known(shape[i]) == 0 && !allow_zero)
      shape[i] = from && i < from->size() ? (*from)[i] : f.fresh("reshaped");
    if (known(shape[i]) == -1) {
      if (open) f.fail("more than one size is left open");
      open = i;
    } else {
      if (known(shape[i]).value_or(0) < 0) f.fail(fmt::format("a size of {}", *known(shape[i])));
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
    for (std::size_t i = from->size(); i-- > 0;) perm.push_back(static_cast<std::int64_t>(i));
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
  rearrange(f, from, to, positions(to, strides));
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
        f.fail(fmt::format("axis {} has a size of {}", axis, *known((*from)[at])));
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
  const std::size_t axis =
      given == static_cast<std::int64_t>(from->size()) ? from->size() : f.axis(given, from->size());
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
    if (known(size).value_or(0) < 0) f.fail(fmt::format("a size of {}", *known(size)));
  const std::optional<Shape> shape = f.broadcast(f.shape(0), std::optional<Shape>(*target));
  f.set(f.dtype(0), shape);
  if (!shape || !f.elements(0)) return;
  const auto sizes = numbers(*shape), from = numbers(*f.shape(0));
  if (!sizes || !from || count(*sizes) > kMaxElements) return;
  rearrange(f, f.shape(0), *sizes, broadcast_positions(*from, *sizes));
}

void concat(Inference& f) {
  std::optional<Shape> shape;
  std::size_t axis = 0;
  for (std::size_t i = 0; i < f.inputs(); ++i) {
    const auto& part = f.shape(i);
    if (!part) return f.set(f.dtype(0), std::nullopt);
    if (!shape) {
      shape = *part;
      axis = f.axis(f.integer("axis", 0), part->size());
      continue;
    }
    if (part->size() != shape->size()) f.fail("operands have different numbers of axes");
    for (std::size_t j = 0; j < part->size(); ++j)
      (*shape)[j] = j == axis ? (*shape)[j] + (*part)[j] : f.same((*shape)[j], (*part)[j]);
  }
  f.set(f.dtype(0), shape);
  if (!shape || shape->size() != 1) return;
  std::vector<Dim> elements;
  for (std::size_t i = 0; i < f.inputs(); ++i) {
    const Elements part = f.elements(i);
    if (!part) return;
    elements.insert(elements.end(), part->begin(), part->end());
  }
  f.set_elements(std::move(elements));
}

// Where Python's slicing begins or ends: negative positions count from the end, and both are kept within the
// axis. Empty if the sign cannot be told.
std::optional<Dim> place(Inference& f, Dim at, const Dim& size, bool forward) {
  if (f.symbols().less(at, 0) == sym::Truth::yes)
    at = at + size;
  else if (!f.at_least(at, 0))
    return std::nullopt;
  const Dim lowest = forward ? Dim(0) : Dim(-1);
  const Dim highest = forward ? size : size - 1;
  if (known(at) && *known(at) == std::numeric_limits<std::int64_t>::max()) return highest;
  return sym::max(lowest, sym::min(at, highest));
}

std::optional<Dim> slice_length(Inference& f, const Dim& start, const Dim& end, std::int64_t step,
                                const Dim& size) {
  if (step == 0) f.fail("a step of 0");
  const bool forward = step > 0;
  const auto first = place(f, start, size, forward);
  std::optional<Dim> last;
  if (!forward && known(end) && *known(end) < std::numeric_limits<std::int64_t>::min() / 2)
    last = Dim(-1);
  else
    last = place(f, end, size, forward);
  if (!first || !last) return std::nullopt;
  return sym::max(Dim(0), forward ? sym::ceildiv(*last - *first, step) : sym::ceildiv(*first - *last, -step));
}

void slice(Inference& f) {
  const auto& from = f.shape(0);
  if (!from) return f.set(f.dtype(0), std::nullopt);
  const Elements starts = f.elements(1), ends = f.elements(2);
  std::optional<Ints> axes = f.integers(3), steps = f.integers(4);
  Shape shape = *from;
  if (f.has(3) && !axes) return f.set(f.dtype(0), f.fresh_shape(from->size(), "sliced"));
  if (!axes) {
    const auto& many = f.shape(1);
    const auto length = many && many->size() == 1 ? known((*many)[0]) : std::nullopt;
    if (!length || *length < 0 || *length > static_cast<std::int64_t>(from->size()))
      return f.set(f.dtype(0), f.fresh_shape(from->size(), "sliced"));
    axes = Ints(static_cast<std::size_t>(*length));
    std::iota(axes->begin(), axes->end(), 0);
  }
  for (const std::size_t given : {starts ? starts->size() : axes->size(), ends ? ends->size() : axes->size(),
                                  steps ? steps->size() : axes->size()})
    if (given != axes->size()) f.fail("starts, ends, axes and steps differ in number");
  for (std::size_t i = 0; i < axes->size(); ++i) {
    Dim& size = shape[f.axis((*axes)[i], from->size())];
    std::optional<Dim> length;
    if (starts && ends && (steps || !f.has(4)))
      length = slice_length(f, (*starts)[i], (*ends)[i], steps ? (*steps)[i] : 1, size);
    size = length ? *length : f.fresh("sliced");
  }
  f.set(f.dtype(0), shape);
  const Elements own = f.elements(0);
  const auto first = f.integers(1), last = f.integers(2);
  if (!own || from->size() != 1 || axes->size() != 1 || !first || !last || (steps && (*steps)[0] < 1)) return;
  const auto size = static_cast<std::int64_t>(own->size());
  auto clamp = [size](std::int64_t at) { return std::clamp<std::int64_t>(at < 0 ? at + size : at, 0, size); };
  std::vector<Dim> elements;
  const std::int64_t end = clamp((*last)[0]), step = steps ? std::min((*steps)[0], kMaxElements) : 1;
  for (std::int64_t i = clamp((*first)[0]); i < end; i += step)
    elements.push_back((*own)[static_cast<std::size_t>(i)]);
  f.set_elements(std::move(elements));
}

void split(Inference& f) {
  const auto& from = f.shape(0);
  const Elements parts = f.elements(1);
  if (!from) {
    for (std::size_t i = 0; i < f.outputs(); ++i) f.set(i, f.dtype(0), std::nullopt);
    return;
  }
  const std::size_t axis = f.axis(f.integer("axis", 0), from->size());
  const auto outputs = static_cast<std::int64_t>(f.outputs());
  const Dim chunk = sym::ceildiv((*from)[axis], outputs);
  if (parts && parts->size() != f.outputs())
    f.fail(fmt::format("{} sizes for {} outputs", parts->size(), f.outputs()));
  std::int64_t start = 0;
  for (std::size_t i = 0; i < f.outputs(); ++i) {
    Shape shape = *from;
    if (f.has(1))
      shape[axis] = parts ? (*parts)[i] : f.fresh("split");
    else
      shape[axis] = i + 1 < f.outputs() ? chunk : (*from)[axis] - chunk * (outputs - 1);
    f.set(i, f.dtype(0), shape);
    const Elements own = f.elements(0);
    const auto length = known(shape[axis]);
    if (!own || from->size() != 1 || !length) continue;
    if (*length < 0 || start + *length > static_cast<std::int64_t>(own->size()))
      f.fail("the parts are more than the whole");
    const auto begin = own->begin() + start;
    f.set_elements(std::vector<Dim>(begin, begin + *length), i);
    start += *length;
  }
}

void tile(Inference& f) {
  const auto& from = f.shape(0);
  const Elements repeats = f.elements(1);
  if (!from) return f.set(f.dtype(0), std::nullopt);
  if (!repeats) return f.set(f.dtype(0), f.fresh_shape(from->size(), "tiled"));
  if (repeats->size() != from->size()) f.fail("the repeats do not fit the number of axes");
  Shape shape = *from;
  for (std::size_t i = 0; i < shape.size(); ++i) shape[i] = shape[i] * (*repeats)[i];
  f.set(f.dtype(0), shape);
  const Elements own = f.elements(0);
  const auto times = f.integers(1);
  if (!own || own->empty() || from->size() != 1 || !times) return;
  std::vector<Dim> elements;
  for (std::int64_t i = 0; i < (*times)[0] && static_cast<std::int64_t>(elements.size()) <= kMaxElements; ++i)
    elements.insert(elements.end(), own->begin(), own->end());
  f.set_elements(std::move(elements));
}

void pad(Inference& f) {
  const auto& from = f.shape(0);
  const Elements pads = f.elements(1);
  const auto axes = f.integers(3);
  if (!from) return f.set(f.dtype(0), std::nullopt);
  if (!pads || (f.has(3) && !axes)) return f.set(f.dtype(0), f.fresh_shape(from->size(), "padded"));
  Shape shape = *from;
  const std::size_t half = pads->size() / 2;
  if (half != (axes ? axes->size() : from->size())) f.fail("the pads do not fit the number of axes");
  for (std::size_t i = 0; i < half; ++i) {
    Dim& size = shape[axes ? f.axis((*axes)[i], from->size()) : i];
    size = size + (*pads)[i] + (*pads)[half + i];
  }
  f.set(f.dtype(0), shape);
}

std::int64_t block_size(const Inference& f) {
  constexpr std::int64_t kLargest = std::int64_t{1} << 30;
  const std::int64_t size = f.integer("blocksize", 1);
  if (size < 1 || size > kLargest) f.fail(fmt::format("a block size of {}", size));
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
  const auto rank = static_cast<std::int64_t>(from->size());
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

void center_crop_pad(Inference& f) {
  const auto& from = f.shape(0);
  const Elements sizes = f.elements(1);
  if (!from) return f.set(f.dtype(0), std::nullopt);
  if (!sizes) return f.set(f.dtype(0), f.fresh_shape(from->size(), "cropped"));
  Shape shape = *from;
  const std::vector<std::int64_t> axes = f.list("axes");
  if (sizes->size() != (axes.empty() ? from->size() : axes.size()))
    f.fail("the sizes do not fit the number of axes");
  for (std::size_t i = 0; i < sizes->size(); ++i)
    shape[axes.empty() ? i : f.axis(axes[i], from->size())] = (*sizes)[i];
  f.set(f.dtype(0), shape);
}

constexpr InferRow kLayout[] = {
    {"Reshape", reshape},
    {"Transpose", transpose},
    {"Unsqueeze", unsqueeze},
    {"Squeeze", squeeze},
    {"Flatten", flatten},
    {"Expand", expand},
    {"Concat", concat},
    {"Slice", slice},
    {"Split", split},
    {"Tile", tile},
    {"Pad", pad},
    {"DepthToSpace", depth_to_space},
    {"SpaceToDepth", space_to_depth},
    {"Shape", shape_of},
    {"Size", size_of_tensor},
    {"ReverseSequence", reverse_sequence},
    {"CenterCropPad", center_crop_pad},
};

}  // namespace

std::span<const InferRow> layout_inference() { return kLayout; }

}  // namespace cameo::onnx
