#pragma once
// The result of the entry point as outputs of the graph.

#include "cameo/export.h"
#include "eval/evaluator.h"

namespace cameo {

// Takes tuples, lists and dicts apart and makes each tensor an output, named as asked for, or after its field
// or key, or output, output_1 … Throws Error if there is no tensor, or if the names do not fit.
void make_outputs(eval::Evaluator& evaluator, const eval::Value& result, const ExportOptions& options);

}  // namespace cameo
