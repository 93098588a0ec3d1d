#include "cli/operator_options.h"

#include <fmt/core.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <string>
#include <string_view>

#include "base/text.h"
#include "target/target.h"

namespace cameo::cli {
namespace {

constexpr const char* kOperatorGroup = "Operators";

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

bool same_letters(std::string_view a, std::string_view b) {
  return std::ranges::equal(
      a, b, {}, [](unsigned char c) { return std::tolower(c); },
      [](unsigned char c) { return std::tolower(c); });
}

// An option whose value is one of the names; upper and lower case are equal.
template <class T, std::size_t kCount>
Option add_any_case(Command command, const char* option, T& target, const Choice<T> (&choices)[kCount],
                    const char* help) {
  return command.add_value(
      option,
      [&target, &choices, option](const std::string& text) {
        std::string known;
        for (const Choice<T>& choice : choices) {
          if (same_letters(text, choice.name)) {
            target = choice.value;
            return;
          }
          known += (known.empty() ? "" : ", ") + std::string(choice.name);
        }
        throw WrongUsage(std::string(option) + ": '" + text + "' is not one of " + known);
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
  throw WrongUsage("--custom-opset: '" + text + "' is not DOMAIN=VERSION");
}

}  // namespace

void add_operator_options(Command command, ExportOptions& options) {
  add_any_case(command, "--training", options.training, kModes,
               "The mode of dropout, batch normalisation and similar modules:\n"
               "eval (default), preserve (as saved) or training")
      .type_name("MODE")
      .group(kOperatorGroup);
  const Option type = add_any_case(command, "--operator-export-type", options.operators, kTypes,
                                   "How operators are exported: ONNX (default) converts all;\n"
                                   "ONNX_ATEN_FALLBACK and ONNX_FALLTHROUGH keep unsupported ones;\n"
                                   "ONNX_ATEN keeps all; RAW keeps the program as it is")
                          .type_name("TYPE")
                          .group(kOperatorGroup);
  const Option aten = command
                          .add_flag(
                              "--aten", [&options] { options.operators = OperatorExport::aten; },
                              "The same as --operator-export-type ONNX_ATEN")
                          .excludes(type)
                          .group(kOperatorGroup);
  command
      .add_flag(
          "--raw-ir", [&options] { options.operators = OperatorExport::raw; },
          "The same as --operator-export-type RAW")
      .excludes(aten)
      .excludes(type)
      .group(kOperatorGroup);
  command
      .add_values(
          "--custom-opset",
          [&options](const std::vector<std::string>& texts) {
            for (const std::string& text : texts) options.custom_opsets.push_back(domain_and_version(text));
          },
          "The version of a domain other than ai.onnx; repeatable")
      .repeatable()
      .option_text("DOMAIN=VERSION")
      .group(kOperatorGroup);
}

void add_rewrite_option(Command command, std::vector<std::string>& files) {
  command
      .add_option("--rewrite", files,
                  "A file of rules that replace operators, modules or methods;\n"
                  "repeatable, see docs/rewrites.md")
      .repeatable()
      .option_text("FILE")
      .group(kOperatorGroup);
}

void add_target_option(Command command, std::string& target) {
  command
      .add_option("--target", target,
                  fmt::format("Warn of what a runtime lacks: {}.\nRewriting rules read it",
                              join(target::names(), ", ")))
      .option_text("NAME")
      .group(kOperatorGroup);
}

void add_plugin_option(Command command, std::vector<std::string>& plugins) {
  command
      .add_option("--plugin", plugins,
                  "A shared library with converters for other operators, or in\n"
                  "place of Cameo's; repeatable, see docs/converters.md")
      .repeatable()
      .option_text("FILE")
      .group(kOperatorGroup);
}

}  // namespace cameo::cli
