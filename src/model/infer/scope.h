#pragma once
#include <optional>
#include <string_view>
#include <unordered_map>

#include "onnx/graph/graph.h"

namespace cameo::model {

// The values that nodes of a graph can refer to by name.
class Scope {
 public:
  explicit Scope(const Scope* outer = nullptr) : outer_(outer) {}

  void add(std::string_view name, onnx::Value* value) { values_.insert_or_assign(name, value); }
  // Null within: an input of a function that the call leaves out.
  std::optional<onnx::Value*> find(std::string_view name) const {
    const auto found = values_.find(name);
    if (found != values_.end()) return found->second;
    return outer_ ? outer_->find(name) : std::nullopt;
  }

 private:
  const Scope* outer_;
  std::unordered_map<std::string_view, onnx::Value*> values_;
};

}  // namespace cameo::model
