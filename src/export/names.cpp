#include "export/names.h"

#include <fmt/format.h>

#include <set>

namespace cameo {

void refuse_name(const std::string& name, std::string_view why) {
  throw Error(
      Diagnostic{.stage = Stage::evaluate,
                 .code = "bad-name",
                 .message = fmt::format("'{}' cannot be the name of an input or output: {}", name, why),
                 .hint = "inputs and outputs of an ONNX model need different names"});
}

void check_names(const ExportOptions& options) {
  std::set<std::string> seen;
  for (const auto* names : {&options.input_names, &options.output_names})
    for (const std::string& name : *names) {
      if (name.empty()) refuse_name(name, "it is empty");
      if (!seen.insert(name).second) refuse_name(name, "it is given twice");
    }
}

}  // namespace cameo
