#pragma once
// The values of TorchScript variables. Containers and objects are shared references, as in Python. Tensors
// are shared cells, because in-place operators change the tensor that a variable refers to.

#include <complex>
#include <concepts>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <variant>
#include <vector>

#include "aten/registry.h"
#include "script/program.h"
#include "sym/context.h"

namespace cameo::eval {

using onnx::Dim;
using onnx::Shape;

struct Cell;
struct Tuple;
struct List;
struct Dict;
struct Object;
struct Closure;
struct Optional;
using CellPtr = std::shared_ptr<Cell>;
using TuplePtr = std::shared_ptr<const Tuple>;
using ListPtr = std::shared_ptr<List>;
using DictPtr = std::shared_ptr<Dict>;
using ObjectPtr = std::shared_ptr<Object>;
using ClosurePtr = std::shared_ptr<const Closure>;
using OptionalPtr = std::shared_ptr<const Optional>;

struct None {
  bool operator==(const None&) const = default;
};
// The result of an operator that is not supported, and of every operator on it.
struct Unknown {};
// `uninitialized(T)`: a variable on a path that raises or returns early. A correct program never reads it.
struct Uninitialized {};
// Two values that cannot be joined after a branch or in a loop. It is an error only if the program reads it.
struct Conflict {
  std::string reason;
};

// A comparison of sizes that is not decided at export time.
using SymBool = sym::Condition;
// Runtime numbers: 0-d values of the graph.
struct RuntimeBool {
  onnx::Value* value;
};
struct RuntimeFloat {
  onnx::Value* value;  // f64
};

struct FunctionRef {
  script::Definition<script::FunctionDef> definition;
  std::string name;  // qualified
};
struct ClassRef {
  script::Definition<script::ClassDef> definition;
  std::string name;  // qualified
};
struct EnumMember {
  std::string cls, name;
  std::shared_ptr<const struct Value> value;
};
struct Device {
  std::string name;
};

struct Value {
  using Data =
      std::variant<None, Unknown, Uninitialized, Conflict, bool, SymBool, RuntimeBool, Dim, double,
                   RuntimeFloat, std::complex<double>, std::string, CellPtr, TuplePtr, ListPtr, DictPtr,
                   ObjectPtr, ClosurePtr, OptionalPtr, FunctionRef, ClassRef, EnumMember, Device>;
  Data data;

  Value() noexcept;
  Value(const Value& other);
  Value(Value&& other) noexcept;
  Value& operator=(const Value& other);
  Value& operator=(Value&& other) noexcept;
  ~Value();

  // One constructor for each kind of value. Only a bool itself makes a bool: no number and no pointer does.
  template <std::same_as<bool> T>
  Value(T value) : Value(Bool{value}) {}
  Value(int number);
  Value(std::int64_t number);
  Value(Dim number);
  Value(double number);
  Value(std::complex<double> number);
  Value(SymBool condition);
  Value(RuntimeBool condition);
  Value(RuntimeFloat number);
  Value(const char* text);
  Value(std::string text);
  Value(CellPtr tensor);
  Value(TuplePtr tuple);
  Value(ListPtr list);
  Value(DictPtr dict);
  Value(ObjectPtr object);
  Value(ClosurePtr closure);
  Value(OptionalPtr optional);
  Value(FunctionRef function);
  Value(ClassRef cls);
  Value(EnumMember member);
  Value(Device device);
  Value(None);
  Value(Unknown);
  Value(Uninitialized);
  Value(Conflict conflict);

  template <class T>
  const T* get_if() const {
    return std::get_if<T>(&data);
  }
  template <class T>
  bool is() const {
    return std::holds_alternative<T>(data);
  }
  bool is_none() const { return is<None>(); }
  bool is_bool() const { return is<bool>() || is<SymBool>() || is<RuntimeBool>(); }
  bool is_int() const { return is<Dim>(); }
  bool is_float() const { return is<double>() || is<RuntimeFloat>(); }
  bool is_number() const { return is_int() || is_float() || is<std::complex<double>>(); }

 private:
  struct Bool {
    bool value;
  };
  explicit Value(Bool value);
};

struct Tuple {
  std::vector<Value> items;
  std::string cls;                  // of a NamedTuple, qualified; else empty
  std::vector<std::string> fields;  // of a NamedTuple
};

// A time of the journal's clock. A value that a branch made itself needs no rolling back.
using Time = std::uint64_t;

// A list of known items, or a sequence of the graph if its length is a runtime value.
struct List {
  Time born;
  std::vector<Value> items = {};
  onnx::Value* sequence = nullptr;
};

struct Dict {
  Time born;
  std::vector<std::pair<Value, Value>> items;  // in insertion order
};

// A module, an object of a script class, or a C++ object in the form of the archive.
struct Object {
  Object(Time time, std::string qualified_class, script::Definition<script::ClassDef> def)
      : born(time), cls(std::move(qualified_class)), definition(def) {}
  Time born;
  std::string cls;  // qualified
  script::Definition<script::ClassDef> definition;
  std::map<std::string, Value, std::less<>> attributes;
  std::string path;  // module path: "layer1.0.conv1"; empty for the root and for plain objects
  bool module = false;
  const archive::Object* opaque = nullptr;
  aten::PackedPtr packed;  // the weights of a C++ object that operators take
  std::string unreadable;  // the reason why such an object has no weights here
};

// A value that may be None at run time.
struct Optional {
  onnx::Value* present = nullptr;  // 0-d boolean
  Value value;
};

// The variables of one function call.
class Environment {
 public:
  explicit Environment(Time born);
  ~Environment();
  Environment(const Environment&) = delete;
  Environment& operator=(const Environment&) = delete;
  Time born() const { return born_; }
  Value* find(std::string_view name);
  void set(std::string_view name, Value value);
  void erase(std::string_view name);

 private:
  Time born_;
  std::unordered_map<std::string_view, Value> variables_;
};

// A function that is defined inside another one. It reads the variables of that one.
struct Closure {
  const script::FunctionDef* function;
  std::shared_ptr<Environment> environment;
};

Value make_tuple(std::vector<Value> items);

std::string describe(const Value& value);   // in messages: "a list of 3", "int 4", "f32[batch, 3]"
bool same(const Value& a, const Value& b);  // identical: the same object or an equal plain value
// `what` names the value in messages. Throws aten::ProgramError for a value of another type, and
// aten::Unsupported for an integer that is a runtime value.
std::int64_t known_int(const Value& value, std::string_view what);
// Throws aten::ProgramError for a value of another type.
const std::string& known_string(const Value& value, std::string_view what);

}  // namespace cameo::eval
