#pragma once
// NumPy's .npy files: https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html
#include <memory>
#include <string>

#include "base/mapped_file.h"
#include "cameo/array.h"

namespace cameo {

// Reads booleans, integers, floats and complex numbers, little-endian, of format versions 1 to 3. Contents
// in row-major order stay in the mapping; others are copied. Throws Error (stage read) for all else.
Array read_npy(const std::shared_ptr<const MappedFile>& file);
Array load_npy(const std::string& path);

// Throws Error (stage write) if NumPy has no such element type or the file cannot be written.
std::string npy_bytes(const Array& array);
void save_npy(const std::string& path, const Array& array);

}  // namespace cameo
