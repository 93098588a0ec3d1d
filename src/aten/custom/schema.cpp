#include "aten/custom/schema.h"

#include <fmt/core.h>

#include <algorithm>
#include <span>

#include "aten/registry.h"
#include "cameo/diagnostic.h"

namespace cameo::aten {
namespace {

constexpr std::string_view kTypes[] = {"Tensor", "int",    "SymInt",       "float",
                                       "bool",   "str",    "Scalar",       "ScalarType",
                                       "Device", "Layout", "MemoryFormat", "Generator"};
constexpr std::string_view kResults[] = {"Tensor", "int", "SymInt", "float", "bool", "Scalar"};

[[noreturn]] void bad(std::string_view text, std::string_view why) {
  throw Error(Diagnostic{.code = Code::bad_schema,
                         .message = fmt::format("the schema '{}' cannot be read: {}", text, why),
                         .hint = "it is written like 'mylib::op(Tensor x, float a=1.0) -> Tensor'"});
}

void check_type(std::string_view text, const ParamSchema& p, std::span<const std::string_view> known) {
  if (std::ranges::find(known, p.type) == known.end())
    bad(text, fmt::format("'{}' is not a type that a converter can {}", p.type,
                          known.data() == kResults ? "return" : "take"));
}

Schema parse(std::string_view text) {
  const std::size_t arrow = text.rfind(" -> ");
  if (arrow == text.npos || arrow == 0 || text.find('(') > arrow)
    bad(text, "expected name(parameters) -> returns");
  try {
    return parse_schema(text);
  } catch (const char* why) {
    std::string_view reason = why;
    reason.remove_prefix(std::string_view("schema: ").size());
    bad(text, reason);
  }
}

}  // namespace

Schema read_schema(std::string_view text) {
  const Schema schema = parse(text);
  if (schema.name.starts_with("::") || schema.name.ends_with("::")) bad(text, "the name needs a namespace");
  for (const ParamSchema& p : std::span(schema.params).first(schema.count)) {
    check_type(text, p, kTypes);
    if (p.has_default && !parse_default(p.default_value))
      bad(text, fmt::format("'{}' is no value that '{}' could have", p.default_value, p.name));
    if (p.written && !schema.name.ends_with('_'))
      bad(text, "only an operator whose name ends in '_' may write to its arguments");
  }
  for (const ParamSchema& p : std::span(schema.returns).first(schema.return_count)) {
    check_type(text, p, kResults);
    if (p.list && (p.type != "Tensor" || schema.return_count > 1))
      bad(text, "a list can only be returned alone, and of tensors");
  }
  return schema;
}

}  // namespace cameo::aten
