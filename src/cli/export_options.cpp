#include "cli/export_options.h"

#include <limits>
#include <utility>
#include <vector>

#include <fmt/core.h>

#include "cameo/opset.h"
#include "cli/operator_options.h"
#include "cli/quantize_options.h"
#include "cli/rule_options.h"
#include "rules/rules.h"

namespace cameo::cli {
namespace {

constexpr const char* kProgram = "Program";
constexpr const char* kSizes = "Sizes";
constexpr const char* kFile = "Exported model";
constexpr const char* kWeights = "Parameters and constants";
constexpr const char* kNames = "Names";
constexpr const char* kReport = "Report";

constexpr std::string_view kEvery = "true";  // the value of a flag without a value
constexpr const char* kExportExamples = R"(SPEC is one of these:
  x=f32[batch,3,224,224]   a tensor; a number is a fixed size, a name is a dynamic size
  mask=bool[n,n]  i64[]    equal names are equal sizes; [] has no dimensions
  x=f32[n>=2,h=32..1024 step 32,w]
                           ranges of dynamic sizes; also n<=512, n=2..8, n=2.. and n=..8
  y=f32[2*n+1,n//2]        sizes that are formulas of others
  x=quint8(0.05,128)[n,3]  a quantised tensor with its scale and zero point
  x=@input.npy             a tensor with the type and shape of the array in the file
  auto                     inputs that are guessed from the weights
  n=3  s="text"  m=None    a value that is fixed in the exported model
  h=(f32[1,8],f32[1,8])    a tuple; [ … ] is a list, {"key": … } a dict

Examples:
  cameo export model.pt                               use the example inputs of the file
  cameo export model.pt --input 'f32[batch,3,h,w]'    any number of images of any size
  cameo export model.pt --input 'i64[n]' -o out.onnx  write out.onnx instead of ./model.onnx
  cameo export model.pt -i 'x=f32[1,3,224,224]' --dynamic-axes '{"x": {0: "batch"}}'
                                                      dynamic axes as in torch.onnx.export
  cameo export model.pt -i 'f32[1,3,224,224]' --static
                                                      compute no shape at run time, unroll all loops
  cameo export model.pt --no-params                   write no weights: they become inputs
  cameo export model.pt --dtype f16                   weights and computation in half precision
  cameo export model.pt --weights int4:32 --opset 21  weights in 4 bits
  cameo export model.pt --report export.sarif         write a report for code-scanning tools)";

std::string no_number(const std::string& text) {
  const bool number = !text.empty() && text.size() < 18 && text.find_first_not_of("0123456789") == text.npos;
  return number || text == kEvery ? "" : "'" + text + "' is not a valid number of iterations";
}

void add_names(Command command, const char* option, std::vector<std::string>& names, const char* help) {
  command.add_option(option, names, help).delimiter(',').repeatable().option_text("A,B").group(kNames);
}

void add_program(Command command, ExportArguments& arguments) {
  ExportOptions& options = arguments.options;
  command
      .add_option("-i,--input", arguments.inputs,
                  "An argument of the program, see below; repeatable, in order\n"
                  "or by name. Default: the example inputs of the file")
      .repeatable()
      .option_text("SPEC")
      .group(kProgram);
  command
      .add_flag(
          "--state-as-io", options.state_as_io,
          "Each tensor that the program keeps from one call to the\nnext becomes an input and an output")
      .group(kProgram);
  command.add_option("--method", options.method, "The method to export. Default: forward")
      .type_name("NAME")
      .group(kProgram);
}

void add_sizes(Command command, ExportArguments& arguments) {
  ExportOptions& options = arguments.options;
  command
      .add_option("--dynamic-axes", options.dynamic_axes,
                  "Axes of inputs and outputs with a dynamic size, as JSON or\n"
                  "Python: {\"x\": [0, 2], \"y\": {0: \"batch\"}}")
      .option_text("DICT")
      .group(kSizes);
  command
      .add_flag("--static", options.static_shapes,
                "Allow fixed sizes only: compute no shape at run time, and\n"
                "unroll loops whose trip count depends on sizes")
      .group(kSizes);
  command
      .add_flag("--unroll-loops", arguments.unroll,
                "Repeat the body instead of writing a Loop, if the trip count\n"
                "is known (and at most N)")
      .check(no_number)
      .option_text("[=N]")
      .group(kSizes);
}

void add_opset(Command command, ExportOptions& options) {
  command
      .add_flag("--float64-as-float32", options.float64_as_float32,
                "Export tensors of f64 as f32, inputs and outputs too")
      .group(kFile);
  command
      .add_option("--opset", options.opset,
                  fmt::format("Version of the ONNX operators, {} to {}. Default: {}", kMinOpset, kMaxOpset,
                              kDefaultOpset))
      .option_text("N")
      .group(kFile);
}

void add_file(Command command, ExportArguments& arguments) {
  ExportOptions& options = arguments.options;
  command
      .add_option("-o,--output", arguments.output,
                  "The file to write. Default: MODEL's name with .onnx,\nin the current folder")
      .type_name("FILE")
      .group(kFile);
  command
      .add_choice("--external-data", options.external_data,
                  {{"auto", ExternalData::automatic},
                   {"always", ExternalData::always},
                   {"never", ExternalData::never},
                   {"link", ExternalData::link}},
                  "Store weights in OUTPUT.data: auto (if the model is larger\n"
                  "than 2 GB), always or never; link: refer to MODEL instead.\nDefault: auto")
      .group(kFile);
  command
      .add_flag(
          "--no-sync", [&options] { options.sync = false; },
          "Do not wait until the disk has stored the file; a power\nfailure in the next seconds may lose it")
      .group(kFile);
  command
      .add_flag(
          "--no-check", [&options] { options.check = false; }, "Do not check the model before it is written")
      .group(kFile);
  command
      .add_flag(
          "--verify", arguments.verify,
          "Run MODEL in libtorch and the exported model in ONNX Runtime,\nand compare, as cameo verify does")
      .group(kFile);
  command.add_flag("--doc-strings", options.doc_strings, "Set the doc_string of each node to its source")
      .group(kFile);
}

ElementType half_type(const std::string& name) {
  if (name == "f16") return ElementType::f16;
  if (name == "bf16") return ElementType::bf16;
  throw WrongUsage("--dtype: '" + name + "' is not f16 or bf16");
}

void add_weights(Command command, ExportOptions& options) {
  command
      .add_value(
          "--dtype",
          [&options](const std::string& name) { options.cast = CastOptions{.to = half_type(name)}; },
          "Compute in f16 or bf16 instead of f32, as cameo cast does")
      .option_text("TYPE")
      .group(kWeights);
  command
      .add_value(
          "--weights",
          [&options](const std::string& text) {
            const WeightsText parsed = parse_weights(text);
            options.quantize = QuantizeOptions{.weights = parsed.type, .block = parsed.block};
          },
          "Store weights as int8, uint8, int4 or uint4, as cameo quantize\ndoes: int4:32 has blocks of 32")
      .option_text("TYPE[:BLOCK]")
      .group(kWeights);
  command
      .add_flag(
          "--no-params", [&options] { options.parameters = false; },
          "Write no weights: parameters become inputs, in the order of\nthe state dict")
      .group(kWeights);
  command
      .add_choice("--param-order", options.parameters_first, {{"last", false}, {"first", true}},
                  "With --no-params: parameters come after or before the other\ninputs. Default: last")
      .group(kWeights);
  command
      .add_flag("--keep-initializers-as-inputs", options.keep_initializers_as_inputs,
                "List the stored parameters as inputs, too, as the first\nversions of ONNX required")
      .group(kWeights);
  command
      .add_flag(
          "--no-constant-folding", [&options] { options.fold_constants = false; },
          "Keep nodes whose inputs are all constants")
      .group(kWeights);
  command
      .add_choice("--quantized-weights", options.quantized_weights,
                  {{"int8", QuantizedWeights::int8}, {"qdq", QuantizedWeights::qdq}},
                  "Store quantised weights as integers, or as floats with a\nQuantizeLinear, as TensorRT "
                  "reads them. Default: int8")
      .group(kWeights);
  command
      .add_choice("--dynamic-quantization", options.dynamic_quantization,
                  {{"integer", DynamicQuantization::integer}, {"qdq", DynamicQuantization::qdq}},
                  "Layers that quantise their inputs at run time: MatMulInteger,\n"
                  "or Gemm behind QuantizeLinear and DequantizeLinear.\nDefault: integer")
      .group(kWeights);
}

void add_naming(Command command, ExportOptions& options) {
  add_names(command, "--input-names", options.input_names,
            "Names of the inputs, in order; further names apply to the\nparameters");
  add_names(command, "--output-names", options.output_names, "Names of the outputs, in order");
  command
      .add_choice("--param-names", options.parameter_names,
                  {{"state-dict", ParameterNames::state_dict}, {"numbers", ParameterNames::numbers}},
                  "Names of the parameters. Default: state-dict")
      .group(kNames);
  command
      .add_choice("--metadata", options.metadata,
                  {{"none", Metadata::none}, {"names", Metadata::names}, {"full", Metadata::full}},
                  "Source of each node: none, in its name, or also operator,\n"
                  "module and Python line as metadata. Default: names")
      .group(kNames);
}

void add_report(Command command, ExportArguments& arguments) {
  command.add_flag("--verbose", arguments.options.verbose, "Print the graph in the format of PyTorch")
      .group(kReport);
  command.add_flag("--timings", arguments.timings, "Print the time of each stage").group(kReport);
  command
      .add_option("--report", arguments.report,
                  "Write the summary and all diagnostics to a .json, .sarif or\n.md file; to a .html file, the page of cameo view")
      .type_name("FILE")
      .group(kReport);
  command.add_flag("-q,--quiet", arguments.quiet, "Print only warnings and errors").group(kReport);
}

void add_rules(Command command, ExportOptions& options) {
  RuleChoice choice{.rules = {},
                    .disabled = options.disabled_rules,
                    .stop_after = options.stop_rules_after,
                    .list_option = "--list-rules"};
  for (const rules::Rule& rule : rules::all_rules())
    if (!rule.on_request) choice.rules.push_back({std::string(rule.name), std::string(rule.doc)});
  add_rule_options(command, choice);
}

}  // namespace

void add_program_options(Command command, ExportArguments& arguments) {
  add_program(command, arguments);
  add_sizes(command, arguments);
  add_opset(command, arguments.options);
}

void add_export_options(Command command, ExportArguments& arguments) {
  command.add_option("MODEL", arguments.model, "The TorchScript program (.pt)").required().type_name("");
  add_program_options(command, arguments);
  add_file(command, arguments);
  add_weights(command, arguments.options);
  add_naming(command, arguments.options);
  add_operator_options(command, arguments.options);
  add_plugin_option(command, arguments.plugins);
  add_rewrite_option(command, arguments.rewrites);
  add_target_option(command, arguments.options.target);
  add_rules(command, arguments.options);
  add_report(command, arguments);
  command.footer(kExportExamples);
}

std::int64_t iterations_to_unroll(const ExportArguments& arguments) {
  if (arguments.unroll.empty()) return 0;
  return arguments.unroll == kEvery ? std::numeric_limits<std::int64_t>::max() : std::stoll(arguments.unroll);
}

}  // namespace cameo::cli
