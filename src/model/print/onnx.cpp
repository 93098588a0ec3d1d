#include "model/print/onnx.h"

#include <fmt/core.h>

#include <algorithm>
#include <functional>
#include <unordered_set>
#include <utility>

#include "base/index.h"
#include "base/text.h"
#include "model/file/numbers.h"
#include "model/print/python_text.h"
#include "onnx/graph/element_names.h"
#include "onnx/proto/visit.h"

namespace cameo::model {
namespace {

using namespace onnx::proto;  // NOLINT(google-build-using-namespace): the messages are what this is about
using onnx::proto::ValueInfo;

std::string shape_text(const std::vector<std::string>& dims) {
  return dims.empty() ? ", scalar" : fmt::format(", {}", join(dims, "x"));
}

std::string type_text(const Type& type) {
  static constexpr std::string_view kKinds[] = {
      "", "", "sequence_type", "map_type", "opaque_type", "sparse_tensor_type", "optional_type"};
  if (type.kind == Type::Kind::none) return {};
  if (type.kind != Type::Kind::tensor) return fmt::format("Unknown type {}", element_at(kKinds, type.kind));
  std::string text = onnx::onnx_name(type.element);
  if (!type.shape) return text;
  std::vector<std::string> dims;
  for (const Dimension& dim : type.shape->dims)
    dims.push_back(dim.value ? fmt::format("{}", *dim.value) : std::string(dim.parameter));
  return text + shape_text(dims);
}

std::string text_of(const ValueInfo& value) {
  return fmt::format("%{}[{}]", value.name, value.type ? type_text(*value.type) : "");
}

std::string text_of(const Tensor& tensor) {
  std::vector<std::string> dims;
  for (const std::int64_t dim : tensor.dims) dims.push_back(fmt::format("{}", dim));
  return fmt::format("%{}[{}{}]", tensor.name, onnx::onnx_name(tensor.data_type), shape_text(dims));
}

// At most 64 characters, and how many more there are.
std::string quoted(Text text) {
  constexpr std::size_t kShown = 64;
  std::vector<std::string_view> shown = characters(text);
  if (shown.size() < kShown) return python_string(shown);
  const std::string rest = fmt::format("...<+len={}>", shown.size() - kShown);
  shown.resize(kShown);
  for (std::size_t i = 0; i < rest.size(); ++i) shown.push_back(std::string_view(rest).substr(i, 1));
  return python_string(shown);
}

template <class T, class Text>
std::string list(const std::vector<T>& items, Text text) {
  std::vector<std::string> texts;
  for (const T& item : items) texts.push_back(text(item));
  return fmt::format("[{}]", join(texts, ", "));
}

// The elements that stand in the field of the type itself; what is in raw data is not shown.
std::string scalar_text(const Tensor& tensor) {
  const auto integer = [](auto number) { return fmt::format("{}", number); };
  switch (tensor.data_type.value_or(0)) {
    case kFloat:
    case kComplex64:
      return list(floats(tensor.float_data), [](float f) { return python_float(static_cast<double>(f)); });
    case kDouble:
    case kComplex128: return list(doubles(tensor.double_data), python_float);
    case kInt64: return list(integers(tensor.int64_data), integer);
    case kUint32:
    case kUint64: return list(unsigned_integers(tensor.uint64_data), integer);
    case kString:
      return list(tensor.string_data, [](Text text) { return "b" + python_string(characters(text)); });
    default: return list(integers(tensor.int32_data), integer);
  }
}

std::string value_text(const Attribute& attribute) {
  const auto real = [](float f) { return fmt::format("{:.15g}", static_cast<double>(f)); };
  const auto integer = [](std::int64_t number) { return fmt::format("{}", number); };
  if (attribute.f) return real(*attribute.f);
  if (attribute.i) return integer(*attribute.i);
  if (present(attribute.s)) return quoted(attribute.s);
  if (attribute.t)
    return attribute.t->dims.empty() ? fmt::format("<Scalar Tensor {}>", scalar_text(*attribute.t))
                                     : "<Tensor>";
  if (attribute.g) return fmt::format("<graph {}>", attribute.g->name);
  if (!attribute.floats.empty()) return list(attribute.floats, real);
  if (!attribute.ints.empty()) return list(attribute.ints, integer);
  if (!attribute.strings.empty()) return list(attribute.strings, quoted);
  if (!attribute.tensors.empty()) return "[<Tensor>, ...]";
  if (!attribute.graphs.empty()) {
    std::vector<std::string> names;
    for (const Graph& graph : attribute.graphs) names.push_back(fmt::format("<graph {}>", graph.name));
    return fmt::format("[ {} ]", join(names, ", "));
  }
  return "<Unknown>";
}

std::string node_text(const Node& node) {
  const auto names = [](const std::vector<Text>& values) {
    std::vector<std::string> texts;
    for (const Text name : values) texts.push_back(fmt::format("%{}", name));
    return join(texts, ", ");
  };
  std::vector<std::string> attributes;
  for (const Attribute& attribute : node.attributes)
    attributes.push_back(fmt::format("{} = {}", attribute.name, value_text(attribute)));
  std::ranges::sort(attributes);
  return fmt::format("  {}{}{}{}({})", names(node.outputs), node.outputs.empty() ? "" : " = ", node.op_type,
                     attributes.empty() ? "" : fmt::format("[{}]", join(attributes, ", ")),
                     names(node.inputs));
}

class OnnxPage {
 public:
  void draw(const Graph& graph) {
    header_ = fmt::format("graph {}", graph.name);
    inputs(graph);
    open("{");
    std::vector<const Graph*> subgraphs;
    for (const Node& node : graph.nodes) {
      line(node_text(node));
      each_subgraph(node, [&](const Graph& inner) { subgraphs.push_back(&inner); });
    }
    std::vector<std::string> outputs;
    for (const ValueInfo& output : graph.outputs) outputs.push_back(fmt::format("%{}", output.name));
    line(fmt::format("  return{}{}", outputs.empty() ? "" : " ", join(outputs, ", ")));
    line("}");
    for (const Graph* subgraph : subgraphs) {
      line("");
      draw(*subgraph);
    }
  }
  std::string take() { return std::move(out_); }

