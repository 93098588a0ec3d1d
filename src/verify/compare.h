#pragma once
#include <optional>

#include "cameo/array.h"
#include "cameo/session.h"
#include "cameo/verify.h"

namespace cameo::verify {

// The tolerance for this type: `asked` for floating-point numbers, nothing for all others.
double tolerance(ElementType type, std::optional<double> asked);

// The elements as numbers, a complex one as two. Throws Error if they are none.
std::vector<double> numbers(const Array& array);

// NaN equals NaN, and an infinity itself; against anything else they are infinitely far.
double distance(double a, double b);

struct Difference {
  double absolute = 0, relative = 0;
};
// Of arrays of the same type and shape.
Difference difference(const Array& expected, const Array& got);

// The outputs of a model against the results of the program, a sequence against as many of them as it has
// elements.
std::vector<VerifiedOutput> compare(const std::vector<Array>& expected, const std::vector<ValueInfo>& outputs,
                                    const std::vector<Datum>& got, std::optional<double> tolerance);

}  // namespace cameo::verify
