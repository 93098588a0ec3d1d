#pragma once
#include <pybind11/numpy.h>

#include "cameo/array.h"

namespace cameo::python {

// The array's contents are not copied, but for strings and what is not contiguous. Throws TypeError for
// elements that no model has.
Array array_of(const pybind11::array& array);
// Likewise; elements that NumPy lacks (bf16, float8 and their like) are bytes, with the width as a last axis.
pybind11::object numpy_of(const Array& array);

// The type of this name, such as "f32"; undefined if there is none.
ElementType element_type(const std::string& name);

}  // namespace cameo::python
