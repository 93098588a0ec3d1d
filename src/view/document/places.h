#pragma once
#include <string>
#include <vector>

#include "onnx/proto/messages.h"

namespace cameo::view {

// A module or scope on the way from the root to a node.
struct Step {
  std::string path, name, type;  // "layer1.0", "0", "BasicBlock"; the type may be empty
};
struct Place {
  std::vector<Step> steps;
  bool module = false;  // the steps are modules of a program; otherwise scopes in the node's name
  std::string path() const { return steps.empty() ? std::string() : steps.back().path; }
};

// The steps of "layer1.0.conv1".
Place place_of_module(std::string_view path);

// From the metadata that exporters write, or else from the name of the node: "/layer1/0/conv1/Conv".
Place place_of(const onnx::proto::Node& node);

}  // namespace cameo::view
