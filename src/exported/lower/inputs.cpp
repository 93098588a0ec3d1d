#include "exported/lower/inputs.h"

#include <fmt/core.h>

#include <algorithm>

#include "base/overload.h"
#include "cameo/diagnostic.h"
#include "exported/lower/formula.h"
#include "exported/lower/names.h"

namespace cameo::exported {
namespace {

// Names of the leaves: the argument's name, then the keys on the way to the leaf.
void add_names(const TreeSpec& spec, const std::string& name, std::vector<std::string>& names) {
  if (spec.kind == TreeSpec::Kind::leaf) names.push_back(name);
  const bool keyed = spec.keys.size() == spec.children.size();
  for (std::size_t i = 0; i < spec.children.size(); ++i) {
    const std::string key = keyed ? key_text(spec.keys[i]) : std::to_string(i);
    add_names(spec.children[i], name.empty() ? key : fmt::format("{}_{}", name, key), names);
  }
}

// The names of the user inputs by the tree specification; empty if the file has none that fits.
std::vector<std::string> leaf_names(const Program& program, std::size_t count) {
  std::vector<std::string> names;
  const ModuleCallSignature* call = program.root_call();
  if (!call || call->in_spec.children.size() != 2 || !call->argument_names) return names;
  const TreeSpec &args = call->in_spec.children[0], &kwargs = call->in_spec.children[1];
  if (args.children.size() > call->argument_names->size()) return names;
  for (std::size_t i = 0; i < args.children.size(); ++i)
    add_names(args.children[i], std::string((*call->argument_names)[i]), names);
  add_names(kwargs, {}, names);
  if (names.size() != count) names.clear();
  return names;
}

[[noreturn]] void fail_undeclared(const ForwardInput& input) {
  throw Error(
      Diagnostic{.code = Code::bad_exported_program,
                 .message = fmt::format("the file has no element type for the input '{}'", input.name),
                 .hint = "save the program again with torch.export.save"});
}

// A size with the range that the file gives it. PyTorch writes 2 as the least size where it did not examine
// smaller ones.
Dim dynamic_size(const Program& program, std::string_view expression) {
  Dim dim(formula(expression));
  const auto range = std::ranges::find(program.ranges(), dim.name, &Range::symbol);
  if (range == program.ranges().end()) return dim;
  dim.range = SizeRange{.least = std::max<std::int64_t>(range->min.value_or(0), 0), .most = range->max};
  return dim;
}

std::string_view number_type(const Argument& argument) {
  if (argument.get_if<SymIntArgument>()) return "int";
  if (argument.get_if<SymFloatArgument>()) return "float";
  return argument.get_if<SymBoolArgument>() ? "bool" : "";
}

}  // namespace

std::string key_text(const TreeSpec::Key& key) {
  return std::visit(Overload{[](std::string_view text) { return std::string(text); },
                             [](std::int64_t number) { return std::to_string(number); },
                             [](const TreeSpec::OtherKey& other) { return std::string(other.json); }},
                    key);
}

std::vector<ForwardInput> forward_inputs(const Program& program) {
  const auto is_user = [](const InputSpec& spec) {
    return spec.kind == InputSpec::Kind::user_input || spec.kind == InputSpec::Kind::constant_input;
  };
  const std::vector<InputSpec>& specs = program.signature().inputs;
  const auto count = static_cast<std::size_t>(std::ranges::count_if(specs, is_user));
  const std::vector<std::string> names = leaf_names(program, count);
  std::vector<ForwardInput> out;
  std::size_t user = 0;
  for (const InputSpec& spec : specs) {
    ForwardInput& input = out.emplace_back(ForwardInput{.spec = &spec});
    if (!is_user(spec)) continue;
    input.name = identifier(names.empty() ? spec.name : names[user]);
    input.number = number_type(spec.argument);
    input.constant = input.number.empty() && !spec.argument.get_if<TensorName>();
    ++user;
  }
  return out;
}

std::vector<script::DeclaredInput> declared_inputs(const Program& program) {
  std::vector<script::DeclaredInput> out;
  for (const ForwardInput& input : forward_inputs(program)) {
    if (input.spec->kind != InputSpec::Kind::user_input || input.constant) continue;
    script::DeclaredInput& declared = out.emplace_back(script::DeclaredInput{.name = input.name});
    if (!input.number.empty()) {
      declared.dtype = input.number == "int"     ? DType::i64
                       : input.number == "float" ? DType::f64
                                                 : DType::boolean;
      continue;
    }
    const TensorMeta* meta = program.graph().tensor(input.spec->name);
    if (!meta || meta->dtype == DType::undefined) fail_undeclared(input);
    declared.dtype = meta->dtype;
    for (const SymInt& size : meta->sizes) {
      Dim& dim = declared.shape.emplace_back(size.value);
      if (size.expression) dim = dynamic_size(program, size.expression->text);
    }
  }
  return out;
}

}  // namespace cameo::exported
