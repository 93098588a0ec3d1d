#include "cli/operator_options.h"

#include <charconv>
#include <string_view>

namespace cameo::cli {
namespace {

constexpr const char* kOperatorGroup = "Operators";

template <class T>
struct Choice {
  std::string_view name;
  T value;
};
constexpr Choice<TrainingMode> kModes[] = {{"eval", TrainingMode::eval},
                                           {"preserve", TrainingMode::preserve},
                                           {"training", TrainingMode::training},
                                           {"false", TrainingMode::eval},
                                           {"true", TrainingMode::training}};
constexpr Choice<OperatorExport> kTypes[] = {{"ONNX", OperatorExport::onnx},
                                             {"ONNX_ATEN", OperatorExport::aten},
                                             {"ONNX_ATEN_FALLBACK", OperatorExport::aten_fallback},
                                             {"ONNX_FALLTHROUGH", OperatorExport::fallthrough},
                                             {"RAW", OperatorExport::raw}};

// An option whose value is one of the names; upper and lower case are equal.
template <class T, std::size_t kCount>
CLI::Option* add_choice(CLI::App& command, const char* option, T& target, const Choice<T> (&choices)[kCount],
                        const char* help) {
  return command.add_option_function<std::string>(
      option,
      [&target, &choices, option](const std::string& text) {
        std::string known;
        for (const Choice<T>& choice : choices) {
          if (CLI::detail::to_lower(text) == CLI::detail::to_lower(std::string(choice.name))) {
            target = choice.value;
            return;
          }
          known += (known.empty() ? "" : ", ") + std::string(choice.name);
        }
        throw CLI::ValidationError(option, "'" + text + "' is not one of " + known);
      },
      help);
}

std::pair<std::string, int> domain_and_version(const std::string& text) {
  const std::size_t equals = text.rfind('=');
  int version = 0;
  if (equals != text.npos && equals > 0) {
    const char* end = text.data() + text.size();
    const auto [stop, fault] = std::from_chars(text.data() + equals + 1, end, version);
    if (fault == std::errc() && stop == end && version > 0) return {text.substr(0, equals), version};
  }
  throw CLI::ValidationError("--custom-opset", "'" + text + "' is not DOMAIN=VERSION");
}

}  // namespace

void add_operator_options(CLI::App& command, ExportOptions& options) {
  add_choice(command, "--training", options.training, kModes,
             "The mode of dropout, batch normalisation and similar modules:\n"
             "eval (default), preserve (as saved) or training")
      ->type_name("MODE")
      ->group(kOperatorGroup);
  CLI::Option* type = add_choice(command, "--operator-export-type", options.operators, kTypes,
                                 "How operators are exported: ONNX (default) converts all;\n"
                                 "ONNX_ATEN_FALLBACK and ONNX_FALLTHROUGH keep unsupported ones;\n"
                                 "ONNX_ATEN keeps all; RAW keeps the program as it is")
                          ->type_name("TYPE")
                          ->group(kOperatorGroup);
  CLI::Option* aten = command
                          .add_flag_callback(
                              "--aten", [&options] { options.operators = OperatorExport::aten; },
                              "The same as --operator-export-type ONNX_ATEN")
                          ->excludes(type)
                          ->group(kOperatorGroup);
  command
      .add_flag_callback(
          "--raw-ir", [&options] { options.operators = OperatorExport::raw; },
          "The same as --operator-export-type RAW")
      ->excludes(aten)
      ->excludes(type)
      ->group(kOperatorGroup);
  command
      .add_option_function<std::vector<std::string>>(
          "--custom-opset",
          [&options](const std::vector<std::string>& texts) {
            for (const std::string& text : texts) options.custom_opsets.push_back(domain_and_version(text));
          },
          "The version of a domain other than ai.onnx; repeatable")
      ->allow_extra_args(false)
      ->option_text("DOMAIN=VERSION")
      ->group(kOperatorGroup);
}

void add_plugin_option(CLI::App& command, std::vector<std::string>& plugins) {
  command
      .add_option("--plugin", plugins,
                  "A shared library with converters for other operators, or in\n"
                  "place of Cameo's; repeatable, see docs/converters.md")
      ->allow_extra_args(false)
      ->option_text("FILE")
      ->group(kOperatorGroup);
}

}  // namespace cameo::cli
