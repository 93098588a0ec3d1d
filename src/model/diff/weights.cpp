#include <functional>
#include <string>

#include "base/text.h"
#include "model/diff/compare.h"
#include "model/diff/elements.h"
#include "model/graph/describe.h"

namespace cameo::model {
namespace {

using onnx::proto::Graph;
using onnx::proto::Tensor;
using Kind = Findings::Kind;

std::size_t fingerprint(const Tensor& tensor, Side& side) {
  const TensorBytes bytes(tensor, side.files);
  const Bytes view = bytes.get();
  return std::hash<std::string_view>()({reinterpret_cast<const char*>(view.data()), view.size()}) ^
         std::hash<std::string>()(type_text(tensor));
}

void report(Findings& findings, Kind kind, const Tensor& tensor) {
  findings.add(kind, "weight", quoted(tensor.name), type_text(tensor));
}

// Weights whose names only one model has, matched by what they hold.
void compare_strangers(Findings& findings, Sides sides, const std::vector<const Tensor*>& a,
                       const std::vector<const Tensor*>& b, Renames& renames) {
  std::unordered_multimap<std::size_t, const Tensor*> by_content;
  if (!a.empty())
    for (auto tensor = b.rbegin(); tensor != b.rend(); ++tensor)
      by_content.emplace(fingerprint(**tensor, sides.b), *tensor);
  std::unordered_set<const Tensor*> taken;
  for (const Tensor* tensor : a) {
    const Tensor* same = nullptr;
    if (!b.empty()) {
      const auto [begin, end] = by_content.equal_range(fingerprint(*tensor, sides.a));
      for (auto each = begin; each != end && !same; ++each)
        if (!taken.contains(each->second) && !tensor_difference(sides, *tensor, *each->second))
          same = each->second;
    }
    if (!same) {
      report(findings, Kind::removed, *tensor);
      continue;
    }
    taken.insert(same);
    renames.add(tensor->name, same->name);
    findings.add(Kind::renamed, "weight", quoted(tensor->name), quoted(same->name));
  }
  for (const Tensor* tensor : b)
    if (!taken.contains(tensor)) report(findings, Kind::added, *tensor);
}

}  // namespace

void compare_weights(Findings& findings, Sides sides, const Graph& a, const Graph& b, Renames& renames) {
  std::unordered_map<std::string_view, const Tensor*> others;
  for (const Tensor& tensor : b.initializers) others.emplace(tensor.name, &tensor);
  std::vector<const Tensor*> only_a, only_b;
  for (const Tensor& tensor : a.initializers) {
    const auto found = others.find(tensor.name);
    if (found == others.end()) {
      only_a.push_back(&tensor);
      continue;
    }
    if (auto difference = tensor_difference(sides, tensor, *found->second)) {
      difference->what = "weight";
      difference->name = quoted(tensor.name);
      findings.add(std::move(*difference));
    }
    others.erase(found);
  }
  for (const Tensor& tensor : b.initializers)
    if (others.contains(tensor.name)) only_b.push_back(&tensor);
  compare_strangers(findings, sides, only_a, only_b, renames);
}

}  // namespace cameo::model
