#pragma once
// Names, types and tensors in ONNX's textual syntax.

#include <cstddef>
#include <string>
#include <string_view>

#include "onnx/proto/messages.h"

namespace cameo::model::text {

std::string quoted(std::string_view text);    // in quotes, " and \ escaped
std::string id(std::string_view name);        // in quotes unless it is an identifier
std::string number(float value);              // never to be taken for an integer
std::string element_name(std::int32_t type);  // "float", "int64"

std::string type_text(const onnx::proto::Type& type);         // "float[N,3]", "seq(float[])"
std::string value_text(const onnx::proto::ValueInfo& value);  // "float[N,3] x"

// "float[2] w = {1, 2}", or without a name "float[2] {1, 2}"; external data is named instead. Prints at most
// `most` elements; no parser accepts the text if elements are missing.
std::string tensor_text(const onnx::proto::Tensor& tensor, std::size_t most);
std::string initializer_text(const onnx::proto::Tensor& tensor, std::size_t most);
// Not part of the syntax: "float[2] {1, 2} at int64[2] {0, 7} of [3,4]".
std::string sparse_text(const onnx::proto::SparseTensor& tensor, std::size_t most);

}  // namespace cameo::model::text
