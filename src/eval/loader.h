#pragma once
#include <functional>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "eval/options.h"
#include "eval/state/evaluation.h"

namespace cameo::eval {

// The value of an expression without variables in a file: a default, a constant of a class.
using ConstantOf = std::function<Value(const script::Expr&, const script::SourceFile&)>;

// Loads objects of the archive as values of the program. Each object is loaded once.
class Loader {
 public:
  Loader(Evaluation& evaluation, const script::Program& program, const Options& options,
         ConstantOf constant_of);

  // The root module, with every attribute. Throws Error if the root is not a module.
  ObjectPtr root();
  // `path` names tensors and modules.
  Value load(archive::Ref ref, const std::string& path);
  // Sets the attribute `training` of the modules below `root` as the options say, like .eval() and .train().
  void set_mode(Object& root) const;
  // The tensor of the file that became this input of the graph; null for other values.
  archive::TensorPtr saved(const onnx::Value* input) const;

 private:
  Value load_plain(const archive::Value& value, const std::string& path);
  Value load_enum(const archive::EnumValue& member, const std::string& path);
  Value load_list(const archive::List& items, archive::Ref ref, const std::string& path);
  Value load_dict(const archive::Dict& entries, archive::Ref ref, const std::string& path);
  Value load_object(const archive::Object& object, archive::Ref ref, const std::string& path);
  Value load_tensor(const archive::TensorPtr& tensor, const std::string& path);
  void load_attributes(Object& object, const archive::Object& source);
  // Reads the weights of a C++ object that operators take. Others stay as they are.
  void load_packed(Object& object, const std::string& path);
  aten::Tensor tensor_of(const archive::TensorPtr& tensor, const std::string& path);
  aten::QuantizerPtr quantizer_of(const archive::Tensor& tensor);
  aten::Tensor constant(const archive::TensorPtr& tensor, const std::string& path);
  aten::Tensor parameter_input(const archive::TensorPtr& tensor, const std::string& path);

  Evaluation& ev_;
  const script::Program& program_;
  bool parameters_as_inputs_;
  std::set<std::string> state_inputs_;
  TrainingMode training_;
  ConstantOf constant_of_;
  std::unordered_map<archive::Ref, Value> loaded_;
  // Parameters and buffers that are inputs of the graph, and the paths of those that become inputs.
  std::vector<std::pair<archive::TensorPtr, aten::Tensor>> parameter_inputs_;
  std::set<std::string> state_paths_;
};

}  // namespace cameo::eval
