#pragma once
// ONNX models, by whomever they were made.

#include <string>
#include <vector>

#include "cameo/diagnostic.h"
#include "cameo/print.h"

namespace cameo {

// Is the file a valid ONNX model? All faults at once, errors and warnings (stage check); empty if there are
// none. External data is looked for in the model's folder. Throws Error (stage read) if the file cannot be
// read or is no ONNX file.
std::vector<Diagnostic> check_model(const std::string& path);

struct ModelValue {
  std::string name;
  std::string type;                // "float32", "sequence of float32"; empty: not said
  std::vector<std::string> shape;  // "batch", "3"; "?" is a size without a name
  bool has_shape = false;
};
struct ModelIo {
  std::vector<ModelValue> inputs, outputs;  // inputs that an initialiser gives a default are not among them
};

// What goes in and out.
ModelIo model_io(const std::string& path);

}  // namespace cameo
