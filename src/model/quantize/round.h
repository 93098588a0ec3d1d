#pragma once

namespace cameo::model {

// The nearest whole number within limits, of two equally near ones the even one. The limits must lie within
// ±2^22. Compilers make vector instructions of it, other than of std::nearbyint.
inline float nearest(float number, float least, float most) {
  constexpr float kWhole = 0x1.8p23F;  // floats of this size count in ones
  const float within = number < least ? least : number > most ? most : number;
  return (within + kWhole) - kWhole;
}

}  // namespace cameo::model
