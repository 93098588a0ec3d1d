#pragma once
#include <optional>
#include <string>
#include <string_view>

#include "eval/loader.h"

namespace cameo::eval {

// The functions, classes and constants that a program defines.
class Definitions {
 public:
  Definitions(const Reporter& reporter, const script::Program& program, Loader& loader,
              ConstantOf constant_of)
      : reporter_(reporter), program_(program), loader_(loader), constant_of_(std::move(constant_of)) {}

  // "__torch__.a.f", "CONSTANTS.c0": a function, a class, a member of an enum, or a constant. Throws Error if
  // the program defines no such name.
  Value resolve(const std::string& qualified);
  // Empty if the program has no such class.
  script::Definition<script::ClassDef> find_class(const std::string& qualified) const {
    return program_.find_class(qualified);
  }
  // The constant of this name in the object's class, if there is one.
  std::optional<Value> class_constant(const Object& object, std::string_view name) const;
  // Null if the object's class has no such method.
  const script::FunctionDef* find_method(const Object& object, std::string_view name) const;

 private:
  Value constant(const std::string& qualified);
  const Reporter& reporter_;
  const script::Program& program_;
  Loader& loader_;
  ConstantOf constant_of_;
};

}  // namespace cameo::eval
