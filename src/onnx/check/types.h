#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

#include "onnx/facts/facts.h"
#include "onnx/proto/messages.h"

namespace cameo::onnx {

// A type, without the parts that operators do not distinguish.
struct ValueType {
  facts::Form form = facts::Form::tensor;
  int element = 0;

  bool operator==(const ValueType&) const = default;
};

std::string to_string(ValueType type);                 // "f32", "seq(f32)"
std::string to_string(const facts::TypeSet& types);    // "f16, f32 or f64"
std::string element_name(std::optional<int> element);  // "f32", "nothing", "type 99"

// Absent for types that no operator takes, and for absent types.
std::optional<ValueType> value_type(const proto::Type& type);
// The only type of a set.
std::optional<ValueType> only(const facts::TypeSet& types);

// The names that nodes of a graph can refer to.
class Scope {
 public:
  explicit Scope(const Scope* outer = nullptr) : outer_(outer) {}

  void add(std::string_view name, std::optional<ValueType> type) { names_.insert_or_assign(name, type); }
  bool here(std::string_view name) const { return names_.contains(name); }
  bool visible(std::string_view name) const { return here(name) || (outer_ && outer_->visible(name)); }
  std::optional<ValueType> type(std::string_view name) const;

 private:
  const Scope* outer_;
  std::unordered_map<std::string_view, std::optional<ValueType>> names_;
};

}  // namespace cameo::onnx
