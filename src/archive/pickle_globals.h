#pragma once
#include "archive/pickle_arena.h"

namespace cameo::archive {

// The result of calling a known global: tensors, typed containers, devices, complex numbers. Null for an
// unknown global; the call is then kept as data. Throws Error if the arguments make no sense.
Value* call_global(PickleArena& arena, Global global, Ref args);

// The storage class that a persistent id names ("torch FloatStorage"). An untyped one counts bytes.
DType storage_dtype(const PickleArena& arena, const Global& global);

}  // namespace cameo::archive
