#pragma once
#include <optional>

#include "model/diff/body.h"

namespace cameo::model {

struct Matched {
  std::vector<std::optional<std::size_t>> partners;  // of the first body's nodes
  std::vector<bool> taken;                           // of the second body's
};

// Finds the node of `b` for each node of `a`: the one that computes a value of the same name by the same
// operator; else one with equal attributes, or at least the same operator, and the same inputs; else one that
// computes a value of the same name. Each kind of search is linear. Results of partners are renamed.
Matched match(const Body& a, const Body& b, Renames& renames);

}  // namespace cameo::model
