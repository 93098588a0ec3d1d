#include "model/split/marks.h"

#include <algorithm>
#include <charconv>
#include <unordered_map>
#include <unordered_set>

#include <fmt/core.h>

#include "onnx/proto/visit.h"

namespace cameo::model {
namespace {

using namespace onnx::proto;  // NOLINT(google-build-using-namespace): the messages are what this is about
using onnx::proto::ValueInfo;

bool is_mark(const Node& node) {
  return node.domain == "mmdeploy" && node.op_type == "Mark" && node.inputs.size() == 1 &&
         node.outputs.size() == 1;
}

const Attribute* attribute(const Node& node, std::string_view name) {
  const auto found = std::ranges::find(node.attributes, name, &Attribute::name);
  return found == node.attributes.end() ? nullptr : &*found;
}

std::string text_of(const Node& node, std::string_view name) {
  const Attribute* found = attribute(node, name);
  return found ? std::string(found->s) : std::string();
}

Mark mark_of(const Node& node) {
  const Attribute* call = attribute(node, "func_id");
  const bool input = text_of(node, "type") != "output";
  return {.function = text_of(node, "func"),
          .call = call ? call->i.value_or(0) : 0,
          .input = input,
          .value = input ? node.inputs[0] : node.outputs[0]};
}

void become_identity(Node& node) {
  node.op_type = "Identity";
  node.domain = {};
  node.attributes.clear();
}

// In subgraphs too.
void rename_inputs(Node& node, const std::unordered_map<Text, Text>& renamed) {
  if (renamed.empty()) return;
  const auto rename = [&](Text& value) {
    if (const auto found = renamed.find(value); found != renamed.end()) value = found->second;
  };
  std::ranges::for_each(node.inputs, rename);
  each_subgraph(node, [&](Graph& graph) {
    for (Node& inner : graph.nodes) rename_inputs(inner, renamed);
    for (ValueInfo& output : graph.outputs) rename(output.name);
  });
}

}  // namespace

std::string Mark::text() const {
  return fmt::format("{}[{}]:{}", function, call, input ? "input" : "output");
}

std::optional<Mark> parse_mark(std::string_view text) {
  const std::size_t colon = text.rfind(':');
  if (colon == text.npos || colon == 0) return std::nullopt;
  const std::string_view side = text.substr(colon + 1);
  if (side != "input" && side != "output") return std::nullopt;
  std::string_view name = text.substr(0, colon);
  Mark mark{.input = side == "input"};
  const std::size_t open = name.rfind('[');
  if (name.ends_with(']') && open != name.npos) {
    const char* const end = name.data() + name.size() - 1;
    const auto [stop, fault] = std::from_chars(name.data() + open + 1, end, mark.call);
    if (fault != std::errc() || stop != end) return std::nullopt;
    name = name.substr(0, open);
  }
  mark.function = name;
  return mark;
}

std::vector<Mark> marks(const onnx::proto::Model& model) {
  std::vector<Mark> found;
  for (const Node& node : model.graph->nodes)
    if (is_mark(node)) found.push_back(mark_of(node));
  for (const Entry& entry : model.metadata) {
    if (!entry.key.starts_with(kMarkKey)) continue;
    const Text key = entry.key.substr(kMarkKey.size());
    if (auto mark = parse_mark(key.substr(0, key.rfind(':')))) {
      mark->value = entry.value;
      found.push_back(*std::move(mark));
    }
  }
  return found;
}

std::size_t replace_marks(Graph& graph) {
  std::size_t count = 0;
  for (Node& node : graph.nodes) {
    if (!is_mark(node)) continue;
    become_identity(node);
    ++count;
  }
  return count;
}

void record_marks(onnx::proto::Model& model, Texts& texts) {
  Graph& graph = *model.graph;
  std::unordered_set<Text> outputs;
  for (const ValueInfo& output : graph.outputs) outputs.insert(output.name);
  std::unordered_map<Text, Text> renamed;
  std::vector<Node> kept;
  for (Node& node : graph.nodes) {
    rename_inputs(node, renamed);
    if (node.domain != "cameo" || node.op_type != "Mark") {
      kept.push_back(std::move(node));
      continue;
    }
    const bool last = outputs.contains(node.outputs[0]);
    model.metadata.push_back({.key = texts.keep(std::string(kMarkKey) + text_of(node, "name")),
                              .value = last ? node.outputs[0] : node.inputs[0],
                              .unknown = {}});
    if (last) {
      become_identity(node);
      kept.push_back(std::move(node));
    } else {
      renamed[node.outputs[0]] = node.inputs[0];
    }
  }
  graph.nodes = std::move(kept);
  std::erase_if(graph.value_infos, [&](const ValueInfo& info) { return renamed.contains(info.name); });
  std::erase_if(model.opset_imports, [](const OpsetImport& each) { return each.domain == "cameo"; });
}

}  // namespace cameo::model
