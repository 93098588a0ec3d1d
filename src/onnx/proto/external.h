#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "onnx/proto/messages.h"

namespace cameo::onnx::proto {

// The place of a tensor's elements in another file, as its external_data names it.
struct External {
  std::optional<Text> location;
  std::uint64_t offset = 0;
  std::optional<std::uint64_t> length;
  std::vector<const Entry*> broken;  // entries whose value should be a number and is not
};
External external_place(const Tensor& tensor);

// The external_data of a tensor: keys and values.
using ExternalEntries = std::vector<std::pair<std::string, std::string>>;
ExternalEntries external_entries(std::string location, std::uint64_t offset, std::uint64_t length);

// True if `location` is a relative path below the model's folder, without any "..".
bool inside_folder(Text location);

}  // namespace cameo::onnx::proto
