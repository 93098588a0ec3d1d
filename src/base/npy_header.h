#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace cameo {

// The dictionary at the head of a .npy file.
struct NpyHeader {
  std::string descr;  // "<f4"
  bool fortran_order = false;
  std::vector<std::int64_t> shape;
};

// Reads a Python literal such as "{'descr': '<f4', 'fortran_order': False, 'shape': (3, 4), }\n".
// Throws std::invalid_argument, saying what was expected and where.
NpyHeader parse_npy_header(std::string_view text);

}  // namespace cameo
