#include "exported/lower/source.h"

#include <fmt/core.h>

#include <limits>

#include "exported/lower/inputs.h"
#include "exported/lower/methods.h"

namespace cameo::exported {

ExportedSource::ExportedSource(Program program) : program_(std::move(program)) {
  try {
    lower();
  } catch (Error& error) {
    for (Diagnostic& diagnostic : error.diagnostics()) {
      if (diagnostic.file.empty()) diagnostic.file = file().name();
      if (diagnostic.record.empty()) diagnostic.record = record();
    }
    throw;
  }
}

// Operators of torch.export mean what the newest version of the format means by them.
int ExportedSource::operator_version() const { return std::numeric_limits<int>::max(); }

void ExportedSource::lower() {
  add_state();
  name_root();
  const std::string root_class = modules_.root_class();
  Methods methods = lower_methods(program_, modules_);
  Modules::Lowered lowered = modules_.lower();
  root_ = lowered.root;
  code_ = std::move(lowered.code);
  root_file_ = code_file(root_class);
  std::string& text = code_[root_file_];
  text +=
      fmt::format("class {}(Module):\n{}", root_class.substr(root_class.rfind('.') + 1), lowered.root_fields);
  if (text.size() + methods.text.size() > std::numeric_limits<std::uint32_t>::max())
    throw Error(Diagnostic{.code = Code::bad_exported_program,
                           .message = "the graph is too large: its text has more than 4 GB"});
  const auto offset = static_cast<std::uint32_t>(text.size());
  entries_ = std::move(methods.entries);
  for (NodeSourceMap::Entry& entry : entries_) {
    entry.range.begin += offset;
    entry.range.end += offset;
  }
  text += methods.text;
}

void ExportedSource::add_state() {
  for (const InputSpec& input : program_.signature().inputs) {
    switch (input.kind) {
      case InputSpec::Kind::parameter:
        modules_.add_tensor(input.target, program_.tensor(input), TensorRole::parameter);
        break;
      case InputSpec::Kind::buffer:
        modules_.add_tensor(input.target, program_.tensor(input), TensorRole::buffer);
        break;
      case InputSpec::Kind::tensor_constant:
        modules_.add_tensor(input.target, program_.tensor(input), TensorRole::attribute);
        break;
      default: break;
    }
  }
}

// The first node that has a module stack names the class of the root.
void ExportedSource::name_root() {
  for (const Node& node : program_.graph().nodes) {
    const std::optional<std::string> stack = node.metadata("nn_module_stack");
    if (!stack) continue;
    for (const ModuleFrame& frame : parse_module_stack(*stack))
      if (frame.path.empty()) return modules_.add_module({}, frame.class_name);
  }
}

std::vector<script::DeclaredInput> ExportedSource::declared_inputs() const {
  return exported::declared_inputs(program_);
}

std::vector<std::string_view> ExportedSource::code_files() const {
  std::vector<std::string_view> names;
  for (const auto& [name, text] : code_) names.push_back(name);
  return names;
}

std::optional<std::string_view> ExportedSource::code(std::string_view name) const {
  const auto found = code_.find(name);
  return found == code_.end() ? std::nullopt : std::optional<std::string_view>(found->second);
}

std::unique_ptr<script::SourceMap> ExportedSource::source_map(std::string_view name) const {
  if (name != root_file_) return std::make_unique<script::SourceMap>();
  return std::make_unique<NodeSourceMap>(entries_);
}

}  // namespace cameo::exported
