#include "script/operators.h"

#include <algorithm>
#include <limits>
#include <unordered_map>
#include <unordered_set>

#include "base/checked.h"
#include "script/call_sites.h"

namespace cameo::script {
namespace {

using Counts = std::map<std::string, std::int64_t>;
constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();

void add(std::int64_t& sum, std::int64_t times, std::int64_t calls) {
  sum = checked_add(sum, checked_mul(times, calls).value_or(kMost)).value_or(kMost);
}

std::vector<OperatorCount> sorted(const Counts& counts) {
  std::vector<OperatorCount> list;
  for (const auto& [name, calls] : counts) list.push_back({name, calls});
  std::stable_sort(list.begin(), list.end(),
                   [](const OperatorCount& a, const OperatorCount& b) { return a.calls > b.calls; });
  return list;
}

// The classes of the objects that attributes hold, from every object of the program.
ConcreteClasses concrete_classes(const Program& program) {
  ConcreteClasses concrete;
  std::vector<const archive::Object*> pending{program.root()->get_if<archive::Object>()};
  std::unordered_set<const archive::Object*> seen;
  while (!pending.empty()) {
    const archive::Object* object = pending.back();
    pending.pop_back();
    const auto* state = object->state ? object->state->get_if<archive::Dict>() : nullptr;
    if (!state || !seen.insert(object).second) continue;
    const ClassDef* cls = program.find_class(qualified_name(object->cls)).def;
    for (const auto& [key, value] : state->items) {
      const auto* name = key->get_if<archive::String>();
      const auto* held = value->get_if<archive::Object>();
      if (!name || !held) continue;
      pending.push_back(held);
      const ClassDef* held_cls = program.find_class(qualified_name(held->cls)).def;
      if (cls && held_cls) concrete.emplace(std::pair(cls, name->text), held_cls);
    }
  }
  return concrete;
}

// The functions that can be reached, each before all that it calls (but for circles), with what they call.
class CallGraph {
 public:
  CallGraph(const Program& program, const FunctionDef& entry) : program_(program), entry_(entry) {
    const ConcreteClasses concrete = concrete_classes(program);
    struct Open {
      const FunctionDef* function;
      std::size_t next = 0;
    };
    std::vector<Open> open;
    const auto enter = [&](const FunctionDef* function) {
      if (!sites_.contains(function)) {
        sites_.emplace(function, find_calls(program_, *function, concrete));
        open.push_back({function});
      }
    };
    enter(&entry);
    while (!open.empty()) {
      Open& top = open.back();
      const auto& callees = sites_.at(top.function).functions;
      if (top.next < callees.size()) {
        enter(callees[top.next++]);
      } else {
        order_.push_back(top.function);
        open.pop_back();
      }
    }
    std::reverse(order_.begin(), order_.end());
  }

  Counts count() const {
    Counts counts;
    std::unordered_map<const FunctionDef*, std::int64_t> times{{&entry_, 1}};
    for (const FunctionDef* function : order_) {
      const CallSites& sites = sites_.at(function);
      const std::int64_t runs = times[function];
      for (const auto& [name, calls] : sites.operators) add(counts[name], runs, calls);
      for (const FunctionDef* callee : sites.functions) add(times[callee], runs, 1);
    }
    return counts;
  }

 private:
  const Program& program_;
  const FunctionDef& entry_;
  std::unordered_map<const FunctionDef*, CallSites> sites_;
  std::vector<const FunctionDef*> order_;
};

}  // namespace

std::vector<OperatorCount> count_operators(const Program& program) {
  Counts counts;
  const auto visit = [&](const std::vector<FunctionDef>& functions) {
    for (const FunctionDef& function : functions) {
      for (const auto& [name, calls] : find_calls(program, function, {}).operators)
        add(counts[name], 1, calls);
    }
  };
  for (const std::string_view name : program.code_files()) {
    const SourceFile& file = program.file(name);
    visit(file.functions);
    for (const ClassDef& cls : file.classes) visit(cls.methods);
  }
  return sorted(counts);
}

std::vector<OperatorCount> count_operators(const Program& program, std::string_view method) {
  const auto* root = program.root()->get_if<archive::Object>();
  const auto cls = program.find_class(qualified_name(root->cls));
  const FunctionDef* entry = cls ? program.find_method(*cls.def, method) : nullptr;
  if (!entry) return {};
  return sorted(CallGraph(program, *entry).count());
}

std::string_view operator_of(BinaryOp op) {
  using enum BinaryOp;
  switch (op) {
    case add: return "aten::add";
    case sub: return "aten::sub";
    case mul: return "aten::mul";
    case div: return "aten::div";
    case floordiv: return "aten::floordiv";
    case mod: return "aten::remainder";
    case pow: return "aten::pow";
    case matmul: return "aten::matmul";
    case bit_and:
    case logical_and: return "aten::__and__";
    case bit_or:
    case logical_or: return "aten::__or__";
    case bit_xor: return "aten::__xor__";
    case lshift: return "aten::__lshift__";
    case rshift: return "aten::__rshift__";
    case eq: return "aten::eq";
    case ne: return "aten::ne";
    case lt: return "aten::lt";
    case le: return "aten::le";
    case gt: return "aten::gt";
    case ge: return "aten::ge";
    case is: return "aten::__is__";
    case is_not: return "aten::__isnot__";
    case in:
    case not_in: return "aten::__contains__";
  }
  return {};
}

}  // namespace cameo::script
