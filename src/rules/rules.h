#pragma once
// Simplifications of a finished graph. Each keeps the meaning of the graph, has a name, can be disabled, and
// counts how often it applied.

#include <array>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "rules/patch.h"

namespace cameo::rules {

// Names of operators, in a form that a constant table can hold.
class OperatorNames {
 public:
  template <class... Names>
  constexpr OperatorNames(const Names&... names) : names_{names...}, count_(sizeof...(names)) {}
  constexpr const std::string_view* begin() const { return names_.data(); }
  constexpr const std::string_view* end() const { return names_.data() + count_; }

 private:
  std::array<std::string_view, 8> names_;
  std::size_t count_;
};

struct Rule {
  std::string_view name;
  std::string_view doc;
  // Examines a node of one of `operators` and its neighbours. Changes the graph and returns true, or changes
  // nothing and returns false; the patch then has the reason (Patch::take_reason).
  OperatorNames operators;
  bool (*apply)(Patch& patch, onnx::Node& node);
  bool changes_weights = false;
  bool on_request = false;  // disabled by default: it keeps the meaning, but not every number
};

std::span<const Rule> all_rules();

// Throws Error (stage convert) for a name that is not among the known ones.
void check_names(const std::vector<std::string>& names, const std::vector<std::string>& known);

struct Options {
  std::vector<std::string> disabled;
  std::vector<std::string> also;  // of those on request
  std::vector<std::string> only;  // none but these; empty: no such limit
  std::int64_t stop_after = -1;   // so many applications; -1: no limit
  bool change_weights = true;     // false: rules that do so are off
  // Called when a rule has examined a node. `reason` says why it did not apply; empty: it applied.
  std::function<void(const onnx::Node& node, const Rule& rule, std::string_view reason)> watch;
};

// The number of applications of each rule that applied, in the order of all_rules(). Takes time in proportion
// to the graph. Throws Error (stage convert) for the name of a rule that does not exist.
std::vector<std::pair<std::string, std::int64_t>> simplify(onnx::Model& model, const Options& options = {});

}  // namespace cameo::rules
