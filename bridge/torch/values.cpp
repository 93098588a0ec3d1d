#include "values.h"

#include <ATen/Functions.h>
#include <fmt/format.h>

#include "base/overload.h"
#include "cameo/diagnostic.h"
#include "elements.h"

namespace cameo::torch {
namespace {

[[noreturn]] void refuse_value(std::string message) {
  throw Error(Diagnostic{.code = Code::unfit_value, .message = std::move(message)});
}

// The type of a tensor includes its sizes; the element type of a list or dict must not.
c10::TypePtr element_type(const c10::IValue& first) {
  return first.isTensor() ? c10::TensorType::get() : first.type();
}

// A list of tensors, or of the type of its first element.
c10::IValue to_list(const ListSpec& spec, std::span<const Array>& tensors) {
  std::vector<c10::IValue> items;
  for (const InputSpec& item : spec.items) items.push_back(to_torch(item, tensors));
  c10::impl::GenericList list(items.empty() ? c10::TensorType::get() : element_type(items.front()));
  for (c10::IValue& item : items) list.push_back(std::move(item));
  return list;
}

c10::IValue to_dict(const DictSpec& spec, std::span<const Array>& tensors) {
  std::vector<std::pair<std::string, c10::IValue>> items;
  for (const auto& [key, value] : spec.items) items.emplace_back(key, to_torch(value, tensors));
  c10::impl::GenericDict dict(c10::StringType::get(),
                              items.empty() ? c10::TensorType::get() : element_type(items.front().second));
  for (auto& [key, value] : items) dict.insert(key, std::move(value));
  return dict;
}

at::Tensor quantized(const at::Tensor& numbers, const TensorSpec& spec) {
  if (!spec.quantization) return numbers;
  const auto& [integer, scale, zero_point] = *spec.quantization;
  const at::ScalarType type = integer == ElementType::u8   ? at::kQUInt8
                              : integer == ElementType::i8 ? at::kQInt8
                                                           : at::kQInt32;
  return at::quantize_per_tensor(numbers, scale, zero_point, type);
}

}  // namespace

at::Tensor to_torch(const Array& array) {
  const auto type = scalar_type(array.type());
  if (!type) refuse_value(fmt::format("PyTorch has no tensors of type {}", name(array.type())));
  at::Tensor tensor = at::empty(array.shape(), *type);
  if (array.count() > 0) std::memcpy(tensor.data_ptr(), array.bytes().data(), array.bytes().size());
  return tensor;
}

Array from_torch(const at::Tensor& tensor) {
  if (tensor.is_quantized()) return from_torch(tensor.dequantize());
  const auto type = element_type(tensor.scalar_type());
  if (!type) refuse_value(fmt::format("no array holds {}", c10::toString(tensor.scalar_type())));
  const at::Tensor dense = tensor.detach().resolve_conj().resolve_neg().to_dense().contiguous();
  const auto* bytes = static_cast<const std::byte*>(dense.data_ptr());
  return Array::owning(*type, {dense.sizes().begin(), dense.sizes().end()}, {bytes, bytes + dense.nbytes()});
}

c10::IValue to_torch(const InputSpec& spec, std::span<const Array>& tensors) {
  return std::visit(Overload{[&](const TensorSpec& tensor) -> c10::IValue {
                               const Array& array = tensors.front();
                               tensors = tensors.subspan(1);
                               return quantized(to_torch(array), tensor);
                             },
                             [&](const TupleSpec& tuple) -> c10::IValue {
                               std::vector<c10::IValue> items;
                               for (const InputSpec& item : tuple.items)
                                 items.push_back(to_torch(item, tensors));
                               return c10::ivalue::Tuple::create(std::move(items));
                             },
                             [&](const ListSpec& list) { return to_list(list, tensors); },
                             [&](const DictSpec& dict) { return to_dict(dict, tensors); },
                             [](const NoneSpec&) { return c10::IValue(); },
                             [](const auto& plain) { return c10::IValue(plain); }},
                    spec.value);
}

void flatten(const c10::IValue& value, std::vector<Array>& out) {
  if (value.isTensor()) {
    if (value.toTensor().defined()) out.push_back(from_torch(value.toTensor()));
  } else if (value.isBool()) {
    out.push_back(Array::scalar(value.toBool()));
  } else if (value.isInt()) {
    out.push_back(Array::scalar(value.toInt()));
  } else if (value.isDouble()) {
    out.push_back(Array::scalar(value.toDouble()));
  } else if (value.isTuple()) {
    for (const c10::IValue& item : value.toTupleRef().elements()) flatten(item, out);
  } else if (value.isList()) {
    for (const c10::IValue& item : value.toListRef()) flatten(item, out);
  } else if (value.isGenericDict()) {
    for (const auto& entry : value.toGenericDict()) flatten(entry.value(), out);
  }
}

}  // namespace cameo::torch
