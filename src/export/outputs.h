#pragma once
// The result of the entry point as outputs of the graph.

#include "cameo/export.h"
#include "eval/evaluator.h"

namespace cameo {

// Unpacks tuples, lists and dicts and makes each tensor an output. Its name is the given one, or that of its
// field or key, or output, output_1 …. Throws Error if there is no tensor, or if the names do not fit.
void make_outputs(eval::Evaluator& evaluator, const eval::Value& result, const ExportOptions& options);

}  // namespace cameo
