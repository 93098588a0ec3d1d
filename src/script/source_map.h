#pragma once
// The Python source of code files. TorchScript archives hold it in *.py.debug_pkl, in three layouts.

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "archive/pickle.h"
#include "cameo/diagnostic.h"
#include "script/ast.h"

namespace cameo::script {

// The original Python source of a code file.
class SourceMap {
 public:
  SourceMap() = default;  // knows nothing
  virtual ~SourceMap() = default;
  SourceMap(const SourceMap&) = delete;
  SourceMap& operator=(const SourceMap&) = delete;

  // The user's own source of a piece of code: innermost frame first, empty if unknown. A piece may begin with
  // something that has no source of its own. Then the rest of the piece counts, or else the nearest code
  // before it, or after it, within `scope`.
  virtual std::vector<Position> locate(Range /*range*/, Range /*scope*/) const { return {}; }
  // Whether some range is a recorded call stack: the code was made by tracing.
  virtual bool traced() const { return false; }
};

// The table of a TorchScript archive.
class PickledSourceMap final : public SourceMap {
 public:
  // Reads "code/X.py.debug_pkl", the record that diagnostics name. Malformed tables throw Error; the values
  // stay in `pickle`.
  explicit PickledSourceMap(std::shared_ptr<const archive::Pickle> pickle, std::string record = {});

  // The source of the byte at `offset` of the code file. Scripted code gives one frame with the text of the
  // line and the marked range; traced code gives its recorded call stack.
  std::vector<Position> locate(std::uint32_t offset) const;
  std::vector<Position> locate(Range range, Range scope) const override;
  bool traced() const override;

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
