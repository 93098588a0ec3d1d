#include "operator_map/hints.h"

#include <algorithm>

#include <fmt/core.h>

namespace cameo::operator_map {
namespace {

struct Hint {
  std::string_view parameter;
  std::string_view value;
};

constexpr Hint kValues[] = {
    {"dim0", "0"},
    {"axis0", "0"},
    {"destination", "-1"},
    {"dilation", "1"},
    {"end", "i64[]"},
    {"eps", "1e-05"},
    {"exponent", "3"},
    {"fill_value", "0.5"},
    {"high", "10"},
    {"index", "2"},
    {"indexing", "'ij'"},
    {"indices", "[2, 5]"},
    {"kernel_size", "3"},
    {"low", "2"},
    {"max", "0.5"},
    {"min", "-0.5"},
    {"mode", "'nearest'"},
    {"momentum", "0.1"},
    {"n", "i64[]"},
    {"normalized_shape", "[6]"},
    {"ord", "1"},
    {"padding", "1"},
    {"reduce", "'sum'"},
    {"rounding_mode", "'floor'"},
    {"sections", "2"},
    {"size", "[i64[], 6]"},
    {"start", "1"},
    {"stride", "2"},
    {"threshold", "0.1"},
    {"value", "0.5"},
    {"window_length", "i64[]"},
};

constexpr Hint kElementTypes[] = {
    {"index", "i64"},       {"indices", "i64"}, {"offsets", "i64"}, {"lengths", "i64"},
    {"batch_sizes", "i64"}, {"repeats", "i64"}, {"mask", "bool"},   {"condition", "bool"},
};

// Quantised tensors are written with a 'q' before the type of their integers.
std::string integer_types(std::string_view argument) {
  std::string text(argument);
  for (std::string_view type : {"qu8[", "qi8["})
    for (std::size_t at = 0; (at = text.find(type, at)) != text.npos;) text.erase(at, 1);
  return text;
}

}  // namespace

Sample hinted_arguments(const aten::Op& op) {
  Sample sample;
  for (std::string_view rest = op.traits.sample; !rest.empty();)
    sample.push_back(parse_input(integer_types(aten::take_argument(rest))));
  for (const Hint& hint : kValues) {
    const aten::ParamSchema* p = op.schema.parameter(hint.parameter);
    if (p && !p->has_default && p->type != "Tensor" && !find(sample, hint.parameter))
      sample.push_back(parse_input(fmt::format("{}={}", hint.parameter, hint.value)));
  }
  return sample;
}

std::optional<std::string_view> hinted_type(std::string_view parameter) {
  const auto found = std::ranges::find(kElementTypes, parameter, &Hint::parameter);
  return found == std::end(kElementTypes) ? std::nullopt : std::optional(found->value);
}

}  // namespace cameo::operator_map
