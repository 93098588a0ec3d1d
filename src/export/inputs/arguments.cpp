#include "export/inputs/arguments.h"

#include <fmt/core.h>

#include "cameo/input_spec.h"
#include "export/inputs/check_inputs.h"
#include "export/inputs/guess.h"
#include "script/print.h"

namespace cameo {
namespace {

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

// The inputs to try for one parameter, the likeliest first.
Guess guess(const eval::Evaluator& ev, const eval::Object& root, const script::FunctionDef& method,
            std::size_t parameter) {
  const std::string type = type_text(method.params[parameter]);
  Guess out = type == "Tensor" ? guess_input(ev.program(), root, method, parameter) : Guess{};
  if (out.specs.empty()) out.specs = {suggestion(type)};
  return out;
}

[[noreturn]] void missing(const eval::Evaluator& ev, const eval::Object& root,
                          const script::FunctionDef& method, const std::string& what) {
  Diagnostic d{.code = Code::inputs_needed};
  d.file = ev.program().file_name();
  d.message = what;
  d.notes.push_back(fmt::format("the entry point is {}", signature(method)));
  std::string command = fmt::format("cameo export {}", d.file);
  for (std::size_t i = 1; i < method.params.size(); ++i) {
    if (method.params[i].default_value) continue;
    const Guess guessed = guess(ev, root, method, i);
    command += fmt::format(" --input '{}={}'", method.params[i].name, guessed.specs.front());
    if (guessed.reason.empty()) continue;
    std::string note = guessed.reason;
    for (std::size_t other = 1; other < guessed.specs.size(); ++other)
      note += fmt::format("; {} may also be {}", method.params[i].name, guessed.specs[other]);
    d.notes.push_back(std::move(note));
  }
  d.hint = fmt::format("say what the inputs are; names instead of numbers make a size dynamic: {}", command);
  throw Error(std::move(d));
}

// The example inputs that a traced program keeps, or null.
const archive::List* traced_examples(const script::Program& program, std::string_view method) {
  const archive::Value* inputs = program.traced_inputs();
  const auto* dict = inputs ? inputs->get_if<archive::Dict>() : nullptr;
  const archive::Value* list = dict ? archive::find(*dict, method) : nullptr;
  return list ? list->get_if<archive::List>() : nullptr;
}

// Which sizes the dynamic ones had when the program was traced.
void add_example(TensorSpec& spec, const archive::Value& example) {
  const auto* tensor = example.get_if<archive::TensorPtr>();
  if (!tensor || (*tensor)->shape.size() != spec.shape.size()) return;
  for (std::size_t i = 0; i < spec.shape.size(); ++i)
    if (!spec.shape[i].name.empty()) spec.shape[i].size = (*tensor)->shape[i];
}

eval::Arguments from_examples(InputMaker& maker, const script::FunctionDef& method,
                              const archive::List& examples) {
  eval::Arguments arguments;
  for (std::size_t i = 0; i < examples.items.size() && i + 1 < method.params.size(); ++i)
    arguments.positional.push_back(maker.make(*examples.items[i], std::string(method.params[i + 1].name)));
  return arguments;
}

// The specification of each parameter, by its position; null where there is none.
std::vector<InputSpec*> by_parameter(const eval::Evaluator& ev, const eval::Object& root,
                                     const script::FunctionDef& method, std::vector<InputSpec>& specs) {
  std::vector<InputSpec*> out(method.params.size(), nullptr);
  std::size_t next = 1;
  for (InputSpec& spec : specs) {
    std::size_t param = next;
    if (!spec.name.empty()) {
      param = 1;
      while (param < method.params.size() && method.params[param].name != spec.name) ++param;
      if (param == method.params.size())
        missing(ev, root, method, fmt::format("the entry point has no argument '{}'", spec.name));
    }
    if (param >= method.params.size())
      missing(ev, root, method, "there are more inputs than the entry point has arguments");
    if (out[param])
      missing(ev, root, method, fmt::format("argument '{}' is given twice", method.params[param].name));
    out[param] = &spec;
    next = param + 1;
  }
  return out;
}

}  // namespace

std::vector<InputSpec> guess_inputs(eval::Evaluator& ev, const eval::Object& root,
                                    const script::FunctionDef& method) {
  std::vector<InputSpec> out;
  for (std::size_t i = 1; i < method.params.size(); ++i) {
    const script::Param& param = method.params[i];
    if (param.default_value) continue;
    const Guess guessed = type_text(param) == "Tensor" ? guess_input(ev.program(), root, method, i) : Guess{};
    if (guessed.specs.empty())
      missing(ev, root, method, fmt::format("--input auto finds no layer that reads '{}'", param.name));
    const std::string spec = fmt::format("{}={}", param.name, guessed.specs.front());
    ev.reporter().report(ev.reporter().diagnostic(
        Severity::note, Code::inputs_needed, fmt::format("input {} is a guess: {}", spec, guessed.reason)));
    out.push_back(parse_input(spec));
  }
  return out;
}

eval::Arguments make_arguments(eval::Evaluator& ev, const eval::Object& root,
                               const script::FunctionDef& method, const ExportOptions& options,
                               InputMaker& maker) {
  const archive::List* examples = traced_examples(ev.program(), options.method);
  if (options.inputs.empty() && examples) return from_examples(maker, method, *examples);
  std::vector<InputSpec> specs = options.inputs;
  const std::vector<InputSpec*> given = by_parameter(ev, root, method, specs);
  check_inputs(ev, root, method, given, options);
  eval::Arguments arguments;
  for (std::size_t i = 1; i < method.params.size(); ++i) {
    const script::Param& param = method.params[i];
    if (given[i]) {
      TensorSpec* tensor = std::get_if<TensorSpec>(&given[i]->value);
      if (tensor && examples && i <= examples->items.size()) add_example(*tensor, *examples->items[i - 1]);
      arguments.keywords.emplace_back(param.name, maker.make(*given[i], std::string(param.name)));
    } else if (!param.default_value) {
      missing(ev, root, method,
              options.inputs.empty() ? "the file holds no example inputs; the inputs must be specified"
                                     : fmt::format("argument '{}' is missing", param.name));
    }
  }
  return arguments;
}

}  // namespace cameo
