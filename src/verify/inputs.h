#pragma once
// The inputs of a program and its ONNX model.

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "cameo/input_spec.h"
#include "cameo/session.h"
#include "cameo/verify.h"

namespace cameo::verify {

// One run to try.
struct Trial {
  SizeValues sizes;
  bool required = false;  // the user named the sizes, or the file has the inputs: a failure is an error
  bool samples = false;   // on the inputs of the file, where they have these sizes
};

class Inputs {
 public:
  Inputs() = default;
  virtual ~Inputs() = default;
  Inputs(const Inputs&) = delete;
  Inputs& operator=(const Inputs&) = delete;

  virtual const std::vector<InputSpec>& arguments() const = 0;  // named, in order
  // In the order to try them. Throws Error (Code::bad_input) if an option names a size that the model lacks.
  virtual std::vector<Trial> trials(const VerifyOptions& options) const = 0;
  // One array for each input of the model.
  virtual std::vector<Session::Feed> make(const Trial& trial, std::uint64_t seed) const = 0;
  // The same arrays as the program takes them: the parts of complex numbers are complex numbers again.
  virtual std::vector<Array> arrays(const std::vector<Session::Feed>& feeds) const;
};

// The inputs of a TorchScript program: random, of the sizes of the model. `specs` is ExportOptions::inputs; with none
// the model's inputs are the first parameters, one each. Throws Error (Code::bad_input) if the tensors among the
// arguments are not the inputs of the model.
std::unique_ptr<Inputs> script_inputs(const std::vector<InputSpec>& specs,
                                      const std::vector<std::string>& parameters,
                                      const std::vector<ValueInfo>& inputs);

// Each specification in the place of its parameter, with its name. Throws Error (Code::bad_input).
std::vector<InputSpec> arrange(const std::vector<InputSpec>& specs,
                               const std::vector<std::string>& parameters);

// Throws Error (Code::bad_input) if an option names a size that is not among `names`.
void check_sizes(const std::vector<std::string>& names, const VerifyOptions& options);
// The values of --size for each run; `otherwise` gives that of a size without an option.
std::vector<SizeValues> chosen_sizes(
    const std::vector<std::string>& names, const VerifyOptions& options,
    const std::function<std::int64_t(const std::string&, std::size_t run)>& otherwise);

[[noreturn]] void refuse_input(std::string message, std::string hint);  // Code::bad_input

}  // namespace cameo::verify
