#include "inspect/modules.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <unordered_map>

#include "base/text.h"
#include "cameo/diagnostic.h"
#include "inspect/weighing.h"

namespace cameo::inspect {
namespace {

constexpr std::size_t kMostBytes = 256 << 20;  // 100 times the largest tree seen

constexpr std::string_view kBundledInputs = "_bundled_inputs_deflated_";  // examples, not weights

using script::ClassDef;

class Walk {
 public:
  explicit Walk(const script::Program& program) : program_(program) {}

  ModuleTree run() {
    if (const auto* root = program_.root()->get_if<archive::Object>()) {
      enter(*root, "", "");
      while (!open_.empty()) step();
    }
    sum_up();
    Weights constants;
    for (const archive::Ref constant : program_.constants())
      weighing_.add_all(constant, Role::constant, constants);
    tree_.weights = constants;
    if (!tree_.modules.empty()) tree_.weights += tree_.modules.front().total;
    for (const auto& [dtype, count] : weighing_.elements())
      tree_.elements.emplace_back(cameo::name(dtype), count);
    return std::move(tree_);
  }

 private:
  // A module whose attributes are being visited.
  struct Open {
    std::size_t module;
    const ClassDef* cls;
    const archive::Dict* state;
    std::size_t next = 0;
  };

  const ClassDef* class_of(const archive::Object& object) {
    const std::string name = qualified_name(object.cls);
    const auto [at, fresh] = classes_.try_emplace(name, nullptr);
    if (fresh) at->second = program_.find_class(name).def;
    return at->second;
  }

  bool is_module(const archive::Object& object) {
    const ClassDef* cls = class_of(object);
    return cls != nullptr && cls->kind == script::ClassKind::module;
  }

  void enter(const archive::Object& object, std::string_view name, const std::string& parent_path) {
    Module module;
    module.name = name;
    module.qualified = qualified_name(object.cls);
    module.cls = script::demangle(module.qualified);
    module.depth = open_.size();
    module.path = parent_path.empty() ? std::string(name) : parent_path + "." + std::string(name);
    bytes_ += sizeof(Module) + module.path.size() + module.qualified.size() + module.cls.size();
    if (bytes_ > kMostBytes) {
      throw Error(Diagnostic{.code = cameo::Code::too_many_modules,
                             .message = "the module tree is too deep or too large to be listed",
                             .file = program_.file_name(),
                             .record = std::string(program_.source().record()),
                             .hint = "no real model looks like this; save it again from PyTorch"});
    }
    const auto [first, fresh] = indices_.try_emplace(&object, tree_.modules.size());
    if (!fresh) {
      module.alias = true;
      module.same_as = tree_.modules[first->second].path;
      bytes_ += module.same_as.size();
    }
    const ClassDef* cls = class_of(object);
    module.hooks = cls != nullptr && !(cls->forward_hooks.empty() && cls->forward_pre_hooks.empty());
    const auto* state = object.state == nullptr ? nullptr : object.state->get_if<archive::Dict>();
    if (fresh && state == nullptr && object.state != nullptr) {
      weighing_.add_all(object.state, Role::packed, module.own);
    }
    tree_.modules.push_back(std::move(module));
    if (fresh && state != nullptr) open_.push_back({tree_.modules.size() - 1, cls, state});
  }

  void step() {
    Open& top = open_.back();
    if (top.next == top.state->items.size()) {
      open_.pop_back();
      return;
    }
    const auto& [key, value] = top.state->items[top.next++];
    const auto* name = key->get_if<archive::String>();
    if (name == nullptr) return;
    Module& module = tree_.modules[top.module];
    if (const auto* object = value->get_if<archive::Object>(); object != nullptr && is_module(*object)) {
      enter(*object, name->text, std::string(module.path));
    } else if (const auto* tensor = value->get_if<archive::TensorPtr>()) {
      const bool parameter = top.cls != nullptr && is_listed(top.cls->parameters, name->text);
      const Role role = parameter ? Role::parameter : Role::buffer;
      module.shares |= !weighing_.add(**tensor, role, module.own);
    } else if (const auto* flag = value->get_if<bool>(); flag != nullptr && name->text == "training") {
      module.training = *flag;
    } else if (!name->text.starts_with(kBundledInputs)) {
      weighing_.add_all(value, Role::buffer, module.own);
    }
  }

  // Children follow their parents, so one pass from the end sums all subtrees.
  void sum_up() {
    std::vector<Module>& modules = tree_.modules;
    for (std::size_t i = modules.size(); i-- > 0;) {
      Module& module = modules[i];
      module.end = i + 1;
      module.total = module.own;
      for (std::size_t child = i + 1; child < modules.size() && modules[child].depth > module.depth;) {
        module.total += modules[child].total;
        module.end = modules[child].end;
        child = modules[child].end;
      }
    }
  }

  const script::Program& program_;
  ModuleTree tree_;
  Weighing weighing_;
  std::vector<Open> open_;
  std::unordered_map<std::string, const ClassDef*> classes_;
  std::unordered_map<const archive::Object*, std::size_t> indices_;
  std::size_t bytes_ = 0;  // that the tree takes
};

}  // namespace

std::int64_t saturating_add(std::int64_t a, std::int64_t b) {
  return a > std::numeric_limits<std::int64_t>::max() - b ? std::numeric_limits<std::int64_t>::max() : a + b;
}

Weights& Weights::operator+=(const Weights& other) {
  for (std::size_t i = 0; i < kRoles; ++i) {
    tensors[i] = saturating_add(tensors[i], other.tensors[i]);
    elements[i] = saturating_add(elements[i], other.elements[i]);
    bytes[i] = saturating_add(bytes[i], other.bytes[i]);
  }
  return *this;
}

std::int64_t Weights::total_elements() const {
  return std::accumulate(elements.begin(), elements.end(), std::int64_t{0}, saturating_add);
}

std::int64_t Weights::total_bytes() const {
  return std::accumulate(bytes.begin(), bytes.end(), std::int64_t{0}, saturating_add);
}

ModuleTree gather_modules(const script::Program& program) { return Walk(program).run(); }

}  // namespace cameo::inspect
