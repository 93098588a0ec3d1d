#include "model/split/marks.h"

#include <algorithm>
#include <charconv>

#include <fmt/core.h>

namespace cameo::model {
namespace {

using namespace onnx::proto;  // NOLINT(google-build-using-namespace): the messages are what this is about

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
    node.op_type = "Identity";
    node.domain = {};
    node.attributes.clear();
    ++count;
  }
  return count;
}

}  // namespace cameo::model
