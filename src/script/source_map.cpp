#include "script/source_map.h"

#include <algorithm>
#include <charconv>
#include <limits>
#include <optional>

#include "script/chars.h"
#include "script/fault.h"
#include "script/source_map_reader.h"

namespace cameo::script {
namespace {

// "/path/file.py(459): function", as tracing records a call.
std::optional<Position> frame_of(std::string_view line) {
  const std::size_t close = line.rfind("): ");
  if (close == line.npos || close + 3 == line.size()) return std::nullopt;
  const std::size_t open = line.rfind('(', close);
  if (open == line.npos || open == 0) return std::nullopt;
  int number = 0;
  const char* const end = line.data() + close;
  const auto result = std::from_chars(line.data() + open + 1, end, number);
  if (result.ec != std::errc() || result.ptr != end || number < 0) return std::nullopt;
  return Position{.file = std::string(line.substr(0, open)),
                  .line = number,
                  .column = 0,
                  .length = 1,
                  .text = {},
                  .function = std::string(line.substr(close + 3))};
}

// The name behind the first `def`.
std::string function_in(std::string_view text) {
  for (std::size_t at = text.find("def "); at != text.npos; at = text.find("def ", at + 4)) {
    const std::size_t line = text.rfind('\n', at) + 1;
    const std::string_view before = text.substr(line, at - line);
    if (before.find_first_not_of(" \t") != before.npos && !before.ends_with("async ")) continue;
    const std::string_view name = text.substr(at + 4);
    return std::string(name.begin(), std::find_if_not(name.begin(), name.end(), is_word_char));
  }
  return {};
}

std::vector<Position> call_stack(std::string_view text) {
  std::vector<Position> frames;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    if (auto frame = frame_of(text.substr(0, end))) frames.push_back(std::move(*frame));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return frames;
}

}  // namespace

PickledSourceMap::PickledSourceMap(std::shared_ptr<const archive::Pickle> pickle, std::string record)
    : pickle_(std::move(pickle)) {
  SourceMapReader(*this, std::move(record)).read(pickle_->root());
  std::stable_sort(entries_.begin(), entries_.end(),
                   [](const Entry& a, const Entry& b) { return a.offset < b.offset; });
}

const PickledSourceMap::Entry* PickledSourceMap::covering(std::uint32_t offset) const {
  const auto after = std::upper_bound(entries_.begin(), entries_.end(), offset,
                                      [](std::uint32_t at, const Entry& entry) { return at < entry.offset; });
  return after == entries_.begin() ? nullptr : &*std::prev(after);
}

std::vector<Position> PickledSourceMap::locate(std::uint32_t offset) const {
  const Entry* entry = covering(offset);
  return entry && known(*entry) ? frames(*entry) : std::vector<Position>{};
}

std::vector<Position> PickledSourceMap::locate(Range range, Range scope) const {
  if (entries_.empty()) return {};
  const Entry* const first = &entries_.front();
  const Entry* const last = first + entries_.size();
  const Entry* here = covering(range.begin);
  if (!here) here = first;
  if (here->offset <= range.begin && known(*here)) return frames(*here);
  for (const Entry* e = here; e != last && e->offset < range.end; ++e) {
    if (known(*e)) return frames(*e);
  }
  for (const Entry* e = here; e != first && e->offset > scope.begin; --e) {
    if (e[-1].offset >= scope.begin && known(e[-1])) return frames(e[-1]);
  }
  for (const Entry* e = here; e != last && e->offset < scope.end; ++e) {
    if (known(*e)) return frames(*e);
  }
  return {};
}

bool PickledSourceMap::traced() const {
  return std::any_of(entries_.begin(), entries_.end(),
                     [this](const Entry& entry) { return is_call_stack(entry); });
}

std::vector<std::string_view> PickledSourceMap::pieces(const Source& source) const {
  if (const auto* text = source.text->get_if<archive::String>()) return {text->text};
  std::vector<std::string_view> pieces;
  for (const archive::Ref index : *items_of(*source.text)) {
    pieces.push_back(texts_[static_cast<std::size_t>(*index->get_if<std::int64_t>())]);
  }
  return pieces;
}

// The first line decides: no Python function begins like a recorded call.
bool PickledSourceMap::is_call_stack(const Entry& entry) const {
  const Source& source = sources_[entry.source];
  if (source.size == 0 || entry.begin != 0 || entry.end != source.size) return false;
  std::string_view head;
  if (const auto* text = source.text->get_if<archive::String>()) {
    head = text->text;
  } else {
    head = texts_[static_cast<std::size_t>(*items_of(*source.text)->front()->get_if<std::int64_t>())];
  }
  return frame_of(head.substr(0, head.find('\n'))).has_value();
}

std::vector<Position> PickledSourceMap::frames(const Entry& entry) const {
  const Source& source = sources_[entry.source];
  std::string text;
  text.reserve(source.size);
  for (const std::string_view piece : pieces(source)) text += piece;
  if (is_call_stack(entry)) return call_stack(text);
  Position position = position_of(source.file, text, {entry.begin, entry.end});
  const std::int64_t line = position.line + std::max<std::int64_t>(source.first_line, 1) - 1;
  position.line = static_cast<int>(std::min<std::int64_t>(line, std::numeric_limits<int>::max()));
  position.function = function_in(text);
  return {std::move(position)};
}

}  // namespace cameo::script
