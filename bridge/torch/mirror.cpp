#include "mirror.h"

#include <cctype>

namespace cameo::torch {
namespace {

namespace jit = ::torch::jit;
namespace nn = ::torch::nn;

// A C++ type's name as a Python one: "mine::Net<3>" becomes "__torch__.mine__Net_3_".
c10::QualifiedName class_name(const nn::Module& module) {
  std::string name = module.name();
  for (char& c : name)
    if (std::isalnum(static_cast<unsigned char>(c)) == 0) c = '_';
  return c10::QualifiedName("__torch__." + name);
}

class Maker {
 public:
  Mirror make(const nn::Module& network) {
    result_.root = make(network, "");
    return std::move(result_);
  }

 private:
  jit::Module make(const nn::Module& module, const std::string& path) {
    if (const auto known = made_.find(&module); known != made_.end()) return known->second;
    jit::Module copy(class_name(module), unit_, /*shouldMangle=*/true);
    result_.paths.emplace(&module, path);
    copy.register_attribute("training", c10::BoolType::get(), module.is_training());
    for (const auto& item : module.named_parameters(/*recurse=*/false))
      put(copy, item.key(), item.value(), /*is_buffer=*/false, path);
    for (const auto& item : module.named_buffers(/*recurse=*/false))
      put(copy, item.key(), item.value(), /*is_buffer=*/true, path);
    for (const auto& child : module.named_children())
      copy.register_module(child.key(),
                           make(*child.value(), path.empty() ? child.key() : path + "." + child.key()));
    made_.emplace(&module, copy);
    return copy;
  }
  void put(jit::Module& copy, const std::string& name, const at::Tensor& tensor, bool is_buffer,
           const std::string& path) {
    copy.register_parameter(name, tensor, is_buffer);
    if (tensor.defined()) result_.owners.emplace(tensor.unsafeGetTensorImpl(), path);
  }

  std::shared_ptr<jit::CompilationUnit> unit_ = std::make_shared<jit::CompilationUnit>();
  std::unordered_map<const nn::Module*, jit::Module> made_;
  Mirror result_;
};

}  // namespace

Mirror mirror(const nn::Module& network) { return Maker().make(network); }

std::vector<std::pair<std::string, const at::TensorImpl*>> registered(const nn::Module& network) {
  std::vector<std::pair<std::string, const at::TensorImpl*>> all;
  for (const auto& item : network.named_parameters())
    all.emplace_back(item.key(), item.value().unsafeGetTensorImpl());
  for (const auto& item : network.named_buffers())
    all.emplace_back(item.key(), item.value().unsafeGetTensorImpl());
  return all;
}

}  // namespace cameo::torch
