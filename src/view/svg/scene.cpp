#include "view/svg/scene.h"

#include <algorithm>
#include <limits>

#include "base/index.h"

namespace cameo::view {
namespace {

// The layout of a group after the groups in it were opened.
struct Opened {
  std::vector<int> x, w, h;  // by item of the group, from its first
  std::vector<int> top;      // by rank
  std::vector<int> height;
  std::vector<std::vector<int>> via;  // by edge of the group
  int width = 0, total_height = 0;
};

class Stage {
 public:
  Stage(const Document& document, const std::vector<bool>& open)
      : document_(document), open_(open), opened_(document.groups.parent.size()) {}

  Scene run(int group) {
    // Children come after their parents.
    for (int i = static_cast<int>(opened_.size()); i-- > group;)
      if (i == group || open_[as_size(i)]) arrange(i);
    place(group, {0, 0}, 0);
    scene_.width = opened_[as_size(group)].width;
    scene_.height = opened_[as_size(group)].total_height;
    return std::move(scene_);
  }

 private:
  const Groups& groups() const { return document_.groups; }
  const Items& items() const { return document_.items; }
  int first(int group) const { return groups().items[as_size(group)]; }
  int end(int group) const { return groups().items[as_size(group) + 1]; }
  bool is_open(int item) const {
    return items().kind[as_size(item)] == ItemKind::group && open_[as_size(items().ref[as_size(item)])];
  }

  void arrange(int group) {
    Opened& made = opened_[as_size(group)];
    for (int item = first(group); item < end(group); ++item) {
      made.x.push_back(items().x[as_size(item)]);
      made.w.push_back(items().w[as_size(item)]);
      made.h.push_back(items().h[as_size(item)]);
      if (!is_open(item)) continue;
      const Opened& inner = opened_[as_size(items().ref[as_size(item)])];
      made.w.back() = std::max(made.w.back(), inner.width + 2 * kFramePadding);
      made.h.back() = inner.total_height + kFrameHeader + kFramePadding;
    }
    move_ranks(group, made);
    move_aside(group, made);
    from_zero(made);
  }

  void move_ranks(int group, Opened& made) const {
    const int begin = groups().ranks[as_size(group)], count = groups().ranks[as_size(group) + 1] - begin;
    made.height.resize(as_size(count));
    for (int item = first(group); item < end(group); ++item) {
      int& height = made.height[as_size(items().rank[as_size(item)])];
      height = std::max(height, made.h[as_size(item - first(group))]);
    }
    int moved = 0;
    for (int rank = 0; rank < count; ++rank) {
      made.top.push_back(groups().rank_top[as_size(begin + rank)] + moved);
      moved += made.height[as_size(rank)] - groups().rank_height[as_size(begin + rank)];
      made.total_height = made.top.back() + made.height[as_size(rank)];
    }
  }

  // How far an item that grew moves the others in its rank to both sides.
  struct Push {
    int middle, left, right;
  };

  void move_aside(int group, Opened& made) const {
    std::vector<std::vector<Push>> pushes(made.top.size());
    for (int item = first(group); item < end(group); ++item) {
      const int closed = items().w[as_size(item)], growth = made.w[as_size(item - first(group))] - closed;
      if (growth > 0)
        pushes[as_size(items().rank[as_size(item)])].push_back({items().x[as_size(item)] + closed / 2, growth / 2, growth - growth / 2});
    }
    const auto moved = [&](int rank, int middle) {
      int sum = 0;
      for (const Push& push : pushes[as_size(rank)]) sum += push.middle > middle ? -push.left : push.middle < middle ? push.right : 0;
      return sum;
    };
    for (int item = first(group); item < end(group); ++item) {
      const int closed = items().w[as_size(item)];
      int& x = made.x[as_size(item - first(group))];
      const int growth = made.w[as_size(item - first(group))] - closed;
      x += moved(items().rank[as_size(item)], x + closed / 2) - growth / 2;
    }
    const Edges& edges = document_.edges;
    for (int edge = groups().edges[as_size(group)]; edge < groups().edges[as_size(group) + 1]; ++edge) {
      std::vector<int>& via = made.via.emplace_back();
      int rank = items().rank[as_size(edges.from[as_size(edge)])];
      for (int i = edges.via.start[as_size(edge)]; i < edges.via.start[as_size(edge) + 1]; ++i)
        via.push_back(edges.via.items[as_size(i)] + moved(++rank, edges.via.items[as_size(i)]));
    }
  }

