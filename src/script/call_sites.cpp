#include "script/call_sites.h"

#include <algorithm>
#include <unordered_map>

#include "script/walk.h"

namespace cameo::script {
namespace {

// The name that a chain of attributes begins with; empty if it begins with anything else.
std::string_view root_of(const Expr& expr) {
  const Expr* at = &expr;
  while (const auto* attribute = at->get_if<Attribute>()) at = attribute->object.get();
  const auto* name = at->get_if<Name>();
  return name ? name->id : std::string_view();
}

// "a.b.c" of a chain of attributes on a name; empty for anything else.
std::string dotted(const Expr& expr) {
  std::vector<std::string_view> atoms;
  const Expr* at = &expr;
  for (; const auto* attribute = at->get_if<Attribute>(); at = attribute->object.get()) {
    atoms.push_back(attribute->name);
  }
  const auto* name = at->get_if<Name>();
  if (!name) return {};
  std::reverse(atoms.begin(), atoms.end());
  std::string out(name->id);
  for (const std::string_view atom : atoms) {
    out += '.';
    out += atom;
  }
  return out;
}

// The operator behind a callee: "torch.add" → "aten::add", "ops.prim.min" → "prim::min", "ops.aten.add.Tensor" →
// "aten::add". Empty if it is none.
std::string operator_name(std::string_view callee) {
  if (callee == "torch.device" || callee == "torch.Generator") return {};
  if (callee.starts_with("torch.autograd.")) return "aten::" + std::string(callee.substr(15));
  if (callee.starts_with("torch.")) {
    return callee.find('.', 6) == callee.npos ? "aten::" + std::string(callee.substr(6)) : std::string();
  }
  if (!callee.starts_with("ops.")) return {};
  const std::size_t dot = callee.find('.', 4);
  if (dot == callee.npos) return {};
  const std::size_t end = std::min(callee.find('.', dot + 1), callee.size());
  return std::string(callee.substr(4, dot - 4)) + "::" + std::string(callee.substr(dot + 1, end - dot - 1));
}

class Finder {
 public:
  Finder(const Program& program, const ConcreteClasses& concrete) : program_(program), concrete_(concrete) {}

  void function(const FunctionDef& def) {
    for (const Param& param : def.params) {
      locals_[param.name] = {};
      if (param.type) locals_[param.name].cls = class_named(*param.type);
    }
    for (const StmtPtr& stmt : def.body) (*this)(*stmt);
  }

  void operator()(const Stmt& stmt) {
    if (const auto* def = stmt.get_if<FunctionDef>()) return function(*def);
    for_each_child(stmt, *this);
    if (const auto* assign = stmt.get_if<Assign>()) bind(*assign);
    if (const auto* loop = stmt.get_if<For>()) forget(*loop->target);
  }

  void operator()(const Expr& expr) {
    for_each_child(expr, *this);
    if (const auto* call = expr.get_if<CallExpr>()) visit_call(*call);
  }

  CallSites take() { return std::move(sites_); }

 private:
  // The static type of a value: its class, or the function itself.
  struct Known {
    const ClassDef* cls = nullptr;
    const FunctionDef* function = nullptr;
  };

  const ClassDef* class_named(const Expr& type) const {
    return root_of(type) == "__torch__" ? program_.find_class(dotted(type)).def : nullptr;
  }

  Known attribute(const ClassDef& cls, std::string_view name) const {
    if (const auto found = concrete_.find({&cls, name}); found != concrete_.end())
      return {found->second, nullptr};
    for (const Field& field : cls.fields) {
      if (field.name == name && field.type) return {class_named(*field.type), nullptr};
    }
    return {};
  }

  Known known(const Expr& expr) const {
    if (const auto* name = expr.get_if<Name>()) {
      const auto found = locals_.find(name->id);
      return found == locals_.end() ? Known{} : found->second;
    }
    if (const auto* access = expr.get_if<Attribute>()) {
      if (const ClassDef* cls = known(*access->object).cls) return attribute(*cls, access->name);
      return root_of(expr) == "__torch__" ? Known{nullptr, program_.find_function(dotted(expr)).def}
                                          : Known{};
    }
    if (const auto* call = expr.get_if<CallExpr>()) return known_result(*call);
    return {};
  }

  Known known_result(const CallExpr& call) const {
    if (const auto* access = call.callee->get_if<Attribute>(); access && access->name == "__new__") {
      return {class_named(*access->object), nullptr};
    }
    const auto* callee = call.callee->get_if<Name>();
    if (!callee || call.args.size() != 2) return {};
    const auto* name = call.args[1]->get_if<StringLiteral>();
    if (callee->id == "getattr" && name) {
      if (const ClassDef* cls = known(*call.args[0]).cls) return attribute(*cls, name->value);
    }
    if (callee->id == "unchecked_cast") return {class_named(*call.args[0]), nullptr};
    return {};
  }

  void visit_call(const CallExpr& call) {
    if (const FunctionDef* target = target_of(*call.callee)) {
      sites_.functions.push_back(target);
      return;
    }
    if (locals_.contains(root_of(*call.callee))) return;
    if (const std::string name = operator_name(dotted(*call.callee)); !name.empty()) ++sites_.operators[name];
  }

  const FunctionDef* target_of(const Expr& callee) const {
    if (const auto* access = callee.get_if<Attribute>()) {
      if (const ClassDef* cls = known(*access->object).cls) return program_.find_method(*cls, access->name);
    }
    return known(callee).function;
  }

  void bind(const Assign& assign) {
    for (const ExprPtr& target : assign.targets) forget(*target);
    const auto* name = assign.targets[0]->get_if<Name>();
    if (!name || assign.targets.size() != 1) return;
    Known value = known(*assign.value);
    if (!value.cls && assign.type) value.cls = class_named(*assign.type);
    locals_[name->id] = value;
  }

  void forget(const Expr& target) {
    if (const auto* name = target.get_if<Name>()) locals_[name->id] = {};
    if (target.get_if<TupleExpr>() || target.get_if<Starred>()) {
      for_each_child(target, [this](const Expr& part) { forget(part); });
    }
  }

  const Program& program_;
  const ConcreteClasses& concrete_;
  std::unordered_map<std::string_view, Known> locals_;
  CallSites sites_;
};

}  // namespace

CallSites find_calls(const Program& program, const FunctionDef& function, const ConcreteClasses& concrete) {
  Finder finder(program, concrete);
  finder.function(function);
  return finder.take();
}

}  // namespace cameo::script
