#include "onnx/fold/view.h"

#include <algorithm>
#include <cstdlib>
#include <limits>

#include "onnx/fold/element.h"

namespace cameo::onnx {
namespace {

std::optional<Ints> integers(const Node& node, std::size_t input) {
  if (input >= node.inputs.size() || node.inputs[input] == nullptr) return std::nullopt;
  return read_integers(*node.inputs[input]->data);
}

std::optional<View> transpose(const Node& node, const View& view) {
  const auto* perm = node.attribute_if<Ints>("perm");
  View result{.shape = {}, .strides = {}, .offset = view.offset};
  for (std::size_t i = 0; i < view.shape.size(); ++i) {
    const std::size_t from = perm ? static_cast<std::size_t>((*perm)[i]) : view.shape.size() - 1 - i;
    result.shape.push_back(view.shape[from]);
    result.strides.push_back(view.strides[from]);
  }
  return result;
}

std::optional<View> expand(const Node& node, View view) {
  const auto target = integers(node, 1);
  if (!target) return std::nullopt;
  while (view.shape.size() < target->size()) {
    view.shape.insert(view.shape.begin(), 1);
    view.strides.insert(view.strides.begin(), 0);
  }
  const std::size_t shift = view.shape.size() - target->size();
  for (std::size_t i = 0; i < target->size(); ++i) {
    if ((*target)[i] == 1 || view.shape[i + shift] == (*target)[i]) continue;
    if (view.shape[i + shift] != 1) return std::nullopt;
    view.shape[i + shift] = (*target)[i];
    view.strides[i + shift] = 0;
  }
  return view;
}

std::optional<View> slice(const Node& node, View view) {
  const auto starts = integers(node, 1), ends = integers(node, 2), steps = integers(node, 4);
  auto axes = integers(node, 3);
  if (!starts || !ends) return std::nullopt;
  const std::size_t many = starts->size();
  if (ends->size() != many || (axes && axes->size() != many) || (steps && steps->size() != many))
    return std::nullopt;
  for (std::size_t i = 0; i < starts->size(); ++i) {
    const auto axis = axes ? axis_index((*axes)[i], view.shape.size()) : i;
    if (axis >= view.shape.size()) return std::nullopt;
    const std::int64_t size = view.shape[axis];
    const std::int64_t step = steps ? (*steps)[i] : 1;
    if (step == 0 || step == std::numeric_limits<std::int64_t>::min()) return std::nullopt;
    const std::int64_t before = step < 0 ? -1 : 0;  // the axis, as far as it is walked
    auto clamp = [=](std::int64_t at) {
      return std::clamp<std::int64_t>(at < 0 ? at + size : at, before, size + before);
    };
    const std::int64_t start = clamp((*starts)[i]), end = clamp((*ends)[i]);
    const std::int64_t distance = step < 0 ? start - end : end - start;
    const std::int64_t length = distance > 0 ? (distance - 1) / std::abs(step) + 1 : 0;
    if (length > 0) view.offset += start * view.strides[axis];
    view.shape[axis] = length;
    view.strides[axis] *= step;
  }
  return view;
}

// As PyTorch's view: runs of axes that lie evenly in memory are taken as one axis and divided anew.
std::optional<View> regroup(const View& view, const Ints& shape) {
  if (count(shape) != count(view.shape)) return std::nullopt;
  if (count(shape) == 0) return View{shape, contiguous_strides(shape), view.offset};
  View result{shape, Ints(shape.size()), view.offset};
  std::size_t to = shape.size();
  std::int64_t run = 1, taken = 1;
  std::int64_t base = view.strides.empty() ? 1 : view.strides.back();
  for (std::size_t from = view.shape.size(); from-- > 0;) {
    run *= view.shape[from];
    const bool broken = from == 0 || (view.shape[from - 1] != 1 && view.strides[from - 1] != run * base);
    if (!broken) continue;
    while (to > 0 && (taken < run || shape[to - 1] == 1)) {
      result.strides[--to] = taken * base;
      taken *= shape[to];
    }
    if (taken != run) return std::nullopt;
    if (from > 0) {
      base = view.strides[from - 1];
      run = taken = 1;
    }
  }
  while (to > 0) {
    if (shape[--to] != 1) return std::nullopt;
    result.strides[to] = 1;
  }
  return result;
}

std::optional<View> reshape(const Node& node, const View& view) {
  auto shape = integers(node, 1);
  if (!shape) return std::nullopt;
  const auto* allow_zero = node.attribute_if<std::int64_t>("allowzero");
  Ints rest;
  for (std::size_t i = 0; i < shape->size(); ++i) {
    if ((*shape)[i] == 0 && !(allow_zero && *allow_zero)) {
      if (i >= view.shape.size()) return std::nullopt;
      (*shape)[i] = view.shape[i];
    }
    if ((*shape)[i] != -1) rest.push_back((*shape)[i]);
  }
  for (auto& dim : *shape) {
    if (dim != -1) continue;
    if (count(rest) == 0) return std::nullopt;
    dim = count(view.shape) / count(rest);
  }
  return regroup(view, *shape);
}

std::optional<View> squeeze(const Node& node, const View& view) {
  std::vector<bool> gone(view.shape.size());
  if (const auto axes = integers(node, 1)) {
    for (std::int64_t axis : *axes) gone.at(axis_index(axis, gone.size())) = true;
  } else {
    for (std::size_t i = 0; i < gone.size(); ++i) gone[i] = view.shape[i] == 1;
  }
  View result{.shape = {}, .strides = {}, .offset = view.offset};
  for (std::size_t i = 0; i < gone.size(); ++i) {
    if (gone[i]) continue;
    result.shape.push_back(view.shape[i]);
    result.strides.push_back(view.strides[i]);
  }
  return result;
}

std::optional<View> unsqueeze(const Node& node, const View& view) {
  const auto axes = integers(node, 1);
  if (!axes) return std::nullopt;
  const std::size_t rank = view.shape.size() + axes->size();
  std::vector<bool> fresh(rank);
  for (std::int64_t axis : *axes) fresh.at(axis_index(axis, rank)) = true;
  View result{.shape = {}, .strides = {}, .offset = view.offset};
  for (std::size_t i = 0, from = 0; i < rank; ++i) {
    result.shape.push_back(fresh[i] ? 1 : view.shape.at(from));
    result.strides.push_back(fresh[i] ? 1 : view.strides.at(from));
    if (!fresh[i]) ++from;
  }
  return result;
}

std::optional<View> flatten(const Node& node, const View& view) {
  const auto* given = node.attribute_if<std::int64_t>("axis");
  const auto axis = axis_index(given ? *given : 1, view.shape.size());
  Ints shape{1, 1};
  for (std::size_t i = 0; i < view.shape.size(); ++i) shape[i < axis ? 0 : 1] *= view.shape[i];
  return regroup(view, shape);
}

}  // namespace

View contiguous_view(Ints shape) {
  Ints strides = contiguous_strides(shape);
  return {std::move(shape), std::move(strides), 0};
}

std::optional<View> layout_view(const Node& node, View view) {
  if (node.op == "Transpose") return transpose(node, view);
  if (node.op == "Expand") return expand(node, std::move(view));
  if (node.op == "Slice") return slice(node, std::move(view));
  if (node.op == "Reshape") return reshape(node, view);
  if (node.op == "Squeeze") return squeeze(node, view);
  if (node.op == "Unsqueeze") return unsqueeze(node, view);
  if (node.op == "Flatten") return flatten(node, view);
  return std::nullopt;
}

}  // namespace cameo::onnx
