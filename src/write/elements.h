#pragma once
#include <cstdint>
#include <vector>

#include "base/new_file.h"
#include "onnx/graph/data.h"

namespace cameo {

// Writes the elements of constants into a file. Elements that the archive holds in this form are copied from
// file to file. Large ones that must be computed get their place, and two threads fill it in at the end.
class Elements {
 public:
  explicit Elements(NewFile& file) : file_(file) {}

  // `data` must stay until finish().
  void put(const onnx::Data& data);
  // Everything is in the file when it returns. Throws what computing or writing threw.
  void finish();

 private:
  struct Place {
    const onnx::Data* data;
    std::uint64_t offset;
  };
  void fill(Place place);

  NewFile& file_;
  std::vector<Place> places_;
};

}  // namespace cameo
