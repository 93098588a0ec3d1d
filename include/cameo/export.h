#pragma once
// Saved PyTorch programs to ONNX.
//
//   cameo::ExportOptions options;
//   options.inputs = {"x=f32[batch,3,224,224]"};
//   cameo::ExportReport report = cameo::export_onnx("model.pt", "model.onnx", options);

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cameo/diagnostic.h"

namespace cameo {

struct ExportOptions {
  // The arguments of the entry point, in order or by name. An argument is
  //   x=f32[batch,3,224,224]   a tensor: numbers are fixed sizes, names are dynamic ones; i64[] has no
  //   dimensions x=@input.npy             a tensor like the one in the file n=3  s="text"  f=None    a value
  //   that is fixed in the exported model h=(f32[…], f32[…])       a tuple; [ … ] is a list and {"key": …} a
  //   dict
  // The name may be left out. Arguments with defaults may be left out. With none at all the file's own
  // example inputs are used, if it holds any.
  std::vector<std::string> inputs;
  std::string method = "forward";
  std::vector<std::string>
      input_names;  // of the graph's inputs, in order; the rest are named after the arguments
  std::vector<std::string> output_names;  // in order; the rest are output, output_1 …
  // A scripted loop around tensor operators whose trip count is known and at most this is unrolled.
  std::int64_t unroll_loops = 0;
  int opset = 17;
  // Called with what is being done, from time to time.
  std::function<void(std::string_view)> progress;
};

struct ExportedValue {
  std::string name;
  std::string type;  // "f32[batch, 1000]"
};

struct ExportReport {
  std::vector<ExportedValue> inputs, outputs;
  std::vector<std::pair<std::string, std::int64_t>>
      operators;  // nodes by operator, subgraphs too; most frequent first
  std::int64_t nodes = 0;
  std::int64_t parameters = 0;  // elements of all initialisers
  std::uint64_t bytes = 0;      // written, with external data
  double seconds = 0;
  int opset = 17;
  std::vector<Diagnostic> warnings;
  std::vector<std::string> assumptions;  // what the inputs must fulfil: "h >= 3 (otherwise: …)"
  std::vector<std::string>
      changed_buffers;  // state that the program would change, and the exported model does not
};

// Throws Error with everything that cannot be converted; the output then stays as it was.
ExportReport export_onnx(const std::string& model, const std::string& output,
                         const ExportOptions& options = {});

// The same into memory.
std::pair<std::string, ExportReport> export_to_memory(const std::string& model,
                                                      const ExportOptions& options = {});

}  // namespace cameo
