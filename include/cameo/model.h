#pragma once
// ONNX models, by whomever they were made.

#include <cstdint>
#include <string>
#include <vector>

#include "cameo/diagnostic.h"

namespace cameo {

// Is the file a valid ONNX model? All faults at once, errors and warnings (stage check); empty if there are
// none. External data is looked for in the model's folder. Throws Error (stage read) if the file cannot be
// read or is no ONNX file.
std::vector<Diagnostic> check_model(const std::string& path);

// Values by their names, or nodes by theirs: `from` a node means from what it reads of the model's inputs,
// `to` a node to all that it computes.
struct ExtractOptions {
  std::vector<std::string> from;         // become the inputs; empty: the inputs that are needed
  std::vector<std::string> to;           // become the outputs; empty: the model's own
  std::vector<std::string> add_outputs;  // outputs beside those
  bool all_outputs = false;              // every value of the graph becomes an output
};
struct Extracted {
  std::size_t nodes = 0, nodes_before = 0;
  std::uint64_t bytes = 0;           // of the new file
  std::uint64_t external_bytes = 0;  // of "<to>.data"; 0 if there is none
  std::vector<Diagnostic> warnings;
};

// Writes the part of a model between values to another file; without `from` and `to`, all of it. External
// data that does not lie below the new file's folder is copied to "<to>.data". Throws Error if a name is
// unknown, or `from` is not what `to` is computed from.
Extracted extract_model(const std::string& path, const std::string& to, const ExtractOptions& options = {});

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

enum class PrintStyle {
  onnx,  // as onnx.helper.printable_graph
};

// The graph as text.
std::string print_model(const std::string& path, PrintStyle style);

}  // namespace cameo
