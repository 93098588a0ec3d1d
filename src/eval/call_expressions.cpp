#include "eval/call_expressions.h"

#include <fmt/core.h>

#include <algorithm>

#include "eval/expressions.h"
#include "eval/types.h"

namespace cameo::eval {
namespace {

// Functions of the language that are calls of an operator.
struct LanguageFunction {
  std::string_view name, op;
};
constexpr LanguageFunction kFunctions[] = {
    {"abs", "prim::abs"},         {"bool", "aten::Bool"},   {"complex", "aten::Complex"},
    {"float", "aten::Float"},     {"int", "aten::Int"},     {"len", "aten::len"},
    {"list", "aten::list"},       {"max", "prim::max"},     {"min", "prim::min"},
    {"range", "prim::rangelist"}, {"round", "aten::round"}, {"sorted", "aten::sorted"},
    {"str", "aten::str"},         {"sum", "aten::sum"},     {"tuple", "aten::tuple"},
};

}  // namespace

Value CallExpressions::evaluate(Frame& frame, const script::CallExpr& node, std::size_t results) {
  const Site site{frame, node, results};
  if (const auto* id = node.callee->get_if<script::Name>()) return call_name(site, id->id);
  const auto* attr = node.callee->get_if<script::Attribute>();
  if (!attr) {
    const Value callee = expressions_.evaluate(frame, *node.callee);
    return functions_.call(callee, arguments(site));
  }
  if (std::optional<std::string> qualified = expressions_.qualified_name(frame, *attr))
    return call_qualified(site, *qualified);

  Value object = expressions_.evaluate(frame, *attr->object);
  Arguments args = arguments(site);
  if (object.is<Unknown>()) return Unknown{};
  if (const ObjectPtr* pointer = object.get_if<ObjectPtr>())
    return functions_.call_method(*pointer, attr->name, args);
  args.positional.insert(args.positional.begin(), std::move(object));
  return ev_.caller.call_operator(fmt::format("aten::{}", attr->name), args);
}

Arguments CallExpressions::arguments(const Site& site) {
  Arguments out;
  out.results = site.results;
  out.positional.reserve(site.node.args.size());
  for (const script::ExprPtr& arg : site.node.args) {
    if (const auto* starred = arg->get_if<script::Starred>())
      for (Value& item : expressions_.iterate(expressions_.evaluate(site.frame, *starred->value)))
        out.positional.push_back(std::move(item));
    else
      out.positional.push_back(expressions_.evaluate(site.frame, *arg));
  }
  for (const script::Keyword& keyword : site.node.keywords)
    out.keywords.emplace_back(keyword.name, expressions_.evaluate(site.frame, *keyword.value));
  return out;
}

Value CallExpressions::argument(const Site& site, std::size_t index) {
  return expressions_.evaluate(site.frame, *site.node.args.at(index));
}

Value CallExpressions::call_name(const Site& site, std::string_view id) {
  if (const Value* local = site.frame.environment->find(id)) {
    const Value callee = *local;
    return functions_.call(callee, arguments(site));
  }
  if (std::optional<Value> value = call_typed(site, id)) return *value;
  Arguments args = arguments(site);
  if (const Origin* origin = site.frame.origin) {
    if (id == "origin") return (*origin)(args);
    for (const script::FunctionDef& def : site.frame.file->functions)
      if (def.name == id)
        return functions_.call_replacement(def, *site.frame.file, site.frame.module_path, args, *origin);
  }
  if ((id == "fork" || id == "awaitable") && !args.positional.empty()) {
    Value callee = args.positional[0];
    args.positional.erase(args.positional.begin());
    return functions_.call(callee, args);
  }
  if (id == "print") return None{};
  const auto* function = std::ranges::find(kFunctions, id, &LanguageFunction::name);
  if (function != std::end(kFunctions)) return ev_.caller.call_operator(function->op, args);
  ev_.reporter.fail(Code::undefined_name, fmt::format("'{}' is not a function of TorchScript", id));
}

// Forms whose arguments are not all values: types, names of attributes. Nothing for any other name.
std::optional<Value> CallExpressions::call_typed(const Site& site, std::string_view id) {
  auto type_and_value = [&]() -> Value {
    if (site.node.args.size() != 2)
      ev_.reporter.fail(Code::unsupported_syntax, fmt::format("'{}' takes a type and a value", id));
    return argument(site, 1);
  };
  if (id == "annotate") return convert_to(ev_, *site.node.args.at(0), type_and_value());
  if (id == "unchecked_cast") {
    Value value = type_and_value();
    const OptionalPtr* optional = value.get_if<OptionalPtr>();
    return optional ? (*optional)->value : value;
  }
  if (id == "uninitialized") return Uninitialized{};
  if (id == "isinstance") return is_instance(argument(site, 0), *site.node.args.at(1));
  if (id == "getattr") {
    Value object = argument(site, 0);
    return expressions_.attribute_of(object, known_string(argument(site, 1), "an attribute's name"));
  }
  return std::nullopt;
}

Value CallExpressions::call_qualified(const Site& site, const std::string& name) {
  if (name.starts_with("torch.")) return call_torch(site, name.substr(6));
  if (name.starts_with("ops.")) {
    // ops.namespace.name or ops.namespace.name.overload
    const std::string_view op = std::string_view(name).substr(4);
    const std::size_t dot = op.find('.');
    if (dot == op.npos)
      ev_.reporter.fail(Code::undefined_name, fmt::format("'{}' is not the name of an operator", name));
    const std::size_t end = std::min(op.find('.', dot + 1), op.size());
    Arguments args = arguments(site);
    args.overload = op.substr(std::min(end + 1, op.size()));
    return ev_.caller.call_operator(
        fmt::format("{}::{}", op.substr(0, dot), op.substr(dot + 1, end - dot - 1)), args);
  }
  if (name.ends_with(".__new__")) return new_object(name.substr(0, name.size() - 8));
  const Value callee = definitions_.resolve(name);
  return functions_.call(callee, arguments(site));
}

Value CallExpressions::call_torch(const Site& site, std::string op) {
  if (op == "device") {
    Arguments args = arguments(site);
    return args.count() == 0 ? Value(Device{"cpu"}) : ev_.caller.call_operator("aten::device", args);
  }
  if (op == "Generator") return None{};
  if (op.starts_with("autograd.")) op = op.substr(9);
  return ev_.caller.call_operator("aten::" + op, arguments(site));
}

Value CallExpressions::new_object(const std::string& cls) {
  const auto definition = definitions_.find_class(cls);
  if (!definition)
    ev_.reporter.fail(Code::undefined_name, fmt::format("class '{}' is not in the archive", cls));
  return std::make_shared<Object>(ev_.memory.journal().now(), cls, definition);
}

}  // namespace cameo::eval
