#pragma once
// Simplifications of the rebuild, before the rules of src/rules are applied. Each step has a name, can be
// disabled, and counts how often it applied.

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/index.h"
#include "cameo/model.h"

namespace cameo::model {

enum class Step : std::uint8_t {
  extract_constants,
  fold_constants,
  fold_sizes,
  share_constants,
  share_nodes,
  inline_branches,
  remove_dead,
};
inline constexpr std::size_t kSteps = 7;

struct StepInfo {
  std::string_view name, doc;
};
std::span<const StepInfo, kSteps> step_infos();

// Which steps may be taken, and how many are left.
class Steps {
 public:
  explicit Steps(const SimplifyOptions& options);

  bool may(Step step) const { return element_at(on_, step) && left_ != 0; }
  void took(Step step, std::int64_t times = 1);
  std::string_view last() const { return step_infos()[static_cast<std::size_t>(last_)].name; }  // that was taken
  // Extracting constants from nodes changes only the form: it is never counted.
  bool may_extract() const { return element_at(on_, Step::extract_constants); }

  std::int64_t left() const { return left_; }  // -1: no limit
  void spend(std::int64_t times);
  std::vector<std::pair<std::string, std::int64_t>> taken() const;

 private:
  std::array<bool, kSteps> on_{};
  std::array<std::int64_t, kSteps> counts_{};
  std::int64_t left_;
  Step last_ = Step::fold_constants;
};

}  // namespace cameo::model
