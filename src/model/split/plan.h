#pragma once
// plan.json: the parts of a split model, the order in which they run, and what each of them is fed.

#include <string>
#include <vector>

#include "cameo/model.h"

namespace cameo::model {

struct PlanPart {
  std::string name, target, file;  // the file lies in the folder of the plan
  std::vector<SplitFeed> inputs;
  std::vector<std::string> outputs;
};
struct Plan {
  std::string model;  // the file that was split
  std::vector<std::string> inputs, outputs;
  std::vector<PlanPart> parts;
};

std::string text_of(const Plan& plan);

// Throws Error (Code::bad_plan) if the text is not a plan, or if a part reads a value that no part before it
// computes.
Plan read_plan(const std::string& path);

}  // namespace cameo::model
