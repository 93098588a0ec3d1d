#pragma once
// The layers of torch.nn that read the arguments of a program, found in its code before it is evaluated.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/dtype.h"
#include "eval/state/value.h"
#include "script/program.h"

namespace cameo {

struct FirstLayer {
  enum class Kind { convolution, linear, embedding, recurrent };
  Kind kind = Kind::linear;
  std::string path;                      // "conv1"; empty for the program itself
  std::string cls;                       // "Conv2d"
  DType dtype = DType::f32;              // of the weight
  std::optional<std::int64_t> features;  // channels of a convolution; absent if they are not known
  std::int64_t spatial = 0;              // dimensions of a convolution
};

// The layer that certainly reads the argument unchanged: no other statement decides whether it does. Absent if
// the code does not tell.
std::optional<FirstLayer> first_layer(const script::Program& program, const eval::Object& root,
                                      const script::FunctionDef& method, std::string_view argument);

// The first layer in the order in which the modules are declared, for a guess.
std::optional<FirstLayer> first_declared_layer(const eval::Object& root);

}  // namespace cameo
