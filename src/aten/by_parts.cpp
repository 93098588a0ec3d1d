#include "aten/by_parts.h"

#include <fmt/core.h>

#include <algorithm>
#include <functional>

#include "aten/complex.h"
#include "aten/elementwise.h"

namespace cameo::aten {
namespace {

enum class Part { real, imaginary };

std::optional<DType> dtype_in(const ParamSchema& p, const Arg& arg) {
  const Scalar* number = p.type == "ScalarType" ? arg.get_if<Scalar>() : nullptr;
  const std::optional<std::int64_t> known = number ? number->known_int() : std::nullopt;
  return known ? dtype_from_number(*known) : std::nullopt;
}

bool is_complex_arg(const ParamSchema& p, const Arg& arg) {
  if (const Tensor* tensor = arg.get_if<Tensor>()) return tensor->complex;
  if (const ArgList* list = arg.get_if<ArgList>())
    return std::ranges::any_of(*list, [&](const Arg& item) { return is_complex_arg(p, item); });
  if (const std::optional<DType> dtype = dtype_in(p, arg)) return is_complex(*dtype);
  const Scalar* number = arg.get_if<Scalar>();
  return number && std::holds_alternative<std::complex<double>>(number->value);
}

bool is_one_of(std::string_view name, std::initializer_list<std::string_view> names) {
  return std::ranges::find(names, name) != names.end();
}

// Whether the argument holds elements. Others select elements or scale them, and are real.
bool holds_elements(const ParamSchema& p) {
  if (p.type == "Tensor")
    return !is_one_of(
        p.name, {"index", "indices", "mask", "condition", "pred", "repeats", "tensor_indices_or_sections"});
  if (p.type == "Scalar") return !is_one_of(p.name, {"alpha", "beta", "p", "ord"});
  return p.type == "float" && p.name == "value";
}

using OfTensor = std::function<Arg(const Tensor&)>;
using OfNumber = std::function<Arg(const Scalar&)>;

// The argument with its elements replaced by real ones. A complex dtype becomes that of its parts.
Arg replaced(const ParamSchema& p, const Arg& arg, const OfTensor& of_tensor, const OfNumber& of_number) {
  if (const ArgList* list = arg.get_if<ArgList>()) {
    ArgList items;
    for (const Arg& item : *list) items.push_back(replaced(p, item, of_tensor, of_number));
    return Arg{std::move(items)};
  }
  if (const std::optional<DType> dtype = dtype_in(p, arg); dtype && is_complex(*dtype))
    return Arg{Scalar{Dim(torch_number(part_type(*dtype)))}};
  if (!holds_elements(p)) {
    if (is_complex_arg(p, arg)) throw Unsupported(fmt::format("'{}' cannot be complex here", p.name));
    return arg;
  }
  if (const Tensor* tensor = arg.get_if<Tensor>()) return of_tensor(*tensor);
  if (const Scalar* number = arg.get_if<Scalar>()) return of_number(*number);
  return arg;
}

Returns call_with(const Op& op, Emit& e, std::span<const Arg> args, const OfTensor& of_tensor,
                  const OfNumber& of_number) {
  std::vector<Arg> real;
  for (std::size_t i = 0; i < args.size(); ++i)
    real.push_back(replaced(op.schema.params[i], args[i], of_tensor, of_number));
  return op.call(e, real, op.schema);
}

Arg part_of_number(const Scalar& number, Part part) {
  if (const auto* c = std::get_if<std::complex<double>>(&number.value))
    return Arg{Scalar{part == Part::real ? c->real() : c->imag()}};
  if (part == Part::real) return Arg{number};
  return Arg{number.is_float() ? Scalar{0.0} : Scalar{Dim(0)}};
}

Arg part_of_tensor(Emit& e, const Tensor& tensor, Part part) {
  const Complex parts = parts_of(e, tensor);
  if (part == Part::real) return Arg{Tensor(parts.real)};
  return Arg{Tensor(parts.is_real() ? filled_like(parts.real.number(0), parts.real) : parts.imaginary)};
}

// The tensors of a call, those in lists too.
std::vector<Tensor> tensors_in(std::span<const Arg> args) {
  std::vector<Tensor> tensors;
  for (const Arg& arg : args) {
    if (const Tensor* tensor = arg.get_if<Tensor>()) tensors.push_back(*tensor);
    if (const ArgList* list = arg.get_if<ArgList>())
      std::ranges::move(tensors_in(*list), std::back_inserter(tensors));
  }
  return tensors;
}

// The results of a call by parts, as complex tensors.
class Joined {
 public:
  Joined(Emit& e, std::span<const Arg> args) : e_(e) {
    for (const Tensor& tensor : tensors_in(args))
      if (tensor.complex) given_.push_back(tensor);
  }

