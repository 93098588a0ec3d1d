#include "export/check_options.h"

#include <fmt/core.h>

#include <set>

#include "target/target.h"

namespace cameo {

void refuse_name(const std::string& name, std::string_view why) {
  throw Error(
      Diagnostic{.code = Code::bad_name,
                 .message = fmt::format("'{}' cannot be the name of an input or output: {}", name, why),
                 .hint = "inputs and outputs of an ONNX model need different names"});
}

namespace {

void check_names(const ExportOptions& options) {
  std::set<std::string> seen;
  for (const auto* names : {&options.input_names, &options.output_names})
    for (const std::string& name : *names) {
      if (name.empty()) refuse_name(name, "it is empty");
      if (!seen.insert(name).second) refuse_name(name, "it is given twice");
    }
}

[[noreturn]] void contradiction(std::string message, std::string hint) {
  throw Error(Diagnostic{
      .code = Code::contradicting_options, .message = std::move(message), .hint = std::move(hint)});
}

}  // namespace

void check_options(const ExportOptions& options) {
  if (!options.target.empty()) target::find(options.target);
  check_names(options);
  if (options.static_shapes && !options.dynamic_axes.empty())
    contradiction("--static fixes every size, and --dynamic-axes makes some dynamic",
                  "leave out one of the two");
  if (options.parameters_first && options.parameters)
    contradiction("--param-order says where parameters stand among the inputs, and they are none",
                  "add --no-params");
}

void check_link(const ExportOptions& options, const MappedFile& program) {
  if (options.external_data == ExternalData::link && program.descriptor() < 0)
    contradiction("weights are to be linked to the program's file, and the program is in memory",
                  "save the program and export that file, or write the weights: external data 'always'");
}

}  // namespace cameo
