#include "view/document/messages.h"

#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "onnx/check/check.h"

namespace cameo::view {
namespace {

int find_file(const Sources& sources, const std::string& name) {
  const auto found = std::ranges::find(sources.files, shown(name), &SourceFile::name);
  return found == sources.files.end() ? -1 : static_cast<int>(found - sources.files.begin());
}

void add(Built& built, const Diagnostic& each, int node) {
  Document& document = built.document;
  std::string text = each.message;
  for (const std::string& note : each.notes) text += "\n" + note;
  document.messages.severity.emplace_back(name(each.severity));
  document.messages.code.push_back(document.strings.add(info(each.code).name));
  document.messages.text.push_back(document.strings.add_lines(text));
  document.messages.hint.push_back(document.strings.add(each.hint));
  document.messages.node.push_back(node);
  const Position* at = !each.python.empty() ? &each.python.front() : each.script ? &*each.script : nullptr;
  const int file = at ? find_file(document.sources, at->file) : -1;
  document.messages.file.push_back(file);
  document.messages.line.push_back(file >= 0 ? at->line : 0);
}

}  // namespace

void add_faults(Built& built, const model::Opened& model) {
  std::unordered_map<std::string_view, std::size_t> nodes;  // by result
  for (std::size_t i = 0; i < built.flat.nodes.size(); ++i)
    for (const std::string_view output : built.flat.nodes[i].source->outputs) nodes.emplace(output, i);
  Overlay overlay{.id = "check", .name = "faults", .unit = "", .scale = "linear", .good = "low", .combine = "sum"};
  overlay.node.assign(built.flat.nodes.size(), NAN);
  overlay.node_text.assign(built.flat.nodes.size(), 0);
  for (const onnx::Fault& fault : onnx::check(model.model, {.file = model.file->name(), .folder = {}})) {
    const auto found = fault.at && !fault.at->outputs.empty() ? nodes.find(fault.at->outputs.front()) : nodes.end();
    add(built, fault.diagnostic, found == nodes.end() ? -1 : static_cast<int>(found->second));
    if (found == nodes.end()) continue;
    double& count = overlay.node[found->second];
    count = std::isnan(count) ? 1 : count + 1;
    overlay.node_text[found->second] = built.document.strings.add(fault.diagnostic.message);
  }
  close_overlay(overlay, built);
  if (!std::isnan(overlay.most)) built.document.overlays.push_back(std::move(overlay));
}

void add_messages(Built& built, const std::vector<Diagnostic>& diagnostics) {
  for (const Diagnostic& each : diagnostics) add(built, each, -1);
}

}  // namespace cameo::view
