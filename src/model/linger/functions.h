#pragma once
#include "model/linger/operators.h"
#include "model/rewrite/names.h"

namespace cameo::model::linger {

// Adds a function of ONNX's operators for each operator of linger 3 in the model, so that ONNX Runtime can run it.
// The functions compute what linger's modules compute in evaluation. A model has one function for an operator: its
// nodes must have the same number of inputs, bits and rounding. Throws Error (Code::unsupported_operator) with all
// operators that have no function or differ in these.
void add_functions(onnx::proto::Model& model, Names& names, const std::string& file);

}  // namespace cameo::model::linger
