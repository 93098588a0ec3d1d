#include "inspect/module_text.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/core.h>

#include "base/index.h"
#include "base/text.h"
#include "inspect/outline.h"

namespace cameo::inspect {
namespace {

constexpr std::size_t kBar = 10;  // columns of the bar that shows a module's share of the bytes

struct Line {
  std::string branch, name, cls, note;
  std::string parameters, bytes;
  double share = 0;
  std::size_t width() const {
    return display_width(branch) + display_width(name) + display_width(cls) + display_width(note);
  }
};

std::string branch(const Row& row, bool lines) {
  std::string text;
  for (std::size_t level = 0; level < row.last_child.size(); ++level) {
    const bool innermost = level + 1 == row.last_child.size();
    if (!lines) {
      text += "  ";
    } else if (innermost) {
      text += row.last_child[level] ? "└─ " : "├─ ";
    } else {
      text += row.last_child[level] ? "   " : "│  ";
    }
  }
  return text;
}

std::string simple_name(const std::string& cls) { return cls.substr(cls.rfind('.') + 1); }

std::string bar(double share) {
  constexpr std::array<const char*, 8> kParts = {"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};
  const auto eighths = static_cast<std::size_t>(std::lround(std::clamp(share, 0., 1.) * kBar * 8));
  std::string text;
  for (std::size_t i = 0; i < eighths / 8; ++i) text += "█";
  return text + kParts[eighths % 8];
}

Line lay_out(const ModuleTree& tree, const Row& row, bool lines) {
  const std::vector<Module>& modules = tree.modules;
  const Module& module = modules[row.module];
  Weights weights;
  for (std::size_t i = row.module, n = 0; n < row.count; ++n, i = modules[i].end) weights += modules[i].total;
  Line line{.branch = branch(row, lines)};
  line.name = printable(module.name);
  if (row.count > 1) line.name += " … " + printable(modules[row.last].name);
  if (!line.name.empty()) line.name += "  ";
  line.cls = printable(row.last_child.empty() ? module.cls : simple_name(module.cls));
  if (row.count > 1) line.note = fmt::format("  × {}", row.count);
  if (module.shares) line.note += "  shares weights";
  if (module.alias)
    line.note = fmt::format("  same as {}", module.same_as.empty() ? "the root" : printable(module.same_as));
  const auto count = [&](Role role) { return element_at(weights.elements, role); };
  const std::int64_t parameters = saturating_add(count(Role::parameter), count(Role::packed));
  if (parameters > 0) line.parameters = grouped(parameters);
  const std::int64_t bytes = weights.total_bytes();
  if (bytes > 0) line.bytes = bytes_text(static_cast<std::uint64_t>(bytes));
  line.share =
      static_cast<double>(bytes) / static_cast<double>(std::max<std::int64_t>(tree.weights.total_bytes(), 1));
  return line;
}

// The tree's part of a line, cut to `width`.
std::string left_part(const Line& line, std::size_t width, const Style& style) {
  std::string text = style(Ink::faint, line.branch);
  std::size_t room = width - std::min(width, display_width(line.branch));
  const auto add = [&](Ink ink, const std::string& part) {
    const std::string shown = cut(part, room);
    room -= display_width(shown);
    text += style(ink, shown);
  };
  add(Ink::name, line.name);
  add(Ink::type, line.cls);
  add(Ink::faint, line.note);
  return text + std::string(room, ' ');
}

}  // namespace

std::string module_text(const ModuleTree& tree, const TextOptions& options, const Style& style) {
  if (tree.modules.empty()) return {};
  const Outline shown = outline(tree, options.depth, options.expand);
  const bool weights = tree.modules.front().total.total_bytes() > 0;
  const std::string title = "Modules", parameters = weights ? "parameters" : "",
                    bytes = weights ? "bytes" : "";
  std::vector<Line> lines;
  std::size_t left = title.size(), middle = parameters.size(), right = bytes.size();
  for (const Row& row : shown.rows) {
    const Line& line = lines.emplace_back(lay_out(tree, row, style.lines()));
    left = std::max(left, line.width());
    middle = std::max(middle, line.parameters.size());
    right = std::max(right, line.bytes.size());
  }
  const std::size_t numbers = 2 + middle + 2 + right + (style.lines() ? 2 + kBar : 0);
  left = std::min(left,
                  std::max<std::size_t>(options.width > numbers + 2 ? options.width - numbers - 2 : 0, 24));

  const auto trimmed = [](std::string text) {
    text.erase(text.find_last_not_of(' ') + 1);
    return text;
  };
  std::string text = "\n" + style(Ink::title, title) +
                     trimmed(fmt::format("{:{}}  {:>{}}  {:>{}}", "", left + 2 - title.size(), parameters,
                                         middle, bytes, right)) +
                     "\n";
  for (const Line& line : lines) {
    text +=
        trimmed(fmt::format("  {}  {:>{}}  {:>{}}  {}", left_part(line, left, style), line.parameters, middle,
                            line.bytes, right, style.lines() ? style(Ink::number, bar(line.share)) : "")) +
        "\n";
  }
  if (shown.hidden > 0) {
    text += style(Ink::faint,
                  fmt::format("  {} deeper down; --depth {} shows the next level",
                              plural(static_cast<std::int64_t>(shown.hidden), "module"), shown.depth + 1)) +
            "\n";
  }
  return text;
}

}  // namespace cameo::inspect
