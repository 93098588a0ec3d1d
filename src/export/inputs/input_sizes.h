#pragma once
#include <map>
#include <string>
#include <vector>

#include "eval/evaluator.h"
#include "export/inputs/example_sizes.h"
#include "spec/dim_spec.h"

namespace cameo {

// The sizes of the inputs as formulas: numbers, names with ranges, and formulas of names.
class InputSizes {
 public:
  // `specs`: all arguments, because the range of a name may be given at any of them. Throws Error for a range
  // that is empty, and for two ranges of one name.
  InputSizes(eval::Evaluator& evaluator, const std::vector<InputSpec>& specs);

  // Reserves a name, which no other size gets then, and which is never a formula.
  void reserve(const std::string& name);

  // The size of one dimension; `dim.size` of a dynamic one is its size in the example.
  onnx::Dim size(const Dim& dim);

  // Call this when all inputs exist. A name that is not the size of any dimension, such as n in f32[2*n], is
  // computed from the formulas that contain it. Throws Error if that is impossible.
  void solve();

  const ExampleSizes& examples() const { return examples_; }

 private:
  void collect(const InputSpec& spec);
  onnx::Dim named(const std::string& name);
  onnx::Dim formula(const std::string& text);
  onnx::Dim symbol(const std::string& name, const SizeRange& range);
  void note_example(const onnx::Dim& size, std::int64_t example);

  eval::Evaluator& ev_;
  SizeRanges ranges_;
  std::map<std::string, onnx::Dim> names_;
  ExampleSizes examples_;
};

}  // namespace cameo
