#include "view/document/places.h"

#include <algorithm>
#include <optional>

#include "model/graph/source_line.h"
#include "view/document/strings.h"

namespace cameo::view {
namespace {

using onnx::proto::Entry;
using onnx::proto::Node;
using onnx::proto::Text;

constexpr std::size_t kMostSteps = 32, kLongestPath = 1000;

Text metadata(const Node& node, std::string_view key) {
  const auto found = std::ranges::find(node.metadata, key, &Entry::key);
  return found == node.metadata.end() ? Text() : found->value;
}

// A component is the name of a step below `place`, or repeats the path so far: "layer1.0" below "layer1".
void add_step(Place& place, std::string_view component, std::string_view type) {
  if (component.empty() || place.steps.size() >= kMostSteps) return;
  const std::string before = place.path();
  const bool repeats = !before.empty() && component.size() > before.size() && component.starts_with(before) &&
                       component[before.size()] == '.';
  const std::string_view name = repeats ? component.substr(before.size() + 1) : component;
  std::string path = before.empty() ? std::string(name) : before + "." + std::string(name);
  if (path.size() > kLongestPath) return;
  place.steps.push_back({.path = shown(path), .name = shown(name), .type = shown(type.substr(type.rfind('.') + 1))});
}

// The items of a list of strings as Python prints it: "['', 'layer1']". Empty if it is something else.
std::vector<std::string> python_list(std::string_view text) {
  std::vector<std::string> items;
  for (std::size_t i = 0; i < text.size() && items.size() <= kMostSteps; ++i) {
    const char quote = text[i];
    if (quote != '\'' && quote != '"') continue;
    const std::size_t end = text.find(quote, i + 1);
    if (end == text.npos) return {};
    items.emplace_back(text.substr(i + 1, end - i - 1));
    i = end;
  }
  return items;
}

// As torch.onnx writes it: the root first, the node itself last, each with its class.
std::optional<Place> from_torch_onnx(const Node& node) {
  const std::vector<std::string> names = python_list(metadata(node, "pkg.torch.onnx.name_scopes"));
  const std::vector<std::string> types = python_list(metadata(node, "pkg.torch.onnx.class_hierarchy"));
  if (names.size() < 2) return std::nullopt;
  Place place{.steps = {}, .module = true};
  for (std::size_t i = 0; i + 1 < names.size(); ++i) add_step(place, names[i], i < types.size() ? types[i] : "");
  return place;
}

Place from_name(std::string_view name) {
  Place place;
  for (std::size_t begin = 0; begin < name.size();) {
    const std::size_t end = name.find('/', begin);
    if (end == name.npos) break;
    add_step(place, name.substr(begin, end - begin), "");
    begin = end + 1;
  }
  return place;
}

}  // namespace

Place place_of_module(std::string_view path) {
  Place place{.steps = {}, .module = true};
  for (std::size_t begin = 0; begin < path.size();) {
    const std::size_t end = std::min(path.find('.', begin), path.size());
    add_step(place, path.substr(begin, end - begin), "");
    begin = end + 1;
  }
  return place;
}

Place place_of(const Node& node) {
  if (const std::string path = model::module_path(node); !path.empty()) return place_of_module(path);
  if (std::optional<Place> place = from_torch_onnx(node)) return *std::move(place);
  return from_name(node.name);
}

}  // namespace cameo::view
