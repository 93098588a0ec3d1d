#pragma once
#include <functional>
#include <string>
#include <string_view>

#include "eval/definitions.h"
#include "eval/state/evaluation.h"

namespace cameo::eval {

class Rewriter;
class Statements;

// Calls of functions, methods and classes of the program, with values as arguments.
class Functions {
 public:
  Functions(Evaluation& evaluation, CallStack& stack, const Definitions& definitions, Statements& statements,
            Rewriter& rewriter, ConstantOf constant_of)
      : ev_(evaluation),
        stack_(stack),
        definitions_(definitions),
        statements_(statements),
        rewriter_(rewriter),
        constant_of_(std::move(constant_of)) {}

  // Calls a function, a class, a closure or a module. Throws Error for any other value.
  Value call(const Value& callee, const Arguments& arguments);
  // Calls a function of a rewriting rule, whose text may call `origin`.
  Value call_replacement(const script::FunctionDef& def, const script::SourceFile& file,
                         const std::string& module_path, const Arguments& arguments, const Origin& origin);
  // See Caller::call_method.
  Value call_method(const ObjectPtr& object, std::string_view name, const Arguments& arguments);

 private:
  Value run_method(const ObjectPtr& object, std::string_view name, const Arguments& arguments);
  Value run_function(const FunctionRef& function, const Arguments& arguments);
  Value call_function(const FunctionRef& function, const Arguments& arguments);
  Value call_closure(const Closure& closure);
  Value construct(const ClassRef& cls, const Arguments& arguments);
  Value construct_tuple(const ClassRef& cls, const Arguments& arguments);
  Value run(const script::FunctionDef& def, Frame frame, const Arguments& arguments);
  Value run_body(Frame& frame, const script::Block& body);

  Evaluation& ev_;
  CallStack& stack_;
  const Definitions& definitions_;
  Statements& statements_;
  Rewriter& rewriter_;
  ConstantOf constant_of_;
};

}  // namespace cameo::eval
