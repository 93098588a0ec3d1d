#include "eval/functions.h"

#include <fmt/core.h>

#include "eval/rewriter.h"
#include "eval/statements.h"
#include "eval/types.h"

namespace cameo::eval {
namespace {

constexpr std::size_t kMaxCallDepth = 400;

// "__torch__.a.Net" -> "Net"
std::string simple_name(const std::string& qualified) {
  const std::string name = script::demangle(qualified);
  return name.substr(name.rfind('.') + 1);
}

}  // namespace

Value Functions::call(const Value& callee, const Arguments& args) {
  if (callee.is<Unknown>()) return Unknown{};
  if (const FunctionRef* function = callee.get_if<FunctionRef>()) return call_function(*function, args);
  if (const ClosurePtr* closure = callee.get_if<ClosurePtr>()) return call_closure(**closure);
  if (const ClassRef* cls = callee.get_if<ClassRef>()) return construct(*cls, args);
  if (const ObjectPtr* object = callee.get_if<ObjectPtr>()) return call_method(*object, "forward", args);
  ev_.reporter.fail(Code::unsupported_syntax, fmt::format("{} cannot be called", describe(callee)));
}

Value Functions::construct(const ClassRef& cls, const Arguments& args) {
  if (cls.definition.def->kind == script::ClassKind::named_tuple) return construct_tuple(cls, args);
  auto object = std::make_shared<Object>(ev_.memory.journal().now(), cls.name, cls.definition);
  call_method(object, "__init__", args);
  return object;
}

Value Functions::construct_tuple(const ClassRef& cls, const Arguments& args) {
  const script::ClassDef& def = *cls.definition.def;
  Tuple tuple;
  tuple.cls = cls.name;
  for (std::size_t i = 0; i < def.fields.size(); ++i) {
    const script::Field& field = def.fields[i];
    tuple.fields.push_back(field.name);
    if (const Value* given = args.find(i, field.name))
      tuple.items.push_back(*given);
    else if (field.value)
      tuple.items.push_back(constant_of_(*field.value, *cls.definition.file));
    else
      ev_.reporter.fail(Code::missing_argument,
                        fmt::format("field '{}' of {} is missing", field.name, script::demangle(cls.name)));
  }
  return TuplePtr(std::make_shared<Tuple>(std::move(tuple)));
}

Value Functions::call_closure(const Closure& closure) {
  const Frame& outer = *stack_.innermost();
  Frame frame{
      outer.file, closure.environment, outer.function, outer.module_path, closure.function->range, false,
      {},         outer.origin};
  return run_body(frame, closure.function->body);
}

Value Functions::call_method(const ObjectPtr& object, std::string_view name, const Arguments& args) {
  if (!rewriter_.has_rules()) return run_method(object, name, args);
  std::optional<Rewriter::Inside> inside;
  if (object->module) inside.emplace(rewriter_, object);
  if (!rewriter_.active()) return run_method(object, name, args);
  return rewriter_.call_method(object, name, args,
                               [&](const Arguments& given) { return run_method(object, name, given); });
}

Value Functions::call_replacement(const script::FunctionDef& def, const script::SourceFile& file,
                                  const std::string& module_path, const Arguments& args,
                                  const Origin& origin) {
  Frame frame;
  frame.file = &file;
  frame.function = def.name;
  frame.module_path = module_path;
  frame.origin = &origin;
  return run(def, std::move(frame), args);
}

Value Functions::run_method(const ObjectPtr& object, std::string_view name, const Arguments& args) {
  if (!object->definition)
    ev_.reporter.fail(
        Code::opaque_class,
        fmt::format("'{}' is a C++ class without TorchScript code: its method '{}' cannot be evaluated",
                    script::demangle(object->cls), name));
  const script::FunctionDef* method = definitions_.find_method(*object, name);
  if (!method)
    ev_.reporter.fail(Code::undefined_method,
                      fmt::format("'{}' has no method '{}'", script::demangle(object->cls), name));
  Arguments with_self = args;
  with_self.positional.insert(with_self.positional.begin(), object);
  Frame frame;
  frame.file = object->definition.file;
  frame.function = fmt::format("{}.{}", simple_name(object->cls), name);
  frame.module_path = object->module ? object->path : stack_.module_path();
  return run(*method, std::move(frame), with_self);
}

Value Functions::call_function(const FunctionRef& function, const Arguments& args) {
  if (!rewriter_.active()) return run_function(function, args);
  return rewriter_.call_function(function.name, args,
                                 [&](const Arguments& given) { return run_function(function, given); });
}

Value Functions::run_function(const FunctionRef& function, const Arguments& args) {
  Frame frame;
  frame.file = function.definition.file;
  frame.function = simple_name(function.name);
  frame.module_path = stack_.module_path();
  return run(*function.definition.def, std::move(frame), args);
}

Value Functions::run(const script::FunctionDef& def, Frame frame, const Arguments& args) {
  frame.environment = std::make_shared<Environment>(ev_.memory.journal().now());
  frame.range = def.range;
  if (args.positional.size() > def.params.size())
    ev_.reporter.fail(Code::too_many_arguments,
                      fmt::format("'{}' takes {} arguments, but {} were given", frame.function,
                                  def.params.size(), args.positional.size()));
  for (std::size_t i = 0; i < def.params.size(); ++i) {
    const script::Param& param = def.params[i];
    if (const Value* given = args.find(i, param.name)) {
      Value value = *given;
      if (param.type) value = convert_to(ev_, *param.type, std::move(value));
      frame.environment->set(param.name, std::move(value));
    } else if (param.default_value) {
      frame.environment->set(param.name, constant_of_(*param.default_value, *frame.file));
    } else {
      ev_.reporter.fail(Code::missing_argument,
                        fmt::format("argument '{}' of '{}' is missing", param.name, frame.function));
    }
  }
  return run_body(frame, def.body);
}

Value Functions::run_body(Frame& frame, const script::Block& body) {
  if (stack_.depth() >= kMaxCallDepth) ev_.reporter.fail(Code::too_deep, "calls are nested too deeply");
  CallStack::Entered entered(stack_, frame);
  statements_.run(frame, body);
  return std::move(frame.result);
}

}  // namespace cameo::eval
