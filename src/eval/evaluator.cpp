#include "eval/evaluator.h"

#include "eval/assignments.h"
#include "eval/call_expressions.h"
#include "eval/definitions.h"
#include "eval/expressions.h"
#include "eval/functions.h"
#include "eval/operators.h"
#include "eval/rewriter.h"
#include "eval/statements.h"

namespace cameo::eval {
namespace {

ConstantOf constant_of(Expressions& expressions) {
  return [&expressions](const script::Expr& expr, const script::SourceFile& file) {
    return expressions.constant(expr, file);
  };
}

}  // namespace

// The parts. The state depends on nothing else here; operators depend on the state, and call each other and
// methods through Caller. The parts of the interpreter know each other: a statement holds expressions, an
// expression holds calls, a call runs statements.
struct Evaluator::Parts final : Caller {
  Parts(const script::Program& of, onnx::Emit& into, const Options& options)
      : program(of),
        emit(into),
        reporter(of, stack),
        memory(into),
        values(into, memory, reporter),
        evaluation{into, memory, values, reporter, *this, tape},
        rewriter(evaluation, stack, of, functions, options),
        operators(evaluation, options, of.operator_version(), rewriter),
        loader(evaluation, of, options, constant_of(expressions)),
        definitions(reporter, of, loader, constant_of(expressions)),
        functions(evaluation, stack, definitions, statements, rewriter, constant_of(expressions)),
        statements(evaluation, expressions, assignments, rewriter, stack, options.unroll),
        assignments(evaluation, expressions),
        expressions(evaluation, definitions, calls, assignments),
        calls(evaluation, definitions, functions, expressions) {}

  Value call_operator(std::string_view name, const Arguments& arguments) override {
    return operators.call(name, arguments);
  }
  Value call_method(const ObjectPtr& object, std::string_view name, const Arguments& arguments) override {
    return functions.call_method(object, name, arguments);
  }
  bool has_method(const Object& object, std::string_view name) const override {
    return definitions.find_method(object, name) != nullptr;
  }

  const script::Program& program;
  onnx::Emit& emit;

  CallStack stack;
  Reporter reporter;
  Memory memory;
  GraphValues values;
  gradient::Tape tape;
  Evaluation evaluation;

  Rewriter rewriter;
  Operators operators;

  Loader loader;
  Definitions definitions;
  Functions functions;
  Statements statements;
  Assignments assignments;
  Expressions expressions;
  CallExpressions calls;
};

Evaluator::Evaluator(const script::Program& program, onnx::Emit& emit, const Options& options)
    : parts_(std::make_unique<Parts>(program, emit, options)) {
  emit.report_assumptions([this](const sym::Condition& condition, std::string_view otherwise) {
    reporter().assume(condition, otherwise);
  });
}
Evaluator::~Evaluator() = default;

const script::Program& Evaluator::program() const { return parts_->program; }
onnx::Emit& Evaluator::emit() { return parts_->emit; }
Memory& Evaluator::memory() { return parts_->memory; }
GraphValues& Evaluator::values() { return parts_->values; }
Reporter& Evaluator::reporter() { return parts_->reporter; }
rewrite::Log& Evaluator::rewrites() { return parts_->rewriter.log(); }
Loader& Evaluator::loader() { return parts_->loader; }

void Evaluator::set_watch(std::function<void(std::string_view op, const Arguments& arguments)> watch) {
  parts_->operators.set_watch(std::move(watch));
}

Value Evaluator::call_method(const ObjectPtr& object, std::string_view name, const Arguments& arguments) {
  return parts_->call_method(object, name, arguments);
}

}  // namespace cameo::eval