  // `imaginary` is null for a result whose imaginary part is zero.
  Arg operator()(const Arg& real, const Arg* imaginary) const {
    if (const Tensor* tensor = real.get_if<Tensor>())
      return Arg{join(*tensor, imaginary ? imaginary->get_if<Tensor>() : nullptr)};
    const ArgList* list = real.get_if<ArgList>();
    if (!list) return real;
    const ArgList* others = imaginary ? imaginary->get_if<ArgList>() : nullptr;
    ArgList items;
    for (std::size_t i = 0; i < list->size(); ++i)
      items.push_back((*this)((*list)[i], others ? &others->at(i) : nullptr));
    return Arg{std::move(items)};
  }

 private:
  // An argument that comes back unchanged stays one value.
  Tensor join(const Tensor& real, const Tensor* imaginary) const {
    if (!imaginary) return pairs({Expr(e_, real), nullptr});
    for (const Tensor& tensor : given_) {
      const Complex parts = parts_of(e_, tensor);
      if (parts.real.value == real.value && parts.imaginary.value == imaginary->value) return tensor;
    }
    return pairs({Expr(e_, real), Expr(e_, *imaginary)});
  }

  Emit& e_;
  std::vector<Tensor> given_;
};

// Whether the call asks for real results.
bool asks_for_real(const Schema& schema, std::span<const Arg> args) {
  for (std::size_t i = 0; i < args.size(); ++i)
    if (const std::optional<DType> dtype = dtype_in(schema.params[i], args[i])) return !is_complex(*dtype);
  return false;
}

Returns convert_parts(const Op& op, Emit& e, std::span<const Arg> args) {
  const auto convert = [&](Part part) {
    return call_with(
        op, e, args, [&](const Tensor& tensor) { return part_of_tensor(e, tensor, part); },
        [&](const Scalar& number) { return part_of_number(number, part); });
  };
  Returns real = convert(Part::real);
  if (asks_for_real(op.schema, args)) return real;
  Returns imaginary;
  if (op.traits.complex == OnComplex::by_parts) imaginary = convert(Part::imaginary);
  const Joined joined(e, args);
  for (std::size_t i = 0; i < real.size(); ++i)
    real[i] = joined(real[i], imaginary.empty() ? nullptr : &imaginary.at(i));
  return real;
}

Returns convert_magnitudes(const Op& op, Emit& e, std::span<const Arg> args) {
  return call_with(
      op, e, args, [&](const Tensor& tensor) { return Arg{Tensor(abs(parts_of(e, tensor)))}; },
      [&](const Scalar& number) { return Arg{number}; });
}

// The parts of the tensors of a call that a number chooses: a set bit is an imaginary part.
struct Choice {
  std::size_t bits;
  std::size_t next = 0;
  std::size_t imaginary = 0;  // the number of imaginary parts
  bool zero = false;          // one of them is zero

  Arg operator()(Emit& e, const Tensor& tensor) {
    const Complex parts = parts_of(e, tensor);
    if ((bits >> next++ & 1) == 0) return Arg{Tensor(parts.real)};
    ++imaginary;
    zero = zero || parts.is_real();
    return Arg{Tensor(parts.is_real() ? parts.real : parts.imaginary)};
  }
};

// The sum over all choices of one part of each tensor. Each imaginary part is a factor i.
Returns convert_products(const Op& op, Emit& e, std::span<const Arg> args) {
  constexpr std::size_t kMost = 4;
  const std::size_t factors = tensors_in(args).size();
  if (factors > kMost) throw Unsupported("products of more than four complex tensors are not supported");
  Complex sum;
  for (std::size_t bits = 0; bits < std::size_t{1} << factors; ++bits) {
    Choice choice{bits};
    std::vector<Arg> real;
    for (std::size_t i = 0; i < args.size(); ++i)
      real.push_back(replaced(
          op.schema.params[i], args[i], [&](const Tensor& tensor) { return choice(e, tensor); },
          [](const Scalar& number) { return Arg{number}; }));
    if (choice.zero) continue;
    const Expr product(e, detail::to_tensor(op.call(e, real, op.schema).at(0)));
    const Expr term = choice.imaginary % 4 < 2 ? product : -product;
    Expr& into = choice.imaginary % 2 == 0 ? sum.real : sum.imaginary;
    into = into.value ? into + term : term;
  }
  return {Arg{pairs(sum)}};
}

}  // namespace

bool has_complex(const Schema& schema, std::span<const Arg> args) {
  for (std::size_t i = 0; i < args.size(); ++i)
    if (is_complex_arg(schema.params[i], args[i])) return true;
  return false;
}

Returns by_parts(const Op& op, Emit& e, std::span<const Arg> args) {
  switch (op.traits.complex) {
    case OnComplex::by_parts:
    case OnComplex::real_result: return convert_parts(op, e, args);
    case OnComplex::products: return convert_products(op, e, args);
    case OnComplex::magnitudes: return convert_magnitudes(op, e, args);
    case OnComplex::refused: break;
  }
  throw Unsupported("this operator does not support complex numbers",
                    "compute with the real and imaginary parts: torch.view_as_real(x)");
}

}  // namespace cameo::aten
