#include "view/svg/svg.h"

#include <array>

#include <fmt/core.h>

#include "base/index.h"
#include "view/document/text_width.h"
#include "view/svg/escape.h"
#include "view/svg/open.h"
#include "view/svg/scene.h"

namespace cameo::view {
namespace {

constexpr int kAround = 16, kStub = 14;

// The colours of boxes by category.
constexpr std::array<std::string_view, 12> kFills = {"#eceff3", "#cfe3fb", "#dcd9f7", "#fbdcd3",
                                                     "#d5efd9", "#cdeeee", "#fdf0c8", "#f6dcee",
                                                     "#e6e1d8", "#e3edc9", "#f9d9dc", "#dfe3ea"};

constexpr std::string_view kStyle =
    "text{font-family:Helvetica,Arial,sans-serif;fill:#1f2733}"
    ".t{font-size:13px;text-anchor:middle}.c{font-size:11px;text-anchor:middle;fill:#566072}"
    ".f{font-size:12px;font-weight:600;fill:#3d4757}.v{font-size:9px;fill:#7b8494}"
    "rect{stroke:#8f99a8}.g{fill:#fff;stroke:#5c6878}.o{fill:#5c6878;fill-opacity:.06;stroke:#9aa4b2}"
    ".p{fill:#fff;stroke:#8f99a8}path{fill:none;stroke:#7b8494;stroke-width:1.2}.s{stroke-dasharray:3 2}"
    ".a{fill:#7b8494;stroke:none}";

class Drawing {
 public:
  Drawing(const Document& document, Scene scene) : document_(document), scene_(std::move(scene)) {}

  std::string run() {
    const int width = scene_.width + 2 * kAround, height = scene_.height + 2 * kAround;
    out_ = fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{}\" height=\"{}\" viewBox=\"{} {} {} {}\">\n"
        "<title>{}</title>\n<style>{}</style>\n<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" "
        "fill=\"#fff\" "
        "style=\"stroke:none\"/>\n",
        width, height, -kAround, -kAround, width, height, escape_xml(document_.title), kStyle, -kAround,
        -kAround, width, height);
    for (const SceneBox& each : scene_.boxes)
      if (each.open) frame(each);
    for (const SceneLine& each : scene_.lines) line(each);
    for (const SceneBox& each : scene_.boxes)
      if (!each.open) box(each);
    return std::move(out_) + "</svg>\n";
  }

 private:
  std::string text_of(int string) const { return escape_xml(document_.strings[string]); }
  int ref(const SceneBox& box) const { return element_at(document_.items.ref, box.item); }
  int title(const SceneBox& box) const { return element_at(document_.items.title, box.item); }
  int caption(const SceneBox& box) const { return element_at(document_.items.caption, box.item); }

  void frame(const SceneBox& box) {
    out_ += fmt::format("<rect class=\"o\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" rx=\"8\"/>", box.x,
                        box.y, box.w, box.h);
    out_ += fmt::format("<text class=\"f\" x=\"{}\" y=\"{}\">{}</text>\n", box.x + 10, box.y + 16,
                        text_of(title(box)));
  }

  void box(const SceneBox& box) {
    const auto item = static_cast<std::size_t>(box.item);
    std::string look = "class=\"p\" rx=\"11\"";
    if (document_.items.kind[item] == ItemKind::group) look = "class=\"g\" rx=\"8\"";
    if (document_.items.kind[item] == ItemKind::node) {
      const auto op = static_cast<std::size_t>(element_at(document_.nodes.op, ref(box)));
      look = fmt::format("fill=\"{}\" rx=\"4\"", element_at(kFills, document_.operators.category[op]));
    }
    out_ += fmt::format("<rect {} x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"/>", look, box.x, box.y, box.w,
                        box.h);
    const int middle = box.x + box.w / 2;
    const bool two = caption(box) != 0;
    words("t", middle, box.y + (two ? 17 : box.h / 2 + 5), title(box), kTitleSize);
    if (two) words("c", middle, box.y + 33, caption(box), kCaptionSize);
    out_ += '\n';
  }

  void words(std::string_view look, int x, int y, int string, int size) {
    const int width = text_width(document_.strings[string], size);
    out_ += fmt::format(
        "<text class=\"{}\" x=\"{}\" y=\"{}\" textLength=\"{}\" lengthAdjust=\"spacingAndGlyphs\">{}</text>",
        look, x, y, width, text_of(string));
  }

  void line(const SceneLine& line) {
    if (line.stub) return stub(line);
    std::string path = fmt::format("M{} {}", line.points[0].x, line.points[0].y);
    for (std::size_t i = 1; i < line.points.size(); ++i) {
      const Point from = line.points[i - 1], to = line.points[i];
      if (from.x == to.x && from.y == to.y) continue;
      if (from.x == to.x)
        path += fmt::format("V{}", to.y);
      else
        path += fmt::format("C{} {} {} {} {} {}", from.x, (from.y + to.y) / 2, to.x, (from.y + to.y) / 2,
                            to.x, to.y);
    }
    out_ += fmt::format("<path d=\"{}\"/>", path);
    arrow(line.points.back());
    type_beside(line);
    out_ += '\n';
  }

  void arrow(Point end) { out_ += fmt::format("<path class=\"a\" d=\"M{} {}l-3.5 -7h7z\"/>", end.x, end.y); }

  // A short piece at both ends, with the name of the value.
  void stub(const SceneLine& line) {
    const Point from = line.points.front(), to = line.points.back();
    const std::string name = escape_xml(cut_short(document_.strings[name_of(line.value)], 24));
    out_ += fmt::format(
        "<path class=\"s\" d=\"M{0} {1}v{2}\"/><text class=\"v\" x=\"{3}\" y=\"{4}\">→ {5}</text>", from.x,
        from.y, kStub, from.x + 3, from.y + kStub, escape_xml(document_.strings[target_of(line)]));
    out_ +=
        fmt::format("<path class=\"s\" d=\"M{0} {1}v{2}\"/><text class=\"v\" x=\"{3}\" y=\"{4}\">{5}</text>",
                    to.x, to.y - kStub, kStub, to.x + 3, to.y - kStub + 4, name);
    arrow(to);
    out_ += '\n';
  }

  int name_of(int value) const { return element_at(document_.values.name, value); }
  int target_of(const SceneLine& line) const {
    const int to = element_at(document_.edges.to, line.edge);
    return element_at(document_.items.title, to);
  }

  // Only the last line of each value tells it, and only where there is room.
  void type_beside(const SceneLine& line) {
    const Point end = line.points[line.points.size() - 1], before = line.points[line.points.size() - 2];
    const int type = element_at(document_.values.type, line.value);
    if (type == 0 || end.y - before.y < 24 || before.x != end.x) return;
    out_ += fmt::format("<text class=\"v\" x=\"{}\" y=\"{}\">{}</text>", end.x + 5,
                        (end.y + before.y) / 2 + 3, escape_xml(cut_short(document_.strings[type], 28)));
  }

  const Document& document_;
  Scene scene_;
  std::string out_;
};

}  // namespace

std::string to_svg(const Document& document, const PictureOptions& options) {
  const int group = options.only.empty() ? 0 : find_group(document, options.only);
  return Drawing(document, make_scene(document, group, open_groups(document, group, options.depth))).run();
}

}  // namespace cameo::view
