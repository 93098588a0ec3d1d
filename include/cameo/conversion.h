#pragma once
// The argument of a converter (converter.h): the call that it converts, and the graph that it adds nodes to.
// All of it is valid until the converter returns.
//
// Nothing here needs a symbol of the library, so that a plug-in is linked with nothing: functions that are
// not inline are virtual.

#include <complex>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "cameo/array.h"

namespace cameo {

// A converter throws it, or any other std::exception, for a call that it cannot convert. The export reports
// it with the user's line of Python and continues, so that it finds all such calls.
class ConversionError : public std::runtime_error {
 public:
  explicit ConversionError(const std::string& why, std::string hint = {})
      : std::runtime_error(why), hint_(std::move(hint)) {}
  const std::string& hint() const { return hint_; }

 private:
  std::string hint_;
};

class Formula;

// One size of a shape, or another integer: a number, a formula of the sizes of the model's inputs, or
// unknown.
class Size {
 public:
  Size(std::int64_t number) : number_(number), known_(true) {}
  explicit Size(std::shared_ptr<const Formula> formula) : formula_(std::move(formula)) {}
  static Size unknown() { return Size(std::shared_ptr<const Formula>()); }

  std::optional<std::int64_t> number() const { return known_ ? std::optional(number_) : std::nullopt; }
  const std::shared_ptr<const Formula>& formula() const { return formula_; }  // null if it is no formula
  inline std::string text() const;                                            // "3", "batch + 1", "?"

  // '/' rounds down. The result is unknown if an operand is.
  friend Size operator+(const Size& a, const Size& b) { return combine('+', a, b); }
  friend Size operator-(const Size& a, const Size& b) { return combine('-', a, b); }
  friend Size operator*(const Size& a, const Size& b) { return combine('*', a, b); }
  friend Size operator/(const Size& a, const Size& b) { return combine('/', a, b); }

 private:
  static inline Size combine(char op, const Size& a, const Size& b);

  std::int64_t number_ = 0;
  bool known_ = false;
  std::shared_ptr<const Formula> formula_;
};
using Sizes = std::vector<Size>;

class Formula {
 public:
  virtual ~Formula() = default;
  virtual std::string text() const = 0;
  virtual Size combine(char op, const Size& left,
                       const Size& right) const = 0;  // both are known, or formulas
};

// The elements of a tensor that is known when exporting: row-major, little-endian.
struct Contents {
  ElementType dtype = ElementType::undefined;
  std::vector<std::int64_t> shape;
  std::span<const std::byte> bytes;
  std::shared_ptr<const void> owner;  // of the bytes; null: the caller keeps them alive

  template <Element T>
  static Contents of(std::vector<std::int64_t> shape, const std::vector<T>& elements);
  template <Element T>
  std::vector<T> as() const;  // throws ConversionError if they are of another type
};

class Conversion;

// A value of the graph. An empty one stands for an optional input that is left out.
class Tensor {
 public:
  Tensor() = default;
  explicit operator bool() const { return value_ != nullptr; }
  inline ElementType dtype() const;
  inline std::optional<Sizes> shape() const;  // nothing if not even the rank is known
  inline std::optional<std::int64_t> rank() const;
  inline std::optional<Contents> contents() const;  // nothing if it is not a constant
  bool operator==(const Tensor&) const = default;

  // For implementations of Conversion.
  Tensor(const Conversion* conversion, void* value) : conversion_(conversion), value_(value) {}
  void* handle() const { return value_; }

 private:
  const Conversion* conversion_ = nullptr;
  void* value_ = nullptr;
};

// An argument of the call, of the type that the schema declares. The functions that read it throw
// ConversionError if it is of another type, or is not known at export time.
class Argument {
 public:
  struct Number {  // a bool, int or float that is a runtime value: a tensor without dimensions
    Tensor value;
  };
  struct Opaque {};  // a device, a layout, a generator: of no consequence
  using List = std::vector<Argument>;
  using Value = std::variant<std::monostate, bool, Size, double, std::complex<double>, std::string, Tensor,
                             Number, List, Opaque>;

  std::string name;  // of the parameter
  Value value;       // std::monostate is None; a Size is an int

