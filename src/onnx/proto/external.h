#pragma once
#include <cstdint>
#include <optional>
#include <vector>

#include "onnx/proto/messages.h"

namespace cameo::onnx::proto {

// Where the elements of a tensor lie in another file, by its external_data.
struct External {
  std::optional<Text> location;
  std::uint64_t offset = 0;
  std::optional<std::uint64_t> length;
  std::vector<const Entry*> broken;  // those whose value should be a number and is none
};
External external_place(const Tensor& tensor);

// Does `location` lead below the model's folder, said without any way out of it?
bool inside_folder(Text location);

}  // namespace cameo::onnx::proto
