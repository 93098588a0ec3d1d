#pragma once
// Marks: places of a model that its author has named, for `cameo split`. A mark is a function and the number of its
// call, one side of it, and the value there. Two forms are read:
//
//   mmdeploy::Mark       a node with the attributes func, func_id, type and name
//   metadata             entries of the model, "cameo.mark:head[0]:input:x" -> the name of the value

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "onnx/proto/messages.h"
#include "onnx/proto/texts.h"

namespace cameo::model {

struct Mark {
  std::string function;
  std::int64_t call = 0;
  bool input = true;         // a value that the function takes, or one that it returns
  std::string_view value;    // points into the model
  std::string text() const;  // "head[0]:input"
};

inline constexpr std::string_view kMarkKey = "cameo.mark:";

// In the order of the model, one for each value.
std::vector<Mark> marks(const onnx::proto::Model& model);

// "head[0]:input", "head:output" (of call 0); nothing for other texts.
std::optional<Mark> parse_mark(std::string_view text);

// Makes the Mark nodes of the graph Identity nodes, which every runtime knows. Returns how many there were.
std::size_t replace_marks(onnx::proto::Graph& graph);

// Replaces the nodes cameo::Mark of an exported model, whose attribute "name" is "head[0]:input:x", by metadata. A node
// whose result is an output of the model becomes an Identity node.
void record_marks(onnx::proto::Model& model, onnx::proto::Texts& texts);

}  // namespace cameo::model
