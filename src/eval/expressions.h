#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "eval/definitions.h"
#include "eval/state/evaluation.h"

namespace cameo::eval {

class Assignments;
class CallExpressions;

// Evaluates expressions in the frame of a function call.
class Expressions {
 public:
  Expressions(Evaluation& evaluation, Definitions& definitions, CallExpressions& calls,
              Assignments& assignments)
      : ev_(evaluation), definitions_(definitions), calls_(calls), assignments_(assignments) {}

  // If the expression is a call, `results` is the number of results that are taken.
  Value evaluate(Frame& frame, const script::Expr& expr, std::size_t results = 1);
  std::vector<Value> evaluate_all(Frame& frame, const std::vector<script::ExprPtr>& items);
  // The value of an expression without variables.
  Value constant(const script::Expr& expr, const script::SourceFile& file);

  // getattr(object, name). Throws Error if there is no such attribute.
  Value attribute_of(const Value& object, std::string_view name);
  // "__torch__.a.b", "CONSTANTS.c0", "torch.inf": a dotted name that does not begin with a variable. Nothing
  // for an attribute of a value.
  std::optional<std::string> qualified_name(const Frame& frame, const script::Attribute& node) const;
  // The items of a tuple, a list of known length, a dict (its keys), a string or a tensor. Throws Error for
  // other values.
  std::vector<Value> iterate(const Value& value);

 private:
  Value name(const Frame& frame, std::string_view id) const;
  Value attribute(Frame& frame, const script::Attribute& node);
  Value attribute_of_object(const Object& object, std::string_view name);
  Value subscript(Frame& frame, const script::Subscript& node);
  Value container_item(const ObjectPtr& module, const Value& key);
  Value dict(Frame& frame, const script::DictExpr& node);
  Value unary(Frame& frame, const script::Unary& node);
  Value binary(Frame& frame, const script::Binary& node);
  Value conditional(Frame& frame, const script::Conditional& node);
  Value comprehension(Frame& frame, const script::ListComprehension& node);

  Evaluation& ev_;
  Definitions& definitions_;
  CallExpressions& calls_;
  Assignments& assignments_;
};

}  // namespace cameo::eval
