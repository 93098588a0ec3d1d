#include "model/linger/functions.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include <fmt/core.h>

#include "base/text.h"
#include "cameo/diagnostic.h"
#include "onnx/facts/facts.h"
#include "onnx/proto/visit.h"

namespace cameo::model::linger {
namespace {

using namespace onnx::proto;  // NOLINT(google-build-using-namespace): the messages are what this is about
using onnx::facts::Kind;
using onnx::proto::DataType;

constexpr std::int64_t kFirstIr = 8, kFirstOpset = 14;  // with functions, and with Relu of integers

const Attribute* find(const Node& node, std::string_view name) {
  const auto found = std::ranges::find(node.attributes, name, &Attribute::name);
  return found == node.attributes.end() ? nullptr : &*found;
}

std::int64_t integer(const Node& node, std::string_view name, std::int64_t otherwise) {
  const Attribute* found = find(node, name);
  return found ? found->i.value_or(otherwise) : otherwise;
}

// Writes the body of one function.
class Body {
 public:
  Body(const Node& sample, Names& names) : sample_(sample), names_(names) {
    function_.name = sample.op_type;
    function_.domain = sample.domain;
    for (std::size_t i = 0; i < sample.inputs.size(); ++i) function_.inputs.push_back(text('x', i));
    function_.outputs = {"y"};
  }

  Text input(std::size_t i) const { return function_.inputs[i]; }
  std::size_t inputs() const { return function_.inputs.size(); }

  Text op(std::string_view type, std::vector<Text> inputs, std::vector<Attribute> attributes = {}) {
    Node node;
    node.op_type = type;
    node.inputs = std::move(inputs);
    node.outputs = {text('v', function_.nodes.size())};
    node.attributes = std::move(attributes);
    function_.nodes.push_back(std::move(node));
    return function_.nodes.back().outputs[0];
  }

  // An attribute of the node that calls the function, under its own name or another one.
  Attribute passed(Text name, Kind kind, Text as = {}) {
    if (std::ranges::find(function_.attributes, name) == function_.attributes.end())
      function_.attributes.push_back(name);
    Attribute made;
    made.name = as.empty() ? name : as;
    made.ref_attr_name = name;
    made.type = static_cast<std::int32_t>(kind);
    return made;
  }
  std::vector<Attribute> passed_window() {
    std::vector<Attribute> all;
    for (const Text name : {"dilations", "kernel_shape", "pads", "strides"})
      if (find(sample_, name)) all.push_back(passed(name, Kind::integers));
    if (find(sample_, "group")) all.push_back(passed("group", Kind::integer));
    return all;
  }

  Text cast(Text value, DataType type) {
    Attribute to;
    to.name = "to";
    to.type = static_cast<std::int32_t>(Kind::integer);
    to.i = type;
    return op("Cast", {value}, {to});
  }
  Text number(double value, DataType type) {
    Attribute made;
    made.name = "value_float";
    made.type = static_cast<std::int32_t>(Kind::real);
    made.f = static_cast<float>(value);
    return cast(op("Constant", {}, {made}), type);
  }
  // A scale of the node that calls the function.
  Text scale(Text name, DataType type) {
    return cast(op("Constant", {}, {passed(name, Kind::real, "value_float")}), type);
  }

  Text real(std::size_t i) { return cast(input(i), kDouble); }
  // An operand as a number.
  Text operand(std::size_t i, Text name) { return op("Div", {real(i), scale(name, kDouble)}); }
  // The nearest integer, the larger one of two.
  Text rounded(Text value, DataType type) { return op("Floor", {op("Add", {value, number(0.5, type)})}); }

  // The integers of a number that has been multiplied by its scale and rounded.
  void finish(Text whole, std::int64_t bits, DataType type) {
    const double most = std::ldexp(1.0, static_cast<int>(std::min<std::int64_t>(bits, 24)) - 1);
    cast(op("Clip", {whole, number(-most, type), number(most - 1, type)}), integer_type(bits));
  }
  void finish(Text real) {
    finish(rounded(op("Mul", {real, scale("scale_o", kDouble)}), kDouble), integer(sample_, "o_bits", 8),
           kDouble);
  }

  Function take(std::int64_t opset) {
    OpsetImport import;
    import.domain = Text("", 0);
    import.version = opset;
    function_.opset_imports = {import};
    function_.nodes.back().outputs = {"y"};
    return std::move(function_);
  }

  const Node& sample() const { return sample_; }

 private:
  Text text(char letter, std::size_t number) { return names_.keep(letter + std::to_string(number)); }

