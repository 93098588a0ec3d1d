#pragma once
// ONNX's definitions of its operators: opsets 1 to 28 of ai.onnx, and those of its sister domains. The table
// is made from operators.txt when Cameo is built; it is constant data.

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace cameo::onnx::facts {

// The container of the elements.
enum class Form : std::uint8_t {
  tensor,
  sequence,
  optional,
  optional_sequence,
  map_from_i64,
  map_from_str,
  sequence_of_maps_from_i64,
  sequence_of_maps_from_str,
};
inline constexpr std::size_t kForms = 8;

// For each form the element types, as TensorProto.DataType numbers them: bit 1 << number.
struct TypeSet {
  std::array<std::uint32_t, kForms> elements{};

  constexpr bool holds(Form form, int element) const {
    return element > 0 && element < 32 &&
           (elements[static_cast<std::size_t>(form)] >> static_cast<unsigned>(element) & 1U) != 0;
  }
};

enum class Arity : std::uint8_t { single, optional, variadic };

// An input or an output.
struct Parameter {
  std::string_view name;
  Arity arity;
  std::uint8_t minimum;       // of a variadic one: how many there are at least
  bool same;                  // of a variadic one: all have one type
  std::string_view variable;  // the type variable, "T"; empty if the type is fixed
  const TypeSet* types;
};

// AttributeProto.AttributeType.
enum class Kind : std::uint8_t {
  undefined = 0,
  real = 1,
  integer = 2,
  string = 3,
  tensor = 4,
  graph = 5,
  reals = 6,
  integers = 7,
  strings = 8,
  tensors = 9,
  graphs = 10,
  sparse_tensor = 11,
  sparse_tensors = 12,
  type = 13,
  types = 14,
};
std::string_view name(Kind kind);  // as ONNX writes it: "INTS"

struct Attribute {
  std::string_view name;
  Kind kind;
  bool required;
  bool has_default;
  std::string_view standard;  // the default as text: "1", "NOTSET", "0,2,3"
};

// One version of an operator.
struct Operator {
  std::string_view domain;  // "ai.onnx"
  std::string_view name;
  int since;
  bool deprecated;  // nothing else is known of it
  std::span<const Parameter> inputs, outputs;
  std::span<const Attribute> attributes;

  const Attribute* attribute(std::string_view name) const;
};

struct Domain {
  std::string_view name;
  int newest;  // the opset up to which its operators are known
};

// All versions of all operators, by domain, name and version; and the domains.
std::span<const Operator> operators();
std::span<const Domain> domains();

// A domain may be called "" or "ai.onnx". Null if its operators are not known.
const Domain* find_domain(std::string_view domain);
// All versions of one operator, oldest first.
std::span<const Operator> versions(std::string_view domain, std::string_view op);
// The newest version that is not newer than `opset`; null if there is none.
const Operator* find(std::string_view domain, std::string_view op, std::int64_t opset);

// The number of inputs or outputs that a node may have.
struct Range {
  std::size_t least, most;
};
Range count(std::span<const Parameter> parameters);
// The parameter that the argument at `index` belongs to; null beyond the last one.
const Parameter* parameter(std::span<const Parameter> parameters, std::size_t index);

}  // namespace cameo::onnx::facts
