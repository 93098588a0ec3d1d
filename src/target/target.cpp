#include "target/target.h"

#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <sstream>

#include "base/nearest.h"
#include "base/text.h"
#include "onnx/graph/visit.h"
#include "target/text.h"

namespace cameo::target {
namespace {

void add(Target& target, std::istringstream& line, std::string_view word) {
  const auto words = [&](std::set<std::string, std::less<>>& into) {
    for (std::string each; line >> each;) into.insert(each);
  };
  const auto text = [&] {
    std::string rest;
    std::getline(line >> std::ws, rest);
    return rest;
  };
  if (word == "title") {
    target.title = text();
  } else if (word == "source") {
    target.source = text();
  } else if (word == "opsets") {
    std::pair<int, int> range;
    line >> range.first >> range.second;
    target.opsets = range;
  } else if (word == "types") {
    words(target.types);
  } else if (word == "lacks") {
    words(target.lacks);
  } else if (word == "only") {
    words(target.only);
  } else if (word == "custom") {
    words(target.custom);
  } else if (word == "value") {
    Target::Value value;
    line >> value.op >> value.attribute >> value.value;
    target.values.push_back(std::move(value));
  } else {
    throw InternalError(fmt::format("targets.txt: unknown word '{}'", word));
  }
}

std::vector<Target> read() {
  std::vector<Target> all;
  std::istringstream text{std::string(kText)};
  for (std::string row; std::getline(text, row);) {
    std::istringstream line(row);
    std::string word;
    if (!(line >> word) || word.starts_with('#')) continue;
    if (word == "target")
      line >> all.emplace_back().name;
    else
      add(all.at(all.size() - 1), line, word);
  }
  return all;
}

const std::vector<Target>& all() {
  static const std::vector<Target> targets = read();
  return targets;
}

// Descriptions of missing things, and the nodes that need them.
using Missing = std::map<std::string, std::vector<const onnx::Node*>>;

void examine(const onnx::Node& node, const Target& target, Missing& missing) {
  const std::string op = node.domain.empty() ? node.op : fmt::format("{}::{}", node.domain, node.op);
  if (!target.supports(op)) missing[fmt::format("does not implement {}", op)].push_back(&node);
  for (const Target::Value& value : target.values) {
    const std::string* text = value.op == op ? node.attribute_if<std::string>(value.attribute) : nullptr;
    if (text && *text == value.value)
      missing[fmt::format("does not implement {} with {} '{}'", op, value.attribute, value.value)].push_back(
          &node);
  }
  if (target.types.empty()) return;
  for (const onnx::Value* output : node.outputs) {
    const std::string_view type = output ? name(output->dtype()) : std::string_view();
    if (output && !target.types.contains(type))
      missing[fmt::format("does not compute with {}", type)].push_back(&node);
  }
}

Diagnostic warning(const Target& target, const std::string& what,
                   const std::vector<const onnx::Node*>& nodes) {
  constexpr std::size_t kMostNodes = 5;
  std::vector<std::string> shown;
  for (const onnx::Node* node : nodes)
    if (shown.size() < kMostNodes) shown.push_back(node->name.empty() ? node->op : node->name);
  return {.severity = Severity::warning,
          .code = Code::target_lacks,
          .message = fmt::format("{} {}: {} {}", target.title, what, nodes.size(),
                                 nodes.size() == 1 ? "node" : "nodes"),
          .notes = {fmt::format("{}{}", join(shown, ", "), nodes.size() > kMostNodes ? ", …" : ""),
                    fmt::format("as stated in {}", target.source)},
          .hint = "a rewriting rule can replace it: --rewrite, docs/rewrites.md"};
}

}  // namespace

bool Target::supports(std::string_view op) const {
  const std::size_t colons = op.find("::");
  if (colons != op.npos) return custom.contains(op.substr(0, colons));
  return !lacks.contains(op) && (only.empty() || only.contains(op));
}

std::vector<std::string> names() {
  std::vector<std::string> out;
  for (const Target& target : all()) out.push_back(target.name);
  return out;
}

const Target& find(std::string_view name) {
  const auto found = std::ranges::find(all(), name, &Target::name);
  if (found != all().end()) return *found;
  const std::string near = nearest(name, names());
  throw Error(Diagnostic{.code = Code::unknown_target,
                         .message = fmt::format("'{}' is not a target", printable(name)),
                         .hint = near.empty() ? fmt::format("targets are {}", join(names(), ", "))
                                              : fmt::format("did you mean '{}'?", near)});
}

std::vector<Diagnostic> missing(const onnx::Model& model, const Target& target) {
  std::vector<Diagnostic> out;
  if (target.opsets && (model.opset < target.opsets->first || model.opset > target.opsets->second))
    out.push_back(
        {.severity = Severity::warning,
         .code = Code::target_lacks,
         .message = fmt::format("{} reads opsets {} to {}, and the model has opset {}", target.title,
                                target.opsets->first, target.opsets->second, model.opset),
         .notes = {fmt::format("as stated in {}", target.source)},
         .hint = fmt::format("export with --opset {}", target.opsets->second)});
  Missing found;
  onnx::each_node(model.main(), [&](const onnx::Node& node) { examine(node, target, found); });
  for (const auto& [what, nodes] : found) out.push_back(warning(target, what, nodes));
  return out;
}

}  // namespace cameo::target
