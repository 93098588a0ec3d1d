#include "export/arguments.h"

#include <fmt/format.h>

#include <map>

#include "export/input_spec.h"
#include "script/print.h"

namespace cameo {
namespace {

using eval::Value;

std::string type_text(const script::Param& param) {
  return param.type ? script::print(*param.type) : "Tensor";
}

// "forward(x: Tensor, n: int=2)"
std::string signature(const script::FunctionDef& method) {
  std::string out;
  for (std::size_t i = 1; i < method.params.size(); ++i) {
    const script::Param& param = method.params[i];
    out += fmt::format("{}{}: {}", i > 1 ? ", " : "", param.name, type_text(param));
    if (param.default_value) out += "=" + script::print(*param.default_value);
  }
  return fmt::format("{}({})", method.name, out);
}

std::string suggestion(const std::string& type) {
  if (type == "Tensor") return "f32[1,3,224,224]";
  if (type == "int") return "1";
  if (type == "float") return "1.0";
  if (type == "bool") return "True";
  if (type == "str") return "\"text\"";
  if (type.starts_with("Optional")) return "None";
  if (type.starts_with("Tuple[") && type.ends_with("]")) {
    std::string out;
    for (std::size_t at = type.find("Tensor"); at != type.npos; at = type.find("Tensor", at + 1))
      out += out.empty() ? "f32[1]" : ", f32[1]";
    return fmt::format("({})", out);
  }
  return type.starts_with("List") ? "[f32[1]]" : type.starts_with("Dict") ? "{\"key\": f32[1]}" : "f32[1]";
}

[[noreturn]] void missing(const eval::Evaluator& ev, const script::FunctionDef& method,
                          const std::string& what) {
  Diagnostic d;
  d.stage = Stage::evaluate;
  d.code = "inputs-needed";
  d.file = ev.program().archive().file().name();
  d.message = what;
  d.notes.push_back(fmt::format("the entry point is {}", signature(method)));
  std::string command = fmt::format("cameo export {}", d.file);
  for (std::size_t i = 1; i < method.params.size(); ++i)
    if (!method.params[i].default_value)
      command +=
          fmt::format(" --input '{}={}'", method.params[i].name, suggestion(type_text(method.params[i])));
  d.hint = fmt::format("say what the inputs are; names instead of numbers make a size dynamic: {}", command);
  throw Error(std::move(d));
}

// Makes graph inputs and values of what was said.
class Maker {
 public:
  Maker(eval::Evaluator& ev, const ExportOptions& options) : ev_(ev), names_(options.input_names) {}

  Value make(const InputSpec& spec, const std::string& name) {
    return std::visit([&](const auto& v) { return make(v, name); }, spec.value);
  }
  std::size_t inputs() const { return next_; }

  Value make(const archive::Value& example, const std::string& name) {
    if (const auto* tensor = example.get_if<archive::TensorPtr>()) {
      TensorSpec spec{(*tensor)->dtype, {}};
      for (std::int64_t dim : (*tensor)->shape) spec.shape.push_back({dim, {}});
      return make(spec, name);
    }
    if (const auto* tuple = example.get_if<archive::Tuple>()) {
      std::vector<Value> items;
      for (std::size_t i = 0; i < tuple->items.size(); ++i)
        items.push_back(make(*tuple->items[i], fmt::format("{}_{}", name, i)));
      return eval::make_tuple(std::move(items));
    }
    if (const auto* list = example.get_if<archive::List>()) {
      std::vector<Value> items;
      for (std::size_t i = 0; i < list->items.size(); ++i)
        items.push_back(make(*list->items[i], fmt::format("{}_{}", name, i)));
      return ev_.list(std::move(items));
    }
    if (const auto* dict = example.get_if<archive::Dict>()) {
      std::vector<std::pair<Value, Value>> items;
      for (const auto& [key, value] : dict->items) {
        const auto* text = key->get_if<archive::String>();
        items.emplace_back(ev_.load(key, name),
                           make(*value, text ? fmt::format("{}_{}", name, text->text) : name));
      }
      return ev_.dict(std::move(items));
    }
    return ev_.load(&example, name);
  }