  const Node& sample_;
  Names& names_;
  Function function_;
};

using Write = void (*)(Body&);

void quant(Body& b) {
  const Text scaled = b.op("Mul", {b.input(0), b.scale("scale_x", kFloat)});
  b.finish(b.rounded(scaled, kFloat), integer(b.sample(), "data_bits", 8), kFloat);
}

void dequant(Body& b) { b.op("Div", {b.cast(b.input(0), kFloat), b.scale("scale_o", kFloat)}); }

// Sums of products of integers, as a number: x and weight have scales of their own.
void finish_sum(Body& b, Text sum) {
  const Text scale = b.op("Mul", {b.scale("scale_x", kDouble), b.scale("scale_w", kDouble)});
  b.finish(b.op("Div", {sum, scale}));
}

void linear(Body& b) {
  Text sum = b.op("MatMul", {b.real(0), b.op("Transpose", {b.real(1)})});
  if (b.inputs() > 2) sum = b.op("Add", {sum, b.real(2)});
  finish_sum(b, sum);
}

// ConvInteger reads unsigned integers: 128 is added, and named as the zero point.
void convolution(Body& b) {
  const Text shifted = b.op("Add", {b.cast(b.input(0), kInt32), b.number(128, kInt32)});
  const Text x = b.cast(shifted, kUint8), zero = b.number(128, kUint8);
  Text sum = b.op("ConvInteger", {x, b.input(1), zero}, b.passed_window());
  if (b.inputs() > 2) {
    Attribute axes;
    axes.name = "value_ints";
    axes.type = static_cast<std::int32_t>(Kind::integers);
    axes.ints = {1, -1};
    for (std::size_t i = b.sample().op_type == "QConv2d" ? 2 : 1; i > 0; --i)
      axes.ints.insert(axes.ints.end(), 1);
    sum = b.op("Add", {sum, b.op("Reshape", {b.input(2), b.op("Constant", {}, {axes})})});
  }
  finish_sum(b, b.cast(sum, kDouble));
}

// linger rounds both operands to the scale of the result before it adds them.
void add(Body& b) {
  const auto whole = [&](std::size_t i, Text name) {
    return b.rounded(b.op("Mul", {b.operand(i, name), b.scale("scale_o", kDouble)}), kDouble);
  };
  const Text left = whole(0, "scale_x"), right = whole(1, "scale_y");
  b.finish(b.op("Add", {left, right}), integer(b.sample(), "o_bits", 8), kDouble);
}

void multiply(Body& b) { b.finish(b.op("Mul", {b.operand(0, "scale_x"), b.operand(1, "scale_y")})); }
void product(Body& b) { b.finish(b.op("MatMul", {b.operand(0, "scale_x"), b.operand(1, "scale_y")})); }

constexpr std::pair<std::string_view, Write> kFunctions[] = {
    {"Quant", quant},         {"Dequant", dequant},     {"QLinear", linear},
    {"QConv1d", convolution}, {"QConv2d", convolution}, {"QAdd", add},
    {"QMul", multiply},       {"QBmm", product},        {"QMatmul", product},
};

// The properties in which nodes of one function must be equal.
std::string form_of(const Node& node) {
  const Attribute* mode = find(node, "quant_mode");
  std::string bits;
  for (const Text name : {"x_bits", "y_bits", "w_bits", "o_bits", "data_bits"})
    bits += fmt::format("{}={} ", name, integer(node, name, 0));
  return fmt::format("{}inputs={} {}", bits, node.inputs.size(), mode ? mode->s : Text("floor_add"));
}

bool is_covered(const Node& node) {
  const Attribute* mode = find(node, "quant_mode");
  const bool narrow = node.op_type != "QConv1d" && node.op_type != "QConv2d"
                          ? integer(node, "o_bits", 8) <= 24
                          : integer(node, "x_bits", 8) <= 8 && integer(node, "w_bits", 8) <= 8 &&
                                integer(node, "o_bits", 8) <= 24;
  return std::ranges::find(kFunctions, node.op_type, &std::pair<std::string_view, Write>::first) !=
             std::end(kFunctions) &&
         (!mode || mode->s == "floor_add") && narrow && integer(node, "data_bits", 8) <= 24;
}

[[noreturn]] void refuse(const std::set<std::string>& operators, const char* why, const std::string& file) {
  throw Error(Diagnostic{.code = Code::unsupported_operator,
                         .message = fmt::format("{}: {}", why, printable(join(operators, ", "))),
                         .file = file,
                         .hint = "leave out --functions: the file is for the runtime of the NPU"});
}

}  // namespace

void add_functions(onnx::proto::Model& model, Names& names, const std::string& file) {
  std::map<Text, const Node*> samples;
  std::set<std::string> missing, mixed;
  each_node(model.graph->nodes, [&](const Node& node) {
    if (node.domain != "linger" && node.domain != "thinker") return;
    if (node.domain == "thinker" || !is_covered(node))
      missing.insert(fmt::format("{}::{}", node.domain, node.op_type));
    const auto [known, fresh] = samples.emplace(node.op_type, &node);
    if (!fresh && form_of(*known->second) != form_of(node)) mixed.insert(std::string(node.op_type));
  });
  if (!missing.empty())
    refuse(missing, "there is no function for these operators, or not for their bits", file);
  if (!mixed.empty()) refuse(mixed, "nodes of one operator differ in bits, inputs or rounding", file);
  std::int64_t opset = 0;
  for (const OpsetImport& import : model.opset_imports)
    if (import.domain.empty() || import.domain == "ai.onnx") opset = import.version.value_or(0);
  if (opset < kFirstOpset)
    throw Error(Diagnostic{
        .code = Code::needs_opset,
        .message = fmt::format("functions need opset {}, and the model has {}", kFirstOpset, opset),
        .file = file,
        .hint = fmt::format("export the model with opset_version={}", kFirstOpset)});
  for (const auto& [op, sample] : samples) {
    Body body(*sample, names);
    std::ranges::find(kFunctions, op, &std::pair<std::string_view, Write>::first)->second(body);
    model.functions.push_back(body.take(opset));
  }
  model.ir_version = std::max(model.ir_version.value_or(0), kFirstIr);
}

}  // namespace cameo::model::linger
