#include "script/source_map_reader.h"

#include <fmt/core.h>

#include <limits>

namespace cameo::script {
namespace {

constexpr std::uint64_t kMaxOffset = std::numeric_limits<std::uint32_t>::max();
constexpr std::uint64_t kMaxSourceBytes = 16 << 20;  // the source of one function, or one call stack
constexpr std::uint64_t kMaxLine = 1 << 30;

}  // namespace

const std::vector<archive::Ref>* items_of(const archive::Value& value) {
  if (const auto* tuple = value.get_if<archive::Tuple>()) return &tuple->items;
  if (const auto* list = value.get_if<archive::List>()) return &list->items;
  return nullptr;
}

void SourceMapReader::fail(std::string_view what) const {
  Diagnostic diagnostic{.code = Code::bad_source_map};
  diagnostic.message = fmt::format("the table of source positions is malformed: {}", what);
  diagnostic.record = record_;
  diagnostic.hint = "save the model again with torch.jit.save";
  throw Error(std::move(diagnostic));
}

const SourceMapReader::Items& SourceMapReader::items(archive::Ref value, std::size_t least,
                                                     std::string_view what) const {
  const Items* found = items_of(*value);
  if (!found) fail(fmt::format("{} should be a tuple", what));
  if (found->size() < least) fail(fmt::format("{} should be a tuple of {}", what, least));
  return *found;
}

std::uint32_t SourceMapReader::number(archive::Ref value, std::uint64_t most, std::string_view what) const {
  const auto* number = value->get_if<std::int64_t>();
  if (!number) fail(fmt::format("{} should be an integer", what));
  if (*number < 0 || static_cast<std::uint64_t>(*number) > most) {
    fail(fmt::format("{} is {}, beyond 0 to {}", what, *number, most));
  }
  return static_cast<std::uint32_t>(*number);
}

void SourceMapReader::read(archive::Ref root) {
  const Items& outer = items(root, 0, "the table");
  const auto* format = outer.empty() ? nullptr : outer[0]->get_if<archive::String>();
  if (!format) return read_entries(outer);
  if (format->text != "FORMAT_WITH_STRING_TABLE") fail("its format is unknown");
  indexed_ = true;
  items(root, 3, "the table");
  read_texts(outer[1]);
  read_entries(items(outer[2], 0, "the list of records"));
}

void SourceMapReader::read_texts(archive::Ref value) {
  for (const archive::Ref item : items(value, 0, "the list of texts")) {
    const auto* text = item->get_if<archive::String>();
    if (!text) fail("a text should be a string");
    map_.texts_.push_back(text->text);
  }
}

void SourceMapReader::read_entries(const Items& records) {
  map_.entries_.reserve(records.size());
  for (const archive::Ref value : records) {
    const Items& record = items(value, 2, "a record");
    const Items& range = items(record[1], 3, "a range");
    PickledSourceMap::Entry entry;
    entry.offset = number(record[0], kMaxOffset, "an offset");
    entry.source = source_index(range[0]);
    const std::uint64_t size = map_.sources_[entry.source].size;
    if (size > 0) {  // writers give ranges without a source any numbers
      entry.end = number(range[2], size, "the end of a range");
      entry.begin = number(range[1], entry.end, "the begin of a range");
    }
    map_.entries_.push_back(entry);
  }
}

std::uint32_t SourceMapReader::source_index(archive::Ref value) {
  const auto [known, fresh] = sources_.try_emplace(value, static_cast<std::uint32_t>(map_.sources_.size()));
  if (fresh) {
    const Items& parts = items(value, 3, "a source");
    PickledSourceMap::Source source;
    source.text = parts[0];
    source.size = text_size(parts[0]);
    source.file = file_name(parts[1]);
    source.first_line = number(parts[2], kMaxLine, "a line number");
    map_.sources_.push_back(source);
  }
  return known->second;
}

std::uint64_t SourceMapReader::text_size(archive::Ref text) {
  const auto [known, fresh] = sizes_.try_emplace(text, 0);
  if (!fresh) return known->second;
  std::uint64_t size = 0;
  if (!indexed_) {
    const auto* string = text->get_if<archive::String>();
    if (!string) fail("the text of a source should be a string");
    size = string->text.size();
  } else {
    for (const archive::Ref item : items(text, 0, "the text of a source")) {
      const std::uint32_t index = number(item, kMaxOffset, "the index of a text");
      if (index >= map_.texts_.size()) fail(fmt::format("there is no text {}", index));
      size += map_.texts_[index].size();
    }
  }
  if (size > kMaxSourceBytes) fail("the text of a source is longer than 16 MiB");
  return known->second = size;
}

std::string_view SourceMapReader::file_name(archive::Ref value) const {
  if (indexed_) {
    const std::uint32_t index = number(value, kMaxOffset, "the index of a file's name");
    if (index >= map_.texts_.size()) fail(fmt::format("there is no text {}", index));
    return map_.texts_[index];
  }
  if (value->is_none()) return {};
  const auto* name = value->get_if<archive::String>();
  if (!name) fail("a file's name should be a string");
  return name->text;
}

}  // namespace cameo::script
