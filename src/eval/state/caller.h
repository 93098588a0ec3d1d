#pragma once
#include <string_view>

#include "eval/state/arguments.h"

namespace cameo::eval {

// Calls that parts of the evaluator make back into the program: operators call other operators and the
// methods of objects.
class Caller {
 public:
  virtual ~Caller() = default;
  Caller(const Caller&) = delete;
  Caller& operator=(const Caller&) = delete;

  // "aten::add", "prim::dtype": an operator of the language or a tensor operator. Returns Unknown after it
  // reported an operator that is not supported. Throws Raised if the operator fails in PyTorch too.
  virtual Value call_operator(std::string_view name, const Arguments& arguments) = 0;
  // `arguments` are those after `self`. Throws Error if the object has no such method.
  virtual Value call_method(const ObjectPtr& object, std::string_view name, const Arguments& arguments) = 0;
  virtual bool has_method(const Object& object, std::string_view name) const = 0;

 protected:
  Caller() = default;
};

}  // namespace cameo::eval
