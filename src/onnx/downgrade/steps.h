#pragma once
// Translations that many operators share.

#include <initializer_list>
#include <string_view>

#include "onnx/downgrade/downgrade.h"

namespace cameo::onnx {

// "Resize needs opset 18 or newer, because …".
[[noreturn]] void needs(const Translation& t, std::string_view because);

const AttributeValue* attribute(const Translation& t, std::string_view name);
std::int64_t integer_attribute(const Translation& t, std::string_view name, std::int64_t otherwise);
std::string text_attribute(const Translation& t, std::string_view name, std::string_view otherwise);
void set_attribute(Translation& t, std::string_view name, AttributeValue value);
void remove_attribute(Translation& t, std::string_view name);
bool has_input(const Translation& t, std::size_t index);

// The shape and rank of an input; needs() where the number of axes is not known.
const Shape& shape_of(const Translation& t, std::size_t input);
// An axis counted from the front.
std::int64_t from_front(std::int64_t axis, std::int64_t rank);

// Replaces an input by an attribute with its numbers; the input must be constant, and the last one.
void input_to_integers(Translation& t, std::size_t input, std::string_view name);
void axes_input_to_attribute(Translation& t);  // "axes", counted from the front where the rank is known
void input_to_integer(Translation& t, std::size_t input, std::string_view name);

// Removes an attribute that older opsets lack; it must have the value that they imply.
void drop_attribute(Translation& t, std::string_view name, std::int64_t only, std::string_view because);
void drop_attribute(Translation& t, std::string_view name, std::string_view only, std::string_view because);

// Casts operands of type `from` to `to`, and results back. `to` must hold every number of `from`.
void through(Translation& t, DType from, DType to);
bool uses(const Translation& t, DType dtype);  // as the type of an input or a result

// Steps for types that an operator does not take in older opsets.
void no_bf16(Translation& t);            // through f32
void no_short_floats(Translation& t);    // f16 and bf16 through f32
void no_small_integers(Translation& t);  // i8, u8, i16 and u16 through i32
void no_booleans(Translation& t);        // through u8

}  // namespace cameo::onnx
