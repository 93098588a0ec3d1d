#include "exported/lower/stack_trace.h"

#include <algorithm>
#include <array>
#include <charconv>

namespace cameo::exported {
namespace {

std::string_view take_line(std::string_view& text) {
  const std::size_t end = std::min(text.find('\n'), text.size());
  const std::string_view line = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return line;
}

std::string_view trim(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t\r");
  if (first == text.npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\r") - first + 1);
}

// Parts of PyTorch that call the user's code or record its calls.
bool is_machinery(std::string path) {
  std::ranges::replace(path, '\\', '/');
  constexpr std::array kFolders = {"/torch/export/",      "/torch/_export/",
                                   "/torch/_dynamo/",     "/torch/fx/",
                                   "/torch/_functorch/",  "/torch/_higher_order_ops/",
                                   "/torch/_subclasses/", "/torch/_ops.py",
                                   "/torch/utils/",       "/torch/nn/modules/module.py",
                                   "/torch/overrides.py"};
  return std::ranges::any_of(kFolders, [&](std::string_view part) { return path.find(part) != path.npos; });
}

// `File "a.py", line 3, in forward`; nothing for another line.
std::optional<Position> parse_frame(std::string_view line) {
  constexpr std::string_view kFile = "File \"", kLine = "\", line ", kIn = ", in ";
  line = trim(line);
  if (!line.starts_with(kFile)) return std::nullopt;
  const std::size_t number = line.find(kLine);
  if (number == line.npos) return std::nullopt;
  Position position;
  position.file = line.substr(kFile.size(), number - kFile.size());
  std::string_view rest = line.substr(number + kLine.size());
  const auto parsed = std::from_chars(rest.data(), rest.data() + rest.size(), position.line);
  if (parsed.ec != std::errc()) return std::nullopt;
  rest.remove_prefix(static_cast<std::size_t>(parsed.ptr - rest.data()));
  if (rest.starts_with(kIn)) position.function = trim(rest.substr(kIn.size()));
  return position;
}

}  // namespace

std::vector<Position> parse_stack_trace(std::string_view text) {
  std::vector<Position> frames;
  while (!text.empty()) {
    std::optional<Position> position = parse_frame(take_line(text));
    if (!position) continue;
    std::string_view rest = text;
    const std::string_view source = trim(take_line(rest));
    if (!source.starts_with("File \"")) {
      position->text = source;
      position->length = std::max(1, static_cast<int>(source.size()));
      text = rest;
    }
    if (!is_machinery(position->file)) frames.push_back(std::move(*position));
  }
  std::ranges::reverse(frames);
  return frames;
}

std::vector<Position> NodeSourceMap::locate(script::Range range, script::Range) const {
  const auto after = std::ranges::upper_bound(entries_, range.begin, {},
                                              [](const Entry& entry) { return entry.range.begin; });
  if (after == entries_.begin() || range.begin >= std::prev(after)->range.end) return {};
  const std::optional<std::string> trace = std::prev(after)->node->metadata("stack_trace");
  return trace ? parse_stack_trace(*trace) : std::vector<Position>{};
}

}  // namespace cameo::exported