  static void from_zero(Opened& made) {
    int least = std::numeric_limits<int>::max();
    for (const int x : made.x) least = std::min(least, x);
    for (const std::vector<int>& via : made.via)
      for (const int x : via) least = std::min(least, x);
    for (std::size_t i = 0; i < made.x.size(); ++i) {
      made.x[i] -= least;
      made.width = std::max(made.width, made.x[i] + made.w[i]);
    }
    for (std::vector<int>& via : made.via)
      for (int& x : via) {
        x -= least;
        made.width = std::max(made.width, x);
      }
  }

  // ---- boxes and lines

  void place(int group, Point origin, int depth) {
    const Opened& from = opened_[as_size(group)];
    for (int item = first(group); item < end(group); ++item) {
      const std::size_t i = as_size(item - first(group));
      const SceneBox box{.item = item,
                         .x = origin.x + from.x[i],
                         .y = origin.y + from.top[as_size(items().rank[as_size(item)])],
                         .w = from.w[i],
                         .h = from.h[i],
                         .open = is_open(item),
                         .depth = depth};
      scene_.boxes.push_back(box);
      if (box.open) place(items().ref[as_size(item)], inside(box), depth + 1);
    }
    for (int edge = groups().edges[as_size(group)]; edge < groups().edges[as_size(group) + 1]; ++edge) lines(group, edge, origin);
  }

  static Point inside(const SceneBox& box) { return {box.x + kFramePadding, box.y + kFrameHeader}; }

  // One line for the edge, or one for each value where an end is open.
  void lines(int group, int edge, Point origin) {
    const Edges& edges = document_.edges;
    const int from = edges.from[as_size(edge)], to = edges.to[as_size(edge)];
    const int begin = edges.lines[as_size(edge)], stop = edges.lines[as_size(edge) + 1];
    const bool each = is_open(from) || is_open(to);
    for (int line = begin; line < (each ? stop : std::min(stop, begin + 1)); ++line) {
      SceneLine made{.edge = edge, .value = edges.value[as_size(line)], .points = {}, .stub = edges.stub[as_size(edge)] != 0};
      made.points = route(group, edge, origin, edges.from_port[as_size(line)], edges.to_port[as_size(line)], made.stub);
      scene_.lines.push_back(std::move(made));
    }
  }

  std::vector<Point> route(int group, int edge, Point origin, int from_port, int to_port, bool stub) const {
    const Opened& in = opened_[as_size(group)];
    const Edges& edges = document_.edges;
    const int from = edges.from[as_size(edge)], to = edges.to[as_size(edge)];
    std::vector<Point> points;
    const auto add = [&](int x, int y) { points.push_back({origin.x + x, origin.y + y}); };
    const int start = end_x(group, from, edges.x0[as_size(edge)], from_port), from_rank = items().rank[as_size(from)];
    const int bottom = in.top[as_size(from_rank)] + in.h[as_size(from - first(group))];
    const int stop = end_x(group, to, edges.x1[as_size(edge)], to_port), to_rank = items().rank[as_size(to)];
    add(start, is_open(from) && from_port >= 0 ? bottom - kFramePadding : bottom);
    if (stub) {
      add(stop, in.top[as_size(to_rank)]);
      return points;
    }
    add(start, in.top[as_size(from_rank)] + in.height[as_size(from_rank)]);
    int rank = from_rank;
    for (const int x : in.via[as_size(edge - groups().edges[as_size(group)])]) {
      ++rank;
      add(x, in.top[as_size(rank)]);
      add(x, in.top[as_size(rank)] + in.height[as_size(rank)]);
    }
    add(stop, in.top[as_size(to_rank)]);
    if (is_open(to) && to_port >= 0) add(stop, in.top[as_size(to_rank)] + kFrameHeader);
    return points;
  }

  // Where a line touches an item: the middle of the port if the item is open.
  int end_x(int group, int item, int closed, int port) const {
    const std::size_t i = as_size(item - first(group));
    const Opened& in = opened_[as_size(group)];
    const int growth = in.w[i] - items().w[as_size(item)];
    if (!is_open(item) || port < 0) return closed + in.x[i] - items().x[as_size(item)] + growth / 2;
    const int inner = items().ref[as_size(item)];
    const std::size_t p = as_size(port - first(inner));
    return in.x[i] + kFramePadding + opened_[as_size(inner)].x[p] + opened_[as_size(inner)].w[p] / 2;
  }

  const Document& document_;
  const std::vector<bool>& open_;
  std::vector<Opened> opened_;
  Scene scene_;
};

}  // namespace

Scene make_scene(const Document& document, int group, const std::vector<bool>& open) {
  return Stage(document, open).run(group);
}

}  // namespace cameo::view
