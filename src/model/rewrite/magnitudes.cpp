#include "model/rewrite/magnitudes.h"

#include <algorithm>
#include <cmath>

#include "onnx/fold/element.h"

namespace cameo::model {

Magnitudes magnitudes(const onnx::Data& data) {
  Magnitudes result;
  onnx::with_type(data.dtype(), [&]<class T>(onnx::Tag<T>) {
    if constexpr (std::is_floating_point_v<T>) {
      std::vector<T> numbers;
      T largest = 0, smallest = std::numeric_limits<T>::infinity();
      data.copy_to([&](Bytes bytes) {
        onnx::widen(data.dtype(), bytes, numbers);
        for (const T number : numbers) {
          const T size = std::abs(number);
          if (!(size <= std::numeric_limits<T>::max())) {
            result.finite = false;
            continue;
          }
          largest = std::max(largest, size);
          smallest = size != 0 && size < smallest ? size : smallest;
        }
      });
      result.largest = static_cast<double>(largest);
      result.smallest = static_cast<double>(smallest);
    }
  });
  return result;
}

}  // namespace cameo::model
