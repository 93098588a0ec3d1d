#pragma once
// One graph of two models.

#include <string>
#include <vector>

#include "model/infer/typed.h"
#include "view/document/flatten.h"

namespace cameo::view {

// The fate of each node and weight of the merged graph.
struct Marks {
  std::vector<Mark> node, weight;
  std::vector<std::string> node_text, weight_text;
  std::vector<std::string> notes;  // differences of inputs and outputs
};

// Adds the nodes, values and weights of the older model that the newer one does not have to `newer`, each at the
// place where it was. Nodes are matched as cameo diff does. All texts belong to the models, which must outlive it.
Marks merge(FlatGraph& newer, const model::Opened& newer_model, const FlatGraph& older, const model::Opened& older_model);

}  // namespace cameo::view
