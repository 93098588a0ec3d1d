#include <algorithm>
#include <unordered_set>

#include "script/module.h"

namespace cameo::script {
namespace {

// Appends every value directly below.
struct Below {
  std::vector<archive::Ref>& out;

  void put(archive::Ref value) const {
    if (value) out.push_back(value);
  }
  void put_all(const std::vector<archive::Ref>& items) const {
    out.insert(out.end(), items.begin(), items.end());
  }
  void operator()(const archive::List& value) const { put_all(value.items); }
  void operator()(const archive::Tuple& value) const { put_all(value.items); }
  void operator()(const archive::Set& value) const { put_all(value.items); }
  void operator()(const archive::Dict& value) const {
    for (const auto& [key, item] : value.items) {
      put(key);
      put(item);
    }
  }
  void operator()(const archive::Object& value) const {
    put(value.args);
    put(value.state);
  }
  void operator()(const archive::Call& value) const {
    put(value.args);
    put(value.state);
  }
  void operator()(const archive::EnumValue& value) const { put(value.value); }
  template <class Leaf>
  void operator()(const Leaf&) const {}
};

}  // namespace

std::vector<archive::TensorPtr> tensors_in(archive::Ref value) {
  std::vector<archive::TensorPtr> tensors;
  std::vector<archive::Ref> pending{value};
  std::unordered_set<const void*> seen;
  while (!pending.empty()) {
    const archive::Ref next = pending.back();
    pending.pop_back();
    if (!seen.insert(next).second) continue;
    if (const auto* tensor = next->get_if<archive::TensorPtr>()) {
      if (seen.insert(tensor->get()).second) tensors.push_back(*tensor);
    } else {
      const auto known = std::ssize(pending);
      std::visit(Below{pending}, next->data);
      std::reverse(pending.begin() + known, pending.end());
    }
  }
  return tensors;
}

}  // namespace cameo::script
