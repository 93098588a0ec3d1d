#pragma once
#include <cstdint>
#include <string>
#include <string_view>

#include "base/mapped_file.h"

namespace cameo {

// A file that appears under its name only when commit() is called; dropped otherwise. Throws Error (stage
// write).
class NewFile {
 public:
  explicit NewFile(std::string path);
  ~NewFile();
  NewFile(const NewFile&) = delete;
  NewFile& operator=(const NewFile&) = delete;

  void append(Bytes bytes);
  void append(std::string_view text) { append(std::as_bytes(std::span(text))); }
  std::uint64_t size() const { return size_ + buffer_.size(); }
  // Everything is on the disk when it returns, under the final name.
  void commit();

 private:
  void flush();
  void put(Bytes bytes);
  [[noreturn]] void fail(const char* doing) const;

  std::string path_;
  std::string temporary_;
  int descriptor_ = -1;
  std::uint64_t size_ = 0;
  std::string buffer_;
};

}  // namespace cameo
