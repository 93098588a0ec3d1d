#include <fmt/core.h>

#include "onnx/check/check.h"
#include "onnx/check/context.h"
#include "onnx/graph/versions.h"

namespace cameo::onnx {
namespace {

constexpr std::int64_t kNewestIr = 13;

void check_version(const proto::Model& model, Report& report) {
  if (model.ir_version.value_or(0) <= 0)
    report.error(Code::no_ir_version, "the model does not state its IR version");
  else if (*model.ir_version > kNewestIr)
    report.error(
        Code::unknown_ir_version,
        fmt::format("the model is written in version {} of the IR, and {} is the newest that is known",
                    *model.ir_version, kNewestIr));
}

void check_metadata(const proto::Model& model, Report& report) {
  std::set<std::string_view> keys;
  for (const proto::Entry& entry : model.metadata)
    if (!keys.insert(entry.key).second)
      report.error(Code::duplicate_metadata, fmt::format("the metadata has the key '{}' twice", entry.key));
}

Imports check_imports(const proto::Model& model, std::int64_t ir, Report& report) {
  Imports imports = read_imports(model.opset_imports, report);
  if (ir < 3) {
    if (!model.opset_imports.empty())
      report.error(Code::import_before_ir_3,
                   fmt::format("the model imports opsets, which version {} of the IR does not know", ir));
    imports = {};
    imports.add("", 1);
  } else if (model.opset_imports.empty()) {
    report.error(Code::no_opset_import, "the model imports no opset",
                 "without one it is not known which operators it means");
    imports.add("", facts::find_domain("")->newest);
    return imports;
  }
  const std::int64_t opset = imports.version("").value_or(0);
  if (opset >= kMinOpset && opset <= facts::find_domain("")->newest &&
      ir < ir_version(static_cast<int>(opset)))
    report.warning(
        Code::old_ir_version,
        fmt::format("opset {} came with version {} of the IR, and the model is written in version {}", opset,
                    ir_version(static_cast<int>(opset)), ir));
  return imports;
}

void check_training(const Context& context, const proto::Model& model, const Scope& main) {
  for (const proto::TrainingInfo& info : model.training) {
    Context inside = context;
    inside.main = false;
    if (info.initialization) {
      const Report::At at(context.report, "the initialisation of training");
      Scope scope;
      check_graph(inside, *info.initialization, scope);
    }
    if (info.algorithm) {
      const Report::At at(context.report, "the training algorithm");
      Scope scope(&main);
      check_graph(inside, *info.algorithm, scope);
    }
  }
}

Functions index(const proto::Model& model) {
  Functions functions;
  for (const proto::Function& function : model.functions)
    functions.emplace(FunctionKey(Imports::key(function.domain), function.name, function.overload),
                      &function);
  return functions;
}

}  // namespace

Imports read_imports(const std::vector<proto::OpsetImport>& list, Report& report) {
  Imports imports;
  for (const proto::OpsetImport& import : list) {
    const std::string_view domain = Imports::key(import.domain);
    const std::int64_t version = import.version.value_or(0);
    if (version <= 0)
      report.error(Code::bad_opset_version,
                   fmt::format("the import of the domain '{}' has no version", domain));
    else if (const auto other = imports.version(domain); other && *other != version)
      report.error(Code::duplicate_opset_import,
                   fmt::format("the domain '{}' is imported in versions {} and {}", domain, *other, version));
    imports.add(domain, version);
  }
  return imports;
}

std::vector<Fault> check(const proto::Model& model, const CheckOptions& options) {
  Report report(options.file);
  check_version(model, report);
  check_metadata(model, report);
  const std::int64_t ir = model.ir_version.value_or(kNewestIr);
  const Imports imports = check_imports(model, ir, report);
  const Functions functions = index(model);
  std::set<std::string_view> unchecked;
  const Context context{.options = options,
                        .report = report,
                        .ir_version = ir,
                        .functions = functions,
                        .unchecked = unchecked,
                        .imports = &imports,
                        .model_imports = &imports};
  Scope scope;
  if (model.graph)
    check_graph(context, *model.graph, scope);
  else
    report.error(Code::no_graph, "the file has no graph", "is it an ONNX model?");
  check_training(context, model, scope);
  check_functions(context, model);
  return report.take();
}

}  // namespace cameo::onnx
