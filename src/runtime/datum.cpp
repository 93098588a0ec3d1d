#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cameo/session.h"

namespace cameo {
namespace {

[[noreturn]] void fail(std::string_view wanted, const Datum& datum) {
  const std::string_view is = datum.is_tensor()     ? "tensor"
                              : datum.is_sequence() ? "sequence"
                                                    : "absent optional";
  throw Error(Diagnostic{
      .stage = Stage::run, .code = "bad-value", .message = fmt::format("a {} is not a {}", is, wanted)});
}

std::string to_string(const ValueInfo::Dim& dim) {
  if (dim.size >= 0) return std::to_string(dim.size);
  return dim.name.empty() ? "?" : dim.name;
}

}  // namespace

const Array& Datum::tensor() const {
  if (!is_tensor()) fail("tensor", *this);
  return std::get<Array>(value_);
}

const std::vector<Array>& Datum::sequence() const {
  if (!is_sequence()) fail("sequence", *this);
  return std::get<std::vector<Array>>(value_);
}

std::string to_string(const ValueInfo& info) {
  std::string type{name(info.type)};
  if (info.shape) {
    std::vector<std::string> dims;
    for (const ValueInfo::Dim& dim : *info.shape) dims.push_back(to_string(dim));
    type += fmt::format("[{}]", fmt::join(dims, ","));
  } else {
    type += "[…]";
  }
  if (info.kind == ValueInfo::Kind::sequence) type = "sequence of " + type;
  if (info.kind == ValueInfo::Kind::other) type = "neither tensor nor sequence";
  return fmt::format("{}: {}{}", info.name, info.optional ? "optional " : "", type);
}

}  // namespace cameo
