#include "eval/state/graph_values.h"

#include <fmt/core.h>

#include "aten/complex.h"
#include "aten/quantization.h"

namespace cameo::eval {

aten::Tensor GraphValues::tensor(const Value& value) {
  if (const CellPtr* cell = value.get_if<CellPtr>()) return memory_.cells().read(*cell);
  if (const Dim* dim = value.get_if<Dim>()) return emit_.dim(*dim);
  if (const double* d = value.get_if<double>()) return emit_.scalar(DType::f64, *d);
  if (const RuntimeFloat* f = value.get_if<RuntimeFloat>()) return f->value;
  if (const auto* c = value.get_if<std::complex<double>>())
    return aten::pairs(aten::complex_as(emit_, aten::Scalar{*c}, DType::f64));
  if (value.is_bool()) return condition(value);
  throw aten::Unsupported(fmt::format("{} cannot be a tensor", describe(value)));
}

onnx::Value* GraphValues::condition(const Value& value) {
  if (const bool* b = value.get_if<bool>()) return emit_.scalar(DType::boolean, std::int64_t{*b});
  if (const RuntimeBool* runtime = value.get_if<RuntimeBool>()) return runtime->value;
  if (const SymBool* symbolic = value.get_if<SymBool>()) {
    onnx::Value *a = emit_.dim(symbolic->left), *b = emit_.dim(symbolic->right);
    switch (symbolic->relation) {
      case sym::Relation::equal: return emit_.op("Equal", {a, b});
      case sym::Relation::not_equal: return emit_.op("Not", {emit_.op("Equal", {a, b})});
      case sym::Relation::less: return emit_.op("Less", {a, b});
      case sym::Relation::less_equal: return emit_.op("LessOrEqual", {a, b});
    }
  }
  if (const CellPtr* cell = value.get_if<CellPtr>())
    return emit_.cast(emit_.reshape(memory_.cells().read(*cell), {}), DType::boolean);
  if (const Dim* dim = value.get_if<Dim>()) return emit_.cast(emit_.dim(*dim), DType::boolean);
  if (const RuntimeFloat* f = value.get_if<RuntimeFloat>()) return emit_.cast(f->value, DType::boolean);
  throw aten::Unsupported(fmt::format("{} cannot be a condition", describe(value)));
}

std::optional<bool> GraphValues::decide(const Value& value) {
  if (const bool* b = value.get_if<bool>()) return *b;
  if (const SymBool* symbolic = value.get_if<SymBool>()) {
    const sym::Truth truth = emit_.sym().decide(*symbolic);
    return truth == sym::Truth::unknown ? std::nullopt : std::optional(truth == sym::Truth::yes);
  }
  if (value.is_none()) return false;
  if (const double* d = value.get_if<double>()) return *d != 0;
  if (const Dim* dim = value.get_if<Dim>()) return decide(SymBool{sym::Relation::not_equal, *dim, 0});
  if (const std::string* text = value.get_if<std::string>()) return !text->empty();
  if (const CellPtr* cell = value.get_if<CellPtr>()) return decide(number_from(memory_.cells().read(*cell)));
  if (const ListPtr* items = value.get_if<ListPtr>(); items && !(*items)->sequence)
    return !(*items)->items.empty();
  return std::nullopt;
}

Value GraphValues::number_from(const aten::Tensor& tensor) {
  if (tensor.quantizer)
    throw aten::Unsupported("the number in a quantised tensor cannot be taken", aten::kDequantizeHint);
  if (tensor->type.shape)
    for (const Dim& dim : tensor.shape())
      if (dim.as_constant().value_or(1) != 1)
        reporter_.raise("only a tensor of one element can be converted to a number");
  if (tensor.complex) {
    if (tensor->data) return std::complex<double>(tensor->data->real(0), tensor->data->real(1));
    throw aten::Unsupported("a complex number that is a runtime value is not supported", "keep it a tensor");
  }
  if (tensor->data) {
    if (tensor.dtype() == DType::boolean) return tensor->data->integer(0) != 0;
    if (is_floating(tensor.dtype())) return tensor->data->real(0);
    if (is_integral(tensor.dtype())) return tensor->data->integer(0);
  }
  if (is_integral(tensor.dtype())) return emit_.number(tensor);
  onnx::Value* scalar = emit_.reshape(tensor, {});
  if (tensor.dtype() == DType::boolean) return RuntimeBool{scalar};
  if (is_floating(tensor.dtype())) return RuntimeFloat{emit_.stop_gradient(emit_.cast(scalar, DType::f64))};
  throw aten::Unsupported(fmt::format("a number of type {} is not supported", name(tensor.dtype())));
}

aten::Arg GraphValues::to_arg(const Value& value) {
  using aten::Arg;
  using aten::Scalar;
  if (value.is_none()) return Arg{aten::None{}};
  if (const bool* b = value.get_if<bool>()) return Arg{Scalar{*b}};
  if (const Dim* dim = value.get_if<Dim>()) return Arg{Scalar{*dim}};
  if (const double* d = value.get_if<double>()) return Arg{Scalar{*d}};
  if (const RuntimeFloat* f = value.get_if<RuntimeFloat>()) return Arg{Scalar{f->value}};
  if (value.is_bool()) return Arg{Scalar{condition(value)}};
  if (const auto* c = value.get_if<std::complex<double>>()) return Arg{Scalar{*c}};
  if (const std::string* text = value.get_if<std::string>()) return Arg{*text};
  if (const CellPtr* cell = value.get_if<CellPtr>()) return Arg{memory_.cells().read(*cell)};
  if (value.is<Device>()) return Arg{aten::Ignored{}};
  if (const ObjectPtr* object = value.get_if<ObjectPtr>(); object && (*object)->packed)
    return Arg{(*object)->packed};
  if (const ObjectPtr* object = value.get_if<ObjectPtr>(); object && !(*object)->unreadable.empty())
    throw aten::Unsupported((*object)->unreadable);
  if (const EnumMember* member = value.get_if<EnumMember>()) return to_arg(*member->value);
  const std::vector<Value>* items = nullptr;
  if (const TuplePtr* tuple = value.get_if<TuplePtr>()) items = &(*tuple)->items;
  if (const ListPtr* list = value.get_if<ListPtr>()) {
    if ((*list)->sequence) return Arg{aten::Tensor((*list)->sequence)};
    items = &(*list)->items;
  }
  if (items) {
    aten::ArgList out;
    for (const Value& item : *items) out.push_back(to_arg(item));
    return Arg{std::move(out)};
  }
  throw aten::Unsupported(fmt::format("{} cannot be an argument of an operator", describe(value)));
}

onnx::Value* GraphValues::sequence(const std::vector<Value>& items) {
  std::vector<onnx::Value*> values;
  for (const Value& item : items) values.push_back(tensor(item));
  return emit_.op("SequenceConstruct", std::move(values));
}

Value GraphValues::from_arg(const aten::Arg& arg) {
  if (const aten::Tensor* result = arg.get_if<aten::Tensor>()) return memory_.make_tensor(*result);
  if (const std::string* text = arg.get_if<std::string>()) return *text;
  if (const aten::PackedPtr* packed = arg.get_if<aten::PackedPtr>()) return memory_.make_packed(*packed);
  if (const aten::ArgList* several = arg.get_if<aten::ArgList>()) {
    std::vector<Value> items;
    for (const aten::Arg& item : *several) items.push_back(from_arg(item));
    return memory_.make_list(std::move(items));
  }
  if (const aten::Scalar* scalar = arg.get_if<aten::Scalar>()) {
    if (const bool* b = std::get_if<bool>(&scalar->value)) return *b;
    if (const Dim* dim = std::get_if<Dim>(&scalar->value)) return *dim;
    if (const double* d = std::get_if<double>(&scalar->value)) return *d;
    if (const auto* c = std::get_if<std::complex<double>>(&scalar->value)) return *c;
    return number_from(std::get<onnx::Value*>(scalar->value));
  }
  return None{};
}

}  // namespace cameo::eval
