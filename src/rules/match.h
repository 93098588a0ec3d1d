#pragma once
// Facts about nodes and values that rules need.

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string_view>
#include <vector>

#include "onnx/graph/graph.h"

namespace cameo::rules {

using Ints = std::vector<std::int64_t>;

// The node of standard ONNX that computes `value`, if it is one of these operators; null otherwise.
onnx::Node* made_by(const onnx::Value* value, std::initializer_list<std::string_view> operators);

const onnx::Value* input(const onnx::Node& node, std::size_t index);  // null if it is left out
std::int64_t integer(const onnx::Node& node, std::string_view attribute, std::int64_t otherwise);

// The elements of a constant; nothing if it is computed.
std::optional<Ints> integers(const onnx::Value* value);
// The same of an input that older opsets have as an attribute.
std::optional<Ints> integers(const onnx::Node& node, std::size_t input, std::string_view attribute);

onnx::DataPtr data_of(const Ints& numbers);  // 1-d i64

// Axes counted from the front; nothing if they are not known, or counted from the end of an unknown rank.
std::optional<Ints> from_front(std::optional<Ints> axes, const onnx::Value* of);
std::optional<Ints> from_front(std::optional<Ints> axes, std::optional<std::int64_t> rank);

bool is_real(const onnx::Value* value);  // a tensor of f16, f32 or f64
// It reads quantised values: runtimes recognise such layers by their form.
bool quantized(const onnx::Node& node);
bool same_shape(const onnx::Value* a, const onnx::Value* b);  // known to be

// The order of the axes; nothing if not even their number is known.
std::optional<Ints> permutation(const onnx::Node& transpose);

// The elements that a Pad adds before and behind each axis (negative: removes); nothing if they are not
// known.
struct Padding {
  Ints before, behind;
};
std::optional<Padding> padding(const onnx::Node& pad);

}  // namespace cameo::rules
