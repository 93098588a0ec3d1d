#pragma once
#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "aten/custom/conversion.h"
#include "eval/options.h"
#include "eval/state/evaluation.h"
#include "rewrite/log.h"
#include "target/target.h"

namespace cameo::eval {

class Functions;
class TensorOperators;

// Applies rewriting rules to calls of operators, modules, methods and functions.
class Rewriter {
 public:
  Rewriter(Evaluation& evaluation, CallStack& stack, const script::Program& program, Functions& functions,
           const Options& options);

  bool has_rules() const { return rules_ != nullptr; }
  // Whether rules apply to calls here: there are some, and the innermost call is no replacement.
  bool active() const;

  Value call_operator(std::string_view name, const Arguments& arguments, TensorOperators& operators,
                      const Origin& original);
  // The method of a module, or of another object. A call of forward() is a call of the module.
  Value call_method(const ObjectPtr& object, std::string_view method, const Arguments& arguments,
                    const Origin& original);
  Value call_function(const std::string& qualified, const Arguments& arguments, const Origin& original);

  // Whether a rule names this module by its path or its class.
  bool concerns(const Object& module);

  // The module is the innermost one as long as this lives.
  class Inside {
   public:
    Inside(Rewriter& rewriter, ObjectPtr module) : rewriter_(rewriter) {
      rewriter_.modules_.push_back(std::move(module));
    }
    ~Inside() { rewriter_.modules_.pop_back(); }
    Inside(const Inside&) = delete;
    Inside& operator=(const Inside&) = delete;

   private:
    Rewriter& rewriter_;
  };

  rewrite::Log& log() { return log_; }

 private:
  // A call that rules may replace, or whose results they may change.
  struct Subject {
    std::string_view op;   // of an operator, as the program calls it: "aten::gelu_"
    std::string function;  // of a function or a method, as Python names it: "models.Detect.forward"
    ObjectPtr object;      // of a method
    bool module = false;   // the call of a module
    std::string cls;       // of a module, as Python names it
    TensorOperators* operators = nullptr;
    std::string what = {};  // in messages: "aten::gelu", "module 'head'"
  };
  using Rules = std::vector<const rewrite::Rule*>;

  Value call(const Subject& subject, const Arguments& arguments, const Origin& original);
  void remember(const Subject& subject);
  Rules matching(const Subject& subject, bool after) const;
  static bool matches(const rewrite::Place& place, const Subject& subject);
  bool in_scope(const rewrite::Scope& scope) const;
  bool in_file(const rewrite::Scope& scope) const;
  bool calls_forward(const Object& object, std::string_view method) const;
  // The rule that applies. `arguments` are those of the call, or its results.
  const rewrite::Rule* choose(const Subject& subject, bool after, const Arguments& arguments);
  bool holds(const rewrite::Rule& rule, const Subject& subject, const Arguments& arguments);

  // By the kind of the replacement; `original` is the call as it was.
  Value replace(const rewrite::Rule& rule, const Subject& subject, const Arguments& arguments,
                const Origin& original);
  Value change(const rewrite::Rule& rule, const Subject& subject, const Value& result);
  Value run_functions(const rewrite::Rule& rule, const Subject& subject, const Arguments& arguments,
                      const Origin& original);
  // The arguments of an operator in the order of its parameters, as the function takes them.
  Arguments in_schema_order(const aten::Bound& bound, const Arguments& arguments,
                            const script::FunctionDef& def);
  // Nodes in place of an operator, or its converter.
  Value convert(const rewrite::Rule& rule, const Subject& subject, const Arguments& arguments);
  // Nodes with these values as arguments.
  std::vector<Value> run_nodes(const rewrite::Rule& rule, const Subject& subject,
                               const std::vector<Value>& values);
  aten::Returns add_nodes(const rewrite::Rule& rule, const aten::Schema& schema,
                          std::span<const aten::Arg> args);

  // The overload that the arguments of an operator fit, with the arguments in its order.
  aten::Bound bound(const rewrite::Rule& rule, const Subject& subject, const Arguments& arguments);
  const aten::CustomOp& operator_of(const rewrite::Rule& rule, const aten::Schema& schema);
  Value weight(const rewrite::Rule& rule, std::string_view path) const;
  void record(const rewrite::Rule& rule, const Subject& subject);
  [[noreturn]] void refuse(const rewrite::Rule& rule, std::string why, std::string hint = {}) const;

  Evaluation& ev_;
  CallStack& stack_;
  const script::Program& program_;
  Functions& functions_;
  const rewrite::RuleSet* rules_;  // null: there are none
  const target::Target* target_;   // null: none was given
  rewrite::Log log_;
  std::vector<ObjectPtr> modules_;  // around the innermost call
  std::map<std::pair<const rewrite::Rule*, std::string_view>, aten::CustomOp> operators_;  // by schema
  aten::Warn warn_;
};

}  // namespace cameo::eval
