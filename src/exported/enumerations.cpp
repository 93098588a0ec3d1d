#include "exported/enumerations.h"

#include <algorithm>
#include <iterator>

namespace cameo::exported {
namespace {

template <class T>
struct Enumerator {
  std::int64_t number;
  std::string_view name;
  T value;
};

constexpr Enumerator<DType> kScalarTypes[] = {
    {1, "BYTE", DType::u8},
    {2, "CHAR", DType::i8},
    {3, "SHORT", DType::i16},
    {4, "INT", DType::i32},
    {5, "LONG", DType::i64},
    {6, "HALF", DType::f16},
    {7, "FLOAT", DType::f32},
    {8, "DOUBLE", DType::f64},
    {9, "COMPLEXHALF", DType::c32},
    {10, "COMPLEXFLOAT", DType::c64},
    {11, "COMPLEXDOUBLE", DType::c128},
    {12, "BOOL", DType::boolean},
    {13, "BFLOAT16", DType::bf16},
    {28, "UINT16", DType::u16},
    {29, "FLOAT8E4M3FN", DType::f8e4m3fn},
    {30, "FLOAT8E5M2", DType::f8e5m2},
    {31, "FLOAT8E4M3FNUZ", DType::f8e4m3fnuz},
    {32, "FLOAT8E5M2FNUZ", DType::f8e5m2fnuz},
    {33, "FLOAT8E8M0FNU", DType::f8e8m0fnu},
    {34, "UINT32", DType::u32},
    {35, "UINT64", DType::u64},
};

constexpr Enumerator<Layout> kLayouts[] = {
    {1, "SparseCoo", Layout::coo},   {2, "SparseCsr", Layout::csr}, {3, "SparseCsc", Layout::csc},
    {4, "SparseBsr", Layout::bsr},   {5, "SparseBsc", Layout::bsc}, {6, "_mkldnn", Layout::mkldnn},
    {7, "Strided", Layout::strided},
};

constexpr Enumerator<MemoryFormat> kMemoryFormats[] = {
    {1, "ContiguousFormat", MemoryFormat::contiguous},
    {2, "ChannelsLast", MemoryFormat::channels_last},
    {3, "ChannelsLast3d", MemoryFormat::channels_last_3d},
    {4, "PreserveFormat", MemoryFormat::preserve},
};

constexpr Enumerator<ArgumentKind> kArgumentKinds[] = {
    {1, "POSITIONAL", ArgumentKind::positional},
    {2, "KEYWORD", ArgumentKind::keyword},
};

// The enumerator, or one with `unknown` and the number of the file.
template <class T, std::size_t n>
Enumerator<T> read_enumerator(JsonReader& json, const Enumerator<T> (&table)[n], T unknown) {
  const bool named = json.type() == JsonReader::Type::string;
  const std::string_view name = named ? json.string() : std::string_view();
  const std::int64_t number = named ? 0 : json.integer();
  const auto* row = std::find_if(std::begin(table), std::end(table), [&](const Enumerator<T>& e) {
    return named ? e.name == name : e.number == number;
  });
  return row == std::end(table) ? Enumerator<T>{number, name, unknown} : *row;
}

}  // namespace

ScalarType read_scalar_type(JsonReader& json) {
  const auto found = read_enumerator(json, kScalarTypes, DType::undefined);
  return {.dtype = found.value, .number = found.number};
}

DType read_dtype(JsonReader& json) { return read_scalar_type(json).dtype; }

Layout read_layout(JsonReader& json) { return read_enumerator(json, kLayouts, Layout::unknown).value; }

MemoryFormat read_memory_format(JsonReader& json) {
  return read_enumerator(json, kMemoryFormats, MemoryFormat::unknown).value;
}

ArgumentKind read_argument_kind(JsonReader& json) {
  return read_enumerator(json, kArgumentKinds, ArgumentKind::unknown).value;
}

}  // namespace cameo::exported
