#include "model/print/text.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <iterator>

#include "base/index.h"
#include "base/text.h"
#include "model/graph/attribute_kind.h"
#include "model/print/text_values.h"

namespace cameo::model {
namespace {

using namespace onnx::proto;  // NOLINT(google-build-using-namespace): the messages are what this is about

constexpr std::size_t kIndent = 3;

constexpr std::array<std::string_view, 15> kKinds = {
    "undefined", "float",   "int",    "string",        "tensor",         "graph",      "floats",     "ints",
    "strings",   "tensors", "graphs", "sparse_tensor", "sparse_tensors", "type_proto", "type_protos"};

template <class Items, class Text>
std::string joined(const Items& items, std::string_view separator, Text text) {
  std::string out;
  for (auto item = items.begin(); item != items.end(); ++item) {
    if (item != items.begin()) out += separator;
    out += text(*item);
  }
  return out;
}

// An absent value between others is nothing; at either end parsers need quotes to see it.
std::string names(const std::vector<Text>& values) {
  std::string out;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (i > 0) out += ", ";
    const bool between = i > 0 && i + 1 < values.size();
    if (!values[i].empty() || !between) out += text::id(values[i]);
  }
  return out;
}

std::string imports(const std::vector<OpsetImport>& opsets) {
  return "[" +
         joined(opsets, ", ",
                [](const OpsetImport& opset) {
                  return fmt::format("{} : {}", text::quoted(opset.domain), opset.version.value_or(0));
                }) +
         "]";
}

class Writer {
 public:
  explicit Writer(std::size_t most) : most_(most) {}

  void model(const onnx::proto::Model& model) {
    std::vector<std::string> facts = {fmt::format("ir_version: {}", model.ir_version.value_or(0)),
                                      "opset_import: " + imports(model.opset_imports)};
    const auto say = [&facts](const char* key, Text text) {
      if (present(text)) facts.push_back(fmt::format("{}: {}", key, text::quoted(text)));
    };
    say("producer_name", model.producer_name);
    say("producer_version", model.producer_version);
    say("domain", model.domain);
    if (model.model_version) facts.push_back(fmt::format("model_version: {}", *model.model_version));
    say("doc_string", model.doc_string);
    if (!model.metadata.empty())
      facts.push_back("metadata_props: [" +
                      joined(model.metadata, ", ",
                             [](const Entry& entry) {
                               return text::quoted(entry.key) + ": " + text::quoted(entry.value);
                             }) +
                      "]");
    header(facts);
    if (model.graph) graph(*model.graph, 0);
    out_ += "\n";
    for (const Function& each : model.functions) function(each);
  }
  std::string take() { return std::move(out_); }

 private:
  void header(const std::vector<std::string>& facts) {
    out_ += fmt::format("<\n   {}\n>\n", join(facts, ",\n   "));
  }

  void graph(const Graph& graph, std::size_t indent) {
    out_ += fmt::format("{} ({}) => ({})", text::id(graph.name), joined(graph.inputs, ", ", text::value_text),
                        joined(graph.outputs, ", ", text::value_text));
    std::vector<std::string> values;
    for (const Tensor& tensor : graph.initializers) values.push_back(text::initializer_text(tensor, most_));
    std::ranges::transform(graph.value_infos, std::back_inserter(values), text::value_text);
    listed(values, indent + kIndent);
    for (const SparseTensor& sparse : graph.sparse_initializers) {
      newline(indent + kIndent);
      out_ += fmt::format("# sparse: {}", text::sparse_text(sparse, most_));
    }
    if (!graph.sparse_initializers.empty())
      newline(indent);
    else
      out_ += values.empty() ? " " : "\n" + std::string(indent, ' ');
    nodes(graph.nodes, indent);
  }

  // "<float[2] w = {1, 2},\n float[N] x>"
  void listed(const std::vector<std::string>& values, std::size_t indent) {
    if (values.empty()) return;
    newline(indent);
    const std::string separator = ",\n" + std::string(indent + 1, ' ');
    out_ += fmt::format("<{}>", join(values, separator));
  }

