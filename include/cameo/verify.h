#pragma once
// Does an ONNX model compute what the PyTorch program does? The program runs in libtorch, the model in ONNX
// Runtime, on the same inputs, and the results are compared.
//
//   cameo::VerifyReport report = cameo::verify_export("model.pt", "model.onnx");
//   if (!report.agrees()) …
//
// libtorch is reached through libcameo_torch.so, which is looked for when it is needed:
//
//   1. VerifyOptions::bridge, if set
//   2. the file that the environment variable CAMEO_TORCH names
//   3. beside the program that runs, and in ../lib from there
//   4. as the system's loader finds it
//
// A library that 1 or 2 names and that cannot be loaded is an Error, as is finding none.

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cameo/export.h"

namespace cameo {

// The values of dynamic sizes in a run, by name.
using SizeValues = std::vector<std::pair<std::string, std::int64_t>>;

struct VerifyOptions {
  // The options of the call (inputs, method, training) and, if no ONNX model is given, of the export. The
  // input x=@x.npy is the array in that file; all other inputs are random. A torch.export program also runs on
  // the inputs that its file holds.
  ExportOptions program;
  // The largest error that is accepted, relative to the largest element of PyTorch's result. Absent: 1e-5; for
  // f16 1e-3 and for bf16 1e-2. Integers and booleans must be equal.
  std::optional<double> tolerance;
  // Sizes to try for a dynamic axis by its name, one per run. Other axes take 1, 2 and 3, or larger sizes if
  // the program refuses these. Those of a torch.export program take the sizes of the inputs in the file, and
  // others within its ranges.
  std::vector<std::pair<std::string, std::vector<std::int64_t>>> sizes;
  int runs = 3;  // if there are dynamic axes and `sizes` is empty
  std::uint64_t seed = 0;
  bool per_layer = false;              // find the first node whose result differs from the program
  bool all_layers = false;             // compare the results of all nodes in the first run
  std::string bridge;                  // path of libcameo_torch.so; empty: see above
  std::vector<std::string> libraries;  // that bring operators of the program, such as torchvision's _C.so
};

struct VerifiedOutput {
  std::string name;
  std::string type;     // "f32[2, 10]", as PyTorch gives it
  double absolute = 0;  // the largest error
  double relative = 0;  // the same as a share of the largest element
  bool agrees = true;
  std::string fault;  // a different shape or type; empty if only elements differ
};

struct VerifiedRun {
  SizeValues sizes;
  bool samples = false;  // on the inputs that the file holds
  std::vector<VerifiedOutput> outputs;
  std::string fault;  // the error of ONNX Runtime, if it refused the inputs
  bool agrees() const;
};

// The first operator of the program whose inputs agree with the model and whose result does not.
struct Departure {
  std::string node, op_type;                 // the node that gives the result
  std::string value;                         // its name
  std::string op, module_path, python;       // the operator, its module and its line; empty: not known
  std::vector<std::string> nodes;            // all nodes that the operator became
  std::optional<double> absolute, relative;  // against the operator's own result, where that is known
};

// A value in the model that an operator of the program computed too.
struct VerifiedValue {
  std::string node, value;
  double absolute = 0, relative = 0;  // errors, as in VerifiedOutput
};

struct VerifyReport {
  std::vector<VerifiedRun> runs;
  std::optional<Departure> departure;  // with VerifyOptions::per_layer, if there is one
  std::vector<VerifiedValue> layers;   // with VerifyOptions::all_layers
  std::string torch_version, runtime_version;
  bool agrees() const;
};

// `model` may be empty: the program is then exported first. Throws Error if one of them cannot be read,
// exported or run at all.
VerifyReport verify_export(const std::string& program, const std::string& model,
                           const VerifyOptions& options = {});

}  // namespace cameo
