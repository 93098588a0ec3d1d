#pragma once
#include "eval/evaluator.h"
#include "export/inputs/example_sizes.h"

namespace cameo {

// Examines each tensor operator before it is converted, and warns if the exported model may differ from what
// its author expects: a size of the example that a trace stored as a number, a number that was captured from
// data, squeeze() on sizes that are runtime values.
class Watch {
 public:
  void set_examples(ExampleSizes sizes) { examples_ = std::move(sizes); }
  void operator()(eval::Evaluator& evaluator, std::string_view op, const eval::Arguments& arguments) const;

 private:
  bool depends_on_inputs(const onnx::Dim& size) const;
  void reshape(eval::Evaluator& ev, const onnx::Shape& from, const onnx::Shape& to) const;
  void pool(eval::Evaluator& ev, const onnx::Shape& shape, const onnx::Shape& kernel) const;
  bool is_example(eval::Evaluator& ev, const onnx::Dim& dynamic, const onnx::Dim& number) const;
  void new_size(eval::Evaluator& ev, const onnx::Dim& size) const;
  void squeeze(eval::Evaluator& ev, const onnx::Shape& shape) const;
  void captured(eval::Evaluator& ev, const eval::Value& argument) const;

  ExampleSizes examples_;
};

}  // namespace cameo
