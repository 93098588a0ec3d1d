#include "eval/definitions.h"

#include <fmt/core.h>

namespace cameo::eval {

Value Definitions::resolve(const std::string& name) {
  if (name.starts_with("CONSTANTS.c")) return constant(name);
  if (auto function = program_.find_function(name)) return FunctionRef{function, name};
  if (auto cls = program_.find_class(name)) return ClassRef{cls, name};
  std::size_t dot = name.rfind('.');
  if (dot != name.npos) {
    std::string outer = name.substr(0, dot), member = name.substr(dot + 1);
    if (auto cls = program_.find_class(outer); cls && cls.def->kind == script::ClassKind::enumeration)
      for (const script::Field& field : cls.def->fields)
        if (field.name == member)
          return EnumMember{outer, member,
                            std::make_shared<const Value>(constant_of_(*field.value, *cls.file))};
  }
  reporter_.fail(Code::undefined_name, fmt::format("'{}' is not in the archive", name));
}

Value Definitions::constant(const std::string& name) {
  std::size_t index = std::stoul(name.substr(11));
  if (index >= program_.constants().size())
    reporter_.fail(Code::bad_constant, fmt::format("there is no constant '{}'", name));
  Value constant = loader_.load(program_.constants()[index], fmt::format("constants.{}", index));
  if (const CellPtr* cell = constant.get_if<CellPtr>()) (*cell)->literal = true;
  return constant;
}

std::optional<Value> Definitions::class_constant(const Object& object, std::string_view name) const {
  if (!object.definition) return std::nullopt;
  for (const script::Field& field : object.definition.def->fields)
    if (field.name == name && field.value) return constant_of_(*field.value, *object.definition.file);
  return std::nullopt;
}

const script::FunctionDef* Definitions::find_method(const Object& object, std::string_view name) const {
  return object.definition ? program_.find_method(*object.definition.def, name) : nullptr;
}

}  // namespace cameo::eval
