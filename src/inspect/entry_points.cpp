#include "inspect/entry_points.h"

#include <algorithm>

#include "base/text.h"
#include "inspect/value_text.h"
#include "script/print.h"

namespace cameo::inspect {
namespace {

constexpr std::string_view kBundled = "_bundled_inputs_deflated_";
constexpr std::size_t kMostExamples = 8;

// Private methods, and those that torch.utils.bundled_inputs adds.
bool is_helper(std::string_view name) {
  return name.starts_with("_") || name.starts_with("get_all_bundled_inputs") ||
         name == "get_num_bundled_inputs" || name == "get_bundled_inputs_functions_and_info";
}

EntryPoint describe(const script::FunctionDef& method) {
  EntryPoint entry{.name = std::string(method.name)};
  for (std::size_t i = 1; i < method.params.size(); ++i) {
    const script::Param& param = method.params[i];
    Argument argument{.name = std::string(param.name),
                      .type = param.type ? type_text(*param.type) : "Tensor"};
    if (param.default_value) argument.default_value = script::print(*param.default_value);
    entry.arguments.push_back(std::move(argument));
  }
  if (method.returns) entry.returns = type_text(*method.returns);
  return entry;
}

void add_example(EntryPoint& entry, bool bundled, const std::vector<archive::Ref>& arguments) {
  if (entry.examples.size() == kMostExamples) return;
  Example example{.bundled = bundled};
  for (const archive::Ref argument : arguments) example.arguments.push_back(value_text(*argument));
  entry.examples.push_back(std::move(example));
}

void add_traced(EntryPoint& entry, const archive::Value* inputs) {
  const auto* methods = inputs == nullptr ? nullptr : inputs->get_if<archive::Dict>();
  const archive::Value* arguments = methods == nullptr ? nullptr : find(*methods, entry.name);
  if (arguments == nullptr) return;
  if (const auto* list = arguments->get_if<archive::List>()) add_example(entry, false, list->items);
  if (const auto* tuple = arguments->get_if<archive::Tuple>()) add_example(entry, false, tuple->items);
}

void add_bundled(EntryPoint& entry, const archive::Object& root) {
  const auto* state = root.state == nullptr ? nullptr : root.state->get_if<archive::Dict>();
  const archive::Value* inputs =
      state == nullptr ? nullptr : find(*state, std::string(kBundled) + entry.name);
  const auto* list = inputs == nullptr ? nullptr : inputs->get_if<archive::List>();
  if (list == nullptr) return;
  for (const archive::Ref arguments : list->items) {
    if (const auto* tuple = arguments->get_if<archive::Tuple>()) add_example(entry, true, tuple->items);
  }
}

}  // namespace

std::vector<EntryPoint> gather_entry_points(const script::Program& program) {
  const auto* root = program.root()->get_if<archive::Object>();
  if (root == nullptr) return {};
  const auto cls = program.find_class(qualified_name(root->cls));
  if (!cls) return {};
  std::vector<EntryPoint> entries;
  for (const script::FunctionDef& method : cls.def->methods) {
    if (is_helper(method.name) || is_listed(cls.def->forward_hooks, method.name) ||
        is_listed(cls.def->forward_pre_hooks, method.name)) {
      continue;
    }
    EntryPoint& entry = entries.emplace_back(describe(method));
    add_traced(entry, program.traced_inputs());
    add_bundled(entry, *root);
  }
  std::stable_partition(entries.begin(), entries.end(),
                        [](const EntryPoint& entry) { return entry.name == "forward"; });
  return entries;
}

}  // namespace cameo::inspect
