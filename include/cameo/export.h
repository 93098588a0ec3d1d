#pragma once
// Saved PyTorch programs to ONNX.
//
//   cameo::ExportOptions options;
//   options.inputs = {{"x", cameo::TensorSpec{cameo::ElementType::f32, {"batch", 3, 224, 224}}}};
//   cameo::ExportReport report = cameo::export_onnx("model.pt", "model.onnx", options);

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cameo/diagnostic.h"
#include "cameo/input_spec.h"
#include "cameo/model.h"
#include "cameo/opset.h"
#include "cameo/rewrite.h"
#include "cameo/value_info.h"

namespace cameo {

class Registry;  // converter.h

enum class ExternalData {
  automatic,  // only where one file would pass protobuf's limit of 2 GB
  always,     // "<output>.data" beside the model
  never,
  link,  // the archive itself is the file that holds the weights
};

// The mode of dropout, batch normalisation and their like.
enum class TrainingMode { eval, preserve, training };

// The form of PyTorch's operators in the model.
enum class OperatorExport {
  onnx,           // ONNX operators; one without a conversion is an error
  aten,           // each an ATen node
  aten_fallback,  // an ATen node where there is no conversion
  fallthrough,    // a node of its own domain where there is no conversion
  raw,            // the program as it is, nothing converted
};

// The nodes of a layer that quantises its input at run time.
enum class DynamicQuantization : std::uint8_t {
  integer,  // a product of integers: MatMulInteger
  qdq,      // a product of numbers, behind QuantizeLinear and DequantizeLinear
};

enum class ParameterNames { state_dict, numbers };

// The form of weights that the program quantises.
enum class QuantizedWeights {
  int8,  // stored as integers, of four bits where they suffice, with a DequantizeLinear
  qdq,   // stored as floats, with a QuantizeLinear and a DequantizeLinear
};

// The provenance that nodes record.
enum class Metadata {
  none,
  names,  // nodes and values are named after their module
  full,   // and each node carries its module path and the line of Python
};

struct ExportOptions {
  // The arguments of the entry point, in order or by name. Arguments with defaults may be left out. Without
  // any, the example inputs in the file are used.
  std::vector<InputSpec> inputs;
  bool guess_inputs = false;  // makes `inputs` from the weights of the program; each one is a note
  std::string method = "forward";
  // Names of the graph's inputs, in order; the rest are named after the arguments.
  std::vector<std::string> input_names;
  std::vector<std::string> output_names;  // in order; the rest are output, output_1 …
  // A scripted loop around tensor operators whose trip count is known and at most this is unrolled.
  std::int64_t unroll_loops = 0;
  int opset = kDefaultOpset;
  // Axes of inputs and outputs that are dynamic, as torch.onnx.export takes them, in JSON or as a Python
  // literal: {"x": [0, 2], "y": {0: "batch"}}. Empty: the axes that `inputs` names.
  std::string dynamic_axes;
  // Each tensor that the program keeps from one call to the next, and changes, becomes an input and an output.
  // Metadata of the model (cameo.state.PATH) has their names and the saved value, in JSON.
  bool state_as_io = false;
  bool static_shapes = false;  // sizes that are not fixed are refused; no shape is computed at run time

  TrainingMode training = TrainingMode::eval;
  OperatorExport operators = OperatorExport::onnx;
  std::vector<std::pair<std::string, int>> custom_opsets;  // domain and version
  const Registry* converters = nullptr;                    // the user's own; must outlive the export
  const Rewrites* rewrites = nullptr;                      // rules; must outlive the export
  // The runtime that the model is for; empty: any. Rewriting rules read it.
  std::string target;

  bool parameters = true;         // false: they become inputs, in the order of the state dict
  bool parameters_first = false;  // before the inputs of the entry point, where they are inputs
  std::optional<bool> keep_initializers_as_inputs;
  ParameterNames parameter_names = ParameterNames::state_dict;
  bool fold_constants = true;
  QuantizedWeights quantized_weights = QuantizedWeights::int8;
  bool float64_as_float32 = false;  // tensors of f64 become tensors of f32, inputs and outputs too
  DynamicQuantization dynamic_quantization = DynamicQuantization::integer;
  std::vector<std::string> disabled_rules;
  std::int64_t stop_rules_after = -1;  // so many applications; -1: no limit

  // The exported model computes in another floating-point type, and its weights are integers.
  std::optional<CastOptions> cast;
  std::optional<QuantizeOptions> quantize;

  ExternalData external_data = ExternalData::automatic;
  bool sync = true;  // wait until the data is on the disk; otherwise a power cut may lose the new file
  bool check = true;
  bool doc_strings = false;
  Metadata metadata = Metadata::names;
  bool verbose = false;  // ExportReport::graph is wanted

  // Called with the name of each stage when it begins.
  std::function<void(std::string_view)> progress;
  // Called while files are written, with the bytes so far and the bytes in all, from two threads at once. If it
  // throws, the export does, and the old files stay.
  std::function<void(std::uint64_t done, std::uint64_t total)> writing;
};

struct ExportReport {
  std::vector<ValueInfo> inputs, outputs;
  // Nodes by operator, with the nodes of subgraphs; the most frequent first.
  std::vector<std::pair<std::string, std::int64_t>> operators;
  std::int64_t nodes = 0;
  std::int64_t parameters = 0;  // elements of all initialisers
  std::uint64_t bytes = 0;      // written, with external data
  double seconds = 0;
  int opset = kDefaultOpset;
  std::vector<std::pair<std::string, std::int64_t>> rules;  // how often each simplification applied
  std::vector<RewriteUse> rewrites;                         // one for each rewriting rule
  std::vector<std::pair<std::string, double>> timings;      // seconds by stage, in their order
  std::vector<Diagnostic> warnings;
  std::vector<std::string> assumptions;  // conditions on the inputs: "h >= 3 (otherwise: …)"
  // Buffers that the program changes; the exported model does not change them.
  std::vector<std::string> changed_buffers;
  std::string graph;  // the nodes as PyTorch prints them, with ExportOptions::verbose
};

// A saved program that is in memory. Nothing is copied: all bytes must stay until the export is done.
struct ArchiveInMemory {
  // The contents of a storage that is not in the archive: its record holds `mark` instead. All marks have the
  // same length.
  struct Borrowed {
    std::span<const std::byte> mark, bytes;
  };

  std::span<const std::byte> bytes;
  std::string name = "model";  // stands for the path in diagnostics
  std::vector<Borrowed> borrowed;
};

// Throws Error with everything that cannot be converted; the output then stays as it was.
ExportReport export_onnx(const std::string& model, const std::string& output,
                         const ExportOptions& options = {});
ExportReport export_onnx(const ArchiveInMemory& model, const std::string& output,
                         const ExportOptions& options = {});

// The same into memory.
std::pair<std::string, ExportReport> export_to_memory(const std::string& model,
                                                      const ExportOptions& options = {});
std::pair<std::string, ExportReport> export_to_memory(const ArchiveInMemory& model,
                                                      const ExportOptions& options = {});

}  // namespace cameo
