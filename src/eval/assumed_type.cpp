#include "eval/assumed_type.h"

#include "aten/registry.h"

namespace cameo::eval {
namespace {

aten::Result declared_result(std::string_view op) {
  const aten::Registry& registry = aten::Registry::builtin();
  const auto overloads = registry.find(op);
  return aten::fact(overloads.empty() ? registry.find_unconverted(op) : overloads, &aten::Traits::result);
}

}  // namespace

onnx::Type assumed_type(std::string_view op, std::size_t result, const std::vector<aten::Operand>& tensors) {
  using aten::Result;
  onnx::Type type{onnx::Type::Kind::tensor, aten::result_type(tensors), std::nullopt};
  const Result declared = declared_result(op);
  if (declared == Result::boolean)
    type.dtype = DType::boolean;
  else if (declared == Result::index || (declared == Result::with_indices && result > 0))
    type.dtype = DType::i64;
  else if (declared == Result::with_exponents && result == 1)
    type.dtype = DType::i32;
  else if (declared == Result::complex || is_complex(type.dtype))
    throw aten::Unsupported(
        "it has no conversion, and its result is complex, which no other operator supports");
  else if (declared == Result::unknown)
    throw aten::Unsupported("it has no conversion, and the type of its result is unknown");
  else if (declared == Result::promoted && !is_floating(type.dtype))
    throw aten::Unsupported("it has no conversion, and the type of its result for integers is unknown");
  return type;
}

}  // namespace cameo::eval
