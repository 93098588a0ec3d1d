#pragma once
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "base/mapped_file.h"
#include "base/side_by_side.h"

namespace cameo {

// A file that appears under its name only when commit() is called; dropped otherwise, with nothing left
// behind even by a kill where the file system knows files without names; only in the moment in which it
// replaces an older one does it stand, whole, under a name of its own. Throws Error (stage write).
class NewFile {
 public:
  // Without `sync` it is left to the system when the disk gets it.
  explicit NewFile(std::string path, bool sync = true);
  ~NewFile();
  NewFile(const NewFile&) = delete;
  NewFile& operator=(const NewFile&) = delete;

  void append(Bytes bytes);
  void append(std::string_view text) { append(std::as_bytes(std::span(text))); }
  // A part of a mapped file, without touching the mapping; holes stay holes.
  void append(const MappedFile& source, std::uint64_t offset, std::uint64_t length);
  void append_zeros(std::uint64_t count);  // as a hole
  void append_room(std::uint64_t count);   // for write_at
  // Into what append_room() left. Threads may do so side by side.
  void write_at(std::uint64_t offset, Bytes bytes) const;
  std::uint64_t size() const { return size_ + buffer_.size(); }

  // Everything is written when it returns, but not yet under the final name.
  void finish();
  // Finishes it if need be and gives it the final name, in one step.
  void commit();

 private:
  void flush();
  void put(Bytes bytes);
  void write(std::uint64_t offset, Bytes bytes) const;
  void copy(const MappedFile& source, std::uint64_t offset, std::uint64_t length);
  void reserve(std::uint64_t count) const;
  void start_writing_out(std::uint64_t begin, std::uint64_t end) const;
  void take_name();
  [[noreturn]] void fail(const char* doing) const;

  std::string path_;
  std::string temporary_;  // its name until then; empty: it has none
  bool sync_;
  int descriptor_ = -1;
  bool finished_ = false;
  std::uint64_t size_ = 0;
  std::uint64_t started_ = 0;  // bytes that are on their way to the disk
  std::string buffer_;
  std::unique_ptr<std::byte[]> copied_[kWorkers];  // what is between reading and writing
};

}  // namespace cameo
