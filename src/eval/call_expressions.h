#pragma once
#include <string>
#include <string_view>

#include "eval/definitions.h"
#include "eval/functions.h"
#include "eval/state/evaluation.h"

namespace cameo::eval {

class Expressions;

// Evaluates call expressions: finds what is called, evaluates the arguments, and calls it.
class CallExpressions {
 public:
  CallExpressions(Evaluation& evaluation, Definitions& definitions, Functions& functions,
                  Expressions& expressions)
      : ev_(evaluation), definitions_(definitions), functions_(functions), expressions_(expressions) {}

  // `results` is the number of results that the caller takes.
  Value evaluate(Frame& frame, const script::CallExpr& node, std::size_t results);

 private:
  // A call and the frame in which its arguments are evaluated.
  struct Site {
    Frame& frame;
    const script::CallExpr& node;
    std::size_t results;
  };
  Arguments arguments(const Site& site);
  Value argument(const Site& site, std::size_t index);
  Value call_name(const Site& site, std::string_view id);
  std::optional<Value> call_typed(const Site& site, std::string_view id);
  Value call_qualified(const Site& site, const std::string& name);
  Value call_torch(const Site& site, std::string op);
  Value new_object(const std::string& cls);

  Evaluation& ev_;
  Definitions& definitions_;
  Functions& functions_;
  Expressions& expressions_;
};

}  // namespace cameo::eval