 private:
  Value make(const TensorSpec& spec, const std::string& name) {
    onnx::Type type{onnx::Type::Kind::tensor, spec.dtype, onnx::Shape{}};
    for (const SpecDim& dim : spec.shape)
      type.shape->push_back(dim.name.empty() ? onnx::Dim(dim.size) : symbol(dim.name));
    const std::string given = next_ < names_.size() ? names_[next_] : name;
    ++next_;
    onnx::Emit& e = ev_.emit();
    return ev_.wrap(e.graph_input(&e.model().main(), std::move(type), given));
  }
  Value make(const TupleSpec& spec, const std::string& name) {
    return eval::make_tuple(items(spec.items, name));
  }
  Value make(const ListSpec& spec, const std::string& name) { return ev_.list(items(spec.items, name)); }
  Value make(const DictSpec& spec, const std::string& name) {
    std::vector<std::pair<Value, Value>> out;
    for (const auto& [key, value] : spec.items)
      out.emplace_back(key, make(value, fmt::format("{}_{}", name, key)));
    return ev_.dict(std::move(out));
  }
  Value make(const NoneSpec&, const std::string&) { return eval::None{}; }
  Value make(bool value, const std::string&) { return value; }
  Value make(std::int64_t value, const std::string&) { return value; }
  Value make(double value, const std::string&) { return value; }
  Value make(const std::string& value, const std::string&) { return value; }

  std::vector<Value> items(const std::vector<InputSpec>& specs, const std::string& name) {
    std::vector<Value> out;
    for (std::size_t i = 0; i < specs.size(); ++i)
      out.push_back(make(specs[i], fmt::format("{}_{}", name, i)));
    return out;
  }

  onnx::Dim symbol(const std::string& name) {
    if (name == "?") return ev_.emit().sym().symbol("dim");
    auto found = symbols_.find(name);
    if (found == symbols_.end()) found = symbols_.emplace(name, ev_.emit().sym().symbol(name)).first;
    return found->second;
  }

  eval::Evaluator& ev_;
  const std::vector<std::string>& names_;
  std::size_t next_ = 0;
  std::map<std::string, onnx::Dim> symbols_;
};

// The example inputs that a traced program keeps, or null.
const archive::List* traced_examples(const script::Program& program, std::string_view method) {
  const archive::Value* inputs = program.traced_inputs();
  const auto* dict = inputs ? inputs->get_if<archive::Dict>() : nullptr;
  const archive::Value* list = dict ? archive::find(*dict, method) : nullptr;
  return list ? list->get_if<archive::List>() : nullptr;
}

}  // namespace

eval::Arguments make_arguments(eval::Evaluator& ev, const script::FunctionDef& method,
                               const ExportOptions& options) {
  Maker maker(ev, options);
  eval::Arguments args;
  if (options.inputs.empty()) {
    if (const archive::List* examples = traced_examples(ev.program(), options.method)) {
      for (std::size_t i = 0; i < examples->items.size() && i + 1 < method.params.size(); ++i)
        args.positional.push_back(maker.make(*examples->items[i], std::string(method.params[i + 1].name)));
      return args;
    }
  }
  std::vector<InputSpec> specs;
  for (const std::string& text : options.inputs) specs.push_back(parse_input_spec(text));
  std::vector<const InputSpec*> by_param(method.params.size(), nullptr);
  std::size_t next = 1;
  for (const InputSpec& spec : specs) {
    std::size_t param = next;
    if (!spec.name.empty()) {
      param = 1;
      while (param < method.params.size() && method.params[param].name != spec.name) ++param;
      if (param == method.params.size())
        missing(ev, method, fmt::format("the entry point has no argument '{}'", spec.name));
    }
    if (param >= method.params.size())
      missing(ev, method, "there are more inputs than the entry point has arguments");
    if (by_param[param])
      missing(ev, method, fmt::format("argument '{}' is given twice", method.params[param].name));
    by_param[param] = &spec;
    next = param + 1;
  }
  for (std::size_t i = 1; i < method.params.size(); ++i) {
    const script::Param& param = method.params[i];
    if (by_param[i])
      args.keywords.emplace_back(param.name, maker.make(*by_param[i], std::string(param.name)));
    else if (!param.default_value)
      missing(ev, method,
              options.inputs.empty()
                  ? "the file holds no example inputs, so it needs to be told what the inputs are"
                  : fmt::format("argument '{}' is missing", param.name));
  }
  if (options.input_names.size() > maker.inputs())
    missing(
        ev, method,
        fmt::format("{} input names are given for {} inputs", options.input_names.size(), maker.inputs()));
  return args;
}

}  // namespace cameo