  bool is_none() const { return std::holds_alternative<std::monostate>(value); }
  Tensor tensor() const { return expect<Tensor>("a tensor"); }
  const std::string& text() const { return expect<std::string>("a string"); }
  const List& items() const { return expect<List>("a list"); }
  inline Size size() const;  // an int, known or not
  inline std::int64_t integer() const;
  inline double real() const;  // of a float, int or bool
  inline bool boolean() const;
  inline ElementType dtype() const;  // of a ScalarType
  std::vector<Tensor> tensors() const { return each<Tensor>(&Argument::tensor); }
  std::vector<std::string> texts() const { return each<std::string>(&Argument::text); }
  std::vector<std::int64_t> integers() const { return each<std::int64_t>(&Argument::integer); }
  std::vector<double> reals() const { return each<double>(&Argument::real); }
  Sizes sizes() const { return each<Size>(&Argument::size); }

 private:
  template <class T>
  const T& expect(const char* what) const {
    if (const T* found = std::get_if<T>(&value)) return *found;
    if (std::holds_alternative<Number>(value)) not_known("it depends on the inputs");
    throw ConversionError("'" + name + "' is not " + what);
  }
  template <class T, class Read>
  std::vector<T> each(Read read) const {
    std::vector<T> out;
    for (const Argument& item : items()) out.push_back((item.*read)());
    return out;
  }
  [[noreturn]] void not_known(const std::string& why) const {
    throw ConversionError("'" + name + "' must be known when exporting, but " + why);
  }
};

struct NodeAttribute {
  using Value = std::variant<std::int64_t, double, std::string, Contents, std::vector<std::int64_t>,
                             std::vector<double>, std::vector<std::string>>;
  std::string name;
  Value value;
};
using NodeAttributes = std::vector<NodeAttribute>;

// One call of the operator, and the graph.
class Conversion {
 public:
  virtual ~Conversion() = default;

  virtual std::string_view name() const = 0;  // "mylib::op"
  virtual int opset() const = 0;              // of ONNX's own operators
  virtual bool training() const = 0;          // the model is exported as it runs in training

  // One per parameter of the schema, in its order; defaults are filled in.
  virtual const std::vector<Argument>& arguments() const = 0;
  inline const Argument& operator[](std::string_view parameter) const;

  // Adds a node. "Relu" is an operator of ONNX, "thinker::Quant" one of the domain thinker.
  //
  // For operators of ONNX, types and shapes are inferred and constants are folded. Write the newest form of the
  // operator, or an older one in which an attribute stands for a later input (the axes of Squeeze); the node
  // is written in the form of the exported opset. For other operators, call set_type. A result without a
  // type gets the element type of the inputs, an unknown shape, and a warning.
  virtual std::vector<Tensor> ops(std::string_view type, const std::vector<Tensor>& inputs,
                                  const NodeAttributes& attributes, std::size_t outputs) = 0;
  Tensor op(std::string_view type, const std::vector<Tensor>& inputs, const NodeAttributes& attributes = {}) {
    return ops(type, inputs, attributes, 1).front();
  }
  // Declares the type of a result. Throws ConversionError if it contradicts what is known.
  virtual void set_type(const Tensor& tensor, ElementType dtype, std::optional<Sizes> shape) = 0;

  virtual Tensor constant(const Contents& contents) = 0;
  template <Element T>
  Tensor constant(std::vector<std::int64_t> shape, const std::vector<T>& elements) {
    return constant(Contents::of(std::move(shape), elements));
  }
  template <Element T>
  Tensor scalar(T number) {
    return constant<T>({}, std::vector<T>{number});
  }
  // A number or a list of numbers, known or not, as a tensor; a tensor is returned as it is. If the element
  // type is undefined, ints become i64, floats f32 and bools bool.
  virtual Tensor value(const Argument& argument, ElementType dtype = ElementType::undefined) = 0;
  virtual Tensor value(const Sizes& sizes) = 0;  // 1-d i64

  virtual void warn(std::string message) = 0;
  [[noreturn]] void fail(const std::string& why, std::string hint = {}) const {
    throw ConversionError(why, std::move(hint));
  }

