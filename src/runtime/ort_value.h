#pragma once
// Values and types across the C ABI.
#include <memory>
#include <string>

#include "cameo/session.h"
#include "runtime/library.h"

namespace cameo::runtime {

// ONNX Runtime's number of an element type: ONNX's own but for the last few.
int to_ort(ElementType type);
ElementType from_ort(int type);

// `datum` has a value; `info` describes the input that is fed. The bytes of tensors are used in place:
// `datum` and `library` must outlive the result.
ort::Owned<ort::Value> to_ort(const Library& library, const Datum& datum, const ValueInfo& info);

// The contents stay where they are; `keep`, which keeps `library`, is held as long as they are used.
Datum from_ort(const Library& library, ort::Owned<ort::Value> value, const std::shared_ptr<const void>& keep);

ValueInfo describe(const Library& library, std::string name, const ort::TypeInfo* type);

}  // namespace cameo::runtime
