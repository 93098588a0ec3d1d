#include "archive/zip.h"

#include <fmt/core.h>
#include <zlib.h>

#include <algorithm>
#include <limits>
#include <string>

#include "archive/byte_reader.h"
#include "base/checked.h"
#include "cameo/diagnostic.h"

namespace cameo::archive {
namespace {

constexpr std::size_t kEndSize = 22;
constexpr std::size_t kLocatorSize = 20;
constexpr std::size_t kEnd64Size = 56;
constexpr std::size_t kCentralSize = 46;
constexpr std::size_t kLocalSize = 30;
constexpr std::size_t kMaxComment = 0xffff;
constexpr std::uint32_t kSaturated32 = 0xffffffff;
constexpr std::uint16_t kSaturated16 = 0xffff;
// No deflate stream expands beyond this factor.
constexpr std::uint64_t kDeflateRatio = 1032;
constexpr std::uint64_t kInflatedBudget = std::uint64_t{1} << 30;

constexpr const char* kDamaged = "the file is damaged: save or download it again";

struct Directory {
  std::uint64_t count = 0;
  std::uint64_t size = 0;
  std::uint64_t offset = 0;
};

class DirectoryReader {
 public:
  explicit DirectoryReader(const MappedFile& file) : file_(file), bytes_(file.bytes()) {}

  std::vector<Record> read() {
    const std::size_t end = find_end();
    const Directory directory = locate(end);
    if (directory.offset > end || directory.size > end - directory.offset) {
      fail(Code::bad_zip, "the zip directory does not lie within the file", end);
    }
    if (directory.count > directory.size / kCentralSize) {
      fail(Code::bad_zip,
           fmt::format("{} records cannot fit in a zip directory of {} bytes", directory.count,
                       directory.size),
           end);
    }
    std::vector<Record> records;
    records.reserve(directory.count);
    std::size_t at = directory.offset;
    const std::size_t limit = directory.offset + directory.size;
    for (std::uint64_t i = 0; i < directory.count; ++i) records.push_back(read_record(at, limit));
    check_extents(records, directory.offset);
    check_inflation(records);
    return records;
  }

 private:
  [[noreturn]] void fail(Code code, std::string message, std::uint64_t offset,
                         std::string hint = kDamaged) const {
    throw Error(Diagnostic{.code = code,
                           .message = std::move(message),
                           .file = file_.name(),
                           .offset = offset,
                           .hint = std::move(hint)});
  }

  std::size_t find_end() const {
    if (bytes_.size() >= kEndSize) {
      const std::size_t last = bytes_.size() - kEndSize;
      const std::size_t first = last > kMaxComment ? last - kMaxComment : 0;
      for (std::size_t at = last + 1; at-- > first;) {
        if (starts_with(bytes_, "PK\x05\x06", at) && load_le<std::uint16_t>(bytes_, at + 20) <= last - at) {
          return at;
        }
      }
    }
    if (starts_with(bytes_, "PK\x03\x04")) {
      throw TruncatedZip(Diagnostic{.code = Code::truncated_zip,
                                    .message = "the file ends before its zip directory",
                                    .file = file_.name(),
                                    .offset = bytes_.size(),
                                    .hint = "the download or copy stopped early: fetch the file again"});
    }
    fail(Code::not_a_zip, "the file is not a zip archive", 0, "pass a file written by torch.jit.save");
  }

  Directory locate(std::size_t end) const {
    const auto u16 = [&](std::size_t at) { return load_le<std::uint16_t>(bytes_, end + at); };
    const auto u32 = [&](std::size_t at) { return load_le<std::uint32_t>(bytes_, end + at); };
    if (end >= kLocatorSize && starts_with(bytes_, "PK\x06\x07", end - kLocatorSize)) {
      return locate64(end - kLocatorSize);
    }
    if (u16(10) == kSaturated16 || u32(12) == kSaturated32 || u32(16) == kSaturated32) {
      fail(Code::bad_zip, "the zip64 directory locator is missing", end);
    }
    if (u16(4) != 0 || u16(6) != 0 || u16(8) != u16(10)) fail_multi_disk(end);
    return {.count = u16(10), .size = u32(12), .offset = u32(16)};
  }

