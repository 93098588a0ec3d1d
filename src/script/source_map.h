#pragma once
// Where serialized code came from: the tables of *.py.debug_pkl, all three layouts.

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "archive/pickle.h"
#include "cameo/diagnostic.h"

namespace cameo::script {

class SourceMap {
 public:
  SourceMap() = default;  // knows nothing
  // Reads "code/X.py.debug_pkl". Malformed tables throw Error; the values stay in `pickle`.
  explicit SourceMap(std::shared_ptr<const archive::Pickle> pickle);

  // The user's own source of the byte at `offset` of the code file: innermost frame first, empty if unknown.
  // Scripted code gives one frame with the line's text and the marked range; traced code its recorded call
  // stack.
  std::vector<Position> locate(std::uint32_t offset) const;
  bool empty() const { return entries_.empty(); }
  bool traced() const;  // some range is a recorded call stack: the code was made by tracing

 private:
  struct Source {
    std::string text;
    std::string file;
    std::int64_t first_line = 0;
  };
  struct Entry {
    std::uint32_t offset;
    const Source* source;
    std::uint32_t begin, end;
  };
  std::shared_ptr<const archive::Pickle> pickle_;
  std::vector<std::unique_ptr<Source>> sources_;
  std::vector<Entry> entries_;  // sorted by offset
};

}  // namespace cameo::script
