#pragma once
// Tensors as the file holds them: a dtype, a shape, strides and bytes that stay where they are.

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/dtype.h"
#include "base/mapped_file.h"

namespace cameo::archive {

// The bytes behind one or several tensors. `bytes` is empty and has_data false if the file holds none (meta
// tensors, the example inputs of a traced program). They belong to the archive, which must outlive them.
struct Storage {
  DType dtype = DType::f32;
  std::string key;       // the record is "<pickle's name without .pkl>/<key>"
  std::string record;    // full name of that record
  std::string location;  // "cpu", "cuda:0", "meta" …: where it lived when it was saved
  std::int64_t numel = 0;
  Bytes bytes;
  bool has_data = false;
  bool big_endian = false;                   // bytes are in the other byte order
  std::optional<std::uint64_t> file_offset;  // of `bytes` in the archive file, for stored records
  const MappedFile* file = nullptr;          // the one that `bytes` is a part of, for stored records
};

struct Tensor;
using TensorPtr = std::shared_ptr<const Tensor>;

struct PerTensor {
  double scale = 1;
  std::int64_t zero_point = 0;
};
struct PerChannel {
  TensorPtr scales, zero_points;
  std::int64_t axis = 0;
  bool float_qparams = false;
};
using Quantization = std::variant<std::monostate, PerTensor, PerChannel>;

enum class Layout { strided, coo, csr, csc, bsr, bsc };

// Validated when read: every element lies within the storage. One Tensor for one object of the pickle, so
// that pointer equality is Python's identity. Sparse tensors have no storage but `parts`: {indices, values}
// for coo, {crow, col, values} and their kin for the compressed ones.
struct Tensor {
  DType dtype = DType::f32;
  std::vector<std::int64_t> shape;
  std::vector<std::int64_t> strides;  // in elements
  std::int64_t offset = 0;            // in elements
  std::shared_ptr<const Storage> storage;
  bool requires_grad = false;
  bool conjugate = false;  // lazily conjugated: apply to the data
  bool negative = false;   // lazily negated: apply to the data
  Quantization quantization;
  Layout layout = Layout::strided;
  std::vector<TensorPtr> parts;

  std::int64_t numel() const;
  std::int64_t byte_size() const;  // rows of sub-byte elements (qu4x2, qu2x4) are packed and end at a byte
  bool contiguous() const;
  // True if the elements stand in the mapping just as a contiguous little-endian array, which plain_bytes()
  // then is.
  bool plain() const;
  Bytes plain_bytes() const;  // requires plain()
  // The elements, contiguous and little-endian, in pieces of bounded size handed to `sink`. Works for every
  // strided tensor that has data (throws Error otherwise); conjugate and negative bits are applied. Requires
  // layout strided. Mapped pages are released after they are read.
  void copy_to(const std::function<void(Bytes)>& sink) const;
  // The same in one piece. Throws Error for an expanded tensor beyond 1 GiB.
  std::vector<std::byte> to_vector() const;
};

}  // namespace cameo::archive