  // Tensor calls these.
  virtual ElementType dtype_of(const Tensor& tensor) const = 0;
  virtual std::optional<Sizes> shape_of(const Tensor& tensor) const = 0;
  virtual std::optional<Contents> contents_of(const Tensor& tensor) const = 0;
};

// The results of a converter: one tensor per result of the schema, or the items of the list that is the only
// result. A result that is a number is a tensor of one element.
struct Results {
  Results() = default;
  Results(Tensor one) : tensors{one} {}
  Results(std::vector<Tensor> several) : tensors(std::move(several)) {}
  std::vector<Tensor> tensors;
};

// ---- bodies

inline std::string Size::text() const {
  return known_ ? std::to_string(number_) : formula_ ? formula_->text() : "?";
}

inline Size Size::combine(char op, const Size& a, const Size& b) {
  if ((!a.known_ && !a.formula_) || (!b.known_ && !b.formula_)) return unknown();
  if (a.formula_ || b.formula_) return (a.formula_ ? a : b).formula_->combine(op, a, b);
  const std::int64_t x = a.number_, y = b.number_;
  switch (op) {
    case '+': return x + y;
    case '-': return x - y;
    case '*': return x * y;
    default: break;
  }
  if (y == 0) throw ConversionError("a size is divided by zero");
  return x / y - (x % y != 0 && (x < 0) != (y < 0) ? 1 : 0);
}

template <Element T>
Contents Contents::of(std::vector<std::int64_t> shape, const std::vector<T>& elements) {
  auto bytes = std::make_shared<std::vector<std::byte>>(elements.size() * sizeof(T));
  std::byte* out = bytes->data();
  for (const T element : elements) {
    std::memcpy(out, &element, sizeof(T));
    out += sizeof(T);
  }
  return {detail::kElementType<T>, std::move(shape), *bytes, bytes};
}

template <Element T>
std::vector<T> Contents::as() const {
  if (dtype != detail::kElementType<T>) throw ConversionError("the elements are of another type");
  std::vector<T> out(bytes.size() / sizeof(T));
  for (std::size_t i = 0; i < out.size(); ++i) {
    T element;
    std::memcpy(&element, bytes.data() + i * sizeof(T), sizeof(T));
    out[i] = element;
  }
  return out;
}

inline ElementType Tensor::dtype() const { return conversion_->dtype_of(*this); }
inline std::optional<Sizes> Tensor::shape() const { return conversion_->shape_of(*this); }
inline std::optional<Contents> Tensor::contents() const { return conversion_->contents_of(*this); }
inline std::optional<std::int64_t> Tensor::rank() const {
  const std::optional<Sizes> sizes = shape();
  return sizes ? std::optional(std::ssize(*sizes)) : std::nullopt;
}

inline Size Argument::size() const {
  if (const bool* flag = std::get_if<bool>(&value)) return *flag ? 1 : 0;
  return expect<Size>("an int");
}

inline std::int64_t Argument::integer() const {
  const Size found = size();
  if (const std::optional<std::int64_t> number = found.number()) return *number;
  not_known("it is " + found.text());
}

inline double Argument::real() const {
  if (const double* number = std::get_if<double>(&value)) return *number;
  if (std::holds_alternative<Size>(value) || std::holds_alternative<bool>(value))
    return static_cast<double>(integer());
  return expect<double>("a number");
}

inline bool Argument::boolean() const {
  if (const bool* flag = std::get_if<bool>(&value)) return *flag;
  if (std::holds_alternative<Size>(value)) return integer() != 0;
  return expect<bool>("a bool");
}

inline ElementType Argument::dtype() const {
  using enum ElementType;
  constexpr ElementType kByTorchNumber[] = {u8,        i8,        i16,       i32, i64,  f16,
                                            f32,       f64,       undefined, c64, c128, boolean,
                                            undefined, undefined, undefined, bf16};
  const std::int64_t number = integer();
  if (number < 0 || number >= static_cast<std::int64_t>(std::size(kByTorchNumber))) return undefined;
  return kByTorchNumber[number];
}

inline const Argument& Conversion::operator[](std::string_view parameter) const {
  for (const Argument& argument : arguments())
    if (argument.name == parameter) return argument;
  throw ConversionError("the schema has no parameter '" + std::string(parameter) + "'");
}

}  // namespace cameo
