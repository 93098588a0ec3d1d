#pragma once
// Calls that differ from a sample in one argument. They show the effect of the argument, whether it must be
// known at export time, and which values are not supported.

#include <string>
#include <vector>

#include "operator_map/operator.h"

namespace cameo::operator_map {

struct Variant {
  std::string argument;  // "ceil_mode"; empty: the element type of the tensors
  std::string text;      // "ceil_mode=True"; of an element type "tensors of u8"
  bool at_run = false;   // a runtime value
  Conversion conversion;
};

std::vector<Variant> try_variants(const Operator& op, int opset);

// Notes about arguments that do not convert, beyond those about the call itself.
struct Limits {
  std::vector<std::string> known;  // must be known at export time
  std::vector<OperatorNote> notes;
};
Limits limits(const std::vector<Variant>& variants, const Conversion& base);

}  // namespace cameo::operator_map
