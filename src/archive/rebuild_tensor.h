#pragma once
// PyTorch's functions that make tensors out of their pickled parts, and the checks on those parts.
#include <span>

#include "archive/pickle_arena.h"

namespace cameo::archive {

using Args = std::span<const Ref>;

// Each takes the arguments of the function of that name in torch._utils. Null: a form that is kept as data.
Value* rebuild_tensor(PickleArena& arena, Args args);     // (storage, offset, size, stride)
Value* rebuild_tensor_v2(PickleArena& arena, Args args);  // (…, requires_grad, hooks[, metadata])
Value* rebuild_tensor_v3(PickleArena& arena, Args args);  // (…, requires_grad, hooks, dtype[, metadata])
Value* rebuild_qtensor(PickleArena& arena, Args args);    // (…, quantizer, requires_grad, hooks)
Value* rebuild_sparse_tensor(PickleArena& arena, Args args);
Value* rebuild_meta_tensor(PickleArena& arena, Args args);  // (dtype, size, stride, requires_grad)
Value* rebuild_parameter(PickleArena& arena, Args args);    // (tensor, requires_grad, hooks[, state])

}  // namespace cameo::archive
