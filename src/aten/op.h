#pragma once
// The declaration of an operator: schema, converter and facts (traits.h). The compiler checks the schema
// against the converter's C++ parameters, and the binder maps the arguments of a call by it.
//
//   Expr square(Emit&, Expr self) { return self * self; }
//   constexpr Declaration kArithmetic[] = {
//       op<square>("aten::square(Tensor self) -> Tensor", {.doc = "x * x."}),
//   };
//
// Expr is a tensor of real numbers. A call with complex numbers needs a second converter whose parameters are
// Tensor (`op<mul, complex_mul>`) or the fact `.complex`; other operators refuse it. The fact `.quantized` says the
// same of quantised tensors.
//
// Converters are pure. The evaluator implements in-place forms (`relu_`), `out=` and writes to views.
// The C++ type of a parameter selects the values that it takes:
//   Tensor              Expr                         Scalar       Scalar
//   Tensor?             std::optional<Expr>          ScalarType   DType
//   Tensor[]            std::vector<Expr>            bool, str    bool, std::string
//   Tensor?[]           std::vector<std::optional<Expr>>
//   int, int[]          std::int64_t, std::vector<std::int64_t>: constants; or Dim, Shape: any
//   float, float[]      double, std::vector<double>: constants; or Scalar: any
//   __torch__.torch.classes.…: PackedLinear and the others of packed.h
//   Device, Layout, MemoryFormat, Generator, and any parameter that the converter ignores: Ignored
// and std::optional of each for T? and T[]?. A converter returns Expr, std::vector<Expr> or Scalar, or Returns
// if its results are of different kinds; a result that it does not compute is None.

#include <span>
#include <type_traits>
#include <utility>

#include "aten/formula.h"
#include "aten/packed.h"
#include "aten/schema.h"
#include "aten/traits.h"

namespace cameo::aten {

using Returns = std::vector<Arg>;

// Converts a call. The arguments are bound, one per parameter.
using Convert = Returns (*)(Emit&, std::span<const Arg>, const Schema&);

// A row of a family's table. The schema stays text until the operator is used, so that start-up is free.
struct Declaration {
  std::string_view schema;
  Traits traits;
  Convert call;
  Convert complex = nullptr;  // for calls with complex numbers
};

struct Op {
  Schema schema;
  Traits traits;
  std::string_view family;
  Convert call = nullptr;
  Convert complex = nullptr;
};

namespace detail {

template <class T>
struct IsOptional : std::false_type {};
template <class T>
struct IsOptional<std::optional<T>> : std::true_type {};
template <class T>
struct IsVector : std::false_type {};
template <class T>
struct IsVector<std::vector<T>> : std::true_type {};
template <>
struct IsVector<Shape> : std::true_type {};

template <class T>
inline constexpr bool kIsPacked = std::is_same_v<T, PackedLinear> || std::is_same_v<T, PackedConv> ||
                                  std::is_same_v<T, PackedEmbedding> || std::is_same_v<T, PackedCell>;

template <class T>
constexpr bool accepts_element(std::string_view type) {
  if constexpr (std::is_same_v<T, Ignored>)
    return type != "Tensor";
  else if constexpr (kIsPacked<T>)
    return is_packed_class(type);
  else if constexpr (std::is_same_v<T, Tensor> || std::is_same_v<T, Expr>)
    return type == "Tensor";
  else if constexpr (std::is_same_v<T, std::int64_t> || std::is_same_v<T, Dim>)
    return type == "int" || type == "SymInt";
  else if constexpr (std::is_same_v<T, double>)
    return type == "float";
  else if constexpr (std::is_same_v<T, bool>)
    return type == "bool";
  else if constexpr (std::is_same_v<T, std::string>)
    return type == "str";
  else if constexpr (std::is_same_v<T, Scalar>)
    return type == "Scalar" || type == "float";
  else if constexpr (std::is_same_v<T, DType>)
    return type == "ScalarType";
  else
    return false;
}

template <class T>
constexpr bool accepts(const ParamSchema& p) {
  if constexpr (std::is_same_v<T, Ignored>)
    return accepts_element<T>(p.type);
  else if constexpr (IsOptional<T>::value) {
    using U = typename T::value_type;
    if constexpr (IsVector<U>::value)
      return p.optional_list && accepts_element<typename U::value_type>(p.type);
    else
      return p.optional && !p.list && accepts_element<U>(p.type);
  } else if constexpr (IsVector<T>::value) {
    using U = typename T::value_type;
    if constexpr (IsOptional<U>::value)
      return p.list && p.optional && !p.optional_list && accepts_element<typename U::value_type>(p.type);
    else
      return p.list && !p.optional && !p.optional_list && accepts_element<U>(p.type);
  } else
    return !p.list && !p.optional && accepts_element<T>(p.type);
}

// Reading a bound argument. Throws Unsupported("'stride' must be known at export time, but it is …").
Tensor to_tensor(const Arg& arg);
// Throws Unsupported if the tensor is complex or quantised.
onnx::Value* to_real_tensor(const Arg& arg, std::string_view name);
std::int64_t to_int(const Arg& arg, std::string_view name);
Dim to_dim(const Arg& arg, std::string_view name);
double to_double(const Arg& arg, std::string_view name);
bool to_bool(const Arg& arg, std::string_view name);
const std::string& to_text(const Arg& arg);
Scalar to_scalar(const Arg& arg);
DType to_dtype(const Arg& arg, std::string_view name);
const ArgList& to_list(const Arg& arg);
const Packed& to_packed(const Arg& arg);

template <class T>
T read(Emit& e, const Arg& arg, std::string_view name) {
  if constexpr (std::is_same_v<T, Ignored>)
    return {};
  else if constexpr (IsOptional<T>::value) {
    if (arg.is_none()) return std::nullopt;
    return read<typename T::value_type>(e, arg, name);
  } else if constexpr (IsVector<T>::value) {
    T out;
    for (const Arg& item : to_list(arg)) out.push_back(read<typename T::value_type>(e, item, name));
    return out;
  } else if constexpr (std::is_same_v<T, Tensor>)
    return to_tensor(arg);
  else if constexpr (std::is_same_v<T, Expr>)
    return Expr(e, to_real_tensor(arg, name));
  else if constexpr (kIsPacked<T>)
    return std::get<T>(to_packed(arg).params);
  else if constexpr (std::is_same_v<T, std::int64_t>)
    return to_int(arg, name);
  else if constexpr (std::is_same_v<T, Dim>)
    return to_dim(arg, name);
  else if constexpr (std::is_same_v<T, double>)
    return to_double(arg, name);
  else if constexpr (std::is_same_v<T, bool>)
    return to_bool(arg, name);
  else if constexpr (std::is_same_v<T, std::string>)
    return to_text(arg);
  else if constexpr (std::is_same_v<T, Scalar>)
    return to_scalar(arg);
  else
    return to_dtype(arg, name);
}

// The result as a tensor. A converter that returns its argument returns it with its quantizer.
Tensor to_tensor(const Expr& result, std::span<const Arg> args);
Returns wrap(Tensor result);
Returns wrap(Scalar result);
Returns wrap_tuple(const std::vector<Tensor>& results);  // (Tensor, Tensor): several results
Returns wrap_list(const std::vector<Tensor>& results);   // Tensor[]: one result, a list

template <auto Fn>
struct Converter;
template <class R, class... P, R (*Fn)(Emit&, P...)>
struct Converter<Fn> {
  static constexpr void check(const Schema& s) {
    if (s.count != sizeof...(P)) throw "schema and converter differ in the number of parameters";
    std::size_t i = 0;
    ((accepts<P>(s.params[i]) ? void(++i) : throw "schema and converter differ in a parameter's type"), ...);
    if constexpr (std::is_same_v<R, Tensor> || std::is_same_v<R, Expr>) {
      if (s.return_count != 1 || s.returns[0].type != "Tensor" || s.returns[0].list)
        throw "schema: the converter returns one tensor";
    } else if constexpr (IsVector<R>::value && !std::is_same_v<R, Returns>) {
      if (s.return_count == 1 && !s.returns[0].list) throw "schema: the converter returns several tensors";
    }
  }
  static Returns call(Emit& e, std::span<const Arg> args, const Schema& schema) {
    return invoke(e, args, schema, std::index_sequence_for<P...>{});
  }

