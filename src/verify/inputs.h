#pragma once
// The inputs of a program and its ONNX model.

#include <map>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "cameo/input_spec.h"
#include "cameo/session.h"
#include "cameo/verify.h"
#include "spec/dim_spec.h"
#include "sym/context.h"

namespace cameo::verify {

class Inputs {
 public:
  // `specs` is ExportOptions::inputs; with none the model's inputs are the first parameters, one each. Throws
  // Error (Code::bad_input) if the tensors among the arguments are not the inputs of the model.
  Inputs(const std::vector<InputSpec>& specs, const std::vector<std::string>& parameters,
         const std::vector<ValueInfo>& inputs);

  const std::vector<InputSpec>& arguments() const { return arguments_; }  // named, in order
  // Dynamic sizes that no file decides, and the ranges that the arguments give them.
  const std::vector<std::string>& free_sizes() const { return free_; }
  const SizeRanges& ranges() const { return ranges_; }

  // One array for each input of the model.
  std::vector<Session::Feed> make(const SizeValues& sizes, std::uint64_t seed) const;
  // The same arrays as the program takes them: the parts of complex numbers are complex numbers again.
  std::vector<Array> arrays(const std::vector<Session::Feed>& feeds) const;

 private:
  void load_files();
  sym::Expr symbol(std::string_view name);
  // The formula that the model's name of a size is, or a symbol of this name.
  sym::Expr size(const ValueInfo& input, std::size_t axis);

  sym::Context symbols_;
  std::vector<InputSpec> arguments_;
  std::vector<ValueInfo> inputs_;
  std::map<std::string, Array> files_;  // by the model's input
  std::set<std::string> complex_;       // inputs whose arguments are complex
  SizeRanges ranges_;
  std::vector<std::vector<sym::Expr>> sizes_;  // of each input, by axis
  std::unordered_map<sym::Expr, std::int64_t> known_;
  std::vector<std::string> free_;
};

// Sizes for runs to try, in order, within the ranges. `exact`: the user named them, and each must work.
struct Trials {
  std::vector<SizeValues> sizes;
  bool exact = false;
};
Trials trials(const std::vector<std::string>& names, const SizeRanges& ranges, const VerifyOptions& options);

}  // namespace cameo::verify
