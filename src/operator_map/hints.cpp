#include "operator_map/hints.h"

#include <fmt/format.h>

namespace cameo::operator_map {
namespace {

constexpr Hint kTypeHints[] = {
    {"index indices offsets lengths batch_sizes repeats", "i64"},
    {"mask condition", "bool"},
};

bool lists(std::string_view names, std::string_view name) {
  while (!names.empty()) {
    const std::size_t space = std::min(names.find(' '), names.size());
    if (names.substr(0, space) == name) return true;
    names.remove_prefix(std::min(space + 1, names.size()));
  }
  return false;
}

const aten::ParamSchema* parameter(const aten::Schema& schema, std::string_view name) {
  for (std::size_t i = 0; i < schema.count; ++i)
    if (schema.params[i].name == name) return &schema.params[i];
  return nullptr;
}

// Takes the text up to the next comma and space outside of brackets.
std::string_view take_argument(std::string_view& rest) {
  int depth = 0;
  std::size_t end = 0;
  for (; end < rest.size(); ++end) {
    if (rest[end] == '[') ++depth;
    if (rest[end] == ']') --depth;
    if (depth == 0 && rest.substr(end).starts_with(", ")) break;
  }
  const std::string_view argument = rest.substr(0, end);
  rest.remove_prefix(std::min(end + 2, rest.size()));
  return argument;
}

// Adds what the hint says of parameters that the schema has and nothing was said of.
void add(Sample& sample, const aten::Schema& schema, std::string_view arguments) {
  while (!arguments.empty()) {
    InputSpec argument = parse_input_spec(take_argument(arguments));
    if (parameter(schema, argument.name) && !find(sample, argument.name))
      sample.push_back(std::move(argument));
  }
}

}  // namespace

Sample hinted_arguments(const aten::Schema& schema) {
  Sample sample;
  const std::string full = fmt::format("{}.{}", schema.name, schema.overload);
  for (std::string_view name : {std::string_view(full), schema.name})
    for (const Hint& hint : operator_hints())
      if (lists(hint.name, name)) add(sample, schema, hint.arguments);
  for (const Hint& hint : parameter_hints())
    if (const aten::ParamSchema* p = parameter(schema, hint.name);
        p && !p->has_default && p->type != "Tensor")
      add(sample, schema, hint.arguments);
  return sample;
}

std::optional<std::string_view> hinted_type(std::string_view parameter) {
  for (const Hint& hint : kTypeHints)
    if (lists(hint.name, parameter)) return hint.arguments;
  return std::nullopt;
}

}  // namespace cameo::operator_map
