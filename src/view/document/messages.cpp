#include "view/document/messages.h"

#include <algorithm>

namespace cameo::view {
namespace {

int find_file(const Sources& sources, const std::string& name) {
  const auto found = std::ranges::find(sources.files, shown(name), &SourceFile::name);
  return found == sources.files.end() ? -1 : static_cast<int>(found - sources.files.begin());
}

}  // namespace

void add_messages(Built& built, const std::vector<Diagnostic>& diagnostics) {
  Document& document = built.document;
  for (const Diagnostic& each : diagnostics) {
    std::string text = each.message;
    for (const std::string& note : each.notes) text += "\n" + note;
    document.messages.severity.emplace_back(name(each.severity));
    document.messages.code.push_back(document.strings.add(info(each.code).name));
    document.messages.text.push_back(document.strings.add_lines(text));
    document.messages.hint.push_back(document.strings.add(each.hint));
    document.messages.node.push_back(-1);
    const Position* at = !each.python.empty() ? &each.python.front() : each.script ? &*each.script : nullptr;
    const int file = at ? find_file(document.sources, at->file) : -1;
    document.messages.file.push_back(file);
    document.messages.line.push_back(file >= 0 ? at->line : 0);
  }
}

}  // namespace cameo::view
