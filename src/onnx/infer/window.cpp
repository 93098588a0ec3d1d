#include "onnx/infer/window.h"

#include <fmt/core.h>

namespace cameo::onnx {
namespace {

std::vector<std::int64_t> list_or(const Inference& f, std::string_view name, std::size_t length,
                                  std::int64_t fill) {
  std::vector<std::int64_t> found = f.list(name);
  if (found.empty()) found.assign(length, fill);
  if (found.size() != length)
    f.fail(fmt::format("{} has {} numbers where {} are needed", name, found.size(), length));
  return found;
}

}  // namespace

Window window_of(const Inference& f, std::size_t axes) {
  return {.strides = list_or(f, "strides", axes, 1),
          .dilations = list_or(f, "dilations", axes, 1),
          .pads = list_or(f, "pads", 2 * axes, 0),
          .auto_pad = f.text("auto_pad", "NOTSET"),
          .ceil = f.integer("ceil_mode", 0) != 0};
}

Dim window_count(Inference& f, const Window& window, std::size_t axis, const Dim& size, const Dim& kernel) {
  const std::int64_t stride = window.strides[axis];
  const Dim begin = window.pads[axis], end = window.pads[axis + window.strides.size()];
  const Dim reach = (kernel - 1) * window.dilations[axis] + 1;
  if (stride < 1) f.fail("a stride is less than 1");
  if (window.auto_pad == "SAME_UPPER" || window.auto_pad == "SAME_LOWER") return sym::ceildiv(size, stride);
  if (window.auto_pad == "VALID") return sym::floordiv(size - reach, stride) + 1;
  const Dim room = size + (begin + end) - reach;
  if (f.symbols().less(window.ceil ? room + (stride - 1) : room, 0) == sym::Truth::yes)
    f.fail(fmt::format("a window of {} does not fit into a size of {}", sym::to_string(reach),
                       sym::to_string(size + (begin + end))));
  if (!window.ceil) return sym::floordiv(room, stride) + 1;
  // A last window that would begin in the padding behind the input is not taken.
  const Dim count = sym::ceildiv(room, stride) + 1;
  if (stride == 1) return count;
  const sym::Truth inside = f.symbols().less((count - 1) * stride, size + begin);
  if (inside == sym::Truth::yes) return count;
  if (inside == sym::Truth::no) return count - 1;
  return sym::min(count, sym::ceildiv(size + begin, stride));
}

}  // namespace cameo::onnx
