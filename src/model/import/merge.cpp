#include "model/import/merge.h"

#include <fmt/core.h>

namespace cameo::model {

using onnx::Dim;
using onnx::known;
using onnx::Type;

namespace {

// Absent where both cannot hold.
std::optional<Dim> merge_size(const Dim& inferred, const Dim& declared,
                              const std::function<bool(const Dim&)>& fresh, sym::Context& symbols) {
  if (inferred == declared) return inferred;
  if (known(declared)) {
    if (known(declared) == 0 && !known(inferred)) return declared;  // a dynamic size may be 0
    if (symbols.equal(inferred, declared) == sym::Truth::no) return std::nullopt;
    return declared;
  }
  return !known(inferred) && fresh(inferred) ? declared : inferred;
}

}  // namespace

Merged merge(const Type& inferred, const Type& declared, const std::function<bool(const Dim&)>& fresh,
             sym::Context& symbols) {
  if (declared.kind == Type::Kind::unknown) return {inferred, {}};
  if (inferred.kind == Type::Kind::unknown) return {declared, {}};
  const auto differ = [&] {
    return Merged{inferred, fmt::format("{} is inferred, and the file says {}", to_string(inferred),
                                        to_string(declared))};
  };
  if (inferred.kind != declared.kind) return differ();
  Type type = inferred;
  if (inferred.dtype == DType::undefined)
    type.dtype = declared.dtype;
  else if (declared.dtype != DType::undefined && declared.dtype != inferred.dtype)
    return differ();
  if (!declared.shape) return {type, {}};
  if (!inferred.shape) {
    type.shape = declared.shape;
    return {type, {}};
  }
  if (inferred.shape->size() != declared.shape->size()) return differ();
  for (std::size_t i = 0; i < type.shape->size(); ++i) {
    const auto size = merge_size((*inferred.shape)[i], (*declared.shape)[i], fresh, symbols);
    if (!size) return differ();
    (*type.shape)[i] = *size;
  }
  return {type, {}};
}

}  // namespace cameo::model
