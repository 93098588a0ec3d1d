#pragma once
// A zip file read in place. Only the central directory is read on opening; a stored record is a part of the
// mapping.

#include <cstdint>
#include <memory>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/mapped_file.h"
#include "cameo/diagnostic.h"

namespace cameo::archive {

struct Record {
  std::string_view name;  // in the mapping
  std::uint64_t header_offset = 0;
  std::uint64_t packed_size = 0;
  std::uint64_t size = 0;
  std::uint32_t crc = 0;     // may hold no valid value
  std::uint16_t method = 0;  // 0 stored, 8 deflated
  bool stored() const { return method == 0; }
};

// The file begins as a zip archive and ends before the directory, which is at the end.
class TruncatedZip : public Error {
 public:
  using Error::Error;
};

// Not thread-safe: a deflated record is kept when it is read.
class Zip {
 public:
  // Throws TruncatedZip, or Error: not a zip, inconsistent directory, absurd counts, or records that would
  // inflate beyond the limit (the larger of 1 GiB and four times the file).
  explicit Zip(std::shared_ptr<const MappedFile> file);

  const std::vector<Record>& records() const { return records_; }  // in the directory's order
  const Record* find(std::string_view name) const;                 // null if absent

  // The record's contents: in place if stored, otherwise inflated once and kept by this object. Throws Error
  // if they do not lie in the file or do not inflate to the declared size.
  Bytes read(const Record& record) const;
  // The offset of the contents of a stored record in the file. Throws Error as read() does; not for deflated
  // records.
  std::uint64_t data_offset(const Record& record) const;

  const MappedFile& file() const { return *file_; }
  const std::shared_ptr<const MappedFile>& shared_file() const { return file_; }

 private:
  std::shared_ptr<const MappedFile> file_;
  std::vector<Record> records_;
  std::unordered_map<std::string_view, std::size_t> by_name_;
  mutable std::unordered_map<const Record*, std::vector<std::byte>> inflated_;
};

}  // namespace cameo::archive
