// The evaluator's values as converters see them, and back.
#include <fmt/format.h>

#include "eval/evaluator.h"

namespace cameo::eval {

aten::Arg Evaluator::to_arg(const Value& value) {
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
  if (const CellPtr* cell = value.get_if<CellPtr>()) return Arg{cells_.read(*cell)};
  if (value.is<Device>()) return Arg{aten::Ignored{}};
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

Value Evaluator::from_arg(const aten::Arg& arg) {
  if (const aten::Tensor* result = arg.get_if<aten::Tensor>()) return wrap(*result);
  if (const std::string* text = arg.get_if<std::string>()) return *text;
  if (const aten::ArgList* several = arg.get_if<aten::ArgList>()) {
    std::vector<Value> items;
    for (const aten::Arg& item : *several) items.push_back(from_arg(item));
    return list(std::move(items));
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
