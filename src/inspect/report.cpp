#include "inspect/report.h"

#include <fmt/core.h>

#include <algorithm>

#include "base/dtype.h"
#include "base/index.h"
#include "base/text.h"
#include "exported/lower/source.h"
#include "inspect/entry_points.h"
#include "inspect/modules.h"
#include "inspect/origin.h"
#include "inspect/saver.h"
#include "script/archive_source.h"
#include "script/operators.h"

namespace cameo::inspect {
namespace {

std::string sizes_text(const std::vector<Dim>& shape) {
  std::vector<std::string> texts;
  for (const Dim& dim : shape) texts.push_back(to_string(dim));
  return join(texts, ", ");
}

std::optional<bool> training_flag(const script::Program& program) {
  const auto* root = program.root()->get_if<archive::Object>();
  const auto* state =
      root == nullptr || root->state == nullptr ? nullptr : root->state->get_if<archive::Dict>();
  const archive::Value* value = state == nullptr ? nullptr : find(*state, "training");
  const bool* flag = value == nullptr ? nullptr : value->get_if<bool>();
  return flag == nullptr ? std::nullopt : std::optional(*flag);
}

// Freezing makes constants of parameters and removes the training flag with the other attributes.
bool is_frozen(const Report& report) {
  const Weights& weights = report.modules.weights;
  return !report.training && element_at(weights.elements, Role::parameter) == 0 &&
         element_at(weights.elements, Role::constant) > 0;
}

bool has_quantized(const ModuleTree& tree) {
  return std::any_of(tree.elements.begin(), tree.elements.end(),
                     [](const auto& each) { return is_quantized(dtype_from_name(each.first).value()); });
}

void add_torchscript(const script::Program& program, const archive::Archive& archive, Report& report) {
  report.mobile = archive.has("bytecode.pkl");
  report.format_version = archive.version();
  report.origin = gather_origin(program);
  report.saver = gather_saver(program, archive);
  for (const std::string_view name : archive.names("extra/")) report.extra_files.emplace_back(name.substr(6));
}

void add_exported(const exported::Program& program, Report& report) {
  const exported::Versions& versions = program.versions();
  Exported& facts = report.exported.emplace();
  facts.torch_version = versions.torch_version;
  facts.schema_version = fmt::format("{}.{}", versions.schema_major, versions.schema_minor);
  facts.dialects.assign(versions.verifiers.begin(), versions.verifiers.end());
  for (const exported::Range& range : program.ranges())
    facts.sizes.emplace_back(range.symbol, SizeRange{.least = range.min.value_or(0), .most = range.max});
  for (const std::string_view name : program.extra_files()) report.extra_files.emplace_back(name);
}

// The types that the file declares, instead of "Tensor".
void add_declared(const script::Program& program, Report& report) {
  const std::vector<script::DeclaredInput> declared = program.declared_inputs();
  for (EntryPoint& entry : report.entry_points) {
    if (entry.name != "forward" || entry.arguments.size() != declared.size()) continue;
    for (std::size_t i = 0; i < declared.size(); ++i)
      entry.arguments[i].type =
          fmt::format("{}[{}]", cameo::name(declared[i].dtype), sizes_text(declared[i].shape));
  }
}

}  // namespace

Report gather(const script::Program& program) {
  Report report;
  report.file = program.file_name();
  report.file_size = program.source().file().bytes().size();
  if (const auto* torchscript = dynamic_cast<const script::ArchiveSource*>(&program.source()))
    add_torchscript(program, torchscript->archive(), report);
  if (const auto* source = dynamic_cast<const exported::ExportedSource*>(&program.source()))
    add_exported(source->program(), report);
  report.training = training_flag(program);
  report.entry_points = gather_entry_points(program);
  add_declared(program, report);
  report.modules = gather_modules(program);
  for (script::OperatorCount& op : report.entry_points.empty()
                                       ? script::count_operators(program)
                                       : script::count_operators(program, report.entry_points.front().name))
    report.operators.emplace_back(std::move(op.name), op.calls);
  report.frozen = is_frozen(report);
  report.quantized = has_quantized(report.modules);
  return report;
}

}  // namespace cameo::inspect
