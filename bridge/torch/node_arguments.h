#pragma once
// Values of an exported graph, and the arguments of its nodes.

#include <ATen/core/function_schema.h>
#include <ATen/core/stack.h>

#include <string_view>
#include <unordered_map>
#include <vector>

#include "exported/graph.h"

namespace cameo::torch {

// The values of one run of a graph, by name.
class Scope {
 public:
  explicit Scope(const exported::Graph& graph) : graph_(graph) {}
  const exported::Graph& graph() const { return graph_; }

  // Throws Error if the graph has no such value, or if no value of libtorch stands for the argument.
  c10::IValue value(const exported::Argument& argument) const;
  std::vector<c10::IValue> values(const exported::Argument& list) const;  // the elements

  // Gives the names of an argument to a value. An argument without names does nothing.
  void bind(const exported::Argument& argument, const c10::IValue& value);

 private:
  c10::IValue named(std::string_view name) const;
  template <class T>
  c10::IValue number(const std::variant<exported::SymName, T>& argument) const;

  const exported::Graph& graph_;
  std::unordered_map<std::string_view, c10::IValue> values_;
};

// The value in the form that the argument of an operator has: numbers instead of other numbers, tensors instead of
// numbers, lists instead of elements, the CPU instead of any other device.
c10::IValue fit(const c10::IValue& value, const c10::Argument& argument);

}  // namespace cameo::torch
