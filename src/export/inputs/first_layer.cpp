#include "export/inputs/first_layer.h"

#include <map>
#include <set>

#include "eval/state/cell.h"
#include "script/walk.h"

namespace cameo {
namespace {

using Kind = FirstLayer::Kind;

constexpr int kMaxCalls = 50;

struct Layer {
  std::string_view cls;
  Kind kind;
  const char* weight;
  std::int64_t spatial = 0;
  bool transposed = false;
};
constexpr Layer kLayers[] = {
    {"conv.Conv1d", Kind::convolution, "weight", 1},
    {"conv.Conv2d", Kind::convolution, "weight", 2},
    {"conv.Conv3d", Kind::convolution, "weight", 3},
    {"conv.ConvTranspose1d", Kind::convolution, "weight", 1, true},
    {"conv.ConvTranspose2d", Kind::convolution, "weight", 2, true},
    {"conv.ConvTranspose3d", Kind::convolution, "weight", 3, true},
    {"linear.Linear", Kind::linear, "weight"},
    {"sparse.Embedding", Kind::embedding, "weight"},
    {"rnn.LSTM", Kind::recurrent, "weight_ih_l0"},
    {"rnn.GRU", Kind::recurrent, "weight_ih_l0"},
    {"rnn.RNN", Kind::recurrent, "weight_ih_l0"},
};
constexpr std::string_view kModules = "torch.nn.modules.";

std::optional<std::int64_t> literal(const script::ExprPtr& expr) {
  const auto* number = expr ? expr->get_if<script::IntLiteral>() : nullptr;
  return number ? std::optional(number->value) : std::nullopt;
}

// Finds the groups in the call of a traced convolution.
struct Groups {
  std::optional<std::int64_t> found;
  void operator()(const script::Expr& expr) {
    constexpr std::size_t kPosition = 8;
    const auto* call = expr.get_if<script::CallExpr>();
    const auto* callee = call ? call->callee->get_if<script::Attribute>() : nullptr;
    if (callee && callee->name == "_convolution" && call->args.size() > kPosition)
      found = literal(call->args[kPosition]);
    else
      script::for_each_child(expr, *this);
  }
  void operator()(const script::Stmt& stmt) { script::for_each_child(stmt, *this); }
};

// Finds casts. A trace under autocast has them within the layers, which then take other types than those of their weights.
struct Casts {
  bool found = false;
  void operator()(const script::Expr& expr) {
    const auto* call = expr.get_if<script::CallExpr>();
    const auto* callee = call ? call->callee->get_if<script::Attribute>() : nullptr;
    found = found || (callee && callee->name == "to");
    script::for_each_child(expr, *this);
  }
  void operator()(const script::Stmt& stmt) { script::for_each_child(stmt, *this); }
};

bool has_casts(const script::ClassDef& cls) {
  Casts casts;
  for (const script::FunctionDef& method : cls.methods)
    for (const script::StmtPtr& stmt : method.body) casts(*stmt);
  return casts.found;
}

// The channels that a convolution reads, from its constant or from the call in its code.
std::optional<std::int64_t> channels(const script::ClassDef& cls, std::int64_t per_group) {
  for (const script::Field& field : cls.fields)
    if (field.name == "in_channels")
      if (const auto number = literal(field.value)) return number;
  Groups groups;
  for (const script::FunctionDef& method : cls.methods)
    for (const script::StmtPtr& stmt : method.body) groups(*stmt);
  if (!groups.found) return std::nullopt;
  return per_group * *groups.found;
}

std::optional<FirstLayer> as_layer(const eval::Object& module) {
  const std::string cls = script::demangle(module.cls);
  for (const Layer& layer : kLayers) {
    if (!cls.starts_with(kModules) || cls.substr(kModules.size()) != layer.cls) continue;
    if (module.definition && has_casts(*module.definition.def)) return std::nullopt;
    const auto found = module.attributes.find(layer.weight);
    const auto* cell = found == module.attributes.end() ? nullptr : found->second.get_if<eval::CellPtr>();
    if (!cell || !(*cell)->tensor->type.shape || (*cell)->tensor->type.shape->size() < 2) return std::nullopt;
    const onnx::Shape& shape = *(*cell)->tensor->type.shape;
    FirstLayer out{layer.kind,
                   module.path,
                   std::string(layer.cls.substr(layer.cls.find('.') + 1)),
                   (*cell)->tensor->dtype(),
                   shape[layer.transposed ? 0 : 1].as_constant(),
                   layer.spatial};
    if (layer.kind == Kind::convolution && !layer.transposed && out.features)
      out.features = channels(*module.definition.def, *out.features);
    return out;
  }
  return std::nullopt;
}

const eval::Object* module_in(const eval::Object& object, std::string_view name) {
  const auto found = object.attributes.find(name);
  const auto* child = found == object.attributes.end() ? nullptr : found->second.get_if<eval::ObjectPtr>();
  return child && (*child)->module ? child->get() : nullptr;
}

// Follows an argument through straight-line code and through calls of modules.
class Following {
 public:
  explicit Following(const script::Program& program) : program_(program) {}

