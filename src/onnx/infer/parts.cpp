// Parts of tensors, and tensors of parts.

#include <algorithm>
#include <limits>
#include <numeric>

#include <fmt/core.h>

#include "onnx/infer/contents.h"
#include "onnx/infer/families.h"

namespace cameo::onnx {
namespace {

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
// axis. Empty if the sign is not known.
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
  if (step == 0) f.fail("the step must not be 0");
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

// The contents of a slice, where all of it is numbers.
void slice_elements(Inference& f, const Shape& shape, const Ints& axes, const std::optional<Ints>& steps) {
  const auto sizes = numbers(*f.shape(0)), to = numbers(shape), starts = f.integers(1);
  if (!f.elements(0) || !sizes || !to || !starts || count(*to) > kMaxElements) return;
  Ints strides = contiguous_strides(*sizes);
  std::int64_t offset = 0;
  for (std::size_t i = 0; i < axes.size(); ++i) {
    const std::size_t axis = f.axis(axes[i], sizes->size());
    const std::int64_t size = (*sizes)[axis], step = steps ? (*steps)[i] : 1;
    const std::int64_t start = (*starts)[i] < 0 ? (*starts)[i] + size : (*starts)[i];
    offset += std::clamp<std::int64_t>(start, 0, std::max<std::int64_t>(size - 1, 0)) * strides[axis];
    if ((*to)[axis] > 1) strides[axis] *= step;
  }
  rearrange(f, *to, positions(*to, strides, offset));
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
    if (!length || *length < 0 || *length > std::ssize(*from))
      return f.set(f.dtype(0), f.fresh_shape(from->size(), "sliced"));
    axes = Ints(as_size(*length));
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
  slice_elements(f, shape, *axes, steps);
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
    f.fail(fmt::format("there are {} sizes for {} outputs", parts->size(), f.outputs()));
  Dim total = 0;
  for (const Dim& part : parts.value_or(std::vector<Dim>{})) {
    if (known(part).value_or(0) < 0) f.fail(fmt::format("the size {} is negative", *known(part)));
    total = total + part;
  }
  if (parts && known(total) && known((*from)[axis]) && total != (*from)[axis])
    f.fail(fmt::format("the sizes add up to {}, and the axis has {}", *known(total), *known((*from)[axis])));
  std::int64_t start = 0;
  for (std::size_t i = 0; i < f.outputs(); ++i) {
    Shape shape = *from;
    if (f.has(1))
      shape[axis] = parts ? (*parts)[i] : f.fresh("split");
    else
      shape[axis] = i + 1 < f.outputs() ? chunk : (*from)[axis] - chunk * (outputs - 1);
    if (known(shape[axis]).value_or(0) < 0) f.fail("there are more parts than elements");
    f.set(i, f.dtype(0), shape);
    const Elements own = f.elements(0);
    const auto length = known(shape[axis]);
    if (!own || from->size() != 1 || !length) continue;
    if (*length < 0 || start + *length > std::ssize(*own)) continue;
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
  for (std::int64_t i = 0; i < (*times)[0] && std::ssize(elements) <= kMaxElements; ++i)
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

constexpr InferRow kParts[] = {
    {"Concat", concat}, {"Slice", slice}, {"Split", split},
    {"Tile", tile},     {"Pad", pad},     {"CenterCropPad", center_crop_pad},
};

}  // namespace

std::span<const InferRow> parts_inference() { return kParts; }

}  // namespace cameo::onnx
