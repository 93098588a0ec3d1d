#pragma once
// The facts of linger's exporters about operators: the scale and the bits of inputs and results. linger 3 writes the
// domain "linger", linger 1 the domain "thinker". A value x is the integer round(x * scale).

#include <optional>
#include <string_view>
#include <vector>

#include "onnx/proto/messages.h"

namespace cameo::model::linger {

enum class Generation { none, thinker, linger };  // of a model without such nodes: none
Generation generation_of(const onnx::proto::Graph& graph);
std::string_view domain_of(Generation generation);

enum class Rounding { nearest_even, floor_add, floor, ceil };

struct Scale {
  double scale = 1;
  std::int64_t bits = 8;
  Rounding rounding = Rounding::nearest_even;
};
// Whether two agree as far as linger compares them.
bool same(const Scale& a, const Scale& b);

// The smallest type of whole bytes for integers of so many bits.
onnx::proto::DataType integer_type(std::int64_t bits);

// The integers that an operator of linger reads as this input; nothing where it reads what it is given.
std::optional<Scale> scale_of_input(const onnx::proto::Node& node, std::size_t input);
// The integers that a Quant node makes.
std::optional<Scale> scale_of_quant(const onnx::proto::Node& node);

// The integers that an operator of either generation, other than Quant and Dequant, reads as its first input.
std::optional<Scale> scale_of_first(const onnx::proto::Node& node);

// The state of a value: its element type and, if it is quantised, its scale.
struct State {
  onnx::proto::DataType type = onnx::proto::kFloat;
  std::optional<Scale> scale;
};
// Whether a node may read a quantised value as this input.
bool takes_integers(const onnx::proto::Node& node, std::size_t input, Generation generation);
// The states of the results. `declared` gives the type that the model declares for a result, kUndefined if none.
std::vector<State> results(const onnx::proto::Node& node, const std::vector<State>& inputs,
                           Generation generation, const std::vector<onnx::proto::DataType>& declared);

// The results that hold the elements of an input in another order or selection.
std::vector<std::string_view> results_like(const onnx::proto::Node& node, std::size_t input);

}  // namespace cameo::model::linger
