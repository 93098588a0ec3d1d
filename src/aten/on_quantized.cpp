#include "aten/on_quantized.h"

#include <algorithm>
#include <functional>

#include "aten/quantization.h"

namespace cameo::aten {
namespace quantized_calls {
namespace {

using OfTensor = std::function<Tensor(const Tensor&)>;

bool is_quantized_arg(const Arg& arg) {
  if (const Tensor* tensor = arg.get_if<Tensor>()) return tensor->quantizer != nullptr;
  const ArgList* list = arg.get_if<ArgList>();
  return list && std::ranges::any_of(*list, is_quantized_arg);
}

const Tensor* first_quantized(std::span<const Arg> args) {
  for (const Arg& arg : args) {
    if (const Tensor* tensor = arg.get_if<Tensor>(); tensor && tensor->quantizer) return tensor;
    if (const ArgList* list = arg.get_if<ArgList>())
      if (const Tensor* found = first_quantized(*list)) return found;
  }
  return nullptr;
}

// The argument with each quantised tensor replaced.
Arg replaced(const Arg& arg, const OfTensor& of_tensor) {
  if (const Tensor* tensor = arg.get_if<Tensor>(); tensor && tensor->quantizer)
    return Arg{of_tensor(*tensor)};
  const ArgList* list = arg.get_if<ArgList>();
  if (!list) return arg;
  ArgList items;
  for (const Arg& item : *list) items.push_back(replaced(item, of_tensor));
  return Arg{std::move(items)};
}

Returns call_with(const Op& op, Emit& e, std::span<const Arg> args, const OfTensor& of_tensor) {
  std::vector<Arg> plain;
  for (const Arg& arg : args) plain.push_back(replaced(arg, of_tensor));
  return op.call(e, plain, op.schema);
}

// The result of an operator that moves integers, with the parameters that `like` has.
Arg with_parameters(const Arg& result, const Tensor& like, bool index) {
  if (const ArgList* list = result.get_if<ArgList>()) {
    ArgList items;
    for (const Arg& item : *list) items.push_back(with_parameters(item, like, index));
    return Arg{std::move(items)};
  }
  const Tensor* tensor = result.get_if<Tensor>();
  if (!tensor || index) return result;
  if (tensor->value == like.value) return Arg{like};
  if (like.quantizer->axis)
    throw Unsupported("a tensor with one scale per channel cannot be changed by this operator",
                      kDequantizeHint);
  if (tensor->dtype() != like->dtype())
    throw Unsupported("a quantised tensor cannot be converted to another type", kDequantizeHint);
  return Arg{Tensor(tensor->value, like.quantizer)};
}

Returns convert_integers(const Op& op, Emit& e, std::span<const Arg> args) {
  const Tensor first = *first_quantized(args);
  Returns results = call_with(op, e, args, [&](const Tensor& tensor) {
    return Tensor(requantized(e, tensor, first.quantizer, first->dtype()).value);
  });
  for (std::size_t i = 0; i < results.size(); ++i)
    results[i] = with_parameters(results[i], first, i > 0 && op.traits.result == Result::with_indices);
  return results;
}

Returns convert_numbers(const Op& op, Emit& e, std::span<const Arg> args) {
  return call_with(op, e, args, [&](const Tensor& tensor) { return Tensor(dequantized(e, tensor)); });
}

Returns convert_and_quantize(const Op& op, Emit& e, std::span<const Arg> args, const QuantizerPtr& parameters,
                             DType integer) {
  Returns results = convert_numbers(op, e, args);
  for (Arg& result : results)
    if (const Tensor* tensor = result.get_if<Tensor>())
      result = Arg{quantized(e, Expr(e, *tensor), parameters, integer)};
  return results;
}

// The parameters that PyTorch gives the results of sigmoid (`least` 0) and tanh (`least` -1).
QuantizerPtr fixed_parameters(Emit& e, double least, DType integer) {
  const auto [lowest, highest] = range_of(integer);
  const double scale = (1 - least) / (highest - lowest + 1);
  const bool wide = integer == DType::i32;
  const double zero = wide ? 0 : least == 0 ? lowest : integer == DType::u8 ? 128 : 0;
  return per_tensor(e, scale, static_cast<std::int64_t>(zero), integer);
}

}  // namespace
}  // namespace quantized_calls

bool has_quantized(std::span<const Arg> args) {
  return std::ranges::any_of(args, quantized_calls::is_quantized_arg);
}

Returns on_quantized(const Op& op, Emit& e, std::span<const Arg> args) {
  const Tensor first = *quantized_calls::first_quantized(args);
  const DType integer = first->dtype();
  switch (op.traits.quantized) {
    case OnQuantized::integers: return quantized_calls::convert_integers(op, e, args);
    case OnQuantized::numbers: return quantized_calls::convert_numbers(op, e, args);
    case OnQuantized::requantized:
      return quantized_calls::convert_and_quantize(op, e, args, first.quantizer, integer);
    case OnQuantized::unit:
      return quantized_calls::convert_and_quantize(op, e, args,
                                                   quantized_calls::fixed_parameters(e, 0, integer), integer);
    case OnQuantized::symmetric:
      return quantized_calls::convert_and_quantize(
          op, e, args, quantized_calls::fixed_parameters(e, -1, integer), integer);
    case OnQuantized::refused:
    case OnQuantized::own: break;
  }
  throw Unsupported("this operator does not support quantised tensors", kDequantizeHint);
}

}  // namespace cameo::aten
