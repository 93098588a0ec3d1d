#include "view/document/arrange.h"

#include <algorithm>

#include <fmt/core.h>

#include "base/index.h"
#include "base/style.h"
#include "view/document/captions.h"
#include "view/document/text_width.h"
#include "view/layout/layout.h"

namespace cameo::view {
namespace {

constexpr int kNodeHeight = 26, kNodeHeightWithCaption = 42, kPortHeight = 22, kLeastWidth = 64, kMargin = 24;

// A box and its words.
struct Box {
  std::string title, caption;
  LayoutItem shape;
};

class Arranger {
 public:
  Arranger(Document& document, const FlatGraph& graph, const Grouping& grouping, const std::vector<Flow>& flows)
      : document_(document), graph_(graph), grouping_(grouping), flows_(flows) {}

  void run() {
    rows_.resize(flows_.size());
    std::vector<Layout> layouts;
    for (std::size_t group = 0; group < flows_.size(); ++group) layouts.push_back(put_items(group));
    for (std::size_t group = 0; group < flows_.size(); ++group) put_edges(group, layouts[group]);
  }

 private:
  Layout put_items(std::size_t group) {
    const Flow& flow = flows_[group];
    std::vector<Box> boxes;
    LayoutGraph plan;
    for (const Item& item : flow.items) {
      boxes.push_back(box(item));
      plan.items.push_back(boxes.back().shape);
    }
    for (const Edge& edge : flow.edges) plan.edges.push_back({edge.from, edge.to});
    Layout layout = lay_out(plan);
    Items& items = document_.items;
    rows_[group].resize(flow.items.size());
    for (const std::vector<int>& rank : layout.ranks)
      for (const int i : rank) {
        const Item& item = flow.items[as_size(i)];
        rows_[group][as_size(i)] = static_cast<int>(items.kind.size());
        items.kind.push_back(item.kind);
        items.ref.push_back(item.ref);
        items.rank.push_back(layout.rank[as_size(i)]);
        items.x.push_back(layout.left[as_size(i)]);
        items.w.push_back(plan.items[as_size(i)].width);
        items.h.push_back(plan.items[as_size(i)].height);
        items.title.push_back(document_.strings.add(boxes[as_size(i)].title));
        items.caption.push_back(document_.strings.add(boxes[as_size(i)].caption));
        remember(item, rows_[group][as_size(i)]);
      }
    Groups& groups = document_.groups;
    groups.width.push_back(layout.width);
    groups.height.push_back(layout.total_height);
    groups.items.push_back(static_cast<int>(items.kind.size()));
    groups.rank_top.insert(groups.rank_top.end(), layout.top.begin(), layout.top.end());
    groups.rank_height.insert(groups.rank_height.end(), layout.height.begin(), layout.height.end());
    groups.ranks.push_back(static_cast<int>(groups.rank_top.size()));
    return layout;
  }

  void remember(const Item& item, int row) {
    if (item.kind == ItemKind::node) document_.nodes.item[as_size(item.ref)] = row;
    if (item.kind != ItemKind::group) return;
    const Group& group = grouping_.groups[as_size(item.ref)];
    if (group.kind == GroupKind::control) document_.nodes.item[as_size(group.node)] = row;
  }

  void put_edges(std::size_t group, const Layout& layout) {
    const Flow& flow = flows_[group];
    Edges& edges = document_.edges;
    for (std::size_t i = 0; i < flow.edges.size(); ++i) {
      const Edge& edge = flow.edges[i];
      edges.from.push_back(rows_[group][as_size(edge.from)]);
      edges.to.push_back(rows_[group][as_size(edge.to)]);
      edges.x0.push_back(layout.edges[i].from_x);
      edges.x1.push_back(layout.edges[i].to_x);
      edges.stub.push_back(layout.edges[i].stub ? 1 : 0);
      edges.via.add(layout.edges[i].via);
      for (const Line& line : edge.lines) {
        edges.value.push_back(line.value);
        edges.from_port.push_back(port(flow.items[as_size(edge.from)], line.from_port));
        edges.to_port.push_back(port(flow.items[as_size(edge.to)], line.to_port));
      }
      edges.lines.push_back(static_cast<int>(edges.value.size()));
    }
    document_.groups.edges.push_back(static_cast<int>(edges.from.size()));
  }

  int port(const Item& end, int port) const {
    return port < 0 || end.kind != ItemKind::group ? -1 : rows_[as_size(end.ref)][as_size(port)];
  }

  // ---- boxes

  Box box(const Item& item) const {
    switch (item.kind) {
      case ItemKind::node: return node_box(item.ref);
      case ItemKind::group: return group_box(item.ref);
      case ItemKind::input: return port_box(item.ref, LayoutItem::Place::first);
      case ItemKind::output: break;
    }
    return port_box(item.ref, LayoutItem::Place::last);
  }

  static Box sized(Box box, int height) {
    const int text = std::max(text_width(box.title, kTitleSize), text_width(box.caption, kCaptionSize));
    box.shape.width = std::max(kLeastWidth, (text + kMargin + 1) / 2 * 2);
    box.shape.height = height;
    return box;
  }

  Box node_box(int node) const {
    const FlatNode& from = graph_.nodes[as_size(node)];
    const int category = document_.operators.category[as_size(document_.nodes.op[as_size(node)])];
    Box made{.title = cut_short(shown(from.source->op_type), kLongestLabel),
             .caption = node_caption(graph_, from, category),
             .shape = {}};
    const int height = made.caption.empty() ? kNodeHeight : kNodeHeightWithCaption;
    return sized(std::move(made), height);
  }

  Box group_box(int group) const {
    const Group& from = grouping_.groups[as_size(group)];
    std::string title = from.name;
    if (!from.type.empty() && from.kind != GroupKind::control) title += " · " + from.type;
    if (from.kind == GroupKind::control) title = from.type;
    const Groups& groups = document_.groups;
    std::string caption = plural(groups.nodes[as_size(group)], "node");
    if (groups.parameters[as_size(group)] > 0) caption += " · " + count_text(groups.parameters[as_size(group)]) + " parameters";
    return sized({.title = cut_short(title, kLongestLabel), .caption = cut_short(caption, kLongestLabel + 8), .shape = {}},
                 kNodeHeightWithCaption);
  }

  Box port_box(int value, LayoutItem::Place place) const {
    // The last part of "/layer1/0/Conv_output_0" tells the most.
    const std::string_view name = graph_.values[as_size(value)].name;
    const std::string_view last = name.substr(name.rfind('/') + 1);
    Box made = sized({.title = cut_short(shown(last), kLongestLabel), .caption = {}, .shape = {}}, kPortHeight);
    made.shape.place = place;
    return made;
  }

  Document& document_;
  const FlatGraph& graph_;
  const Grouping& grouping_;
  const std::vector<Flow>& flows_;
  std::vector<std::vector<int>> rows_;  // by group and item of its flow
};

}  // namespace

void arrange(Document& document, const FlatGraph& graph, const Grouping& grouping, const std::vector<Flow>& flows) {
  Arranger(document, graph, grouping, flows).run();
}

}  // namespace cameo::view
