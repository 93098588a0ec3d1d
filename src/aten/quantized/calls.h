#pragma once
// Calls of other operators, for converters of quantised ones.

#include "aten/elementwise.h"
#include "aten/registry.h"

namespace cameo::aten::quantized_ops {

using Ints = std::vector<std::int64_t>;

inline Arg arg(const Expr& x) { return Arg{Tensor(x)}; }
inline Arg arg(const Tensor& x) { return Arg{x}; }
inline Arg arg(const std::optional<Expr>& x) { return x ? arg(*x) : Arg{None{}}; }
inline Arg arg(const Scalar& x) { return Arg{x}; }
inline Arg arg(double x) { return Arg{Scalar{x}}; }
inline Arg arg(bool x) { return Arg{Scalar{x}}; }
inline Arg arg(std::int64_t x) { return Arg{Scalar{Dim(x)}}; }
inline Arg arg(None) { return Arg{None{}}; }
Arg arg(const Ints& numbers);

// The result of the operator for these positional arguments and keywords.
using Keywords = std::vector<std::pair<std::string_view, Arg>>;
Returns call_all(Emit& e, std::string_view name, std::vector<Arg> args, Keywords keywords = {});
Expr call(Emit& e, std::string_view name, std::vector<Arg> args);

// The parameters that a quantised operator gives for its result.
struct Output {
  double scale;
  std::int64_t zero_point;
};
// The integers of a result, of the type that `like` has.
Tensor output(Emit& e, const Expr& numbers, Output parameters, const Tensor& like);
// The same after relu. It is left out where quantising gives the same integers.
Tensor relu_output(Emit& e, const Expr& numbers, Output parameters, const Tensor& like);
// Throws ProgramError if the tensor is not quantised.
void check_quantized(const Tensor& x, std::string_view name);

}  // namespace cameo::aten::quantized_ops
