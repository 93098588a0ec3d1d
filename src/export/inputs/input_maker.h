#pragma once
#include <string>

#include "cameo/export.h"
#include "cameo/input_spec.h"
#include "eval/evaluator.h"
#include "export/inputs/dynamic_axes.h"
#include "export/inputs/input_sizes.h"
#include "onnx/graph/value_info.h"

namespace cameo {

// Makes the arguments of the program from their specifications: each tensor becomes an input of the graph,
// and every other value is a constant. Adds a note for each number.
class InputMaker {
 public:
  InputMaker(eval::Evaluator& evaluator, const ExportOptions& options, DynamicAxes& axes);

  eval::Value make(const InputSpec& spec, const std::string& name);
  eval::Value make(const archive::Value& example, const std::string& name);

  std::size_t count() const { return next_; }
  InputSizes& sizes() { return sizes_; }

 private:
  eval::Value make(const TensorSpec& spec, const std::string& name);
  aten::Tensor tensor(DType dtype, std::vector<Dim> shape, const std::string& name);
  eval::Value quantized(const aten::Tensor& numbers, double scale, std::int64_t zero_point, DType integer);
  eval::Value make(const TupleSpec& spec, const std::string& name);
  eval::Value make(const ListSpec& spec, const std::string& name);
  eval::Value make(const DictSpec& spec, const std::string& name);
  eval::Value make(const NoneSpec&, const std::string&) { return eval::None{}; }
  eval::Value make(bool value, const std::string& name);
  eval::Value make(std::int64_t value, const std::string& name);
  eval::Value make(double value, const std::string& name);
  eval::Value make(const std::string& value, const std::string&) { return value; }
  std::vector<eval::Value> items(const std::vector<InputSpec>& specs, const std::string& name);
  template <class Items>
  std::vector<eval::Value> examples(const Items& items, const std::string& name);
  onnx::Dim size(const Dim& dim, const std::string& input);
  void note_fixed(std::string_view type, std::string_view value, const std::string& name);

  eval::Evaluator& ev_;
  const ExportOptions& options_;
  DynamicAxes& axes_;
  std::size_t next_ = 0;
  InputSizes sizes_;
};

}  // namespace cameo
