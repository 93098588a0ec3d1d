#pragma once
// The arguments of the entry point, from the options or from the file, as graph inputs and constants.

#include <vector>

#include "cameo/export.h"
#include "eval/evaluator.h"
#include "export/inputs/input_maker.h"

namespace cameo {

// An input for each argument without a default, guessed from the weights, with a note for each. Throws Error if
// there is nothing to guess from.
std::vector<InputSpec> guess_inputs(eval::Evaluator& evaluator, const eval::Object& root,
                                    const script::FunctionDef& method);

// Creates the graph's inputs. Throws Error with the entry point's signature and a ready-made command line if
// arguments are missing or do not fit.
eval::Arguments make_arguments(eval::Evaluator& evaluator, const eval::Object& root,
                               const script::FunctionDef& method, const ExportOptions& options,
                               InputMaker& maker);

}  // namespace cameo
