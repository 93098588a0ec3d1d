#pragma once
// An object of the program and its attributes, by the declarations of its class.

#include <string>
#include <string_view>
#include <vector>

#include "script/program.h"

namespace cameo::script {

enum class MemberKind { parameter, buffer, submodule, attribute, constant };

struct Member {
  std::string_view name;
  MemberKind kind = MemberKind::attribute;
  archive::Ref value = nullptr;  // null for constants: their value is field->value
  const Field* field = nullptr;  // the declaration; null if the class has none of this name
};

struct Module {
  const archive::Object* object = nullptr;  // identity: the same submodule twice is the same object
  std::string class_name;                   // qualified, as the program names it
  Definition<ClassDef> cls;                 // empty for classes of C++
  // In the order of the class; in that of the state if there is no class or it restores its own state.
  std::vector<Member> members;
  // The state means something only to the class's __setstate__, or to C++: there are no members.
  bool opaque = false;

  const Member* find(std::string_view name) const;  // null if absent
};

// Throws Error if the state lacks an attribute that the class declares. Names live as long as the program.
Module resolve(const Program& program, const archive::Object& object);

bool is_module(const Program& program, const archive::Value& value);
bool restores_state(const ClassDef& cls);  // has __setstate__

// Every tensor below `value`, in any container, object or opaque state, each once, in the order met. Also
// right for values that contain themselves.
std::vector<archive::TensorPtr> tensors_in(archive::Ref value);

}  // namespace cameo::script
