#pragma once
// Runtimes that a model can be exported for, and what they lack. targets.txt is the table.

#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cameo/diagnostic.h"
#include "onnx/graph/graph.h"

namespace cameo::target {

struct Target {
  std::string name, title, source;
  std::optional<std::pair<int, int>> opsets;  // the first and the last; absent: any
  std::set<std::string, std::less<>> types;   // element types; empty: any
  std::set<std::string, std::less<>> lacks;   // operators of ai.onnx
  std::set<std::string, std::less<>> only;    // operators of ai.onnx; empty: any
  std::set<std::string, std::less<>> custom;  // other domains
  struct Value {
    std::string op, attribute, value;
  };
  std::vector<Value> values;  // of attributes, which it lacks

  // "Gelu", "com.microsoft::Gelu"
  bool supports(std::string_view op) const;
};

// Throws Error (Code::unknown_target).
const Target& find(std::string_view name);
std::vector<std::string> names();

// A warning for each operator, attribute, element type and opset of the model that the runtime lacks.
std::vector<Diagnostic> missing(const onnx::Model& model, const Target& target);

}  // namespace cameo::target
