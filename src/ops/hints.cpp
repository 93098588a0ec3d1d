#include "ops/hints.h"

#include <fmt/format.h>

namespace cameo::ops {
namespace {

constexpr Hint kTypes[] = {
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

// Adds what the hint says of parameters that the schema has and nothing was said of.
void add(Sample& sample, const aten::Schema& schema, std::string_view arguments) {
  while (!arguments.empty()) {
    InputSpec argument = parse_input_spec(aten::detail::take_item(arguments));
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
    if (const aten::ParamSchema* p = parameter(schema, hint.name); p && !p->has_default && p->type != "Tensor")
      add(sample, schema, hint.arguments);
  return sample;
}

std::optional<std::string_view> hinted_type(std::string_view parameter) {
  for (const Hint& hint : kTypes)
    if (lists(hint.name, parameter)) return hint.arguments;
  return std::nullopt;
}

}  // namespace cameo::ops
