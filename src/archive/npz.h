#pragma once
// NumPy's .npz files: zip files of .npy records.

#include <string>
#include <utility>
#include <vector>

#include "cameo/array.h"

namespace cameo {

using NamedArrays = std::vector<std::pair<std::string, Array>>;

// The arrays in the file's order; contents that are stored stay in the mapping. Throws Error (stage read).
NamedArrays load_npz(const std::string& path);

// Throws Error (stage write) if NumPy has no such element type, an array has 4 GB or more, or the file cannot
// be written; the old file then stays.
void save_npz(const std::string& path, const NamedArrays& arrays);

}  // namespace cameo
