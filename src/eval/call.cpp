#include <fmt/format.h>

#include "eval/evaluator.h"

namespace cameo::eval {
namespace {

constexpr std::size_t kMaxCallDepth = 400;

}  // namespace

const Value* Arguments::find(std::size_t position, std::string_view name) const {
  if (position < positional.size()) return &positional[position];
  for (const auto& [key, value] : keywords)
    if (key == name) return &value;
  return nullptr;
}

Arguments Evaluator::arguments(Frame& frame, const script::CallExpr& node) {
  Arguments out;
  if (auto taken = targets_.find(&node); taken != targets_.end()) out.results = taken->second;
  out.positional.reserve(node.args.size());
  for (const script::ExprPtr& arg : node.args) {
    if (const auto* starred = arg->get_if<script::Starred>())
      for (Value& item : iterate(evaluate(frame, *starred->value))) out.positional.push_back(std::move(item));
    else
      out.positional.push_back(evaluate(frame, *arg));
  }
  for (const script::Keyword& keyword : node.keywords)
    out.keywords.emplace_back(keyword.name, evaluate(frame, *keyword.value));
  return out;
}

Value Evaluator::call(Frame& frame, const script::CallExpr& node) {
  if (const auto* id = node.callee->get_if<script::Name>()) return call_name(frame, id->id, node);
  const auto* attr = node.callee->get_if<script::Attribute>();
  if (!attr) return call_value(evaluate(frame, *node.callee), arguments(frame, node));
  if (std::optional<std::string> qualified = qualified_name(frame, *attr))
    return call_qualified(frame, *qualified, node);

  Value object = evaluate(frame, *attr->object);
  Arguments args = arguments(frame, node);
  if (object.is<Unknown>()) return Unknown{};
  if (const ObjectPtr* pointer = object.get_if<ObjectPtr>()) return call_method(*pointer, attr->name, args);
  args.positional.insert(args.positional.begin(), std::move(object));
  return call_operator(fmt::format("aten::{}", attr->name), args);
}

Value Evaluator::call_name(Frame& frame, std::string_view id, const script::CallExpr& node) {
  if (const Value* local = frame.environment->find(id)) {
    Value callee = *local;
    return call_value(callee, arguments(frame, node));
  }
  auto type_and_value = [&]() -> Value {
    if (node.args.size() != 2) fail("unsupported-syntax", fmt::format("'{}' takes a type and a value", id));
    return evaluate(frame, *node.args[1]);
  };
  if (id == "annotate") return convert(*node.args.at(0), type_and_value());
  if (id == "unchecked_cast") {
    Value value = type_and_value();
    const OptionalPtr* optional = value.get_if<OptionalPtr>();
    return optional ? (*optional)->value : value;
  }
  if (id == "uninitialized") return Uninitialized{};
  if (id == "isinstance") {
    Value value = evaluate(frame, *node.args.at(0));
    return is_instance(value, *node.args.at(1));
  }
  if (id == "getattr") {
    Value object = evaluate(frame, *node.args.at(0));
    return attribute_of(object, known_string(evaluate(frame, *node.args.at(1)), "an attribute's name"));
  }
  Arguments args = arguments(frame, node);
  if (id == "fork" || id == "awaitable") {
    Value callee = args.positional.at(0);
    args.positional.erase(args.positional.begin());
    return call_value(callee, args);
  }
  if (id == "print") return None{};
  if (id == "int") return call_operator("aten::Int", args);
  if (id == "float") return call_operator("aten::Float", args);
  if (id == "bool") return call_operator("aten::Bool", args);
  if (id == "str") return call_operator("aten::str", args);
  if (id == "complex") return call_operator("aten::Complex", args);
  if (id == "sorted") return call_operator("aten::sorted", args);
  if (id == "len") return call_operator("aten::len", args);
  if (id == "range") return call_operator("prim::rangelist", args);
  if (id == "list" || id == "tuple" || id == "min" || id == "max" || id == "abs" || id == "sum" ||
      id == "round")
    return call_operator(
        fmt::format("{}::{}", id == "min" || id == "max" || id == "abs" ? "prim" : "aten", id), args);
  fail("undefined-name", fmt::format("'{}' is not a function that TorchScript has", id));
}

Value Evaluator::call_qualified(Frame& frame, const std::string& name, const script::CallExpr& node) {
  if (name.starts_with("torch.")) {
    std::string op = name.substr(6);
    if (op == "device") {
      Arguments args = arguments(frame, node);
      return args.count() == 0 ? Value(Device{"cpu"}) : call_operator("aten::device", args);
    }
    if (op == "Generator") return None{};
    if (op.starts_with("autograd.")) op = op.substr(9);
    return call_operator("aten::" + op, arguments(frame, node));
  }
  if (name.starts_with("ops.")) {
    std::string op = name.substr(4);
    std::size_t dot = op.find('.');
    if (dot == op.npos) fail("undefined-name", fmt::format("'{}' names no operator", name));
    return call_operator(op.substr(0, dot) + "::" + op.substr(dot + 1), arguments(frame, node));
  }
  if (name.ends_with(".__new__")) {
    std::string cls = name.substr(0, name.size() - 8);
    auto object = std::make_shared<Object>(journal_.now(), cls, program_.find_class(cls));
    if (!object->definition) fail("undefined-name", fmt::format("class '{}' is not in the archive", cls));
    return object;
  }
  return call_value(resolve(name), arguments(frame, node));
}

Value Evaluator::call_value(const Value& callee, const Arguments& args) {
  if (callee.is<Unknown>()) return Unknown{};
  if (const FunctionRef* function = callee.get_if<FunctionRef>())
    return call_function(*function, args, frames_.empty() ? std::string() : frames_.back()->module_path);
  if (const ClosurePtr* closure = callee.get_if<ClosurePtr>()) return call_closure(**closure);
  if (const ClassRef* cls = callee.get_if<ClassRef>()) return construct(*cls, args);
  if (const ObjectPtr* object = callee.get_if<ObjectPtr>()) return call_method(*object, "forward", args);
  fail("unsupported-syntax", fmt::format("{} cannot be called", describe(callee)));
}

Value Evaluator::construct(const ClassRef& cls, const Arguments& args) {
  const script::ClassDef& def = *cls.definition.def;
  if (def.kind == script::ClassKind::named_tuple) {
    Tuple tuple;
    tuple.cls = cls.name;
    for (std::size_t i = 0; i < def.fields.size(); ++i) {
      const script::Field& field = def.fields[i];
      tuple.fields.push_back(field.name);
      if (const Value* given = args.find(i, field.name))
        tuple.items.push_back(*given);
      else if (field.value)
        tuple.items.push_back(evaluate_constant(*field.value, *cls.definition.file));
      else
        fail("missing-argument",
             fmt::format("field '{}' of {} is missing", field.name, script::demangle(cls.name)));
    }
    return TuplePtr(std::make_shared<Tuple>(std::move(tuple)));
  }
  auto object = std::make_shared<Object>(journal_.now(), cls.name, cls.definition);
  call_method(object, "__init__", args);
  return object;
}

Value Evaluator::call_closure(const Closure& closure) {
  Frame& outer = *frames_.back();
  Frame frame{
      outer.file, closure.environment, outer.function, outer.module_path, closure.function->range, false, {}};
  return run_body(frame, closure.function->body);
}

Value Evaluator::call_method(const ObjectPtr& object, std::string_view name, const Arguments& args) {
  if (!object->definition)
    fail("opaque-class",
         fmt::format("'{}' is a C++ class without TorchScript code: its method '{}' cannot be evaluated",
                     script::demangle(object->cls), name));
  const script::FunctionDef* method = program_.find_method(*object->definition.def, name);
  if (!method)
    fail("undefined-method", fmt::format("'{}' has no method '{}'", script::demangle(object->cls), name));
  Arguments with_self = args;
  with_self.positional.insert(with_self.positional.begin(), object);
  std::string path =
      object->module ? object->path : (frames_.empty() ? std::string() : frames_.back()->module_path);
  std::string simple = script::demangle(object->cls);
  simple = simple.substr(simple.rfind('.') + 1);
  return run_function(*method, *object->definition.file, with_self, fmt::format("{}.{}", simple, name),
                      std::move(path));
}

Value Evaluator::call_function(const FunctionRef& function, const Arguments& args, std::string module_path) {
  std::string simple = script::demangle(function.name);
  return run_function(*function.definition.def, *function.definition.file, args,
                      simple.substr(simple.rfind('.') + 1), std::move(module_path));
}

Value Evaluator::run_function(const script::FunctionDef& def, const script::SourceFile& file,
                              const Arguments& args, std::string function, std::string module_path) {
  Frame frame{&file,
              std::make_shared<Environment>(journal_.now()),
              std::move(function),
              std::move(module_path),
              def.range,
              false,
              None{}};
  if (args.positional.size() > def.params.size())
    fail("too-many-arguments", fmt::format("'{}' takes {} arguments, but {} were given", frame.function,
                                           def.params.size(), args.positional.size()));
  for (std::size_t i = 0; i < def.params.size(); ++i) {
    const script::Param& param = def.params[i];
    if (const Value* given = args.find(i, param.name)) {
      Value value = *given;
      if (param.type) value = convert(*param.type, std::move(value));
      frame.environment->set(param.name, std::move(value));
    } else if (param.default_value) {
      frame.environment->set(param.name, evaluate_constant(*param.default_value, file));
    } else {
      fail("missing-argument", fmt::format("argument '{}' of '{}' is missing", param.name, frame.function));
    }
  }
  return run_body(frame, def.body);
}

Value Evaluator::run_body(Frame& frame, const script::Block& body) {
  if (frames_.size() >= kMaxCallDepth) fail("too-deep", "calls are nested too deeply");
  struct Stacked {
    std::vector<Frame*>& frames;
    ~Stacked() { frames.pop_back(); }
  };
  frames_.push_back(&frame);
  Stacked stacked{frames_};
  run(frame, body);
  return std::move(frame.result);
}

Value Evaluator::evaluate_constant(const script::Expr& expr, const script::SourceFile& file) {
  Frame frame{&file, std::make_shared<Environment>(journal_.now()), {}, {}, expr.range, false, {}};
  return evaluate(frame, expr);
}

std::optional<Value> Evaluator::class_constant(const Object& object, std::string_view name) {
  if (!object.definition) return std::nullopt;
  for (const script::Field& field : object.definition.def->fields)
    if (field.name == name && field.value) return evaluate_constant(*field.value, *object.definition.file);
  return std::nullopt;
}

Value Evaluator::resolve(const std::string& name) {
  if (name.starts_with("CONSTANTS.c")) {
    std::size_t index = std::stoul(name.substr(11));
    if (index >= program_.constants().size())
      fail("bad-constant", fmt::format("there is no constant '{}'", name));
    Value constant = load(program_.constants()[index], fmt::format("constants.{}", index));
    if (const CellPtr* cell = constant.get_if<CellPtr>()) (*cell)->literal = true;
    return constant;
  }
  if (auto function = program_.find_function(name)) return FunctionRef{function, name};
  if (auto cls = program_.find_class(name)) return ClassRef{cls, name};
  std::size_t dot = name.rfind('.');
  if (dot != name.npos) {
    std::string outer = name.substr(0, dot), member = name.substr(dot + 1);
    if (auto cls = program_.find_class(outer); cls && cls.def->kind == script::ClassKind::enumeration)
      for (const script::Field& field : cls.def->fields)
        if (field.name == member)
          return EnumMember{outer, member,
                            std::make_shared<const Value>(evaluate_constant(*field.value, *cls.file))};
  }
  fail("undefined-name", fmt::format("'{}' is not in the archive", name));
}

}  // namespace cameo::eval
