#include "eval/evaluator.h"

namespace cameo::eval {
namespace {

ConstantOf constant_of(Expressions& expressions) {
  return [&expressions](const script::Expr& expr, const script::SourceFile& file) {
    return expressions.constant(expr, file);
  };
}

}  // namespace

Evaluator::Evaluator(const script::Program& program, onnx::Emit& emit, const Options& options)
    : program_(program),
      emit_(emit),
      reporter_(program, stack_),
      memory_(emit),
      values_(emit, memory_, reporter_),
      evaluation_{emit, memory_, values_, reporter_, *this},
      operators_(evaluation_, options, program.archive().version()),
      loader_(evaluation_, program, options, constant_of(expressions_)),
      definitions_(reporter_, program, loader_, constant_of(expressions_)),
      functions_(evaluation_, stack_, definitions_, statements_, constant_of(expressions_)),
      statements_(evaluation_, expressions_, assignments_, options.unroll),
      assignments_(evaluation_, expressions_),
      expressions_(evaluation_, definitions_, calls_, assignments_),
      calls_(evaluation_, definitions_, functions_, expressions_) {}

Value Evaluator::call_method(const ObjectPtr& object, std::string_view name, const Arguments& arguments) {
  return functions_.call_method(object, name, arguments);
}

Value Evaluator::call_operator(std::string_view name, const Arguments& arguments) {
  return operators_.call(name, arguments);
}

bool Evaluator::has_method(const Object& object, std::string_view name) const {
  return definitions_.find_method(object, name) != nullptr;
}

}  // namespace cameo::eval
