#include "model/simplify/steps.h"

#include <algorithm>

namespace cameo::model {
namespace {

constexpr StepInfo kInfos[] = {
    {"extract-constants", "What a Constant holds becomes an initialiser."},
    {"fold-constants", "A node whose inputs are constants is computed, unless the result is much larger."},
    {"fold-sizes", "Arithmetic on sizes becomes constants, or the shortest nodes that compute it."},
    {"share-constants", "Equal initialisers become one."},
    {"share-nodes", "Equal nodes become one."},
    {"inline-branches", "An If whose condition is known becomes the branch that is taken."},
    {"remove-dead", "Nodes and initialisers that no output depends on go."},
};

bool among(std::string_view name, const std::vector<std::string>& names) {
  return std::ranges::find(names, name) != names.end();
}

}  // namespace

std::span<const StepInfo, kSteps> step_infos() { return kInfos; }

Steps::Steps(const SimplifyOptions& options) : left_(options.stop_after) {
  for (std::size_t i = 0; i < kSteps; ++i) {
    const bool form = static_cast<Step>(i) == Step::extract_constants;
    on_[i] = !among(kInfos[i].name, options.disabled) &&
             (form || options.only.empty() || among(kInfos[i].name, options.only));
  }
}

void Steps::took(Step step, std::int64_t times) {
  last_ = step;
  element_at(counts_, step) += times;
  spend(1);
}

void Steps::spend(std::int64_t times) {
  if (left_ > 0) left_ = std::max<std::int64_t>(0, left_ - times);
}

std::vector<std::pair<std::string, std::int64_t>> Steps::taken() const {
  std::vector<std::pair<std::string, std::int64_t>> all;
  for (std::size_t i = 0; i < kSteps; ++i)
    if (counts_[i] > 0) all.emplace_back(kInfos[i].name, counts_[i]);
  return all;
}

}  // namespace cameo::model
