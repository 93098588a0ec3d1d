#include "eval/rewriter.h"

#include <fmt/core.h>

#include <algorithm>

#include "aten/custom/schema.h"
#include "eval/functions.h"
#include "eval/tensor_operators.h"
#include "eval/types.h"
#include "rewrite/condition.h"
#include "rewrite/nodes.h"
#include "rewrite/select.h"

namespace cameo::eval {
namespace {

using rewrite::Kind;
using rewrite::Rule;

// "the rule 'gelu' (deploy.rules:6)"
std::string label(const Rule& rule) {
  const Position place = rule.position();
  return fmt::format("the rule '{}' ({}:{})", rule.name, place.file, place.line);
}

// "__torch__.a.B" and "a.B" name the same class.
bool names_class(const rewrite::Pattern& pattern, std::string_view name) {
  return rewrite::Pattern{script::demangle(pattern.text), {}}.matches(name);
}

// The parameters of the function that replaces a call, without self.
std::vector<std::string_view> parameters(const Rule& rule, bool method) {
  std::vector<std::string_view> names;
  if (const auto* nodes = std::get_if<rewrite::Nodes>(&rule.replacement))
    for (const rewrite::Parameter& each : nodes->parameters) names.push_back(each.name);
  if (const auto* functions = std::get_if<rewrite::Functions>(&rule.replacement))
    for (const script::Param& each : functions->file.functions.back().params) names.push_back(each.name);
  if (method && std::holds_alternative<rewrite::Functions>(rule.replacement) && !names.empty())
    names.erase(names.begin());
  return names;
}

std::vector<Value> in_order(const Arguments& arguments) {
  std::vector<Value> values = arguments.positional;
  for (const auto& [name, value] : arguments.keywords) values.push_back(value);
  return values;
}

// A call of an operator, where arguments after the first keyword-only parameter have names.
Arguments as_call(const aten::Schema& schema, const Arguments& arguments) {
  Arguments out = arguments;
  std::size_t count = 0;
  while (count < std::min(schema.count, arguments.positional.size()) && !schema.params[count].keyword_only)
    ++count;
  if (arguments.positional.size() > schema.count) return out;
  for (std::size_t i = count; i < arguments.positional.size(); ++i)
    out.keywords.emplace_back(schema.params[i].name, arguments.positional[i]);
  out.positional.resize(count);
  return out;
}

// The tensors in a result, also those in tuples, lists and dicts.
void collect(const Value& value, std::vector<Value>& tensors) {
  if (value.is<CellPtr>()) tensors.push_back(value);
  if (const TuplePtr* tuple = value.get_if<TuplePtr>())
    for (const Value& item : (*tuple)->items) collect(item, tensors);
  if (const ListPtr* list = value.get_if<ListPtr>())
    for (const Value& item : (*list)->items) collect(item, tensors);
  if (const DictPtr* dict = value.get_if<DictPtr>())
    for (const auto& [key, item] : (*dict)->items) collect(item, tensors);
}

// The same value with other tensors, which are taken from the front of `tensors`.
Value rebuilt(Memory& memory, const Value& value, std::span<const Value>& tensors) {
  if (value.is<CellPtr>()) {
    Value next = tensors.front();
    tensors = tensors.subspan(1);
    return next;
  }
  if (const TuplePtr* tuple = value.get_if<TuplePtr>()) {
    Tuple copy = **tuple;
    for (Value& item : copy.items) item = rebuilt(memory, item, tensors);
    return TuplePtr(std::make_shared<Tuple>(std::move(copy)));
  }
  if (const ListPtr* list = value.get_if<ListPtr>(); list && !(*list)->sequence) {
    std::vector<Value> items;
    for (const Value& item : (*list)->items) items.push_back(rebuilt(memory, item, tensors));
    return memory.make_list(std::move(items));
  }
  if (const DictPtr* dict = value.get_if<DictPtr>()) {
    std::vector<std::pair<Value, Value>> items;
    for (const auto& [key, item] : (*dict)->items) items.emplace_back(key, rebuilt(memory, item, tensors));
    return memory.make_dict(std::move(items));
  }
  return value;
}

}  // namespace

Rewriter::Rewriter(Evaluation& evaluation, CallStack& stack, const script::Program& program,
                   Functions& functions, const Options& options)
    : ev_(evaluation),
      stack_(stack),
      program_(program),
      functions_(functions),
      rules_(options.rewrites && !options.rewrites->rules().files.empty() ? &options.rewrites->rules()
                                                                          : nullptr),
      target_(options.target.empty() ? nullptr : &target::find(options.target)),
      warn_([&reporter = evaluation.reporter](std::string message, std::string hint) {
        Diagnostic d = reporter.diagnostic(Severity::warning, Code::converter, std::move(message));
        d.hint = std::move(hint);
        reporter.report(std::move(d));
      }) {}

bool Rewriter::active() const {
  const Frame* innermost = stack_.innermost();
  return rules_ && !(innermost && innermost->origin);
}

// ---- calls

Value Rewriter::call_operator(std::string_view name, const Arguments& arguments, TensorOperators& operators,
                              const Origin& original) {
  return call({.op = name, .operators = &operators, .what = std::string(name)}, arguments, original);
}

Value Rewriter::call_function(const std::string& qualified, const Arguments& arguments,
                              const Origin& original) {
  const std::string name = script::demangle(qualified);
  return call({.function = name, .what = fmt::format("function '{}'", name)}, arguments, original);
}

Value Rewriter::call_method(const ObjectPtr& object, std::string_view method, const Arguments& arguments,
                            const Origin& original) {
  Subject subject{
      .object = object, .module = calls_forward(*object, method), .cls = script::demangle(object->cls)};
  subject.function = fmt::format("{}.{}", subject.cls, subject.module ? "forward" : method);
  subject.what = subject.module ? fmt::format("module '{}'", object->path)
                                : fmt::format("method '{}'", subject.function);
  return call(subject, arguments, original);
}

// A trace calls the methods of a second and third call of a module forward1, forward2.
bool Rewriter::calls_forward(const Object& object, std::string_view method) const {
  if (!object.module || !method.starts_with("forward")) return false;
  const std::string_view number = method.substr(std::string_view("forward").size());
  if (number.empty()) return true;
  return number.find_first_not_of("0123456789") == number.npos && object.definition &&
         program_.source_map(*object.definition.file).traced();
}

Value Rewriter::call(const Subject& subject, const Arguments& arguments, const Origin& original) {
  remember(subject);
  const Rule* at = choose(subject, false, arguments);
  Value result = at ? replace(*at, subject, arguments, original) : original(arguments);
  if (result.is<Unknown>() || matching(subject, true).empty()) return result;
  Arguments results;
  collect(result, results.positional);
  const Rule* after = choose(subject, true, results);
  return after ? change(*after, subject, result) : result;
}

void Rewriter::remember(const Subject& subject) {
  if (!subject.op.empty()) log_.saw(Kind::op, aten::functional_form(subject.op).value_or(subject.op));
  if (subject.module) {
    log_.saw(Kind::module, subject.object->path);
    log_.saw(Kind::cls, subject.cls);
  }
  if (!subject.function.empty()) log_.saw(subject.object ? Kind::method : Kind::function, subject.function);
}

// ---- the choice of a rule

bool Rewriter::matches(const rewrite::Place& place, const Subject& subject) {
  switch (place.kind) {
    case Kind::op: {
      if (subject.op.empty()) return false;
      const std::optional<std::string_view> functional = aten::functional_form(subject.op);
      return place.pattern.matches(subject.op) || (functional && place.pattern.matches(*functional));
    }
    case Kind::module: return subject.module && place.pattern.matches(subject.object->path);
    case Kind::cls: return subject.module && names_class(place.pattern, subject.cls);
    case Kind::method: return subject.object && names_class(place.pattern, subject.function);
    case Kind::function:
      return !subject.object && !subject.function.empty() && names_class(place.pattern, subject.function);
    case Kind::value: return false;
  }
  return false;
}

Rewriter::Rules Rewriter::matching(const Subject& subject, bool after) const {
  Rules out;
  for (const auto& file : rules_->files)
    for (const Rule& rule : file->rules)
      if (rule.place.after == after && matches(rule.place, subject) &&
          std::ranges::all_of(rule.scopes, [this](const rewrite::Scope& scope) { return in_scope(scope); }))
        out.push_back(&rule);
  return out;
}

bool Rewriter::concerns(const Object& module) {
  const std::string cls = script::demangle(module.cls);
  log_.saw(Kind::module, module.path);
  log_.saw(Kind::cls, cls);
  const auto named = [&](const Rule& rule) {
    const rewrite::Place& place = rule.place;
    return (place.kind == Kind::module && place.pattern.matches(module.path)) ||
           (place.kind == Kind::cls && names_class(place.pattern, cls)) ||
           (place.kind == Kind::method && names_class(place.pattern, cls + ".forward"));
  };
  return std::ranges::any_of(rules_->files,
                             [&](const auto& file) { return std::ranges::any_of(file->rules, named); });
}

bool Rewriter::in_scope(const rewrite::Scope& scope) const {
  if (scope.file) return in_file(scope);
  return std::ranges::any_of(modules_, [&](const ObjectPtr& module) {
    return scope.kind == Kind::module ? scope.pattern.matches(module->path)
                                      : names_class(scope.pattern, script::demangle(module->cls));
  });
}

bool Rewriter::in_file(const rewrite::Scope& scope) const {
  const rewrite::Pattern below{fmt::format("*/{}", scope.pattern.text), {}};
  const Diagnostic here = ev_.reporter.diagnostic(Severity::note, Code::unused_rewrite, {});
  return std::ranges::any_of(here.python, [&](const Position& place) {
    return (scope.pattern.matches(place.file) || below.matches(place.file)) &&
           (scope.first_line == 0 || (scope.first_line <= place.line && place.line <= scope.last_line));
  });
}

const Rule* Rewriter::choose(const Subject& subject, bool after, const Arguments& arguments) {
  Rules rules = matching(subject, after);
  std::erase_if(rules, [&](const Rule* rule) { return !holds(*rule, subject, arguments); });
  return rewrite::most_specific(rules, subject.what);
}

bool Rewriter::holds(const Rule& rule, const Subject& subject, const Arguments& arguments) {
  if (rule.conditions.empty()) return true;
  const auto facts = [&](const aten::Schema& schema, std::span<const aten::Arg> args) {
    const aten::GraphConversion conversion(ev_.emit, schema, args, warn_);
    return rewrite::holds(
        rule, {.opset = ev_.emit.model().opset, .target = target_, .arguments = conversion.arguments()});
  };
  if (!subject.op.empty() && !rule.place.after) {
    const aten::Bound call = bound(rule, subject, arguments);
    return facts(call.op->schema, call.args);
  }
  const std::vector<std::string_view> views = parameters(rule, subject.object && !rule.place.after);
  const std::vector<std::string> names(views.begin(), views.end());
  const std::vector<Value> values = in_order(arguments);
  if (names.size() != values.size() || names.size() > aten::Schema::kMaxParams)
    refuse(rule, fmt::format("{} has {} {}, and the rule names {}", subject.what, values.size(),
                             rule.place.after ? "results" : "arguments", names.size()));
  std::vector<aten::Arg> args;
  for (const Value& value : values) args.push_back(ev_.values.to_arg(value));
  return facts(aten::schema_of(names, 0), args);
}

// ---- replacements

Value Rewriter::replace(const Rule& rule, const Subject& subject, const Arguments& arguments,
                        const Origin& original) {
  record(rule, subject);
  if (std::holds_alternative<rewrite::Functions>(rule.replacement))
    return run_functions(rule, subject, arguments, original);
  if (!subject.op.empty()) return convert(rule, subject, arguments);
  // The nodes are those of the module.
  Frame inside = stack_.innermost() ? *stack_.innermost() : Frame{};
  std::optional<CallStack::Entered> entered;
  if (subject.module && inside.file) {
    inside.module_path = subject.object->path;
    entered.emplace(stack_, inside);
  }
  std::vector<Value> results = run_nodes(rule, subject, in_order(arguments));
  return results.size() == 1 ? results[0] : make_tuple(std::move(results));
}

Value Rewriter::change(const Rule& rule, const Subject& subject, const Value& result) {
  record(rule, subject);
  if (std::holds_alternative<rewrite::Functions>(rule.replacement))
    return run_functions(rule, subject, {{result}, {}}, [&](const Arguments&) { return result; });
  if (!subject.op.empty() && aten::functional_form(subject.op))
    refuse(rule, fmt::format("{} changes its argument in place", subject.op),
           "replace the call: at operator, with a function that calls origin");
  std::vector<Value> tensors;
  collect(result, tensors);
  const std::vector<Value> changed = run_nodes(rule, subject, tensors);
  if (changed.size() != tensors.size())
    refuse(rule, fmt::format("{} has {} results, and the rule gives {}", subject.what, tensors.size(),
                             changed.size()));
  std::span<const Value> rest = changed;
  return rebuilt(ev_.memory, result, rest);
}

Value Rewriter::run_functions(const Rule& rule, const Subject& subject, const Arguments& arguments,
                              const Origin& original) {
  const script::SourceFile& file = std::get<rewrite::Functions>(rule.replacement).file;
  const script::FunctionDef& def = file.functions.back();
  Origin origin = original;
  Arguments given = arguments;
  std::optional<aten::Bound> bound;
  if (!subject.op.empty() && !rule.place.after) {
    if (arguments.find(arguments.positional.size(), "out"))
      refuse(rule, fmt::format("{} writes to out=", subject.op));
    bound = subject.operators->bind(subject.op, arguments);
  }
  if (bound) {
    given = in_schema_order(*bound, arguments, def);
    origin = [&](const Arguments& called) { return original(as_call(bound->op->schema, called)); };
  }
  if (subject.object) {
    given.positional.insert(given.positional.begin(), subject.object);
    origin = [&](const Arguments& called) {
      Arguments rest = called;
      const ObjectPtr* self = rest.positional.empty() ? nullptr : rest.positional[0].get_if<ObjectPtr>();
      if (!self || *self != subject.object) refuse(rule, "origin must be called with self: origin(self, x)");
      rest.positional.erase(rest.positional.begin());
      return original(rest);
    };
  }
  const std::string path = subject.module && !rule.place.after ? subject.object->path : stack_.module_path();
  Value result = functions_.call_replacement(def, file, path, given, origin);
  if (def.returns && !result.is<Unknown>() && !is_instance(result, *def.returns))
    refuse(rule, fmt::format("the function '{}' returns {}, which is not of the type that it declares",
                             def.name, describe(result)));
  if (subject.op.empty() || !aten::functional_form(subject.op)) return result;
  return ev_.caller.call_operator("aten::copy_", {{arguments.at(0), result}, {}});
}

Arguments Rewriter::in_schema_order(const aten::Bound& bound, const Arguments& arguments,
                                    const script::FunctionDef& def) {
  const aten::Schema& schema = bound.op->schema;
  std::size_t count = 0;
  while (count < std::min(def.params.size(), schema.count) && !def.params[count].default_value) ++count;
  for (std::size_t i = count; i < schema.count; ++i)
    if (arguments.find(i, schema.params[i].name)) count = i + 1;
  Arguments out;
  for (std::size_t i = 0; i < count; ++i) {
    const Value* value = arguments.find(i, schema.params[i].name);
    out.positional.push_back(value ? *value : ev_.values.from_arg(bound.args[i]));
  }
  return out;
}

Value Rewriter::convert(const Rule& rule, const Subject& subject, const Arguments& arguments) {
  if (const auto* converter = std::get_if<rewrite::ConverterOf>(&rule.replacement)) {
    if (std::optional<Value> result = subject.operators->call_as(converter->name, subject.op, arguments))
      return *result;
    refuse(rule, fmt::format("no converter of '{}' takes the arguments of {}", converter->name, subject.op),
           "add one with --plugin, or with @cameo.converter in Python");
  }
  const aten::Op* op = &operator_of(rule, bound(rule, subject, arguments).op->schema);
  return subject.operators->call_with({&op, 1}, subject.op, arguments);
}

aten::Bound Rewriter::bound(const Rule& rule, const Subject& subject, const Arguments& arguments) {
  std::optional<aten::Bound> bound;
  if (rule.place.schema.empty()) {
    bound = subject.operators->bind(subject.op, arguments);
  } else {
    const aten::Op* op = &operator_of(rule, aten::read_schema(rule.place.schema));
    bound = subject.operators->bind({&op, 1}, subject.op, arguments);
  }
  if (bound) return std::move(*bound);
  if (!rule.place.schema.empty())
    refuse(rule, fmt::format("the call of {} does not fit the schema of the rule", subject.op));
  refuse(rule, fmt::format("the arguments of {} are not known", subject.op),
         fmt::format("state its schema in the rule: at operator \"{}(Tensor x) -> Tensor\"", subject.op));
}

const aten::CustomOp& Rewriter::operator_of(const Rule& rule, const aten::Schema& schema) {
  const auto [entry, is_new] = operators_.try_emplace({&rule, schema.text});
  aten::CustomOp& op = entry->second;
  if (!is_new) return op;
  op.schema = schema;
  op.convert = [this, &rule, &op](onnx::Emit&, std::span<const aten::Arg> args) {
    return add_nodes(rule, op.schema, args);
  };
  return op;
}

std::vector<Value> Rewriter::run_nodes(const Rule& rule, const Subject& subject,
                                       const std::vector<Value>& values) {
  const auto& nodes = std::get<rewrite::Nodes>(rule.replacement);
  if (values.size() != nodes.parameters.size())
    refuse(rule, fmt::format("{} has {} {}, and the rule names {}", subject.what, values.size(),
                             rule.place.after ? "results" : "arguments", nodes.parameters.size()));
  std::vector<std::string> names;
  std::vector<aten::Arg> args;
  for (std::size_t i = 0; i < values.size(); ++i) {
    names.emplace_back(nodes.parameters[i].name);
    args.push_back(ev_.values.to_arg(values[i]));
  }
  if (names.size() > aten::Schema::kMaxParams || nodes.results.size() > aten::Schema::kMaxReturns)
    refuse(rule, fmt::format("it has more than {} arguments or {} results", aten::Schema::kMaxParams,
                             aten::Schema::kMaxReturns));
  const OriginScope origin(ev_.emit, ev_.reporter, rule.name);
  std::vector<Value> results;
  try {
    for (const aten::Arg& result : add_nodes(rule, aten::schema_of(names, nodes.results.size()), args))
      results.push_back(ev_.values.from_arg(result));
  } catch (const aten::Unsupported& error) {
    refuse(rule, error.what(), error.hint());
  }
  return results;
}

// The weights are further arguments.
aten::Returns Rewriter::add_nodes(const Rule& rule, const aten::Schema& schema,
                                  std::span<const aten::Arg> args) {
  const auto& nodes = std::get<rewrite::Nodes>(rule.replacement);
  for (const rewrite::Parameter& parameter : nodes.parameters)
    if (!schema.parameter(parameter.name)) {
      std::string known;
      for (const aten::ParamSchema& each : std::span(schema.params).first(schema.count))
        known += fmt::format("{}{}", known.empty() ? "" : ", ", each.name);
      throw aten::Unsupported(fmt::format("{} names an argument '{}', which {} does not have", label(rule),
                                          parameter.name, schema.name),
                              fmt::format("its arguments are {}", known));
    }
  aten::Schema with_weights = schema;
  std::vector<aten::Arg> all(args.begin(), args.end());
  std::deque<std::string> names;
  for (const std::string_view path : nodes.weights) {
    if (with_weights.count == aten::Schema::kMaxParams) refuse(rule, "it reads too many parameters");
    names.push_back(fmt::format("${}", path));
    with_weights.params[with_weights.count++] = {.type = "Tensor", .name = names.back()};
    all.push_back(ev_.values.to_arg(weight(rule, path)));
  }
  aten::GraphConversion conversion(ev_.emit, with_weights, all, warn_);
  try {
    return conversion.run_strictly([&](Conversion& c) { return rewrite::add_nodes(nodes, c); });
  } catch (const aten::Unsupported& error) {
    throw aten::Unsupported(fmt::format("{} cannot replace this: {}", label(rule), error.what()),
                            error.hint());
  }
}

Value Rewriter::weight(const Rule& rule, std::string_view path) const {
  if (modules_.empty()) refuse(rule, fmt::format("'${}' is read outside of any module", path));
  const Object* module = modules_.back().get();
  for (std::string_view rest = path; !rest.empty();) {
    const std::size_t dot = std::min(rest.find('.'), rest.size());
    const auto found = module->attributes.find(rest.substr(0, dot));
    rest.remove_prefix(std::min(dot + 1, rest.size()));
    if (found == module->attributes.end()) break;
    if (rest.empty() && found->second.is<CellPtr>()) return found->second;
    const ObjectPtr* inner = found->second.get_if<ObjectPtr>();
    if (!inner) break;
    module = inner->get();
  }
  std::string known;
  for (const auto& [name, value] : modules_.back()->attributes)
    if (value.is<CellPtr>() || value.is<ObjectPtr>()) known += (known.empty() ? "" : ", ") + name;
  refuse(rule, fmt::format("the module '{}' has no parameter '{}'", modules_.back()->path, path),
         known.empty() ? "" : fmt::format("it has {}", known));
}

void Rewriter::record(const Rule& rule, const Subject& subject) {
  const Diagnostic here = ev_.reporter.diagnostic(Severity::note, Code::unused_rewrite, {});
  std::string place = subject.what;
  if (!subject.module && !here.module_path.empty()) place += fmt::format(" in module '{}'", here.module_path);
  if (!here.python.empty())
    place += fmt::format(" ({}:{})", here.python.front().file, here.python.front().line);
  log_.applied(rule, std::move(place));
}

void Rewriter::refuse(const Rule& rule, std::string why, std::string hint) const {
  Diagnostic d = ev_.reporter.diagnostic(Severity::error, Code::rewrite_failed,
                                         why.starts_with(label(rule))
                                             ? std::move(why)
                                             : fmt::format("{} cannot be applied: {}", label(rule), why));
  d.hint = std::move(hint);
  throw Error(std::move(d));
}

}  // namespace cameo::eval
