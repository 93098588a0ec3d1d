#pragma once
#include "onnx/facts/facts.h"
#include "onnx/proto/messages.h"

namespace cameo::model {

using AttributeKind = onnx::facts::Kind;

// The kind that the attribute declares, or, in files older than that field, the kind of its contents.
AttributeKind kind_of(const onnx::proto::Attribute& attribute);

}  // namespace cameo::model
