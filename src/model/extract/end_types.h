#pragma once
// The types of the inputs and outputs of a part of a model.

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "cameo/diagnostic.h"
#include "model/file/open.h"

namespace cameo::model {

// Adds the types of inputs and outputs that the parts do not declare, where they can be inferred from `whole`.
void add_types(std::span<const std::shared_ptr<Opened>> parts, const Opened& whole);

// A runtime infers the types of outputs; inputs must declare theirs. Throws Error (Code::unknown_type) for inputs
// without a type, and returns warnings for such outputs. `path` names the file of the whole model.
std::vector<Diagnostic> check_types(const onnx::proto::Graph& graph, const std::string& path);

}  // namespace cameo::model
