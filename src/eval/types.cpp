#include "eval/types.h"

#include <fmt/core.h>

#include "script/print.h"

namespace cameo::eval {
namespace {

std::string type_name(const script::Expr& type) {
  if (const auto* name = type.get_if<script::Name>()) return std::string(name->id);
  if (const auto* attr = type.get_if<script::Attribute>())
    return fmt::format("{}.{}", type_name(*attr->object), attr->name);
  if (type.get_if<script::NoneLiteral>()) return "NoneType";
  if (const auto* subscript = type.get_if<script::Subscript>()) return type_name(*subscript->object);
  return {};
}

const std::vector<script::ExprPtr>* type_arguments(const script::Expr& type) {
  const auto* subscript = type.get_if<script::Subscript>();
  if (!subscript) return nullptr;
  if (subscript->indices.size() == 1)
    if (const auto* tuple = subscript->indices[0]->get_if<script::TupleExpr>()) return &tuple->items;
  return &subscript->indices;
}

}  // namespace

bool is_instance(const Value& value, const script::Expr& type) {
  if (const auto* any_of = type.get_if<script::TupleExpr>()) {
    for (const script::ExprPtr& option : any_of->items)
      if (is_instance(value, *option)) return true;
    return false;
  }
  std::string name = type_name(type);
  const std::vector<script::ExprPtr>* args = type_arguments(type);
  auto all_items = [&](const std::vector<Value>& items, const script::Expr& element) {
    for (const Value& item : items)
      if (!is_instance(item, element)) return false;
    return true;
  };
  if (name == "Any") return true;
  if (name == "Optional") return value.is_none() || is_instance(value, *args->at(0));
  if (name == "Union") {
    for (const script::ExprPtr& option : *args)
      if (is_instance(value, *option)) return true;
    return false;
  }
  if (name == "Tensor") return value.is<CellPtr>() || value.is<Unknown>();
  if (name == "int") return value.is_int();
  if (name == "float") return value.is_float();
  if (name == "bool") return value.is_bool();
  if (name == "complex") return value.is<std::complex<double>>();
  if (name == "number") return value.is_number();
  if (name == "str") return value.is<std::string>();
  if (name == "NoneType" || name == "None") return value.is_none();
  if (name == "Device") return value.is<Device>();
  if (name == "list" || name == "List") {
    const ListPtr* list = value.get_if<ListPtr>();
    return list && (!args || all_items((*list)->items, *args->at(0)));
  }
  if (name == "tuple" || name == "Tuple") {
    const TuplePtr* tuple = value.get_if<TuplePtr>();
    if (!tuple || !args) return tuple != nullptr;
    if ((*tuple)->items.size() != args->size()) return false;
    for (std::size_t i = 0; i < args->size(); ++i)
      if (!is_instance((*tuple)->items[i], *(*args)[i])) return false;
    return true;
  }
  if (name == "dict" || name == "Dict") {
    const DictPtr* dict = value.get_if<DictPtr>();
    if (!dict || !args) return dict != nullptr;
    for (const auto& [key, item] : (*dict)->items)
      if (!is_instance(key, *args->at(0)) || !is_instance(item, *args->at(1))) return false;
    return true;
  }
  if (const ObjectPtr* object = value.get_if<ObjectPtr>())
    return (*object)->cls == name || script::demangle((*object)->cls) == script::demangle(name);
  if (const TuplePtr* tuple = value.get_if<TuplePtr>()) return (*tuple)->cls == name;
  if (const EnumMember* member = value.get_if<EnumMember>()) return member->cls == name;
  return false;
}

Value convert_to(Evaluation& ev, const script::Expr& type, Value value) {
  std::string name = type_name(type);
  const std::vector<script::ExprPtr>* args = type_arguments(type);
  if (name == "Optional" && args && !value.is_none()) return convert_to(ev, *args->at(0), std::move(value));
  if (name == "number" || name == "int" || name == "float" || name == "bool") {
    if (value.is<CellPtr>()) value = ev.values.number_from(ev.values.tensor(value));
    if (name == "float") {
      if (const Dim* dim = value.get_if<Dim>()) {
        if (std::optional<std::int64_t> known = dim->as_constant()) return static_cast<double>(*known);
        return RuntimeFloat{ev.emit.cast(ev.emit.dim(*dim), DType::f64)};
      }
    }
    return value;
  }
  if (name == "List" && args) {
    if (const ListPtr* list = value.get_if<ListPtr>(); list && type_name(*args->at(0)) == "float")
      for (Value& item : (*list)->items)
        if (item.is_int()) item = convert_to(ev, *args->at(0), item);
  }
  return value;
}

}  // namespace cameo::eval