  void function(const Function& function) {
    std::vector<std::string> facts = {"domain: " + text::quoted(function.domain)};
    if (!function.overload.empty()) facts.push_back("overload: " + text::quoted(function.overload));
    facts.push_back("opset_import: " + imports(function.opset_imports));
    if (present(function.doc_string)) facts.push_back("doc_string: " + text::quoted(function.doc_string));
    header(facts);
    out_ += text::id(function.name) + " ";
    if (!function.attributes.empty() || !function.attribute_defaults.empty()) {
      out_ += "<" + joined(function.attributes, ", ", text::id);
      if (!function.attributes.empty() && !function.attribute_defaults.empty()) out_ += ", ";
      attributes(function.attribute_defaults, 0);
      out_ += ">";
    }
    out_ += fmt::format("({}) => ({})", names(function.inputs), names(function.outputs));
    std::vector<std::string> values;
    std::ranges::transform(function.value_infos, std::back_inserter(values), text::value_text);
    listed(values, kIndent);
    out_ += "\n";
    nodes(function.nodes, 0);
    out_ += "\n";
  }

  void nodes(const std::vector<Node>& nodes, std::size_t indent) {
    out_ += "{";
    for (const Node& each : nodes) {
      newline(indent + kIndent);
      node(each, indent + kIndent);
    }
    newline(indent);
    out_ += "}";
  }

  void node(const Node& node, std::size_t indent) {
    if (!node.name.empty()) out_ += fmt::format("[{}] ", text::id(node.name));
    out_ += names(node.outputs) + " = ";
    if (!node.domain.empty()) out_ += fmt::format("{}.", node.domain);
    out_ += node.op_type;
    if (!node.overload.empty()) out_ += fmt::format(":{}", node.overload);
    // Attributes with graphs come last, so that the inputs are not behind them.
    const bool last = std::ranges::any_of(
        node.attributes, [](const Attribute& each) { return each.g || !each.graphs.empty(); });
    const auto add = [&](bool wanted) {
      if (!wanted || node.attributes.empty()) return;
      out_ += " <";
      attributes(node.attributes, indent);
      out_ += ">";
    };
    add(!last);
    out_ += fmt::format(" ({})", names(node.inputs));
    add(last);
  }

  void attributes(const std::vector<Attribute>& attributes, std::size_t indent) {
    for (std::size_t i = 0; i < attributes.size(); ++i) {
      if (i > 0) out_ += ", ";
      const Attribute& each = attributes[i];
      out_ += fmt::format("{}: {} = ", text::id(each.name), element_at(kKinds, kind_of(each)));
      if (!each.ref_attr_name.empty())
        out_ += "@" + text::id(each.ref_attr_name);
      else
        value(each, indent);
    }
  }

  void value(const Attribute& attribute, std::size_t indent) {
    const auto integer = [](std::int64_t number) { return std::to_string(number); };
    const auto tensor = [this](const Tensor& each) { return text::tensor_text(each, most_); };
    const auto sparse = [this](const SparseTensor& each) { return text::sparse_text(each, most_); };
    const auto list = [this](const auto& items, auto text) { out_ += "[" + joined(items, ", ", text) + "]"; };
    switch (kind_of(attribute)) {
      case AttributeKind::undefined: break;
      case AttributeKind::real: out_ += text::number(attribute.f.value_or(0)); break;
      case AttributeKind::integer: out_ += integer(attribute.i.value_or(0)); break;
      case AttributeKind::string: out_ += text::quoted(attribute.s); break;
      case AttributeKind::tensor: out_ += attribute.t ? tensor(*attribute.t) : ""; break;
      case AttributeKind::graph:
        if (attribute.g) graph(*attribute.g, indent);
        break;
      case AttributeKind::sparse_tensor:
        out_ += attribute.sparse_tensor ? sparse(*attribute.sparse_tensor) : "";
        break;
      case AttributeKind::type: out_ += attribute.tp ? text::type_text(*attribute.tp) : ""; break;
      case AttributeKind::reals: list(attribute.floats, text::number); break;
      case AttributeKind::integers: list(attribute.ints, integer); break;
      case AttributeKind::strings: list(attribute.strings, text::quoted); break;
      case AttributeKind::tensors: list(attribute.tensors, tensor); break;
      case AttributeKind::sparse_tensors: list(attribute.sparse_tensors, sparse); break;
      case AttributeKind::types: list(attribute.type_protos, text::type_text); break;
      case AttributeKind::graphs:
        out_ += "[";
        for (std::size_t i = 0; i < attribute.graphs.size(); ++i) {
          if (i > 0) out_ += ", ";
          graph(attribute.graphs[i], indent);
        }
        out_ += "]";
        break;
    }
  }

  void newline(std::size_t indent) { (out_ += '\n').append(indent, ' '); }

  std::size_t most_;
  std::string out_;
};

}  // namespace

std::string onnx_text(const onnx::proto::Model& model, std::size_t most) {
  Writer writer(most);
  writer.model(model);
  return writer.take();
}

}  // namespace cameo::model
