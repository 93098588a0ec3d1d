#pragma once
// Finds the first difference between a model and its program.

#include <optional>
#include <span>
#include <vector>

#include "cameo/session.h"
#include "cameo/verify.h"
#include "onnx/proto/messages.h"
#include "verify/bridge.h"
#include "verify/origins.h"

namespace cameo::verify {

// All values that nodes of the model's graph compute, without subgraphs.
std::vector<std::string> inner_values(const onnx::proto::Graph& graph);

// Nodes are taken together that came from the same call of an operator. A value is right if an operator of
// the program computed it too; a value without a counterpart in the program is right if its inputs are right.
// The departure is the first value that is not right although its inputs are. `values` are those of one run
// by their names; `operations` and `results` are those of the program in that run.
std::optional<Departure> find_departure(const onnx::proto::Graph& graph, const Origins& origins,
                                        std::span<const Session::Feed> values,
                                        std::span<const Operation> operations, std::span<const Array> results,
                                        std::optional<double> tolerance);

// The errors of all values that an operator of the program computed too, in the order of the graph. Of several results of the
// operator with the same type and shape, the nearest one counts.
std::vector<VerifiedValue> compare_layers(const onnx::proto::Graph& graph, const Origins& origins,
                                          std::span<const Session::Feed> values,
                                          std::span<const Operation> operations, std::span<const Array> results);

}  // namespace cameo::verify
