#include "eval/state/value.h"

#include <fmt/core.h>

#include <cmath>

#include "eval/state/cell.h"

namespace cameo::eval {

Value::Value() noexcept = default;
Value::Value(const Value& other) = default;
Value::Value(Value&& other) noexcept = default;
Value& Value::operator=(const Value& other) = default;
Value& Value::operator=(Value&& other) noexcept = default;
Value::~Value() = default;

Value::Value(Bool b) : data(b.value) {}
Value::Value(int number) : data(Dim(number)) {}
Value::Value(std::int64_t number) : data(Dim(number)) {}
Value::Value(Dim number) : data(std::move(number)) {}
Value::Value(double number) : data(number) {}
Value::Value(std::complex<double> number) : data(number) {}
Value::Value(SymBool condition) : data(std::move(condition)) {}
Value::Value(RuntimeBool condition) : data(condition) {}
Value::Value(RuntimeFloat number) : data(number) {}
Value::Value(const char* text) : data(std::string(text)) {}
Value::Value(std::string text) : data(std::move(text)) {}
Value::Value(CellPtr tensor) : data(std::move(tensor)) {}
Value::Value(TuplePtr tuple) : data(std::move(tuple)) {}
Value::Value(ListPtr list) : data(std::move(list)) {}
Value::Value(DictPtr dict) : data(std::move(dict)) {}
Value::Value(ObjectPtr object) : data(std::move(object)) {}
Value::Value(ClosurePtr closure) : data(std::move(closure)) {}
Value::Value(OptionalPtr optional) : data(std::move(optional)) {}
Value::Value(FunctionRef function) : data(std::move(function)) {}
Value::Value(ClassRef cls) : data(std::move(cls)) {}
Value::Value(EnumMember member) : data(std::move(member)) {}
Value::Value(Device device) : data(std::move(device)) {}
Value::Value(None none) : data(none) {}
Value::Value(Unknown unknown) : data(unknown) {}
Value::Value(Uninitialized nothing) : data(nothing) {}
Value::Value(Conflict conflict) : data(std::move(conflict)) {}

Environment::Environment(Time born) : born_(born) {}
Environment::~Environment() = default;
Value* Environment::find(std::string_view name) {
  auto found = variables_.find(name);
  return found == variables_.end() ? nullptr : &found->second;
}
void Environment::set(std::string_view name, Value value) {
  variables_.insert_or_assign(name, std::move(value));
}
void Environment::erase(std::string_view name) { variables_.erase(name); }

Value make_tuple(std::vector<Value> items) {
  auto tuple = std::make_shared<Tuple>();
  tuple->items = std::move(items);
  return TuplePtr(std::move(tuple));
}

namespace {

std::string describe(const aten::Tensor& tensor) {
  onnx::Type type = tensor->type;
  type.dtype = tensor.dtype();
  if (type.shape) type.shape = tensor.shape();
  return to_string(type);
}

}  // namespace

std::string describe(const Value& value) {
  if (value.is_none()) return "None";
  if (const bool* b = value.get_if<bool>()) return *b ? "True" : "False";
  if (value.is_bool()) return "a bool that is a runtime value";
  if (const Dim* dim = value.get_if<Dim>()) return fmt::format("int {}", to_string(*dim));
  if (const double* d = value.get_if<double>()) return fmt::format("float {}", *d);
  if (value.is<RuntimeFloat>()) return "a float that is a runtime value";
  if (value.is<std::complex<double>>()) return "a complex number";
  if (const std::string* text = value.get_if<std::string>()) return fmt::format("str \"{}\"", *text);
  if (const CellPtr* cell = value.get_if<CellPtr>()) return describe((*cell)->tensor);
  if (const TuplePtr* tuple = value.get_if<TuplePtr>())
    return fmt::format("a tuple of {}", (*tuple)->items.size());
  if (const ListPtr* list = value.get_if<ListPtr>())
    return (*list)->sequence ? "a list whose length is a runtime value"
                             : fmt::format("a list of {}", (*list)->items.size());
  if (const DictPtr* dict = value.get_if<DictPtr>())
    return fmt::format("a dict of {}", (*dict)->items.size());
  if (const ObjectPtr* object = value.get_if<ObjectPtr>())
    return fmt::format("an object of {}", script::demangle((*object)->cls));
  if (const Device* device = value.get_if<Device>()) return fmt::format("device {}", device->name);
  if (const EnumMember* member = value.get_if<EnumMember>())
    return fmt::format("{}.{}", script::demangle(member->cls), member->name);
  if (value.is<FunctionRef>() || value.is<ClosurePtr>()) return "a function";
  if (value.is<ClassRef>()) return "a class";
  if (value.is<OptionalPtr>()) return "a value that may be None";
  if (value.is<Unknown>()) return "the result of an operator that cannot be converted";
  if (value.is<Uninitialized>()) return "a variable that was never set";
  return "a value that differs from path to path";
}

bool same(const Value& a, const Value& b) {
  if (a.data.index() != b.data.index()) return false;
  return std::visit(
      [&]<class T>(const T& left) {
        const T& right = std::get<T>(b.data);
        if constexpr (std::is_same_v<T, double>)
          return left == right || (std::isnan(left) && std::isnan(right));
        else if constexpr (std::is_same_v<T, RuntimeBool> || std::is_same_v<T, RuntimeFloat>)
          return left.value == right.value;
        else if constexpr (std::is_same_v<T, SymBool>)
          return left.relation == right.relation && left.left == right.left && left.right == right.right;
        else if constexpr (std::is_same_v<T, FunctionRef> || std::is_same_v<T, ClassRef> ||
                           std::is_same_v<T, Device>)
          return left.name == right.name;
        else if constexpr (std::is_same_v<T, EnumMember>)
          return left.cls == right.cls && left.name == right.name;
        else if constexpr (std::is_same_v<T, TuplePtr>) {
          if (left == right) return true;
          if (left->items.size() != right->items.size()) return false;
          for (std::size_t i = 0; i < left->items.size(); ++i)
            if (!same(left->items[i], right->items[i])) return false;
          return true;
        } else if constexpr (std::is_same_v<T, Conflict>)
          return false;
        else if constexpr (std::is_same_v<T, Unknown> || std::is_same_v<T, Uninitialized>)
          return true;
        else
          return left == right;
      },
      a.data);
}

std::int64_t known_int(const Value& value, std::string_view what) {
  if (const bool* b = value.get_if<bool>()) return *b;
  const Dim* dim = value.get_if<Dim>();
  if (!dim) throw aten::ProgramError(fmt::format("{} must be an int, but is {}", what, describe(value)));
  if (std::optional<std::int64_t> known = dim->as_constant()) return *known;
  throw aten::Unsupported(
      fmt::format("{} must be known at export time, but it is {}", what, to_string(*dim)));
}

const std::string& known_string(const Value& value, std::string_view what) {
  if (const std::string* text = value.get_if<std::string>()) return *text;
  throw aten::ProgramError(fmt::format("{} must be a string, but is {}", what, describe(value)));
}

}  // namespace cameo::eval
