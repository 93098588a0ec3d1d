#pragma once
#include "onnx/facts/facts.h"
#include "onnx/proto/messages.h"

namespace cameo::model {

using AttributeKind = onnx::facts::Kind;

// As the attribute says, or, in files older than that field, by what it holds.
AttributeKind kind_of(const onnx::proto::Attribute& attribute);

}  // namespace cameo::model
