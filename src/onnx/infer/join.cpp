#include "onnx/infer/join.h"

#include <fmt/format.h>

#include "cameo/diagnostic.h"

namespace cameo::onnx {

Type join(sym::Context& symbols, const Type& a, const Type& b, std::uint64_t tag) {
  if (a.kind != b.kind || a.dtype != b.dtype)
    throw Error(Diagnostic{
        .stage = Stage::convert,
        .code = "type-mismatch",
        .message = fmt::format("a value is {} on one way and {} on the other", to_string(a), to_string(b))});
  if (!a.shape || !b.shape || a.shape->size() != b.shape->size()) return {a.kind, a.dtype, std::nullopt};
  Type result = a;
  for (std::size_t i = 0; i < a.shape->size(); ++i)
    if (symbols.equal((*a.shape)[i], (*b.shape)[i]) != sym::Truth::yes)
      (*result.shape)[i] = symbols.symbol("joined", {0, std::nullopt}, tag);
  return result;
}

}  // namespace cameo::onnx
