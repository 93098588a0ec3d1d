#pragma once
#include <string_view>
#include <unordered_map>
#include <vector>

#include "exported/json_reader.h"
#include "exported/tree_spec.h"

namespace cameo::exported {

// The field names of named tuples, by their types.
using NamedTupleFields = std::unordered_map<std::string_view, std::vector<std::string_view>>;

// Reads the text of a tree spec: "[1, {…}]". `json` gives the place for diagnostics and keeps decoded strings. Throws
// Error if the text is not a tree spec of version 1.
TreeSpec read_tree_spec(const JsonReader& json, std::string_view text, const NamedTupleFields& fields);

}  // namespace cameo::exported