 private:
  template <std::size_t... I>
  static Returns invoke(Emit& e, std::span<const Arg> args, const Schema& schema, std::index_sequence<I...>) {
    auto result = Fn(e, read<P>(e, args[I], schema.params[I].name)...);
    if constexpr (std::is_same_v<R, Expr>) {
      return wrap(to_tensor(result, args));
    } else if constexpr (std::is_same_v<R, std::vector<Expr>>) {
      std::vector<Tensor> tensors;
      for (const Expr& each : result) tensors.push_back(to_tensor(each, args));
      return schema.returns[0].list ? wrap_list(tensors) : wrap_tuple(tensors);
    } else if constexpr (std::is_same_v<R, Returns>) {
      return result;
    } else if constexpr (std::is_same_v<R, std::vector<Tensor>>) {
      return schema.returns[0].list ? wrap_list(result) : wrap_tuple(result);
    } else {
      return wrap(std::move(result));
    }
  }
};

template <auto Fn>
constexpr Declaration declared(std::string_view schema, const Traits& traits) {
  const Schema parsed = parse_schema(schema);
  Converter<Fn>::check(parsed);
  check(parsed, traits);
  return {schema, traits, &Converter<Fn>::call};
}

}  // namespace detail

template <auto Fn>
consteval Declaration op(std::string_view schema, Traits traits) {
  return detail::declared<Fn>(schema, traits);
}

// An operator that has a second converter for calls with complex numbers. It may be the same converter.
template <auto Fn, auto OnComplex>
consteval Declaration op(std::string_view schema, Traits traits) {
  detail::Converter<OnComplex>::check(parse_schema(schema));
  Declaration declaration = detail::declared<Fn>(schema, traits);
  declaration.complex = &detail::Converter<OnComplex>::call;
  return declaration;
}

}  // namespace cameo::aten
