#pragma once
#include <cstdint>
#include <map>
#include <string>

#include "onnx/proto/messages.h"

namespace cameo::model {

// The nodes of a graph and its subgraphs by operator; "domain::name" of another domain.
using Counts = std::map<std::string, std::int64_t>;
Counts count_operators(const onnx::proto::Graph& graph);

}  // namespace cameo::model
