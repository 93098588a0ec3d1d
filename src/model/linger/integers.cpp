#include "model/linger/integers.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "model/quantize/fit.h"

namespace cameo::model::linger {
namespace {

double rounded(double number, Rounding rounding) {
  switch (rounding) {
    case Rounding::floor_add: return std::floor(number + 0.5);
    case Rounding::floor: return std::floor(number);
    case Rounding::ceil: return std::ceil(number);
    case Rounding::nearest_even: break;
  }
  return std::nearbyint(number);
}

template <class Integer>
onnx::DataPtr converted(const onnx::DataPtr& weight, const Scale& scale, DType type) {
  const double most = std::ldexp(1.0, static_cast<int>(std::min<std::int64_t>(scale.bits, 32)) - 1) - 1;
  return std::make_shared<onnx::Data>(type, weight->shape(), [=](const onnx::Sink& sink) {
    std::vector<Integer> made;
    each_piece(*weight, [&](std::span<const float> piece) {
      made.clear();
      // As linger does: the product is a 32-bit float.
      for (const float number : piece)
        made.push_back(static_cast<Integer>(
            std::clamp(rounded(static_cast<double>(number * static_cast<float>(scale.scale)), scale.rounding),
                       -most - 1, most)));
      sink(std::as_bytes(std::span<const Integer>(made)));
    });
  });
}

}  // namespace

onnx::DataPtr integers(onnx::DataPtr weight, const Scale& scale) {
  switch (integer_type(scale.bits)) {
    case onnx::proto::kInt8: return converted<std::int8_t>(weight, scale, DType::i8);
    case onnx::proto::kInt16: return converted<std::int16_t>(weight, scale, DType::i16);
    case onnx::proto::kInt32: return converted<std::int32_t>(weight, scale, DType::i32);
    default: return converted<std::int64_t>(weight, scale, DType::i64);
  }
}

}  // namespace cameo::model::linger
