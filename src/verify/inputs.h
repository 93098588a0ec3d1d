#pragma once
// The inputs of a program and its ONNX model.

#include <map>
#include <string>
#include <vector>

#include "cameo/input_spec.h"
#include "cameo/session.h"
#include "cameo/verify.h"

namespace cameo::verify {

class Inputs {
 public:
  // `specs` is ExportOptions::inputs; with none the model's inputs are the first parameters, one each. Throws
  // Error (Code::bad_input) if the tensors among the arguments are not the inputs of the model.
  Inputs(const std::vector<InputSpec>& specs, const std::vector<std::string>& parameters,
         const std::vector<ValueInfo>& inputs);

  const std::vector<InputSpec>& arguments() const { return arguments_; }  // named, in order
  // Dynamic sizes that no file decides.
  const std::vector<std::string>& free_sizes() const { return free_; }

  // One array for each input of the model.
  std::vector<Session::Feed> make(const SizeValues& sizes, std::uint64_t seed) const;

 private:
  void load_files();

  std::vector<InputSpec> arguments_;
  std::vector<ValueInfo> inputs_;
  std::map<std::string, Array> files_;  // by the model's input
  std::map<std::string, std::int64_t> known_;
  std::vector<std::string> free_;
};

// Sizes for runs to try, in order. `exact`: the user named them, and each must work.
struct Trials {
  std::vector<SizeValues> sizes;
  bool exact = false;
};
Trials trials(const std::vector<std::string>& names, const VerifyOptions& options);

}  // namespace cameo::verify
