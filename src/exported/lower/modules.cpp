#include "exported/lower/modules.h"

#include <fmt/core.h>

#include <algorithm>

#include "cameo/diagnostic.h"
#include "exported/lower/names.h"

namespace cameo::exported {
namespace {

constexpr std::size_t kMaxDepth = 200;
// The entry of nodes that PyTorch itself added.
constexpr std::string_view kNoModule = "_empty_nn_module_stack_from_metadata_hook";
constexpr std::string_view kUnknownClass = "torch.nn.modules.module.Module";

// Takes the text up to `separator` off the front.
std::string_view take(std::string_view& text, char separator) {
  const std::size_t at = std::min(text.find(separator), text.size());
  const std::string_view front = text.substr(0, at);
  text.remove_prefix(std::min(at + 1, text.size()));
  return front;
}

// Takes the text up to a comma that is not inside brackets.
std::string_view take_item(std::string_view& text) {
  int depth = 0;
  std::size_t at = 0;
  for (; at < text.size() && (depth > 0 || text[at] != ','); ++at) {
    if (text[at] == '(' || text[at] == '[') ++depth;
    if (text[at] == ')' || text[at] == ']') --depth;
  }
  const std::string_view item = text.substr(0, at);
  text.remove_prefix(std::min(at + 1, text.size()));
  return item;
}

// The second call of a module has a path such as "layer1@1".
std::string_view without_call_number(std::string_view path) { return path.substr(0, path.find('@')); }

// "a.<locals>.B" → "a._locals_.B"; PyTorch's own wrapper of an exported function has no useful name.
std::string class_name_of(std::string_view python) {
  if (python.empty() || python.starts_with("torch.export.") || python.starts_with("torch.classes."))
    python = kUnknownClass;
  std::string out;
  while (!python.empty()) {
    if (!out.empty()) out += '.';
    out += identifier(take(python, '.'));
  }
  return out;
}

[[noreturn]] void fail_modules(std::string message) {
  throw Error(Diagnostic{.code = Code::bad_exported_program,
                         .message = std::move(message),
                         .hint = "save the program again with torch.export.save"});
}

std::string declaration(std::string_view name, std::string_view type) {
  return is_identifier(name) ? fmt::format("  {} : {}\n", name, type)
                             : fmt::format("  __annotations__[{}] = {}\n", string_literal(name), type);
}

}  // namespace

std::vector<ModuleFrame> parse_module_stack(std::string_view text) {
  std::vector<ModuleFrame> frames;
  while (!text.empty()) {
    std::string_view entry = take(text, ';');
    std::string_view key = take_item(entry);
    if (entry.empty()) {  // PyTorch 2.1: key:(path,class)
      take(key, ':');
      if (key.starts_with('(') && key.ends_with(')')) key = key.substr(1, key.size() - 2);
      entry = key;
    }
    const std::string_view path = take_item(entry);
    if (path != kNoModule) frames.push_back({without_call_number(path), entry, path});
  }
  return frames;
}

struct Modules::Module {
  struct Tensor {
    std::string name;
    archive::TensorPtr tensor;
    TensorRole role;
  };
  std::string name;
  std::string class_name;
  std::vector<Tensor> tensors;
  std::vector<std::unique_ptr<Module>> children;
  std::unordered_map<std::string_view, Module*> by_name;
};

Modules::Modules() : root_(std::make_unique<Module>()) {}
Modules::~Modules() = default;

Modules::Module& Modules::module_at(std::string_view path) {
  Module* module = root_.get();
  for (std::size_t depth = 0; !path.empty(); ++depth) {
    if (depth == kMaxDepth)
      fail_modules(fmt::format("modules are nested more than {} levels deep", kMaxDepth));
    const std::string_view name = take(path, '.');
    const auto known = module->by_name.find(name);
    if (known != module->by_name.end()) {
      module = known->second;
      continue;
    }
    if (std::ranges::find(module->tensors, name, &Module::Tensor::name) != module->tensors.end())
      fail_modules(fmt::format("'{}' is a tensor and a module", name));
    Module& child = *module->children.emplace_back(std::make_unique<Module>());
    child.name = name;
    module->by_name.emplace(child.name, &child);
    module = &child;
  }
  return *module;
}

void Modules::add_module(std::string_view path, std::string_view class_name) {
  Module& module = module_at(path);
  if (module.class_name.empty()) module.class_name = class_name;
}

std::string Modules::root_class() {
  if (root_->class_name.empty()) root_->class_name = kUnknownClass;
  return "__torch__." + class_name_of(root_->class_name);
}

void Modules::add_tensor(std::string_view path, archive::TensorPtr tensor, TensorRole role) {
  const std::size_t dot = path.rfind('.');
  Module& module = module_at(dot == path.npos ? std::string_view() : path.substr(0, dot));
  const std::string_view name = dot == path.npos ? path : path.substr(dot + 1);
  if (module.by_name.contains(name)) fail_modules(fmt::format("'{}' is a tensor and a module", path));
  if (std::ranges::find(module.tensors, name, &Module::Tensor::name) != module.tensors.end())
    fail_modules(fmt::format("the tensor '{}' occurs twice in the signature", path));
  module.tensors.push_back({std::string(name), std::move(tensor), role});
}

std::string Modules::expression(std::string_view path) {
  std::string out = "self";
  while (!path.empty()) {
    const std::string_view name = take(path, '.');
    out = is_identifier(name) ? fmt::format("{}.{}", out, name)
                              : fmt::format("getattr({}, {})", out, string_literal(name));
  }
  return out;
}

Modules::Lowered Modules::lower() {
  Lowered out;
  out.root_fields = lower_fields(*root_, out);
  out.root = lower_object(*root_, root_class());
  return out;
}

// The declarations of a module's attributes, after the classes of the modules within.
std::string Modules::lower_fields(const Module& module, Lowered& out) {
  std::string parameters, buffers, fields;
  for (const Module::Tensor& tensor : module.tensors) {
    if (tensor.role == TensorRole::parameter) parameters += string_literal(tensor.name) + ", ";
    if (tensor.role == TensorRole::buffer) buffers += string_literal(tensor.name) + ", ";
    fields += declaration(tensor.name, "Tensor");
  }
  for (const auto& child : module.children) {
    const std::string& cls = class_of_[child.get()] = lower_class(*child, out);
    fields += declaration(child->name, cls);
  }
  return fmt::format("  __parameters__ = [{}]\n  __buffers__ = [{}]\n{}", parameters, buffers, fields);
}

// Returns the qualified name. Modules of the same class with equal attributes share one.
std::string Modules::lower_class(const Module& module, Lowered& out) {
  const std::string python = class_name_of(module.class_name);
  const std::size_t dot = python.rfind('.');
  const std::string simple = dot == python.npos ? python : python.substr(dot + 1);
  const std::string body = fmt::format("class {}(Module):\n{}", simple, lower_fields(module, out));
  const auto [known, fresh] = classes_.try_emplace(python + "\n" + body);
  if (!fresh) return known->second;
  const std::string scope = dot == python.npos ? "__torch__" : "__torch__." + python.substr(0, dot);
  known->second = fmt::format("{}.___torch_mangle_{}.{}", scope, classes_.size() - 1, simple);
  out.code[code_file(known->second)] += body;
  return known->second;
}

archive::Ref Modules::lower_object(const Module& module, std::string_view qualified) {
  archive::Dict state;
  for (const Module::Tensor& tensor : module.tensors)
    state.items.emplace_back(make_string(tensor.name), make({tensor.tensor}));
  for (const auto& child : module.children)
    state.items.emplace_back(make_string(child->name), lower_object(*child, class_of_.at(child.get())));
  const std::string_view cls = keep(std::string(qualified));
  const std::size_t dot = cls.rfind('.');
  const archive::Ref items = make({std::move(state)});
  return make({archive::Object{{cls.substr(0, dot), cls.substr(dot + 1)}, nullptr, items}});
}

archive::Ref Modules::make(archive::Value value) { return &values_.emplace_back(std::move(value)); }
archive::Ref Modules::make_string(std::string text) { return make({archive::String{keep(std::move(text))}}); }
std::string_view Modules::keep(std::string text) { return texts_.emplace_back(std::move(text)); }

std::string code_file(std::string_view qualified) {
  std::string file = fmt::format("code/{}.py", qualified.substr(0, qualified.rfind('.')));
  std::replace(file.begin() + 5, file.end() - 3, '.', '/');
  return file;
}

}  // namespace cameo::exported
