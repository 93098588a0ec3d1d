#pragma once
// The tables of the emitter, by scope.

#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "onnx/emit/emit.h"

namespace cameo::onnx {

// A value whose size or contents are a number at run time.
struct Carrier {
  Value* value;
  std::int64_t axis;  // -1: the number that the 0-d value holds
};

struct Emit::Tables {
  struct OfScope {
    std::unordered_map<std::string, std::vector<Value*>> nodes;  // by operator, attributes and inputs
    std::unordered_map<Dim, Value*> numbers;                     // computed formulas, 1-d with one element
  };
  std::unordered_map<const Graph*, OfScope> scopes;
  std::unordered_map<Dim, std::vector<Carrier>> carriers;
  std::unordered_map<Dim, Dim> definitions;           // formulas of symbols that have no carrier
  std::unordered_map<std::string, Value*> constants;  // by type and contents, or place in the archive
  std::unordered_map<std::string, Value*> symbolic;   // by type and formulas
  std::unordered_set<const Node*> stops;              // nodes that no gradient passes
};

// The identity of a node for reuse; empty if it must not be reused (random operators, subgraphs).
std::string reuse_key(const Node& node, std::size_t outputs);

}  // namespace cameo::onnx
