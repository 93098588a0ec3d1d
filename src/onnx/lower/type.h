#pragma once
#include <functional>

#include "onnx/graph/type.h"
#include "onnx/proto/messages.h"

namespace cameo::onnx {

// The text of a size that is not a number. It must outlive the message.
using SizeText = std::function<proto::Text(const Dim&)>;

// A message of kind none for an unknown type. Throws InternalError for an element type that ONNX lacks.
proto::Type lower_type(const Type& type, const SizeText& text);
proto::Dimension lower_size(const Dim& size, const SizeText& text);

// The kind of the message, and the type inside of a sequence or an optional.
proto::Type::Kind lower_kind(Type::Kind kind);
Type inner_type(Type type);

}  // namespace cameo::onnx
