#include "aten/quantized/calls.h"

#include <fmt/core.h>

#include "aten/quantization.h"
#include "cameo/diagnostic.h"

namespace cameo::aten::quantized_ops {

Arg arg(const Ints& numbers) {
  ArgList items;
  for (std::int64_t number : numbers) items.push_back(arg(number));
  return Arg{std::move(items)};
}

Returns call_all(Emit& e, std::string_view name, std::vector<Arg> args, Keywords keywords) {
  const Call call{std::move(args), std::move(keywords)};
  const std::optional<Bound> bound = aten::bind(e, Registry::builtin().find(name), call);
  if (!bound) throw InternalError(fmt::format("no overload of {} takes these arguments", name));
  return invoke(*bound->op, e, bound->args);
}

Expr call(Emit& e, std::string_view name, std::vector<Arg> args) {
  return Expr(e, detail::to_tensor(call_all(e, name, std::move(args)).at(0)));
}

Tensor output(Emit& e, const Expr& numbers, Output parameters, const Tensor& like) {
  return quantized(e, numbers, per_tensor(e, parameters.scale, parameters.zero_point, like->dtype()),
                   like->dtype());
}

Tensor relu_output(Emit& e, const Expr& numbers, Output parameters, const Tensor& like) {
  const bool clipped = static_cast<double>(parameters.zero_point) == range_of(like->dtype()).first;
  return output(e, clipped ? numbers : relu(numbers), parameters, like);
}

void check_quantized(const Tensor& x, std::string_view name) {
  if (!x.quantizer) throw ProgramError(fmt::format("'{}' must be a quantised tensor", name));
}

}  // namespace cameo::aten::quantized_ops
