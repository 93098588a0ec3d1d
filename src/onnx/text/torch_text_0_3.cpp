#include <fmt/core.h>

#include <algorithm>
#include <iterator>
#include <unordered_map>

#include "base/text.h"
#include "onnx/text/torch_text.h"

namespace cameo::onnx::torch_text {
namespace {

constexpr std::string_view kHeader =
    "# Everything that a network reads is an input of its graph: first the parameters, which it has\n"
    "# learned, in their own order; the actual inputs are last.\n";
constexpr std::string_view kTypes =
    "      # Where a value is defined stand its type and its sizes, after the colon.\n";
constexpr std::string_view kActual = "      # From here on: the actual inputs.\n";
constexpr std::string_view kStatements =
    "  # A statement is its results with their types, the operator with its attributes, what it reads, and\n"
    "  # who uses each result: %9.i0 is input 0 of the statement that makes %9; %0 is the end of the "
    "graph.\n";
constexpr std::string_view kReturn = "  # In the end the network gives these back.\n";

std::string type_text_0_3(const std::optional<Type>& type) {
  if (!type) return "UNKNOWN_TYPE";
  if (!type->sizes) return type->scalar + "(*)";
  std::vector<std::string> sizes;
  for (const auto& size : *type->sizes) sizes.push_back(size ? std::to_string(*size) : "*");
  return fmt::format("{}({})", type->scalar, join(sizes, ", "));
}

std::string definition(const Value& value) {
  return fmt::format("%{} : {}", value.name, type_text_0_3(value.type));
}

std::string joined(const std::vector<std::string>& names) {
  std::string out;
  for (const std::string& name : names) out += (out.empty() ? "%" : ", %") + name;
  return out;
}

class Page {
 public:
  explicit Page(bool remarks) : remarks_(remarks) {}

  std::string draw(const Block& graph) {
    find_uses(graph);
    remark(kHeader);
    out_ += "graph(";
    inputs(graph);
    out_ += ") {\n";
    remark(kStatements);
    for (const Node& node : graph.nodes) statement(node);
    remark(kReturn);
    out_ += fmt::format("  return ({});\n}}\n", joined(graph.outputs));
    return std::move(out_);
  }

 private:
  void find_uses(const Block& block) {
    for (const Node& node : block.nodes) {
      const std::string user = node.outputs.empty() ? "0" : node.outputs.front().name;
      for (std::size_t i = 0; i < node.inputs.size(); ++i)
        uses_[node.inputs[i]].push_back(fmt::format("%{}.i{}", user, i));
      for (const Block& inner : node.blocks) find_uses(inner);
    }
    for (std::size_t i = 0; i < block.outputs.size(); ++i)
      uses_[block.outputs[i]].push_back(fmt::format("%0.i{}", i));
  }

  void remark(std::string_view text) {
    if (remarks_) out_ += text;
  }

  void inputs(const Block& graph) {
    std::vector<const Value*> order;
    for (const bool parameter : {true, false})
      for (const Value& input : graph.inputs)
        if (input.parameter == parameter) order.push_back(&input);
    for (std::size_t i = 0; i < order.size(); ++i) {
      if (i > 0) out_ += "\n";
      if (i == 1) remark(kTypes);
      if (i > 0 && order[i - 1]->parameter && !order[i]->parameter) remark(kActual);
      if (i > 0) out_ += "      ";
      out_ += definition(*order[i]);
    }
  }

  void statement(const Node& node) {
    std::vector<std::string> outputs, uses;
    for (const Value& output : node.outputs) {
      outputs.push_back(definition(output));
      uses.push_back(fmt::format("[{}]", join(uses_[output.name], ", ")));
    }
    std::vector<std::string> attributes;
    for (const Attribute& attribute : node.attributes)
      attributes.push_back(fmt::format("{}={}", attribute.name, attribute.old_text));
    out_ += fmt::format("  {} = {}{}({}), uses = {};\n", join(outputs, ", "), node.op,
                        attributes.empty() ? "" : fmt::format("[{}]", join(attributes, ", ")),
                        joined(node.inputs),
                        uses.size() == 1 ? uses.front() : fmt::format("[{}]", join(uses, ", ")));
  }

  bool remarks_;
  std::unordered_map<std::string, std::vector<std::string>> uses_;
  std::string out_;
};

}  // namespace

std::string dump_0_3(const Block& graph, bool remarks) { return Page(remarks).draw(graph); }

}  // namespace cameo::onnx::torch_text
