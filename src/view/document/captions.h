#pragma once
// The words on boxes.

#include <string>

#include "view/document/flatten.h"

namespace cameo::view {

// Characters of a line on a box.
inline constexpr std::size_t kLongestLabel = 28;

// The second line of a node: what its operator does with its inputs, from attributes and small constants.
// "3×3, stride 2"; empty if there is nothing to tell. `category` is that of its operator.
std::string node_caption(const FlatGraph& graph, const FlatNode& node, int category);

// "64×3×7×7".
std::string dimensions_text(const onnx::proto::Tensor& tensor);

// All elements of a constant with at most `most`, "[1, -1, 768]"; empty for others.
std::string elements_text(const onnx::proto::Tensor& tensor, std::size_t most);

// "25.6M", "1,024".
std::string count_text(std::int64_t count);

// The colour of an operator: an index in category_names().
int category_of(std::string_view domain, std::string_view op);
const std::vector<std::string>& category_names();

}  // namespace cameo::view
