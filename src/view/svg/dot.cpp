#include <fmt/core.h>

#include "base/index.h"
#include "view/svg/open.h"
#include "view/svg/svg.h"

namespace cameo::view {
namespace {

std::string dot_string(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out + "\"";
}

class Dot {
 public:
  Dot(const Document& document, const std::vector<bool>& open) : document_(document), open_(open) {}

  std::string run(int group) {
    out_ = "digraph model {\n  node [shape=box, style=\"rounded,filled\", fillcolor=\"#eceff3\", fontname=Helvetica];\n";
    content(group, 1);
    return std::move(out_) + "}\n";
  }

 private:
  void content(int group, int depth) {
    const Items& items = document_.items;
    const std::string indent(as_size(depth) * 2, ' ');
    for (int item = document_.groups.items[as_size(group)]; item < document_.groups.items[as_size(group) + 1]; ++item) {
      if (items.kind[as_size(item)] == ItemKind::group && open_[as_size(items.ref[as_size(item)])]) {
        out_ += fmt::format("{}subgraph cluster_{} {{\n{}  label={};\n", indent, item, indent,
                            dot_string(document_.strings[items.title[as_size(item)]]));
        content(items.ref[as_size(item)], depth + 1);
        out_ += indent + "}\n";
        continue;
      }
      std::string label(document_.strings[items.title[as_size(item)]]);
      if (items.caption[as_size(item)] != 0) label += "\n" + std::string(document_.strings[items.caption[as_size(item)]]);
      out_ += fmt::format("{}i{} [label={}];\n", indent, item, dot_string(label));
    }
    const Edges& edges = document_.edges;
    for (int edge = document_.groups.edges[as_size(group)]; edge < document_.groups.edges[as_size(group) + 1]; ++edge)
      for (int line = edges.lines[as_size(edge)]; line < edges.lines[as_size(edge) + 1]; ++line) {
        const int from = end(edges.from[as_size(edge)], edges.from_port[as_size(line)]);
        const int to = end(edges.to[as_size(edge)], edges.to_port[as_size(line)]);
        if (from < 0 || to < 0) continue;
        out_ += fmt::format("{}i{} -> i{} [label={}];\n", indent, from, to,
                            dot_string(document_.strings[document_.values.type[as_size(edges.value[as_size(line)])]]));
      }
  }

  // The item, or the port of an open group; -1 if it is open and the line has no port.
  int end(int item, int port) const {
    const Items& items = document_.items;
    const bool open = items.kind[as_size(item)] == ItemKind::group && open_[as_size(items.ref[as_size(item)])];
    return open ? port : item;
  }

  const Document& document_;
  const std::vector<bool>& open_;
  std::string out_;
};

}  // namespace

std::string to_dot(const Document& document, const PictureOptions& options) {
  const int group = options.only.empty() ? 0 : find_group(document, options.only);
  return Dot(document, open_groups(document, group, options.depth)).run(group);
}

}  // namespace cameo::view