  Directory locate64(std::size_t locator) const {
    const auto end = load_le<std::uint64_t>(bytes_, locator + 8);
    if (load_le<std::uint32_t>(bytes_, locator + 4) != 0 ||
        load_le<std::uint32_t>(bytes_, locator + 16) > 1) {
      fail_multi_disk(locator);
    }
    if (end > locator || locator - end < kEnd64Size || !starts_with(bytes_, "PK\x06\x06", end)) {
      fail(Code::bad_zip, "the zip64 directory locator points to no end record", locator);
    }
    const auto u64 = [&](std::size_t at) { return load_le<std::uint64_t>(bytes_, end + at); };
    const auto disk = load_le<std::uint32_t>(bytes_, end + 16);
    const auto directory_disk = load_le<std::uint32_t>(bytes_, end + 20);
    if (disk != 0 || directory_disk != 0 || u64(24) != u64(32)) fail_multi_disk(end);
    return {.count = u64(32), .size = u64(40), .offset = u64(48)};
  }

  [[noreturn]] void fail_multi_disk(std::size_t at) const {
    fail(Code::unsupported_zip, "the zip archive is spread over several files", at,
         "unpack it and pass the PyTorch file, or join the parts");
  }

  Record read_record(std::size_t& at, std::size_t limit) const {
    const std::size_t start = at;
    if (limit - at < kCentralSize || !starts_with(bytes_, "PK\x01\x02", at)) {
      fail(Code::bad_zip, "the zip directory is broken off", at);
    }
    const auto u16 = [&](std::size_t field) { return load_le<std::uint16_t>(bytes_, start + field); };
    const auto u32 = [&](std::size_t field) { return load_le<std::uint32_t>(bytes_, start + field); };
    const std::size_t name_size = u16(28), extra_size = u16(30), comment_size = u16(32);
    const std::size_t size = kCentralSize + name_size + extra_size + comment_size;
    if (limit - at < size) fail(Code::bad_zip, "a record of the zip directory is broken off", at);
    Record record{.name = as_text(bytes_.subspan(start + kCentralSize, name_size)),
                  .header_offset = u32(42),
                  .packed_size = u32(20),
                  .size = u32(24),
                  .crc = u32(16),
                  .method = u16(10)};
    read_zip64(record, bytes_.subspan(start + kCentralSize + name_size, extra_size), start);
    if ((u16(8) & 0x2041) != 0) {
      fail(Code::unsupported_zip, fmt::format("the record '{}' is encrypted", record.name), start,
           "decrypt the archive first");
    }
    if (u16(34) != 0 && u16(34) != kSaturated16) fail_multi_disk(start);
    if (record.name.find('\0') != std::string_view::npos || record.name.empty()) {
      fail(Code::bad_zip, "a record of the zip directory has no valid name", start);
    }
    if (record.stored() && record.size != record.packed_size) {
      fail(Code::bad_zip, fmt::format("the stored record '{}' has two different sizes", record.name), start);
    }
    at += size;
    return record;
  }

  // The extra field holds, in this order, only those values that the record itself has saturated.
  void read_zip64(Record& record, Bytes extra, std::size_t start) const {
    while (extra.size() >= 4) {
      const auto id = load_le<std::uint16_t>(extra, 0);
      const std::size_t size = load_le<std::uint16_t>(extra, 2);
      if (extra.size() - 4 < size) return;
      Bytes body = extra.subspan(4, size);
      extra = extra.subspan(4 + size);
      if (id != 1) continue;
      for (std::uint64_t* value : {&record.size, &record.packed_size, &record.header_offset}) {
        if (*value != kSaturated32) continue;
        if (body.size() < 8) fail(Code::bad_zip, "a zip64 field is too short", start);
        *value = load_le<std::uint64_t>(body, 0);
        body = body.subspan(8);
      }
      return;
    }
  }

  void check_extents(const std::vector<Record>& records, std::uint64_t directory) const {
    std::vector<const Record*> order;
    order.reserve(records.size());
    for (const Record& record : records) order.push_back(&record);
    std::sort(order.begin(), order.end(),
              [](const Record* a, const Record* b) { return a->header_offset < b->header_offset; });
    std::uint64_t free = 0;
    for (const Record* record : order) {
      if (record->header_offset < free) {
        fail(Code::bad_zip, fmt::format("the record '{}' overlaps another one", record->name),
             record->header_offset);
      }
      const auto data = checked_add(record->header_offset, std::uint64_t{kLocalSize} + record->name.size());
      const auto end = data ? checked_add(*data, record->packed_size) : std::nullopt;
      if (!end || *end > directory) {
        fail(Code::bad_zip, fmt::format("the record '{}' does not lie within the file", record->name),
             record->header_offset);
      }
      free = *end;
    }
  }

