#pragma once
// The interface of libcameo_torch.so, without types of libtorch.

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "cameo/array.h"
#include "cameo/export.h"
#include "cameo/input_spec.h"

namespace cameo::verify {

// An operator that ran, and its results.
struct Operation {
  std::string op;  // "aten::relu"
  std::vector<Array> results;
};

// A saved program in libtorch. Throws Error (stage run) if libtorch fails.
class Program {
 public:
  virtual ~Program() = default;
  // The arguments of a method, without self.
  virtual std::vector<std::string> parameters(const std::string& method) const = 0;
  // Runs a method on arguments, all of them named; the tensors among them are `tensors`, in that order. The
  // result is unpacked as in an export. `operations`, if not null, gets the operators that ran.
  virtual std::vector<Array> run(const std::string& method, const std::vector<InputSpec>& arguments,
                                 std::span<const Array> tensors,
                                 std::vector<Operation>* operations) const = 0;
};

struct Bridge {
  int version;  // of this interface
  const char* torch_version;
  std::unique_ptr<Program> (*load)(const std::string& path, TrainingMode mode);
};
inline constexpr int kBridgeVersion = 1;
inline constexpr const char* kBridgeSymbol = "cameo_torch_bridge";  // a function that gives a Bridge

// `path` is VerifyOptions::bridge. Throws Error with all searched places if there is no usable library.
const Bridge& load_bridge(const std::string& path);
// The library that load_bridge("") would load, unless the system's loader finds it; empty if there is none.
std::string bridge_file();
// Libraries that register operators with libtorch, which must be loaded. Throws Error.
void load_operators(const std::vector<std::string>& libraries);

}  // namespace cameo::verify
