#pragma once
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "script/source_map.h"

namespace cameo::script {

// The items of a tuple or list; null for anything else.
const std::vector<archive::Ref>* items_of(const archive::Value& value);

// Fills a PickledSourceMap from its pickle; every number is checked here, so that looking up need not.
class SourceMapReader {
 public:
  SourceMapReader(PickledSourceMap& map, std::string record) : map_(map), record_(std::move(record)) {}
  void read(archive::Ref root);

 private:
  using Items = std::vector<archive::Ref>;
  const Items& items(archive::Ref value, std::size_t least, std::string_view what) const;
  std::uint32_t number(archive::Ref value, std::uint64_t most, std::string_view what) const;
  void read_texts(archive::Ref value);
  void read_entries(const Items& records);
  std::uint32_t source_index(archive::Ref value);
  std::uint64_t text_size(archive::Ref text);
  std::string_view file_name(archive::Ref value) const;
  [[noreturn]] void fail(std::string_view what) const;

  PickledSourceMap& map_;
  std::string record_;
  bool indexed_ = false;  // texts and names are indices into a table
  std::unordered_map<archive::Ref, std::uint32_t> sources_;
  std::unordered_map<archive::Ref, std::uint64_t> sizes_;
};

}  // namespace cameo::script
