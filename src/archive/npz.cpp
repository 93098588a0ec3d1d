#include "archive/npz.h"

#include <fmt/core.h>
#include <zlib.h>

#include <limits>

#include "archive/zip.h"
#include "base/new_file.h"
#include "base/npy.h"
#include "cameo/diagnostic.h"

namespace cameo {
namespace {

constexpr std::string_view kSuffix = ".npy";

// Little-endian fields of a zip record.
class Fields {
 public:
  Fields& u16(std::size_t value) { return put(value, 2); }
  Fields& u32(std::size_t value) { return put(value, 4); }
  Fields& text(std::string_view text) {
    bytes_ += text;
    return *this;
  }
  const std::string& bytes() const { return bytes_; }

 private:
  Fields& put(std::size_t value, int width) {
    for (int i = 0; i < width; ++i) bytes_ += static_cast<char>(value >> (8 * i) & 0xFF);
    return *this;
  }
  std::string bytes_;
};

struct Entry {
  std::string name;
  std::size_t offset, size, crc;
};

constexpr std::size_t kVersion = 20, kNoDate = 0x21;

// The fields that the local header and the directory share.
void describe(Fields& fields, const Entry& entry) {
  fields.u16(kVersion).u16(0).u16(0).u16(0).u16(kNoDate);
  fields.u32(entry.crc).u32(entry.size).u32(entry.size).u16(entry.name.size()).u16(0);
}

[[noreturn]] void too_large(const std::string& path) {
  throw Error(Diagnostic{.code = Code::npz_too_large,
                         .message = "a .npz file of 4 GB or more is not written",
                         .file = path,
                         .hint = "write each output to a .npy file of its own"});
}

}  // namespace

NamedArrays load_npz(const std::string& path) {
  const auto zip = std::make_shared<const archive::Zip>(MappedFile::open(path));
  NamedArrays arrays;
  for (const archive::Record& record : zip->records()) {
    std::string name(record.name);
    const Array array = read_npy(MappedFile::wrap(zip->read(record), fmt::format("{}: {}", path, name)));
    if (name.ends_with(kSuffix)) name.resize(name.size() - kSuffix.size());
    auto owner = std::make_shared<const std::pair<std::shared_ptr<const archive::Zip>, Array>>(zip, array);
    arrays.emplace_back(std::move(name),
                        Array::view(array.type(), array.shape(), array.bytes(), std::move(owner)));
  }
  return arrays;
}

void save_npz(const std::string& path, const NamedArrays& arrays) {
  NewFile file(path);
  std::vector<Entry> entries;
  for (const auto& [name, array] : arrays) {
    if (array.bytes().size() > std::numeric_limits<std::uint32_t>::max()) too_large(path);
    const std::string bytes = npy_bytes(array);
    if (file.size() + bytes.size() > std::numeric_limits<std::uint32_t>::max()) too_large(path);
    const auto crc =
        crc32_z(0, reinterpret_cast<const Bytef*>(bytes.data()), static_cast<z_size_t>(bytes.size()));
    entries.push_back({name + std::string(kSuffix), file.size(), bytes.size(), crc});
    Fields header;
    describe(header.u32(0x04034B50), entries.back());
    file.append(header.text(entries.back().name).bytes());
    file.append(bytes);
  }
  const std::size_t directory = file.size();
  for (const Entry& entry : entries) {
    Fields header;
    describe(header.u32(0x02014B50).u16(kVersion), entry);
    header.u16(0).u16(0).u16(0).u32(0).u32(entry.offset).text(entry.name);
    file.append(header.bytes());
  }
  const std::size_t size = file.size() - directory;
  if (file.size() > std::numeric_limits<std::uint32_t>::max()) too_large(path);
  Fields end;
  end.u32(0x06054B50).u16(0).u16(0).u16(entries.size()).u16(entries.size()).u32(size).u32(directory).u16(0);
  file.append(end.bytes());
  file.commit();
}

}  // namespace cameo
