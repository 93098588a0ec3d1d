#include "aten/custom/public_values.h"

#include <fmt/core.h>

#include <algorithm>
#include <limits>

#include "base/checked.h"
#include "base/overload.h"

namespace cameo::aten {
namespace {

class SymbolicSize final : public Formula {
 public:
  explicit SymbolicSize(Dim dim) : dim_(dim) {}
  const Dim& dim() const { return dim_; }
  std::string text() const override { return to_string(dim_); }
  Size combine(char op, const Size& left, const Size& right) const override {
    const Dim a = to_dim(left).value(), b = to_dim(right).value();
    switch (op) {
      case '+': return to_size(a + b);
      case '-': return to_size(a - b);
      case '*': return to_size(a * b);
      default: break;
    }
    if (b.as_constant() == 0) throw ConversionError("a size is divided by zero");
    return to_size(sym::floordiv(a, b));
  }

 private:
  Dim dim_;
};

float to_float(double number) { return static_cast<float>(number); }

}  // namespace

ElementType element_type(DType dtype) { return static_cast<ElementType>(onnx::to_onnx(dtype)); }

DType dtype_of(ElementType type) {
  if (std::optional<DType> dtype = onnx::from_onnx(static_cast<int>(type))) return *dtype;
  throw ConversionError(fmt::format("tensors of {} are not supported", name(type)));
}

Size to_size(const Dim& dim) {
  if (std::optional<std::int64_t> number = dim.as_constant()) return *number;
  return Size(std::make_shared<SymbolicSize>(dim));
}

std::optional<Dim> to_dim(const Size& size) {
  if (std::optional<std::int64_t> number = size.number()) return Dim(*number);
  const auto* symbolic = dynamic_cast<const SymbolicSize*>(size.formula().get());
  return symbolic ? std::optional(symbolic->dim()) : std::nullopt;
}

std::optional<Contents> contents_of(const onnx::Value& value) {
  if (!value.data) return std::nullopt;
  return Contents{element_type(value.dtype()), value.data->shape(), value.data->bytes(), value.data};
}

onnx::DataPtr to_data(const Contents& contents) {
  const DType dtype = dtype_of(contents.dtype);
  std::size_t bytes = size_of(dtype);
  for (std::int64_t size : contents.shape)
    if (size < 0 || __builtin_mul_overflow(bytes, static_cast<std::size_t>(size), &bytes))
      throw ConversionError(
          fmt::format("{} is not a valid shape", to_string(contents.dtype, contents.shape)));
  if (bytes != contents.bytes.size())
    throw ConversionError(fmt::format("{} needs {} bytes, and there are {}",
                                      to_string(contents.dtype, contents.shape), bytes,
                                      contents.bytes.size()));
  return std::make_shared<onnx::Data>(dtype, contents.shape,
                                      std::vector<std::byte>(contents.bytes.begin(), contents.bytes.end()));
}

onnx::AttributeValue to_attribute(const NodeAttribute::Value& value) {
  using Attribute = onnx::AttributeValue;
  return std::visit(Overload{[](double number) -> Attribute { return to_float(number); },
                             [](const Contents& contents) -> Attribute { return to_data(contents); },
                             [](const std::vector<double>& numbers) -> Attribute {
                               std::vector<float> out(numbers.size());
                               std::ranges::transform(numbers, out.begin(), to_float);
                               return out;
                             },
                             [](const auto& same) -> Attribute { return same; }},
                    value);
}

}  // namespace cameo::aten
