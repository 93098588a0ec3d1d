#pragma once
#include "cameo/array.h"
#include "runtime/library.h"

namespace cameo::runtime {

// A sequence of no tensors of type `element`.
ort::Owned<ort::Value> make_empty_sequence(const Library& library, ElementType element);

}  // namespace cameo::runtime
