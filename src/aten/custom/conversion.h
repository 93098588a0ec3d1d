#pragma once
// One call of an operator that the user converts: the engine behind cameo::Conversion.

#include <functional>
#include <unordered_set>

#include "aten/registry.h"
#include "cameo/converter.h"

namespace cameo::aten {

// A message and a hint.
using Warn = std::function<void(std::string, std::string)>;

// The schema of a call whose arguments have these names and whose results are tensors. The names outlive the result.
// There are at most Schema::kMaxParams of them, and Schema::kMaxReturns results.
Schema schema_of(std::span<const std::string> names, std::size_t results);

class GraphConversion final : public Conversion {
 public:
  GraphConversion(Emit& e, const Schema& schema, std::span<const Arg> args, const Warn& warn);

  // Throws Unsupported if the converter failed.
  Returns run(const Converter& converter);
  // The same for a rewriting rule, whose results must have types: `own`, the types that the results have without the
  // rule, or those of Cameo's own conversion of the call if `own` is empty. Nothing is required if neither is known.
  Returns run_strictly(const Converter& converter, std::vector<onnx::Type> own = {});

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
  void adopt_own_types(const Results& results, const std::vector<onnx::Type>& types);
  bool is_untold(const cameo::Tensor& tensor) const;
  void warn_of_untold();
  void require_types(const Results& results, const std::vector<onnx::Type>& types) const;
  // Calls `convert`. Exceptions of the user's code become Unsupported.
  template <class Convert>
  static Returns guarded(const Convert& convert);

  Emit& emit_;
  const Schema& schema_;
  std::span<const Arg> args_;
  const Warn& warn_;
  std::unordered_set<const onnx::Value*> known_;  // all that the converter may hold
  std::vector<Untold> untold_;
  std::vector<Argument> arguments_;
};

}  // namespace cameo::aten