  void check_inflation(const std::vector<Record>& records) const {
    const std::uint64_t budget = std::max<std::uint64_t>(kInflatedBudget, 4 * bytes_.size());
    std::uint64_t left = budget;
    for (const Record& record : records) {
      if (record.stored()) continue;
      if (record.size / kDeflateRatio > record.packed_size) {
        fail(Code::zip_bomb,
             fmt::format("the record '{}' declares {} bytes, more than its {} packed bytes can hold",
                         record.name, record.size, record.packed_size),
             record.header_offset);
      }
      if (record.size > left) {
        fail(Code::zip_bomb,
             fmt::format("the compressed records grow beyond {} MiB when unpacked", budget >> 20),
             record.header_offset,
             "if you trust the file, unpack it and zip it again without compression (zip -0 -r)");
      }
      left -= record.size;
    }
  }

  const MappedFile& file_;
  Bytes bytes_;
};

[[noreturn]] void fail_record(const MappedFile& file, const Record& record, Code code, std::string message,
                              std::string hint) {
  throw Error(Diagnostic{.code = code,
                         .message = std::move(message),
                         .file = file.name(),
                         .offset = record.header_offset,
                         .record = std::string(record.name),
                         .hint = std::move(hint)});
}

std::vector<std::byte> inflate_all(const MappedFile& file, const Record& record, Bytes packed) {
  std::vector<std::byte> out(record.size);
  z_stream stream{};
  if (inflateInit2(&stream, -MAX_WBITS) != Z_OK) throw std::bad_alloc();
  std::size_t read = 0, written = 0;
  constexpr std::size_t kStep = std::size_t{1} << 30;
  int status = Z_OK;
  std::byte spare{};  // one byte beyond the declared size shows that the stream is longer
  while (status == Z_OK) {
    const std::size_t input = std::min(packed.size() - read, kStep);
    const std::size_t room = std::min(out.size() - written, kStep);
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<std::byte*>(packed.data() + read));
    stream.avail_in = static_cast<uInt>(input);
    stream.next_out = reinterpret_cast<Bytef*>(room != 0 ? out.data() + written : &spare);
    stream.avail_out = static_cast<uInt>(room != 0 ? room : 1);
    const uInt offered = stream.avail_out;
    status = inflate(&stream, Z_NO_FLUSH);
    read += input - stream.avail_in;
    written += offered - stream.avail_out;
    if (written > out.size()) break;
  }
  inflateEnd(&stream);
  if (status != Z_STREAM_END || written != out.size()) {
    fail_record(
        file, record, Code::bad_zip,
        fmt::format("the record '{}' does not inflate to its declared {} bytes", record.name, record.size),
        kDamaged);
  }
  return out;
}

}  // namespace

Zip::Zip(std::shared_ptr<const MappedFile> file)
    : file_(std::move(file)), records_(DirectoryReader(*file_).read()) {
  by_name_.reserve(records_.size());
  for (std::size_t i = 0; i < records_.size(); ++i) {
    if (!by_name_.emplace(records_[i].name, i).second) {
      fail_record(*file_, records_[i], Code::bad_zip,
                  fmt::format("the zip archive holds two records named '{}'", records_[i].name), kDamaged);
    }
  }
}

const Record* Zip::find(std::string_view name) const {
  const auto found = by_name_.find(name);
  return found == by_name_.end() ? nullptr : &records_[found->second];
}

std::uint64_t Zip::data_offset(const Record& record) const {
  const Bytes bytes = file_->bytes();
  const std::uint64_t header = record.header_offset;
  if (!starts_with(bytes, "PK\x03\x04", header)) {
    fail_record(*file_, record, Code::bad_zip, fmt::format("the record '{}' has no header", record.name),
                kDamaged);
  }
  const std::uint64_t start = header + kLocalSize + load_le<std::uint16_t>(bytes, header + 26) +
                              load_le<std::uint16_t>(bytes, header + 28);
  if (start > bytes.size() || record.packed_size > bytes.size() - start) {
    fail_record(*file_, record, Code::bad_zip,
                fmt::format("the record '{}' does not lie within the file", record.name), kDamaged);
  }
  return start;
}

Bytes Zip::read(const Record& record) const {
  const Bytes packed = file_->bytes().subspan(data_offset(record), record.packed_size);
  if (record.stored()) return packed;
  if (const auto kept = inflated_.find(&record); kept != inflated_.end()) return kept->second;
  if (record.method != Z_DEFLATED) {
    fail_record(*file_, record, Code::unsupported_zip,
                fmt::format("the record '{}' is compressed by method {}, which is not supported", record.name,
                            record.method),
                "unpack the archive and zip it again without compression");
  }
  return inflated_.emplace(&record, inflate_all(*file_, record, packed)).first->second;
}

}  // namespace cameo::archive
