#include "script/module.h"

#include <fmt/core.h>

#include <algorithm>
#include <unordered_map>

namespace cameo::script {
namespace {

bool contains(const std::vector<std::string>& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

MemberKind kind_of(const Program& program, const ClassDef* cls, std::string_view name,
                   const archive::Value& value) {
  if (value.get_if<archive::TensorPtr>() && cls) {
    if (contains(cls->parameters, name)) return MemberKind::parameter;
    if (contains(cls->buffers, name)) return MemberKind::buffer;
  }
  return is_module(program, value) ? MemberKind::submodule : MemberKind::attribute;
}

[[noreturn]] void fail_missing(const Program& program, const Module& module, std::string_view name) {
  Diagnostic diagnostic{.code = Code::incomplete_object};
  diagnostic.message =
      fmt::format("an object of class {} lacks its attribute '{}'", demangle(module.class_name), name);
  diagnostic.file = program.file_name();
  diagnostic.record = program.source().record();
  diagnostic.hint = "the archive is damaged or was edited; save the model again with torch.jit.save";
  throw Error(std::move(diagnostic));
}

void add_declared(const Program& program, const archive::Dict& state, Module& module) {
  std::unordered_map<std::string_view, archive::Ref> values;
  for (const auto& [key, value] : state.items) {
    if (const auto* name = key->get_if<archive::String>()) values.insert_or_assign(name->text, value);
  }
  for (const Field& field : module.cls.def->fields) {
    if (field.final) {
      module.members.push_back({field.name, MemberKind::constant, nullptr, &field});
      continue;
    }
    const auto value = values.find(field.name);
    if (value == values.end()) fail_missing(program, module, field.name);
    module.members.push_back(
        {field.name, kind_of(program, module.cls.def, field.name, *value->second), value->second, &field});
  }
}

void add_stated(const Program& program, const archive::Dict& state, Module& module) {
  for (const auto& [key, value] : state.items) {
    const auto* name = key->get_if<archive::String>();
    if (!name) continue;
    module.members.push_back(
        {name->text, kind_of(program, module.cls.def, name->text, *value), value, nullptr});
  }
}

}  // namespace

const Member* Module::find(std::string_view name) const {
  const auto found =
      std::find_if(members.begin(), members.end(), [&](const Member& member) { return member.name == name; });
  return found == members.end() ? nullptr : &*found;
}

bool restores_state(const ClassDef& cls) {
  return std::any_of(cls.methods.begin(), cls.methods.end(),
                     [](const FunctionDef& method) { return method.name == "__setstate__"; });
}

bool is_module(const Program& program, const archive::Value& value) {
  const auto* object = value.get_if<archive::Object>();
  if (!object) return false;
  const auto cls = program.find_class(qualified_name(object->cls));
  return cls && cls.def->kind == ClassKind::module;
}

Module resolve(const Program& program, const archive::Object& object) {
  Module module;
  module.object = &object;
  module.class_name = qualified_name(object.cls);
  module.cls = program.find_class(module.class_name);
  const auto* state = object.state ? object.state->get_if<archive::Dict>() : nullptr;
  const bool declared = module.cls && !restores_state(*module.cls.def);
  if (declared) {
    add_declared(program, state ? *state : archive::Dict{}, module);
  } else if (state) {
    add_stated(program, *state, module);
  } else {
    module.opaque = true;
  }
  return module;
}

}  // namespace cameo::script
