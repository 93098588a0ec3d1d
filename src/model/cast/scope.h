#pragma once
// The values of a model while its nodes change their types.

#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "onnx/graph/type.h"
#include "onnx/proto/messages.h"

namespace cameo::model {

// A value of the file.
struct CastValue {
  onnx::Type type;  // in the file
  DType now = DType::undefined;
  onnx::proto::Text name;                                  // the name that nodes refer to
  onnx::proto::Tensor* constant = nullptr;                 // of an initialiser and of a Constant
  bool wanted_new = false, wanted_old = false;             // types in which nodes read the constant
  bool from_sizes = false;                                 // computed from sizes of tensors alone
  std::vector<std::pair<DType, onnx::proto::Text>> casts;  // the same in other types
};

// A graph of the file.
struct CastScope {
  onnx::proto::Graph& graph;
  CastScope* outer = nullptr;
  bool kept = false;      // all nodes keep their types
  bool converts = false;  // inputs and outputs get the new type
  std::unordered_map<std::string_view, CastValue> values;
  std::unordered_set<std::string_view> outputs;
  std::vector<onnx::proto::Node> nodes;  // the new ones

  struct Found {
    CastValue* value = nullptr;
    CastScope* scope = nullptr;  // that holds it
  };
  Found find(std::string_view name) {
    for (CastScope* scope = this; scope; scope = scope->outer)
      if (const auto found = scope->values.find(name); found != scope->values.end())
        return {&found->second, scope};
    return {};
  }
};

// The element types of the inputs and outputs of a node; undefined for an input that any type suits.
struct CastPlan {
  std::vector<DType> inputs, outputs;
  bool converts = false;           // one of them is the new type
  bool subgraphs_convert = false;  // the inputs and outputs of its subgraphs get the new type
  bool subgraphs_kept = false;
};

}  // namespace cameo::model
