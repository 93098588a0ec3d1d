#include "substitutes.h"

#include <torch/jit.h>

#include <string_view>

namespace cameo::torch {
namespace {

struct Substitute {
  std::string_view name;
  const char* source;  // a TorchScript function with the arguments of the operator
};

// Operators of PyTorch 2 that PyTorch 1.13 lacks, or has with fewer arguments. Element types are numbers.
constexpr Substitute kNewer[] = {
    {"aten::sym_size.int", "def f(self: Tensor, dim: int) -> int: return self.size(dim)"},
    {"aten::sym_stride.int", "def f(self: Tensor, dim: int) -> int: return self.stride(dim)"},
    {"aten::sym_numel", "def f(self: Tensor) -> int: return self.numel()"},
    {"aten::sym_storage_offset", "def f(self: Tensor) -> int: return self.storage_offset()"},
    {"aten::_assert_scalar", R"(
def f(self: bool, assert_msg: str) -> None:
  assert self, assert_msg
)"},
    {"aten::_assert_async.msg", R"(
def f(self: Tensor, assert_msg: str) -> None:
  assert bool(self), assert_msg
)"},
    {"aten::_functional_assert_async.msg", R"(
def f(self: Tensor, assert_msg: str, dep_token: Tensor) -> Tensor:
  assert bool(self), assert_msg
  return dep_token
)"},
    {"aten::_assert_tensor_metadata", R"(
def f(a: Tensor, size: Optional[List[int]]=None, stride: Optional[List[int]]=None, dtype: Optional[int]=None,
      device: Optional[Device]=None, layout: Optional[int]=None) -> None:
  assert dtype is None or a.dtype == dtype, "a tensor has another element type than at export"
)"},
    {"aten::sym_constrain_range", R"(
def f(size: int, min: Optional[int]=None, max: Optional[int]=None) -> None:
  assert (min is None or size >= min) and (max is None or size <= max), "a number is out of its range"
)"},
    {"aten::sym_constrain_range_for_size", R"(
def f(size: int, min: Optional[int]=None, max: Optional[int]=None) -> None:
  assert (min is None or size >= min) and (max is None or size <= max), "a size is out of its range"
)"},
    {"aten::squeeze.dims", R"(
def f(self: Tensor, dim: List[int]) -> Tensor:
  rank, sizes = self.dim(), self.size()
  removed = [axis % max(rank, 1) for axis in dim]
  for axis in range(rank - 1, -1, -1):
    if axis in removed and sizes[axis] == 1:
      self = torch.squeeze(self, axis)
  return self
)"},
    {"aten::any.dims", R"(
def f(self: Tensor, dim: Optional[List[int]]=None, keepdim: bool=False) -> Tensor:
  axes = list(range(self.dim()))
  if dim is not None:
    axes = dim
  return torch.amax(self != 0, axes, keepdim)
)"},
    {"aten::empty_permuted", R"(
def f(size: List[int], physical_layout: List[int], *, dtype: Optional[int]=None, layout: Optional[int]=None,
      device: Optional[Device]=None, pin_memory: Optional[bool]=None) -> Tensor:
  return torch.empty(size, dtype=dtype)
)"},
    {"aten::_unsafe_index.Tensor", R"(
def f(self: Tensor, indices: List[Optional[Tensor]]) -> Tensor:
  return torch.index(self, indices)
)"},
    {"aten::_native_batch_norm_legit_no_training", R"(
def f(input: Tensor, weight: Optional[Tensor], bias: Optional[Tensor], running_mean: Tensor, running_var: Tensor,
      momentum: float, eps: float) -> Tuple[Tensor, Tensor, Tensor]:
  return torch.native_batch_norm(input, weight, bias, running_mean, running_var, False, momentum, eps)
)"},
    {"aten::_native_batch_norm_legit.no_stats", R"(
def f(input: Tensor, weight: Optional[Tensor], bias: Optional[Tensor], training: bool, momentum: float,
      eps: float) -> Tuple[Tensor, Tensor, Tensor]:
  return torch.native_batch_norm(input, weight, bias, None, None, training, momentum, eps)
)"},
    {"aten::_native_batch_norm_legit_functional", R"(
def f(input: Tensor, weight: Optional[Tensor], bias: Optional[Tensor], running_mean: Tensor, running_var: Tensor,
      training: bool, momentum: float, eps: float) -> Tuple[Tensor, Tensor, Tensor, Tensor, Tensor]:
  mean, var = running_mean.clone(), running_var.clone()
  out, saved_mean, saved_invstd = torch.native_batch_norm(input, weight, bias, mean, var, training, momentum, eps)
  return out, saved_mean, saved_invstd, mean, var
)"},
    {"aten::rms_norm", R"(
def f(input: Tensor, normalized_shape: List[int], weight: Optional[Tensor]=None, eps: Optional[float]=None) -> Tensor:
  wide = input
  smallest = 2.220446049250313e-16
  if input.dtype != 7:
    wide = input.to(6)
    smallest = 1.1920928955078125e-07
  if input.dtype == 5:
    smallest = 0.0009765625
  if input.dtype == 15:
    smallest = 0.0078125
  if eps is not None:
    smallest = eps
  axes = [-1 - i for i in range(len(normalized_shape))]
  result = wide * torch.rsqrt(torch.mean(wide * wide, axes, True) + smallest)
  if weight is not None:
    result = result * weight
  return result.to(input.dtype)
)"},
    {"aten::_safe_softmax", R"(
def f(self: Tensor, dim: int, dtype: Optional[int]=None) -> Tensor:
  hidden = torch.all(self == float("-inf"), dim, True)
  return torch.softmax(self, dim, dtype=dtype).masked_fill(hidden, 0.0)
)"},
    {"aten::scaled_dot_product_attention", R"(
def f(query: Tensor, key: Tensor, value: Tensor, attn_mask: Optional[Tensor]=None, dropout_p: float=0.0,
      is_causal: bool=False, *, scale: Optional[float]=None, enable_gqa: bool=False) -> Tensor:
  if enable_gqa:
    key = torch.repeat_interleave(key, query.size(-3) // key.size(-3), -3)
    value = torch.repeat_interleave(value, query.size(-3) // value.size(-3), -3)
  factor = float(query.size(-1)) ** -0.5
  if scale is not None:
    factor = scale
  scores = torch.matmul(query * factor, torch.transpose(key, -2, -1))
  if is_causal:
    seen = torch.tril(torch.ones([query.size(-2), key.size(-2)], dtype=11))
    scores = scores.masked_fill(torch.logical_not(seen), float("-inf"))
  if attn_mask is not None:
    if attn_mask.dtype == 11:
      scores = scores.masked_fill(torch.logical_not(attn_mask), float("-inf"))
    else:
      scores = scores + attn_mask
  hidden = torch.all(scores == float("-inf"), -1, True)
  weights = torch.softmax(scores, -1).masked_fill(hidden, 0.0)
  return torch.matmul(torch.dropout(weights, dropout_p, dropout_p > 0.0), value)
)"},
};

// Operators that PyTorch defines in Python.
constexpr Substitute kPython[] = {
    {"prims::convert_element_type", "def f(a: Tensor, dtype: int) -> Tensor: return a.to(dtype)"},
    {"prims::view_of", "def f(a: Tensor) -> Tensor: return a.view_as(a)"},
    {"prims::scalar_tensor", R"(
def f(s: number, *, dtype: Optional[int]=None, device: Optional[Device]=None) -> Tensor:
  return torch.scalar_tensor(s, dtype=dtype)
)"},
    {"quantized_decomposed::quantize_per_tensor", R"(
def f(input: Tensor, scale: float, zero_point: int, quant_min: int, quant_max: int, dtype: int) -> Tensor:
  return torch.clamp(torch.round(input.to(6) * (1.0 / scale)) + zero_point, quant_min, quant_max).to(dtype)
)"},
    {"quantized_decomposed::quantize_per_tensor.tensor", R"(
def f(input: Tensor, scale: Tensor, zero_point: Tensor, quant_min: int, quant_max: int, dtype: int) -> Tensor:
  steps = torch.round(input.to(6) * (1.0 / float(scale))) + int(zero_point)
  return torch.clamp(steps, quant_min, quant_max).to(dtype)
)"},
    {"quantized_decomposed::dequantize_per_tensor", R"(
def f(input: Tensor, scale: float, zero_point: int, quant_min: int, quant_max: int, dtype: int, *,
      out_dtype: Optional[int]=None) -> Tensor:
  type = 6
  if out_dtype is not None:
    type = out_dtype
  return (input.to(type) - zero_point) * scale
)"},
    {"quantized_decomposed::dequantize_per_tensor.tensor", R"(
def f(input: Tensor, scale: Tensor, zero_point: Tensor, quant_min: int, quant_max: int, dtype: int, *,
      out_dtype: Optional[int]=None) -> Tensor:
  type = 6
  if out_dtype is not None:
    type = out_dtype
  return (input.to(type) - int(zero_point)) * float(scale)
)"},
    {"quantized_decomposed::quantize_per_channel", R"(
def f(input: Tensor, scales: Tensor, zero_points: Tensor, axis: int, quant_min: int, quant_max: int, dtype: int) -> Tensor:
  shape = [1 for i in range(input.dim())]
  shape[axis] = -1
  steps = torch.round(input.to(6) * (1.0 / scales.view(shape))) + zero_points.view(shape)
  return torch.clamp(steps, quant_min, quant_max).to(dtype)
)"},
    {"quantized_decomposed::dequantize_per_channel", R"(
def f(input: Tensor, scales: Tensor, zero_points: Optional[Tensor], axis: int, quant_min: int, quant_max: int, dtype: int,
      *, out_dtype: Optional[int]=None) -> Tensor:
  type = 6
  if out_dtype is not None:
    type = out_dtype
  shape = [1 for i in range(input.dim())]
  shape[axis] = -1
  if zero_points is not None:
    input = input - zero_points.view(shape)
  return (input * scales.view(shape)).to(type)
)"},
};

std::optional<TorchOperator> compiled(const Substitute& substitute) {
  const auto unit = ::torch::jit::compile(substitute.source + std::string("\n"));
  ::torch::jit::Function* function = unit->get_functions().front();
  return TorchOperator{function->getSchema(), [unit, function](::torch::jit::Stack& stack) {
                         function->run(stack);
                         if (stack.back().isTuple()) stack = stack.back().toTupleRef().elements().vec();
                       }};
}

}  // namespace

std::optional<TorchOperator> find_substitute(const std::string& name) {
  for (const Substitute& substitute : kNewer)
    if (substitute.name == name) return compiled(substitute);
  for (const Substitute& substitute : kPython)
    if (substitute.name == name) return compiled(substitute);
  return std::nullopt;
}

std::optional<TorchOperator> find_lenient(const std::string& name) {
  constexpr Substitute kView = {
      "aten::view", "def f(self: Tensor, size: List[int]) -> Tensor: return torch.reshape(self, size)"};
  return name == kView.name ? std::optional(compiled(kView)) : std::nullopt;
}

}  // namespace cameo::torch
