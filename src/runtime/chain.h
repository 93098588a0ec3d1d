#pragma once
// Runs the parts of a split model one after the other.

#include <functional>
#include <string>
#include <vector>

#include "cameo/session.h"
#include "model/split/plan.h"

namespace cameo::runtime {

class Chain {
 public:
  // `plan` is the path of a plan.json. Throws Error if it cannot be read, or if a part is missing.
  explicit Chain(const std::string& plan, SessionOptions options = {});

  const std::vector<ValueInfo>& inputs() const { return inputs_; }
  const std::vector<std::string>& outputs() const { return plan_.outputs; }

  // Called with each part before it runs.
  using Watch = std::function<void(const model::PlanPart& part, const std::vector<Session::Feed>& feeds)>;
  // The results of `outputs`, or of all of them if none is named. A part is loaded when its turn comes and unloaded
  // after it; values that no later part reads are released.
  std::vector<Datum> run(const std::vector<Session::Feed>& feeds,
                         const std::vector<std::string>& outputs = {}, const Watch& watch = {}) const;

 private:
  std::string path_of(const model::PlanPart& part) const;

  std::string folder_;
  model::Plan plan_;
  SessionOptions options_;
  std::vector<ValueInfo> inputs_;
};

}  // namespace cameo::runtime
