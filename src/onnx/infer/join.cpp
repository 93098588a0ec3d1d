#include "onnx/infer/join.h"

#include <fmt/core.h>

#include "cameo/diagnostic.h"

namespace cameo::onnx {

Type join(sym::Context& symbols, const Type& a, const Type& b, std::uint64_t tag) {
  if (a.kind == Type::Kind::unknown || b.kind == Type::Kind::unknown)
    return {Type::Kind::unknown, DType::undefined, std::nullopt};
  const DType dtype = a.dtype == DType::undefined ? b.dtype : a.dtype;
  if (a.kind != b.kind || (b.dtype != dtype && b.dtype != DType::undefined))
    throw Error(Diagnostic{.code = Code::type_contradiction,
                           .message = fmt::format("a value is {} in one branch and {} in the other",
                                                  to_string(a), to_string(b))});
  if (!a.shape || !b.shape || a.shape->size() != b.shape->size()) return {a.kind, dtype, std::nullopt};
  Type result{a.kind, dtype, a.shape};
  for (std::size_t i = 0; i < a.shape->size(); ++i)
    if (symbols.equal((*a.shape)[i], (*b.shape)[i]) != sym::Truth::yes)
      (*result.shape)[i] = symbols.symbol("joined", {0, std::nullopt}, tag);
  return result;
}

}  // namespace cameo::onnx
