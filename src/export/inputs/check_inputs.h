#pragma once
#include <vector>

#include "cameo/export.h"
#include "eval/evaluator.h"

namespace cameo {

// Compares the arguments with the annotations of the method, and with the first layer that reads each of them.
// `given`: by the position of the parameter, null where there is none. Throws Error (Code::bad_input_spec) for an
// argument that PyTorch would refuse.
void check_inputs(const eval::Evaluator& evaluator, const eval::Object& root,
                  const script::FunctionDef& method, const std::vector<InputSpec*>& given,
                  const ExportOptions& options);

}  // namespace cameo
