#pragma once
#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "base/destination.h"
#include "base/mapped_file.h"
#include "base/side_by_side.h"

namespace cameo {

// A file that gets its name when commit() is called, and is dropped otherwise. If the file system supports
// files without names, a killed process leaves nothing behind, except in the moment when the complete file
// replaces an older one: it then has a temporary name. Throws Error (stage write).
//
// A file that is replaced keeps its mode and its owner. Symbolic links are followed. commit() writes the bytes
// into the existing file if it is not a regular file, if its owner cannot be kept, or if its folder cannot be
// written. Until then they are in a temporary file, so an error leaves the existing file as it was.
class NewFile {
 public:
  // Without `sync`, the system decides when it writes the data to the disk.
  explicit NewFile(std::string path, bool sync = true);
  ~NewFile();
  NewFile(const NewFile&) = delete;
  NewFile& operator=(const NewFile&) = delete;

  // Calls `wrote` with the number of bytes of each write, from two threads at once. If it throws, the write does.
  void watch(std::function<void(std::uint64_t)> wrote) { wrote_ = std::move(wrote); }

  void append(Bytes bytes);
  void append(std::string_view text) { append(std::as_bytes(std::span(text))); }
  // A part of a mapped file, without touching the mapping; holes stay holes.
  void append(const MappedFile& source, std::uint64_t offset, std::uint64_t length);
  void append_zeros(std::uint64_t count);  // as a hole
  void append_room(std::uint64_t count);   // for write_at
  // Into what append_room() left. Threads may do so side by side.
  void write_at(std::uint64_t offset, Bytes bytes) const;
  std::uint64_t size() const { return size_ + buffer_.size(); }
  // The output is a device, a FIFO or a socket: no other file can stand beside it.
  bool is_stream() const { return to_.kind == Destination::Kind::stream; }

  // Everything is written when it returns, but not yet under the final name.
  void finish();
  // Removes the contents of the file that this one replaces, after finish(). A stream has none.
  void drop_old() const;
  // Calls finish() if necessary and gives the file its final name, in one step.
  void commit();

 private:
  void create();
  bool create_beside();
  bool keeps_owner() const;
  void write_through() const;
  void flush();
  void put(Bytes bytes);
  void write(std::uint64_t offset, Bytes bytes) const;
  void copy(const MappedFile& source, std::uint64_t offset, std::uint64_t length);
  void reserve(std::uint64_t count) const;
  void start_writing_out(std::uint64_t count) const;
  void take_name();
  [[noreturn]] void fail(const char* doing) const;
  [[noreturn]] void fail(const std::string& message, const std::string& hint) const;

  std::string path_;  // as the caller names it
  Destination to_;
  bool through_ = false;   // commit() writes into the existing file
  std::string temporary_;  // its temporary name; empty: it has none
  bool sync_;
  std::function<void(std::uint64_t)> wrote_;
  int descriptor_ = -1;
  bool finished_ = false;
  std::uint64_t size_ = 0;
  mutable std::atomic<std::uint64_t> written_ = 0;  // bytes, to tell when the next stretch is complete
  std::string buffer_;
  std::unique_ptr<std::byte[]> copied_[kWorkers];  // the buffer between reading and writing
};

}  // namespace cameo
