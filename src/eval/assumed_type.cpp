#include "eval/assumed_type.h"

#include <algorithm>
#include <span>

namespace cameo::eval {
namespace {

using Names = std::span<const std::string_view>;

constexpr std::string_view kBooleans[] = {
    "eq",        "ne",       "lt",         "le",          "gt",           "ge",          "isnan",
    "isinf",     "isfinite", "isposinf",   "isneginf",    "isclose",      "isin",        "isreal",
    "any",       "all",      "signbit",    "logical_and", "logical_or",   "logical_xor", "logical_not",
    "not_equal", "less",     "less_equal", "greater",     "greater_equal"};
constexpr std::string_view kIndices[] = {"argmax",       "argmin",      "argsort",
                                         "argwhere",     "nonzero",     "bucketize",
                                         "searchsorted", "multinomial", "count_nonzero"};
// Values, and behind them indices.
constexpr std::string_view kWithIndices[] = {"sort", "topk",      "max",      "min",    "median",
                                             "mode", "nanmedian", "kthvalue", "cummax", "cummin"};
constexpr std::string_view kComplex[] = {"complex", "polar", "stft", "view_as_complex"};
// Of integers they make integers of the same type.
constexpr std::string_view kKeepIntegers[] = {"gcd",  "lcm",      "renorm",    "resize", "sort",   "topk",
                                              "mode", "kthvalue", "nanmedian", "median", "cummax", "cummin"};

bool among(Names names, std::string_view op) { return std::ranges::find(names, op) != names.end(); }

}  // namespace

onnx::Type assumed_type(std::string_view op, std::size_t result, const std::vector<aten::Operand>& tensors) {
  onnx::Type type{onnx::Type::Kind::tensor, aten::result_type(tensors), std::nullopt};
  if (!op.starts_with("aten::")) return type;
  op.remove_prefix(6);
  const bool indices = op.ends_with("_with_indices") || op.starts_with("adaptive_max_pool");
  if (among(kBooleans, op))
    type.dtype = DType::boolean;
  else if (among(kIndices, op) || (result > 0 && (indices || among(kWithIndices, op))))
    type.dtype = DType::i64;
  else if (op == "frexp" && result == 1)
    type.dtype = DType::i32;
  else if (among(kComplex, op) || op.find("fft") != op.npos || is_complex(type.dtype))
    throw aten::Unsupported("it has no conversion, and its result is complex, which no later operator takes");
  else if (op == "to" || op == "type_as" || op.starts_with("unique") || op.find("quant") != op.npos)
    throw aten::Unsupported("it has no conversion, and what type it gives is not known");
  else if (!is_floating(type.dtype) && !among(kKeepIntegers, op))
    throw aten::Unsupported("it has no conversion, and what type it makes of integers is not known");
  return type;
}

}  // namespace cameo::eval
