#pragma once
// Where a model departs from its program.

#include <optional>
#include <span>
#include <vector>

#include "cameo/session.h"
#include "cameo/verify.h"
#include "onnx/proto/messages.h"
#include "verify/bridge.h"
#include "verify/origins.h"

namespace cameo::verify {

// Every value that a node of the model's graph gives, subgraphs apart.
std::vector<std::string> inner_values(const onnx::proto::Graph& graph);

// Nodes are taken together that came from the same call of an operator. A value is right if the program
// computed it too, be it by another operator; a value that the program has no counterpart of is right if all
// that it is made of is. The first that is not right, though all that it is made of is, is the departure.
// `values` are those of one run by their names, `operations` and `results` what the program did in that run.
std::optional<Departure> find_departure(const onnx::proto::Graph& graph, const Origins& origins,
                                        std::span<const Session::Feed> values,
                                        std::span<const Operation> operations, std::span<const Array> results,
                                        std::optional<double> tolerance);

}  // namespace cameo::verify
