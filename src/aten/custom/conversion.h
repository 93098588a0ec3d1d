#pragma once
// One call of an operator that the user converts: the engine behind cameo::Conversion.

#include <functional>
#include <unordered_set>

#include "aten/registry.h"
#include "cameo/converter.h"

namespace cameo::aten {

// A message and a hint.
using Warn = std::function<void(std::string, std::string)>;

class GraphConversion final : public Conversion {
 public:
  GraphConversion(Emit& e, const Schema& schema, std::span<const Arg> args, const Warn& warn);

  // Throws Unsupported if the converter failed.
  Returns run(const Converter& converter);

  std::string_view name() const override { return schema_.name; }
  int opset() const override { return emit_.model().opset; }
  bool training() const override { return emit_.training(); }
  const std::vector<Argument>& arguments() const override { return arguments_; }
  std::vector<cameo::Tensor> ops(std::string_view type, const std::vector<cameo::Tensor>& inputs,
                                 const NodeAttributes& attributes, std::size_t outputs) override;
  void set_type(const cameo::Tensor& tensor, ElementType dtype, std::optional<Sizes> shape) override;
  cameo::Tensor constant(const Contents& contents) override;
  cameo::Tensor value(const Argument& argument, ElementType dtype) override;
  cameo::Tensor value(const Sizes& sizes) override;
  void warn(std::string message) override { warn_(std::move(message), {}); }

  ElementType dtype_of(const cameo::Tensor& tensor) const override;
  std::optional<Sizes> shape_of(const cameo::Tensor& tensor) const override;
  std::optional<Contents> contents_of(const cameo::Tensor& tensor) const override;

 private:
  // A result whose type is not known.
  struct Untold {
    onnx::Value* value;
    std::string op;
    bool guessed;  // its element type is that of the inputs
  };

  cameo::Tensor hand_out(onnx::Value* value);
  onnx::Value* take(const cameo::Tensor& tensor) const;  // null for an empty one
  Argument to_argument(const Arg& arg, const ParamSchema& p);
  onnx::Value* number(const Argument& argument, DType dtype);
  std::vector<onnx::Value*> standard(onnx::Node node, std::size_t outputs);
  std::vector<onnx::Value*> foreign(const onnx::Node& node, std::size_t outputs);
  void tell(onnx::Value* value, const Sizes& sizes);
  Returns wrap(const Results& results);
  // Gives results without a type the types that they have in Cameo's own conversion of the call.
  void adopt_own_types(const Results& results);
  void warn_of_untold();

  Emit& emit_;
  const Schema& schema_;
  std::span<const Arg> args_;
  const Warn& warn_;
  std::unordered_set<const onnx::Value*> known_;  // all that the converter may hold
  std::vector<Untold> untold_;
  std::vector<Argument> arguments_;
};

}  // namespace cameo::aten
