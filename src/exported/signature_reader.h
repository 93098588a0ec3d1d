#pragma once
#include "exported/graph_reader.h"
#include "exported/program.h"

namespace cameo::exported {

// Reads a GraphSignature. Schema 1 has dictionaries of names instead of a specification for each input and output; they
// are ordered as the inputs and outputs of `graph`.
Signature read_signature(JsonReader& json, GraphReader& reader, const Graph& graph);

// One specification for each input and output, of the same name. Throws Error if they differ.
void check_signature(const JsonReader& json, const Signature& signature, const Graph& graph);

}  // namespace cameo::exported