 private:
  void line(std::string_view text) {
    if (!out_.empty()) out_ += '\n';
    out_ += text;
  }
  // The end of a header line, which may have begun on an earlier one.
  void open(std::string_view text) {
    extend(text);
    line(std::exchange(header_, {}));
  }
  void extend(std::string_view text) { (header_ += header_.empty() ? "" : " ") += text; }

  void inputs(const Graph& graph) {
    if (graph.inputs.empty()) return;
    std::unordered_set<Text> initialized, inputs;
    for (const Tensor& tensor : graph.initializers) initialized.insert(tensor.name);
    for (const ValueInfo& input : graph.inputs) inputs.insert(input.name);
    std::vector<std::string> needed, with_default, others;
    for (const ValueInfo& input : graph.inputs)
      (initialized.contains(input.name) ? with_default : needed).push_back(text_of(input));
    for (const Tensor& tensor : graph.initializers)
      if (!inputs.contains(tensor.name)) others.push_back(text_of(tensor));
    extend("(");
    if (!needed.empty()) section("", needed);
    extend(")");
    if (!with_default.empty()) {
      section("optional inputs with matching initializers (", with_default);
      extend(")");
    }
    if (with_default.size() < initialized.size()) {
      section("initializers (", others);
      extend(")");
    }
  }
  void section(std::string_view title, const std::vector<std::string>& lines) {
    if (!title.empty()) extend(title);
    line(std::exchange(header_, {}));
    for (const std::string& text : lines) line("  " + text);
  }

  std::string header_, out_;
};

}  // namespace

std::string printable_graph(const Graph& graph) {
  OnnxPage page;
  page.draw(graph);
  return page.take();
}

}  // namespace cameo::model
