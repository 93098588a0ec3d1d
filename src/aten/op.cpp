#include "aten/op.h"

#include <fmt/core.h>

#include "aten/quantization.h"
#include "cameo/diagnostic.h"

namespace cameo::aten::detail {
namespace {

[[noreturn]] void not_known(std::string_view name) {
  throw Unsupported(fmt::format("'{}' must be known at export time, but it depends on the inputs", name));
}

template <class T>
const T& expect(const Arg& arg) {
  const T* found = arg.get_if<T>();
  if (!found) throw InternalError("an argument was bound to a parameter of another type");
  return *found;
}

}  // namespace

Tensor to_tensor(const Arg& arg) { return expect<Tensor>(arg); }
onnx::Value* to_real_tensor(const Arg& arg, std::string_view name) {
  const Tensor& tensor = expect<Tensor>(arg);
  if (is_complex(tensor.dtype())) throw Unsupported(fmt::format("'{}' cannot be complex here", name));
  if (tensor.quantizer)
    throw Unsupported(fmt::format("'{}' cannot be a quantised tensor here", name), kDequantizeHint);
  return tensor.value;
}
const std::string& to_text(const Arg& arg) { return expect<std::string>(arg); }
Scalar to_scalar(const Arg& arg) { return expect<Scalar>(arg); }
const ArgList& to_list(const Arg& arg) { return expect<ArgList>(arg); }
const Packed& to_packed(const Arg& arg) { return *expect<PackedPtr>(arg); }

std::int64_t to_int(const Arg& arg, std::string_view name) {
  const Scalar& scalar = expect<Scalar>(arg);
  if (std::optional<std::int64_t> known = scalar.known_int()) return *known;
  if (const Dim* dim = std::get_if<Dim>(&scalar.value))
    throw Unsupported(fmt::format("'{}' must be known at export time, but it is {}", name, to_string(*dim)));
  not_known(name);
}

Dim to_dim(const Arg& arg, std::string_view name) {
  const Scalar& scalar = expect<Scalar>(arg);
  if (const Dim* dim = std::get_if<Dim>(&scalar.value)) return *dim;
  if (const bool* b = std::get_if<bool>(&scalar.value)) return Dim(*b ? 1 : 0);
  not_known(name);
}

double to_double(const Arg& arg, std::string_view name) {
  if (std::optional<double> known = expect<Scalar>(arg).known()) return *known;
  not_known(name);
}

bool to_bool(const Arg& arg, std::string_view name) {
  if (std::optional<std::int64_t> known = expect<Scalar>(arg).known_int()) return *known != 0;
  not_known(name);
}

DType to_dtype(const Arg& arg, std::string_view name) {
  std::int64_t number = to_int(arg, name);
  if (std::optional<DType> dtype = dtype_from_number(number)) return *dtype;
  throw Unsupported(fmt::format("'{}' is {}, which is not a known dtype", name, number));
}

Tensor to_tensor(const Expr& result, std::span<const Arg> args) {
  for (const Arg& arg : args)
    if (const Tensor* tensor = arg.get_if<Tensor>(); tensor && tensor->value == result.value) return *tensor;
  return result;
}

Returns wrap(Tensor result) { return {Arg{std::move(result)}}; }
Returns wrap(Scalar result) { return {Arg{result}}; }
Returns wrap_tuple(const std::vector<Tensor>& results) {
  Returns out;
  for (const Tensor& t : results) out.push_back(Arg{t});
  return out;
}
Returns wrap_list(const std::vector<Tensor>& results) { return {Arg{wrap_tuple(results)}}; }

}  // namespace cameo::aten::detail
