#pragma once
#include <optional>

#include "model/diff/body.h"

namespace cameo::model {

struct Matched {
  std::vector<std::optional<std::size_t>> partners;  // of the first body's nodes
  std::vector<bool> taken;                           // of the second body's
};

// Which node of `b` a node of `a` became: the one that computes a value of the same name by the same
// operator; else one that does the same, or at least the same operator, with the same values; else one that
// computes a value of the same name. Each kind of search is linear. What partners compute is renamed.
Matched match(const Body& a, const Body& b, Renames& renames);

}  // namespace cameo::model
