#pragma once
#include <memory>
#include <vector>

#include "onnx/data.h"
#include "write/ahead.h"
#include "write/file.h"

namespace cameo {

// Writes the elements of constants. What lies in the archive as it is needed is copied from file to file; the
// rest is computed a little ahead.
class Elements {
 public:
  explicit Elements(const std::vector<onnx::DataPtr>& constants);
  // To be called for each of the constants, in their order.
  void put(const onnx::Data& data, NewFile& file);

 private:
  std::unique_ptr<Ahead> computed_;  // null where there is little to compute
};

}  // namespace cameo
