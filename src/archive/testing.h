#pragma once
// Small archives built in memory, for tests only.
#include <zlib.h>

#include <cstdint>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "base/mapped_file.h"

namespace cameo::archive::testing {

inline std::string le(std::uint64_t value, int width) {
  std::string out;
  for (int i = 0; i < width; ++i, value >>= 8) out.push_back(static_cast<char>(value & 0xff));
  return out;
}

inline std::string deflated(std::string_view data) {
  z_stream stream{};
  if (deflateInit2(&stream, 9, Z_DEFLATED, -MAX_WBITS, 9, Z_DEFAULT_STRATEGY) != Z_OK) {
    throw std::runtime_error("deflateInit2");
  }
  std::string out(deflateBound(&stream, static_cast<uLong>(data.size())), '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(data.data()));
  stream.avail_in = static_cast<uInt>(data.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  deflate(&stream, Z_FINISH);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  return out;
}

// One record as it is written; a test may falsify any field.
struct ZipEntry {
  std::string name;
  std::string packed;
  std::uint64_t size = 0;         // declared
  std::uint64_t packed_size = 0;  // declared
  std::uint16_t method = 0;
  std::uint16_t flags = 0x0808;
  std::uint16_t disk = 0;
  bool zip64 = false;  // sizes and offset in the zip64 extra field
  std::uint64_t header_offset = 0;
};

// Writes zips as PyTorch does: sizes only in the directory, data padded to 64 bytes, zip64 end records.
class ZipBuilder {
 public:
  explicit ZipBuilder(std::string root = "model") : root_(std::move(root)) {}

  // `name` is relative to the root folder, if there is one.
  ZipBuilder& add(std::string_view name, std::string_view data) { return add_entry(name, data, data, 0); }
  ZipBuilder& add_deflated(std::string_view name, std::string_view data) {
    return add_entry(name, data, deflated(data), 8);
  }
  ZipEntry& last() { return entries_.back(); }

  bool padded = true;
  bool zip64_end = true;
  std::string comment;

  std::string build() {
    std::string out;
    for (ZipEntry& entry : entries_) write_local(out, entry);
    const std::uint64_t directory = out.size();
    for (const ZipEntry& entry : entries_) write_central(out, entry);
    write_end(out, directory, out.size() - directory);
    return out;
  }

  // The built file; the result keeps its bytes.
  std::shared_ptr<const MappedFile> file(std::string name = "model.pt") { return hold(build(), name); }

  static std::shared_ptr<const MappedFile> hold(std::string contents, std::string name = "model.pt") {
    struct Held {
      std::string contents;
      std::shared_ptr<const MappedFile> file;
    };
    auto held = std::make_shared<Held>();
    held->contents = std::move(contents);
    const Bytes bytes{reinterpret_cast<const std::byte*>(held->contents.data()), held->contents.size()};
    held->file = MappedFile::wrap(bytes, std::move(name));
    return {held, held->file.get()};
  }

 private:
  ZipBuilder& add_entry(std::string_view name, std::string_view data, std::string_view packed,
                        std::uint16_t method) {
    ZipEntry entry;
    entry.name = root_.empty() ? std::string(name) : root_ + "/" + std::string(name);
    entry.packed = packed;
    entry.size = data.size();
    entry.packed_size = packed.size();
    entry.method = method;
    entries_.push_back(std::move(entry));
    return *this;
  }

  void write_local(std::string& out, ZipEntry& entry) const {
    entry.header_offset = out.size();
    const std::size_t unpadded = out.size() + 30 + entry.name.size() + 4;
    const std::string pad(padded ? (64 - unpadded % 64) % 64 : 0, 'Z');
    const std::string extra = padded ? "FB" + le(pad.size(), 2) + pad : "";
    out += "PK\x03\x04" + le(0, 2) + le(entry.flags, 2) + le(entry.method, 2) + le(0, 4) + le(0, 12) +
           le(entry.name.size(), 2) + le(extra.size(), 2) + entry.name + extra + entry.packed;
    out += "PK\x07\x08" + le(0, 4) + le(entry.packed_size, 4) + le(entry.size, 4);
  }

  static void write_central(std::string& out, const ZipEntry& entry) {
    std::string extra;
    if (entry.zip64) {
      extra =
          le(1, 2) + le(24, 2) + le(entry.size, 8) + le(entry.packed_size, 8) + le(entry.header_offset, 8);
    }
    const auto field = [&](std::uint64_t value) { return le(entry.zip64 ? 0xffffffff : value, 4); };
    out += "PK\x01\x02" + le(0, 4) + le(entry.flags, 2) + le(entry.method, 2) + le(0, 4) + le(0, 4) +
           field(entry.packed_size) + field(entry.size) + le(entry.name.size(), 2) + le(extra.size(), 2) +
           le(0, 2) + le(entry.disk, 2) + le(0, 6) + field(entry.header_offset) + entry.name + extra;
  }

  void write_end(std::string& out, std::uint64_t directory, std::uint64_t size) const {
    const std::uint64_t end = out.size();
    if (zip64_end) {
      out += "PK\x06\x06" + le(44, 8) + le(0, 4) + le(0, 8) + le(entries_.size(), 8) +
             le(entries_.size(), 8) + le(size, 8) + le(directory, 8);
      out += "PK\x06\x07" + le(0, 4) + le(end, 8) + le(1, 4);
    }
    out += "PK\x05\x06" + le(0, 4) + le(entries_.size(), 2) + le(entries_.size(), 2) + le(size, 4) +
           le(directory, 4) + le(comment.size(), 2) + comment;
  }

  std::string root_;
  std::vector<ZipEntry> entries_;
};

// The opcodes that PyTorch's own pickler writes, as a text to be concatenated.
namespace op {
inline std::string global(std::string_view module, std::string_view name) {
  return "c" + std::string(module) + "\n" + std::string(name) + "\n";
}
inline std::string str(std::string_view text) { return "X" + le(text.size(), 4) + std::string(text); }
inline std::string integer(std::int64_t value) {
  return "\x8a\x08" + le(static_cast<std::uint64_t>(value), 8);
}
inline std::string real(double value) {
  std::uint64_t bits;
  static_assert(sizeof bits == sizeof value);
  __builtin_memcpy(&bits, &value, sizeof bits);
  const std::string little = le(bits, 8);
  return "G" + std::string(little.rbegin(), little.rend());
}
inline std::string tuple(const std::vector<std::string>& items) {
  std::string out = "(";
  for (const std::string& item : items) out += item;
  return out + "t";
}
inline std::string list(const std::vector<std::string>& items) {
  std::string out = "](";
  for (const std::string& item : items) out += item;
  return out + "e";
}
inline std::string dict(const std::vector<std::pair<std::string, std::string>>& items) {
  std::string out = "}(";
  for (const auto& [key, value] : items) out += str(key) + value;
  return out + "u";
}
inline std::string ints(const std::vector<std::int64_t>& values) {
  std::vector<std::string> items;
  for (std::int64_t value : values) items.push_back(integer(value));
  return tuple(items);
}
inline std::string object(std::string_view module, std::string_view name, std::string_view state) {
  return global(module, name) + ")\x81" + std::string(state) + "b";
}
inline std::string storage(std::string_view type, std::string_view key, std::int64_t numel,
                           std::string_view location = "cpu", std::string_view module = "torch") {
  return tuple({str("storage"), global(module, type), str(key), str(location), integer(numel)}) + "Q";
}
inline std::string tensor(std::string_view storage, std::int64_t offset,
                          const std::vector<std::int64_t>& shape, const std::vector<std::int64_t>& strides) {
  return global("torch._utils", "_rebuild_tensor_v2") +
         tuple({std::string(storage), integer(offset), ints(shape), ints(strides), "\x89",
                global("collections", "OrderedDict") + ")R"}) +
         "R";
}
inline std::string pickle(std::string_view body) { return "\x80\x02" + std::string(body) + "."; }
}  // namespace op

}  // namespace cameo::archive::testing
