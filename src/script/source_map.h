#pragma once
// Where serialized code came from: the tables of *.py.debug_pkl, all three layouts.

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "archive/pickle.h"
#include "cameo/diagnostic.h"
#include "script/ast.h"

namespace cameo::script {

class SourceMap {
 public:
  SourceMap() = default;  // knows nothing
  // Reads "code/X.py.debug_pkl", the record that diagnostics name. Malformed tables throw Error; the values
  // stay in `pickle`.
  explicit SourceMap(std::shared_ptr<const archive::Pickle> pickle, std::string record = {});

  // The user's own source of the byte at `offset` of the code file: innermost frame first, empty if unknown.
  // Scripted code gives one frame with the line's text and the marked range; traced code its recorded call
  // stack.
  std::vector<Position> locate(std::uint32_t offset) const;
  // The same for a piece of code, which may begin with something that has no source of its own: then what
  // the rest of it came from counts, or else the nearest code before it, or after it, within `scope`.
  std::vector<Position> locate(Range range, Range scope) const;
  bool empty() const { return entries_.empty(); }
  bool traced() const;  // some range is a recorded call stack: the code was made by tracing

 private:
  friend class SourceMapReader;
  struct Source {
    archive::Ref text = nullptr;  // a string, or a list of indices into texts_
    std::uint64_t size = 0;       // of the text
    std::string_view file;        // empty if unknown
    std::int64_t first_line = 0;
  };
  struct Entry {
    std::uint32_t offset = 0;
    std::uint32_t source = 0;
    std::uint32_t begin = 0, end = 0;
  };

  const Entry* covering(std::uint32_t offset) const;
  bool known(const Entry& entry) const { return sources_[entry.source].size > 0; }
  bool is_call_stack(const Entry& entry) const;
  std::vector<std::string_view> pieces(const Source& source) const;
  std::vector<Position> frames(const Entry& entry) const;

  std::shared_ptr<const archive::Pickle> pickle_;
  std::vector<std::string_view> texts_;
  std::vector<Source> sources_;
  std::vector<Entry> entries_;  // sorted by offset
};

}  // namespace cameo::script
