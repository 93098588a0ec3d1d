#pragma once
#include <functional>
#include <string>

#include "onnx/graph/type.h"

namespace cameo::model {

// Merges the inferred type of a value with the type that the file declares.
struct Merged {
  onnx::Type type;            // what both know
  std::string contradiction;  // "…": empty if there is none; `type` is what was inferred then
};

// Of two sizes that both are formulas, the inferred one is kept, unless `fresh` says that nothing is known of
// it but that it is a size.
Merged merge(const onnx::Type& inferred, const onnx::Type& declared,
             const std::function<bool(const onnx::Dim&)>& fresh, sym::Context& symbols);

}  // namespace cameo::model