  std::optional<FirstLayer> in(const eval::Object& self, const script::FunctionDef& method,
                               std::string_view argument, int depth = 0) {
    if (depth > kMaxCalls || method.params.empty()) return std::nullopt;
    Scope scope{{{method.params.front().name, &self}}, {argument}, depth};
    for (const script::StmtPtr& stmt : method.body) {
      if (!is_straight(*stmt)) return std::nullopt;
      Calls calls{*this, scope, {}};
      script::for_each_child(*stmt, calls);
      if (calls.found || calls.stopped) return calls.found;
      if (const auto* assign = stmt->get_if<script::Assign>()) bind(scope, *assign);
    }
    return std::nullopt;
  }

 private:
  struct Scope {
    std::map<std::string_view, const eval::Object*> modules;
    std::set<std::string_view> aliases;  // of the argument
    int depth;
  };
  struct Calls {
    Following& following;
    Scope& scope;
    std::optional<FirstLayer> found;
    bool stopped = false;  // the argument may be changed in place, or the rest may not be evaluated
    void operator()(const script::Expr& expr) {
      if (expr.get_if<script::Conditional>()) stopped = true;
      if (found || stopped) return;
      script::for_each_child(expr, *this);
      if (const auto* call = expr.get_if<script::CallExpr>(); call && !found && !stopped) see(*call);
    }
    void operator()(const script::Stmt&) {}
    void see(const script::CallExpr& call) {
      const auto* callee = call.callee->get_if<script::Attribute>();
      for (std::size_t i = 0; callee && i < call.args.size(); ++i) {
        const auto* name = call.args[i]->get_if<script::Name>();
        if (!name || !scope.aliases.contains(name->id)) continue;
        if (const eval::Object* module = following.module_of(scope, *callee->object)) {
          found = following.call(*module, callee->name, i, scope.depth + 1);
          stopped = !found;
        } else {
          const auto* space = callee->object->get_if<script::Name>();
          stopped = !space || space->id != "torch" || callee->name.ends_with("_");
        }
        return;
      }
    }
  };

  static bool is_straight(const script::Stmt& stmt) {
    return stmt.get_if<script::Assign>() || stmt.get_if<script::ExprStmt>() ||
           stmt.get_if<script::Return>() || stmt.get_if<script::Pass>();
  }

  std::optional<FirstLayer> call(const eval::Object& module, std::string_view name, std::size_t position,
                                 int depth) {
    if (const auto layer = as_layer(module)) return position == 0 ? layer : std::nullopt;
    const script::FunctionDef* method =
        module.definition ? program_.find_method(*module.definition.def, name) : nullptr;
    if (!method || position + 1 >= method->params.size()) return std::nullopt;
    return in(module, *method, method->params[position + 1].name, depth);
  }

  const eval::Object* module_of(const Scope& scope, const script::Expr& expr) const {
    if (const auto* name = expr.get_if<script::Name>()) {
      const auto found = scope.modules.find(name->id);
      return found == scope.modules.end() ? nullptr : found->second;
    }
    if (const auto* call = expr.get_if<script::CallExpr>()) return from_getattr(scope, *call);
    const auto* attribute = expr.get_if<script::Attribute>();
    const eval::Object* object = attribute ? module_of(scope, *attribute->object) : nullptr;
    return object ? module_in(*object, attribute->name) : nullptr;
  }
  // getattr(self, "0"), for names that are not identifiers.
  const eval::Object* from_getattr(const Scope& scope, const script::CallExpr& call) const {
    const auto* callee = call.callee->get_if<script::Name>();
    if (!callee || callee->id != "getattr" || call.args.size() != 2) return nullptr;
    const auto* name = call.args[1]->get_if<script::StringLiteral>();
    const eval::Object* object = name ? module_of(scope, *call.args[0]) : nullptr;
    return object ? module_in(*object, name->value) : nullptr;
  }

  void bind(Scope& scope, const script::Assign& assign) const {
    for (const script::ExprPtr& target : assign.targets) {
      const auto* name = target->get_if<script::Name>();
      if (!name) continue;
      const auto* value = assign.value->get_if<script::Name>();
      const bool alias = value && scope.aliases.contains(value->id);
      const eval::Object* module = module_of(scope, *assign.value);
      scope.aliases.erase(name->id);
      scope.modules.erase(name->id);
      if (alias) scope.aliases.insert(name->id);
      if (module) scope.modules.emplace(name->id, module);
    }
  }

  const script::Program& program_;
};

std::optional<FirstLayer> declared(const eval::Object& module, std::set<const eval::Object*>& visited) {
  if (!module.definition || !visited.insert(&module).second) return std::nullopt;
  if (const auto layer = as_layer(module)) return layer;
  for (const script::Field& field : module.definition.def->fields)
    if (const eval::Object* child = module_in(module, field.name))
      if (const auto layer = declared(*child, visited)) return layer;
  return std::nullopt;
}

}  // namespace

std::optional<FirstLayer> first_layer(const script::Program& program, const eval::Object& root,
                                      const script::FunctionDef& method, std::string_view argument) {
  const bool first = method.params.size() > 1 && method.params[1].name == argument;
  if (const auto layer = as_layer(root)) return first ? layer : std::nullopt;
  return Following(program).in(root, method, argument);
}

std::optional<FirstLayer> first_declared_layer(const eval::Object& root) {
  std::set<const eval::Object*> visited;
  return declared(root, visited);
}

}  // namespace cameo
