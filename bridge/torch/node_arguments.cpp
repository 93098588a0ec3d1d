#include "node_arguments.h"

#include <ATen/ScalarOps.h>
#include <fmt/format.h>

#include "base/overload.h"
#include "cameo/diagnostic.h"

namespace cameo::torch {
namespace {

[[noreturn]] void refuse_argument(std::string message) {
  throw Error(Diagnostic{.code = Code::torch_refuses, .message = std::move(message)});
}

template <class T>
c10::IValue list_of(const c10::TypePtr& type, const std::vector<T>& items) {
  c10::impl::GenericList list(type);
  for (const T& item : items) list.push_back(c10::IValue(item));
  return list;
}

// A tensor of a number, which takes part in type promotion as a number.
c10::IValue tensor_of_number(const c10::IValue& number) {
  at::Tensor tensor = c10::scalar_to_tensor(number.toScalar());
  tensor.unsafeGetTensorImpl()->set_wrapped_number(true);
  return tensor;
}

std::int64_t whole_number(const c10::IValue& number) {
  const auto whole = number.toScalar().toLong();
  if (number.isDouble() && number.toDouble() != static_cast<double>(whole))
    refuse_argument(fmt::format("this libtorch takes an integer in the place of {}", number.toDouble()));
  return whole;
}

c10::IValue fit_type(const c10::IValue& value, const c10::TypePtr& type, std::int64_t count);

c10::IValue fit_list(const c10::IValue& value, const c10::TypePtr& element, std::int64_t count) {
  // Symbolic integers are plain ones here.
  const c10::TypePtr stored = element->kind() == c10::TypeKind::SymIntType ? c10::IntType::get() : element;
  c10::impl::GenericList list(stored);
  if (value.isList()) {
    for (const c10::IValue& item : value.toListRef()) list.push_back(fit_type(item, stored, 1));
  } else {
    for (std::int64_t i = 0; i < count; ++i) list.push_back(fit_type(value, stored, 1));
  }
  return list;
}

c10::IValue fit_type(const c10::IValue& value, const c10::TypePtr& type, std::int64_t count) {
  if (const auto optional = type->cast<c10::OptionalType>())
    return value.isNone() ? value : fit_type(value, optional->getElementType(), count);
  if (const auto list = type->cast<c10::ListType>()) return fit_list(value, list->getElementType(), count);
  switch (type->kind()) {
    case c10::TypeKind::TensorType: return value.isScalar() ? tensor_of_number(value) : value;
    case c10::TypeKind::FloatType: return value.isScalar() ? value.toScalar().toDouble() : value;
    case c10::TypeKind::IntType: return value.isScalar() ? whole_number(value) : value;
    case c10::TypeKind::BoolType: return value.isScalar() ? value.toScalar().toBool() : value;
    case c10::TypeKind::DeviceObjType: return c10::Device(c10::kCPU);
    default: return value;
  }
}

}  // namespace

c10::IValue fit(const c10::IValue& value, const c10::Argument& argument) {
  return fit_type(value, argument.type(), argument.N().value_or(1));
}

c10::IValue Scope::named(std::string_view name) const {
  if (const auto found = values_.find(name); found != values_.end()) return found->second;
  if (const auto plain = graph_.sym_ints.find(name);
      plain != graph_.sym_ints.end() && !plain->second.expression)
    return plain->second.value;
  throw Error(Diagnostic{.code = Code::bad_exported_program,
                         .message = fmt::format("the graph reads '{}', which no node computes", name),
                         .hint = "the file is damaged: save it again"});
}

template <class T>
c10::IValue Scope::number(const std::variant<exported::SymName, T>& argument) const {
  return std::visit(Overload{[&](const exported::SymName& sym) { return named(sym.name); },
                             [](const T& plain) { return c10::IValue(plain); }},
                    argument);
}

c10::IValue Scope::value(const exported::Argument& argument) const {
  using exported::TensorName;
  const auto tensor = [&](const TensorName& name) { return named(name.name); };
  const auto generic = [&](const auto& items, const auto& each) {
    std::vector<c10::IValue> values;
    for (const auto& item : items) values.push_back(each(item));
    return list_of(values.empty() || !values.front().isTensor() ? c10::AnyType::get()
                                                                : c10::TypePtr(c10::TensorType::get()),
                   values);
  };
  return std::visit(
      Overload{[](const exported::None&) { return c10::IValue(); },
               tensor,
               [&](const std::vector<TensorName>& names) { return generic(names, tensor); },
               [&](const std::vector<std::optional<TensorName>>& names) {
                 return generic(names,
                                [&](const auto& name) { return name ? tensor(*name) : c10::IValue(); });
               },
               [&](const exported::SymIntArgument& sym) { return number(sym); },
               [&](const exported::SymFloatArgument& sym) { return number(sym); },
               [&](const exported::SymBoolArgument& sym) { return number(sym); },
               [&]<class T>(const std::vector<std::variant<exported::SymName, T>>& syms) {
                 return generic(syms, [&](const auto& sym) { return number(sym); });
               },
               [](std::int64_t plain) { return c10::IValue(plain); },
               [](double plain) { return c10::IValue(plain); },
               [](bool plain) { return c10::IValue(plain); },
               [](std::string_view text) { return c10::IValue(std::string(text)); },
               [](const exported::Complex& complex) {
                 return c10::IValue(c10::complex<double>(complex.real, complex.imag));
               },
               [](DType dtype) { return c10::IValue(torch_number(dtype)); },
               [](exported::MemoryFormat format) { return c10::IValue(static_cast<std::int64_t>(format)); },
               [](exported::Layout layout) { return c10::IValue(static_cast<std::int64_t>(layout)); },
               [](const exported::Device&) { return c10::IValue(c10::Device(c10::kCPU)); },
               [&](const std::vector<std::int64_t>& items) { return list_of(c10::IntType::get(), items); },
               [&](const std::vector<double>& items) { return list_of(c10::FloatType::get(), items); },
               [&](const std::vector<bool>& items) {
                 return generic(items, [](bool item) { return c10::IValue(item); });
               },
               [&](const std::vector<std::string_view>& items) {
                 return generic(items, [](std::string_view item) { return c10::IValue(std::string(item)); });
               },
               [](const exported::Unknown& unknown) -> c10::IValue {
                 refuse_argument(fmt::format("arguments of the kind '{}' are not supported", unknown.tag));
               },
               [](const auto&) -> c10::IValue {
                 refuse_argument("an argument of this node is of a kind that cannot be run in libtorch");
               }},
      argument.data);
}

std::vector<c10::IValue> Scope::values(const exported::Argument& list) const {
  const c10::IValue all = value(list);
  if (!all.isList()) refuse_argument("a list of values was expected as an argument");
  return all.toListRef().vec();
}

void Scope::bind(const exported::Argument& argument, const c10::IValue& value) {
  const auto bind_list = [&](const auto& names) {
    const auto items = value.toListRef();
    if (items.size() != names.size())
      refuse_argument(
          fmt::format("libtorch gives {} tensors where the graph has {}", items.size(), names.size()));
    for (std::size_t i = 0; i < names.size(); ++i) bind({names[i]}, items[i]);
  };
  const auto bind_number = [&](const auto& number) {
    if (const auto* sym = std::get_if<exported::SymName>(&number)) values_[sym->name] = value;
  };
  std::visit(Overload{[&](const exported::TensorName& tensor) { values_[tensor.name] = value; },
                      [&](const std::vector<exported::TensorName>& names) { bind_list(names); },
                      [&](const exported::SymIntArgument& sym) { bind_number(sym); },
                      [&](const exported::SymFloatArgument& sym) { bind_number(sym); },
                      [&](const exported::SymBoolArgument& sym) { bind_number(sym); },
                      [&]<class T>(const std::vector<std::variant<exported::SymName, T>>& syms) {
                        const auto items = value.toListRef();
                        for (std::size_t i = 0; i < std::min(items.size(), syms.size()); ++i)
                          if (const auto* sym = std::get_if<exported::SymName>(&syms[i]))
                            values_[sym->name] = items[i];
                      },
                      [](const auto&) {}},
             argument.data);
}

}  // namespace cameo::torch
