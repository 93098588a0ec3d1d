#pragma once
#include <array>
#include <string_view>

#include "base/dtype_table.h"

namespace cameo::onnx::facts {

// Names of element types by TensorProto.DataType; 0 is none.
inline constexpr auto kElements = [] {
  std::array<std::string_view, kElementTypes> names;
  for (std::size_t number = 1; number < names.size(); ++number)
    names[number] = row_of(static_cast<ElementType>(number)).name;
  return names;
}();

}  // namespace cameo::onnx::facts
