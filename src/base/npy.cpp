#include "base/npy.h"

#include <fmt/core.h>

#include <algorithm>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <optional>
#include <stdexcept>

#include "base/checked.h"
#include "base/dtype.h"
#include "base/new_file.h"
#include "base/npy_header.h"
#include "base/text.h"
#include "cameo/diagnostic.h"

namespace cameo {
namespace {

constexpr std::string_view kMagic = "\x93NUMPY";
constexpr std::size_t kMaxHeader = 65536;
constexpr std::size_t kAlignment = 64;

[[noreturn]] void fail_to_read(const MappedFile& file, std::string message, std::string hint = "") {
  throw Error(Diagnostic{
      .code = Code::bad_npy, .message = std::move(message), .file = file.name(), .hint = std::move(hint)});
}

ElementType element_type(const MappedFile& file, const std::string& descr) {
  const std::string_view order = std::string_view(descr).substr(0, descr.empty() ? 0 : 1);
  const std::string_view kind = std::string_view(descr).substr(order.size());
  const std::optional<ElementType> found = element_from_numpy(kind);
  if (!found || (order != "<" && order != "|" && order != ">")) {
    fail_to_read(file, fmt::format("the element type '{}' is not supported", descr),
                 "save booleans, integers, floats or complex numbers: np.save(path, array.astype(...))");
  }
  if (order == ">" && bits_per_element(*found) > 8) {
    fail_to_read(file, fmt::format("the elements '{}' are big-endian", descr),
                 fmt::format("save them little-endian: np.save(path, array.astype('<{}'))", kind));
  }
  return *found;
}

std::uint32_t read_little_endian(Bytes bytes) {
  std::uint32_t value = 0;
  for (std::size_t i = bytes.size(); i-- > 0;) value = value << 8 | std::to_integer<std::uint32_t>(bytes[i]);
  return value;
}

// `source` is in column-major order.
std::vector<std::byte> to_row_major(Bytes source, const std::vector<std::int64_t>& shape, std::size_t item) {
  std::vector<std::byte> result(source.size());
  std::vector<std::size_t> strides;
  std::size_t stride = item;
  for (const std::int64_t size : shape) {
    strides.push_back(stride);
    stride *= static_cast<std::size_t>(size);
  }
  std::vector<std::int64_t> index(shape.size());
  std::size_t from = 0;
  for (std::size_t to = 0; to < result.size(); to += item) {
    std::memcpy(result.data() + to, source.data() + from, item);
    for (std::size_t axis = shape.size(); axis-- > 0;) {
      from += strides[axis];
      if (++index[axis] < shape[axis]) break;
      from -= strides[axis] * static_cast<std::size_t>(shape[axis]);
      index[axis] = 0;
    }
  }
  return result;
}

std::optional<std::size_t> byte_count(const std::vector<std::int64_t>& shape, std::size_t item) {
  if (std::ranges::find(shape, 0) != shape.end()) return 0;
  std::optional<std::size_t> total = item;
  for (const std::int64_t size : shape) {
    if (total) total = checked_mul(*total, static_cast<std::size_t>(size));
  }
  return total;
}

struct Split {
  std::string_view header;
  Bytes data;
};

Split split(const MappedFile& file) {
  const Bytes bytes = file.bytes();
  constexpr std::size_t kVersion = 2;
  if (bytes.size() < kMagic.size() + kVersion + 2 ||
      std::memcmp(bytes.data(), kMagic.data(), kMagic.size()) != 0) {
    fail_to_read(file, "this is not a .npy file: it does not start as one",
                 "write one with np.save(path, array)");
  }
  const auto major = std::to_integer<int>(bytes[kMagic.size()]);
  if (major < 1 || major > 3) fail_to_read(file, fmt::format(".npy format {} is not known", major));
  const std::size_t length_size = major == 1 ? 2 : 4;
  const std::size_t start = kMagic.size() + kVersion + length_size;
  if (bytes.size() < start) fail_to_read(file, "the file ends within its header");
  const std::size_t length = read_little_endian(bytes.subspan(start - length_size, length_size));
  if (length > kMaxHeader) fail_to_read(file, fmt::format("a header of {} bytes is too long", length));
  if (length > bytes.size() - start) fail_to_read(file, "the file ends within its header");
  return {{reinterpret_cast<const char*>(bytes.data()) + start, length}, bytes.subspan(start + length)};
}

NpyHeader parse_header(const MappedFile& file, std::string_view text) {
  try {
    return parse_npy_header(text);
  } catch (const std::invalid_argument& error) {
    fail_to_read(file, fmt::format("the .npy header cannot be read: {}", error.what()));
  }
}

bool is_row_major(const NpyHeader& header) {
  return !header.fortran_order ||
         std::ranges::count_if(header.shape, [](auto size) { return size != 1; }) <= 1;
}

}  // namespace

Array read_npy(const std::shared_ptr<const MappedFile>& file) {
  const Split parts = split(*file);
  NpyHeader header = parse_header(*file, parts.header);
  const ElementType type = element_type(*file, header.descr);
  const std::size_t item = bits_per_element(type) / 8;
  const auto needed = byte_count(header.shape, item);
  if (!needed || *needed > parts.data.size()) {
    fail_to_read(*file, fmt::format("the file ends before its last element: {} is announced, {} bytes follow",
                                    to_string(type, header.shape), parts.data.size()));
  }
  const Bytes data = parts.data.first(*needed);
  const bool odd = type == ElementType::boolean &&
                   std::ranges::any_of(data, [](std::byte b) { return std::to_integer<int>(b) > 1; });
  if (is_row_major(header) && !odd) return Array::view(type, std::move(header.shape), data, file);
  std::vector<std::byte> copy = is_row_major(header) ? std::vector<std::byte>(data.begin(), data.end())
                                                     : to_row_major(data, header.shape, item);
  if (odd)
    std::ranges::transform(copy, copy.begin(), [](std::byte b) { return std::byte{b != std::byte{}}; });
  return Array::owning(type, std::move(header.shape), std::move(copy));
}

Array load_npy(const std::string& path) { return read_npy(MappedFile::open(path)); }

std::string npy_bytes(const Array& array) {
  const std::string_view numpy = info(array.type()).numpy;
  if (numpy.empty()) {
    throw Error(Diagnostic{.code = Code::npy_type,
                           .message = fmt::format("NumPy has no element type {}", name(array.type())),
                           .hint = "cast the value to a type that it has"});
  }
  const char* comma = array.shape().size() == 1 ? "," : "";
  std::string header =
      fmt::format("{{'descr': '{}{}', 'fortran_order': False, 'shape': ({}{}), }}",
                  bits_per_element(array.type()) == 8 ? '|' : '<', numpy, join(array.shape(), ", "), comma);
  constexpr std::size_t kPrefix = kMagic.size() + 4;
  header.append(kAlignment - 1 - (kPrefix + header.size()) % kAlignment, ' ').push_back('\n');
  if (header.size() > 0xFFFF) throw InternalError("a .npy header of more than 64 KiB");

  std::string result(kMagic);
  result += {'\1', '\0', static_cast<char>(header.size() & 0xFF), static_cast<char>(header.size() >> 8)};
  result += header;
  return result.append(reinterpret_cast<const char*>(array.bytes().data()), array.bytes().size());
}

void save_npy(const std::string& path, const Array& array) {
  const std::string bytes = npy_bytes(array);
  NewFile file(path);
  file.append(bytes);
  file.commit();
}

}  // namespace cameo
