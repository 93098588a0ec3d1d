#pragma once
#include <memory>
#include <string>
#include <vector>

#include "model/file/open.h"
#include "model/split/grouping.h"

namespace cameo::model {

// One part of a model, as a model of its own.
struct Part {
  std::shared_ptr<Opened> opened;
  std::vector<std::size_t> from;  // by input that has no default: the part that computes it, or kModelInput
};
inline constexpr std::size_t kModelInput = static_cast<std::size_t>(-1);

// The parts that `grouping` says. Nodes, weights and types are copied as messages that point into the file. Needs
// nodes in topological order.
std::vector<Part> make_parts(const Opened& whole, const Links& links, const Grouping& grouping);

}  // namespace cameo::model
