#pragma once
// The modules of a program. The file has no modules, but the names of the weights and the module stacks of
// the nodes name them.

#include <deque>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "archive/value.h"

namespace cameo::exported {

// One entry of a node's `nn_module_stack`.
struct ModuleFrame {
  std::string_view path;        // "layer1.0"; empty for the root
  std::string_view class_name;  // "torch.nn.modules.conv.Conv2d"
  std::string_view call;        // the path and the number of the call: "layer1.0@1"
};
// The entries, outermost first. The views point into `text`.
std::vector<ModuleFrame> parse_module_stack(std::string_view text);

enum class TensorRole { parameter, buffer, attribute };

class Modules {
 public:
  Modules();
  ~Modules();

  // Adds a module and the modules around it, unless they exist. The first class name that is given counts.
  void add_module(std::string_view path, std::string_view class_name);
  // The class of the root, qualified. It does not change from here on.
  std::string root_class();
  // Throws Error if the name is that of a module or of another tensor.
  void add_tensor(std::string_view path, archive::TensorPtr tensor, TensorRole role);

  // The attribute of the root at `path`, as an expression: self.layer1.weight.
  static std::string expression(std::string_view path);

  // The classes and objects of all modules. Call it once, after everything was added.
  struct Lowered {
    archive::Ref root = nullptr;                           // an archive::Object
    std::string root_fields;                               // the declarations of the root's attributes
    std::map<std::string, std::string, std::less<>> code;  // files with the other classes
  };
  Lowered lower();

 private:
  struct Module;
  Module& module_at(std::string_view path);
  std::string lower_fields(const Module& module, Lowered& out);
  std::string lower_class(const Module& module, Lowered& out);
  archive::Ref lower_object(const Module& module, std::string_view qualified);
  archive::Ref make(archive::Value value);
  archive::Ref make_string(std::string text);
  std::string_view keep(std::string text);

  std::unique_ptr<Module> root_;
  std::map<std::string, std::string> classes_;  // Python's name and fields → the qualified name
  std::unordered_map<const Module*, std::string> class_of_;
  std::deque<archive::Value> values_;
  std::deque<std::string> texts_;
};

// "code/__torch__/a/b.py" for "__torch__.a.b.C".
std::string code_file(std::string_view qualified);

}  // namespace cameo::exported
