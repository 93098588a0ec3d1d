#pragma once
// The names, types and shapes of values: inputs, outputs and inner values of programs and models.

#include <concepts>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cameo/array.h"

namespace cameo {

// Sizes that a dynamic size may have: least, least + step, … up to most.
struct SizeRange {
  std::int64_t least = 0;
  std::optional<std::int64_t> most = {};  // absent: any number
  std::int64_t step = 1;

  bool operator==(const SizeRange&) const = default;
};

// One size of a shape: a number, or a name or formula of a dynamic size.
//
//   std::vector<cameo::Dim> shape = {"batch", 3, "2*n + 1", {"h", {.least = 32, .most = 1024, .step = 32}}};
struct Dim {
  Dim() = default;  // a dynamic size without a name
  template <std::integral Integer>
  Dim(Integer number) : size(static_cast<std::int64_t>(number)) {}
  Dim(std::string dynamic) : name(std::move(dynamic)) {}
  Dim(const char* dynamic) : name(dynamic) {}
  Dim(std::string dynamic, SizeRange sizes) : name(std::move(dynamic)), range(sizes) {}

  std::int64_t size = -1;  // -1: not known
  std::string name;        // of a dynamic size, or its formula: "2*batch + 1"
  // Of an input that is to be exported: of a size with this name, or without a name. Absent: 0 and larger.
  std::optional<SizeRange> range;

  bool operator==(const Dim&) const = default;
};

struct ValueInfo {
  enum class Kind { unknown, tensor, sparse_tensor, sequence, map, map_sequence, other };

  std::string name;
  Kind kind = Kind::tensor;
  bool optional = false;                       // the value may be absent
  ElementType type = ElementType::undefined;   // of the tensor, the tensors of a sequence, a map's values
  ElementType key = ElementType::undefined;    // of a map's keys
  std::optional<std::vector<Dim>> shape = {};  // as for `type`; absent: the rank is not known
};

std::string to_string(const Dim& dim);          // "3", "batch", "?"
std::string to_string(const SizeRange& range);  // "32..1024 step 32", "2.."

// The type: "f32[batch, 3, ?]", "f32[…]" if the rank is not known, "sequence of i64[n]", "?" if the type is
// not known. Without `shape`: "f32", "sequence of i64".
std::string type_text(const ValueInfo& info, bool shape = true);
std::string to_string(const ValueInfo& info);  // "x: f32[batch, 3]"

}  // namespace cameo
