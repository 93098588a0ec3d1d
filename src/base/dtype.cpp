#include "base/dtype.h"

#include <algorithm>

#include "base/dtype_table.h"
#include "cameo/diagnostic.h"

namespace cameo {
namespace {

// A type of PyTorch.
template <typename Predicate>
std::optional<DType> find(Predicate matches) {
  for (const DTypeInfo& row : kDTypes)
    if (!row.torch.empty() && matches(row)) return row.dtype;
  return std::nullopt;
}

}  // namespace

const DTypeInfo& info(DType dtype) {
  const auto* row = std::ranges::find(kDTypes, dtype, &DTypeInfo::dtype);
  if (row == kDTypes.end()) throw InternalError("a dtype without a row in the table of dtypes");
  return *row;
}

const DTypeInfo& info(ElementType type) { return row_of(type); }

std::optional<DType> dtype_from_name(std::string_view name) {
  return find([name](const DTypeInfo& r) { return r.name == name || r.torch == name; });
}

std::optional<DType> dtype_from_storage(std::string_view storage) {
  constexpr std::string_view kSuffix = "Storage";
  if (!storage.ends_with(kSuffix)) return std::nullopt;
  storage.remove_suffix(kSuffix.size());
  return find([storage](const DTypeInfo& r) { return r.scalar == storage; });
}

std::optional<DType> dtype_from_number(std::int64_t number) {
  return find([number](const DTypeInfo& r) { return torch_number(r.dtype) == number; });
}

std::optional<ElementType> element_from_numpy(std::string_view numpy) {
  const auto* row = std::ranges::find(kDTypes, numpy, &DTypeInfo::numpy);
  return numpy.empty() || row == kDTypes.end() ? std::nullopt : std::optional(row->onnx);
}

bool is_floating(DType dtype) { return info(dtype).kind == NumberKind::floating; }
bool is_integral(DType dtype) { return info(dtype).kind == NumberKind::integer; }
bool is_complex(DType dtype) { return info(dtype).kind == NumberKind::complex; }
bool is_quantized(DType dtype) { return info(dtype).kind == NumberKind::quantized; }

DType part_type(DType complex) {
  switch (complex) {
    case DType::c32: return DType::f16;
    case DType::c64: return DType::f32;
    case DType::c128: return DType::f64;
    default: throw InternalError("the parts of a dtype that is not complex");
  }
}

DType complex_type(DType parts) {
  if (parts == DType::f16) return DType::c32;
  return parts == DType::f64 ? DType::c128 : DType::c64;
}

}  // namespace cameo
