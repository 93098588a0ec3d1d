#pragma once
// Complex arrays as models have them: real, with a last axis of two for real and imaginary parts.

#include "cameo/array.h"

namespace cameo::verify {

bool is_complex(ElementType type);
Array with_parts(const Array& array);     // an array that is not complex stays
Array without_parts(const Array& array);  // complex numbers, from f32 or f64 with a last axis of two

}  // namespace cameo::verify
