#pragma once
// The partial evaluator: runs a TorchScript program once, on shapes instead of numbers. Whatever is known is
// computed there and then; tensor operators emit ONNX nodes; what only a run can decide becomes If and Loop.

#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "aten/custom/ops.h"
#include "cameo/diagnostic.h"
#include "cameo/export.h"
#include "eval/cell.h"
#include "eval/journal.h"
#include "eval/value.h"
#include "script/program.h"

namespace cameo::eval {

class Evaluator;
struct Arguments;

struct Options {
  // Loops around tensor operators whose trip count is known and at most this are unrolled; 0: none are.
  std::int64_t unroll = 0;
  // Parameters and buffers become inputs of the graph as they are loaded, named after their path.
  bool parameters_as_inputs = false;
  // Called before each tensor operator: for what is worth a warning.
  std::function<void(Evaluator&, std::string_view op, const Arguments&)> watch;
  TrainingMode training = TrainingMode::eval;
  OperatorExport operators = OperatorExport::onnx;
  const Registry* converters = nullptr;  // the user's own
};

// What an evaluation has to say beside its graph.
struct Findings {
  std::vector<Diagnostic> diagnostics;  // unconvertible operators and warnings, each once a source line
  std::vector<std::string>
      assumptions;  // "h >= 3 (otherwise: input too small)", from branches that only raise

  Findings() = default;
  Findings(const Findings&) = delete;
  Findings& operator=(const Findings&) = delete;

  void add(Diagnostic diagnostic);
  void assume(std::string assumption);

  // Forgets what came after the mark.
  struct Mark {
    std::size_t diagnostics, assumptions, keys;
  };
  Mark mark() const { return {diagnostics.size(), assumptions.size(), keys_.size()}; }
  void rewind(const Mark& mark);

 private:
  bool is_new(std::string key);
  std::set<std::string> seen_;  // what tells two diagnostics or assumptions apart
  std::vector<std::set<std::string>::const_iterator> keys_;
};

// The program raises: `raise`, an assertion, or an operator that fails in PyTorch too.
struct Raised {
  std::string message;
  Diagnostic where;
};

struct Arguments {
  std::vector<Value> positional;
  std::vector<std::pair<std::string_view, Value>> keywords;
  std::size_t results = 1;  // how many the caller takes

  std::size_t count() const { return positional.size() + keywords.size(); }
  const Value* find(std::size_t position, std::string_view name) const;
};

struct Frame {
  const script::SourceFile* file = nullptr;
  std::shared_ptr<Environment> environment;
  std::string function;     // "Net.forward", for call stacks
  std::string module_path;  // of the innermost module
  script::Range range;      // what is being evaluated
  bool returned = false;
  Value result;
};

class Evaluator {
 public:
  Evaluator(const script::Program& program, onnx::Emit& emit, Options options);

  onnx::Emit& emit() { return emit_; }
  Cells& cells() { return cells_; }
  Journal& journal() { return journal_; }
  Findings& findings() { return findings_; }
  const script::Program& program() const { return program_; }

  // The root module, with every attribute.
  ObjectPtr root();
  // Puts the modules below `root` into the mode that the options say, as .eval() and .train() would.
  void set_mode(Object& root);
  // An archive's value as the program sees it. `path` names tensors and modules.
  Value load(archive::Ref ref, const std::string& path);

  Value call_method(const ObjectPtr& object, std::string_view name, const Arguments& arguments);
  Value call_function(const FunctionRef& function, const Arguments& arguments, std::string module_path);
  // "aten::add", "prim::dtype": a builtin of the language, or a tensor operator.
  Value call_operator(std::string_view name, const Arguments& arguments);

  // ---- tensors and numbers
  aten::Tensor tensor(const Value& value);  // a tensor or a number as a tensor
  Value wrap(aten::Tensor tensor);          // a fresh cell
  Value list(std::vector<Value> items);     // a fresh list
  Value dict(std::vector<std::pair<Value, Value>> items);
  onnx::Value* condition(const Value& value);      // a truth value as a 0-d boolean
  std::optional<bool> decide(const Value& value);  // the truth of a condition, if it can be told now
  Value number_from(const aten::Tensor& tensor);   // int, float or bool in a tensor of one element
  aten::Arg to_arg(const Value& value);
  Value from_arg(const aten::Arg& arg);

  // ---- places
  void assign(const Frame& frame, std::string_view name, Value value);
  void set_attribute(const ObjectPtr& object, std::string_view name, Value value);
  void touch(const ListPtr& list) { journal_.touch(list); }
  void touch(const DictPtr& dict) { journal_.touch(dict); }

  // ---- complaints
  [[noreturn]] void raise(std::string message);  // the program's own exception
  [[noreturn]] void fail(std::string code, std::string message, std::string hint = {});  // cannot go on
  void report(Diagnostic diagnostic);                                                    // once a source line
  void report_unsupported(std::string_view op);
  void assumed(std::string assumption);
  Diagnostic diagnostic(Severity severity, Stage stage, std::string code, std::string message) const;

 private:
  friend class Brancher;
  friend class Looper;

  // statement.cpp
  void run(Frame& frame, const script::Block& block);
  void run(Frame& frame, const script::Stmt& stmt);
  void run_assign(Frame& frame, const script::Assign& stmt);
  void run_delete(Frame& frame, const script::Delete& stmt);
  void run_if(Frame& frame, const script::If& stmt);
  void run_for(Frame& frame, const script::For& stmt);
  void run_while(Frame& frame, const script::While& stmt);
  void run_with(Frame& frame, const script::With& stmt);
  void bind_target(Frame& frame, const script::Expr& target, Value value);
  std::vector<Value> unpack(const Value& value, std::size_t count);

  // expression.cpp
  Value evaluate(Frame& frame, const script::Expr& expr);
  std::vector<Value> evaluate_all(Frame& frame, const std::vector<script::ExprPtr>& items);
  Value evaluate_constant(const script::Expr& expr, const script::SourceFile& file);
  Value name(Frame& frame, std::string_view id);
  Value attribute(Frame& frame, const script::Attribute& node);
  Value attribute_of(const Value& object, std::string_view name);
  std::optional<std::string> qualified_name(Frame& frame, const script::Attribute& node);
  Value subscript(Frame& frame, const script::Subscript& node);
  Value container_item(const ObjectPtr& module, const Value& key);
  Value binary(Frame& frame, const script::Binary& node);
  Value augmented(script::BinaryOp op, const Value& left, const Value& right);
  Value conditional(Frame& frame, const script::Conditional& node);
  Value comprehension(Frame& frame, const script::ListComprehension& node);
  std::vector<Value> iterate(const Value& value);

  // branch.cpp: the value of one side or the other, as only a run can tell.
  Value choose(Frame& frame, const Value& condition, const std::function<Value()>& then_value,
               const std::function<Value()>& else_value);

  // call.cpp
  Value call(Frame& frame, const script::CallExpr& node);
  Arguments arguments(Frame& frame, const script::CallExpr& node);
  Value call_name(Frame& frame, std::string_view id, const script::CallExpr& node);
  Value call_qualified(Frame& frame, const std::string& name, const script::CallExpr& node);
  Value call_value(const Value& callee, const Arguments& arguments);
  Value call_closure(const Closure& closure);
  Value construct(const ClassRef& cls, const Arguments& arguments);
  Value run_function(const script::FunctionDef& def, const script::SourceFile& file,
                     const Arguments& arguments, std::string function, std::string module_path);
  Value run_body(Frame& frame, const script::Block& body);
  Value resolve(const std::string& qualified);
  std::optional<Value> class_constant(const Object& object, std::string_view name);

  // types.cpp
  bool is_instance(const Value& value, const script::Expr& type);
  Value convert(const script::Expr& type, Value value);

  // operator.cpp
  // Where the result of an operator goes if not to a fresh tensor.
  struct Target {
    std::string_view name;   // of the operator, in its functional form
    CellPtr cell = nullptr;  // of an in-place operator or of `out=`
    bool out = false;
  };
  // A call of a tensor operator: its arguments without `out=`, and what may convert it.
  struct TensorCall {
    std::string_view name;
    Target target;
    Arguments arguments;
    std::span<const aten::Op* const> overloads;
  };
  using Find = std::function<std::span<const aten::Op* const>(std::string_view)>;
  TensorCall tensor_call(std::string_view name, const Arguments& arguments, const Find& find);
  TensorCall custom_call(std::string_view name, const Arguments& arguments);
  std::optional<Arguments> literal_as_number(std::string_view name, const Arguments& arguments);
  // Nothing if no converter of the user's takes these arguments.
  std::optional<Value> call_custom_operator(std::string_view name, const Arguments& arguments);
  Value call_tensor_operator(std::string_view name, const Arguments& arguments);
  Value convert(const TensorCall& call);
  bool convertible(std::string_view name) const;
  aten::Call to_call(const Arguments& arguments);
  Value convert_call(std::span<const aten::Op* const> overloads, const Target& target,
                     const Arguments& arguments);
  Value refuse(std::string_view name, Stage stage, const aten::Unsupported& unsupported);
  Value finish_call(const aten::Bound& bound, aten::Returns results, const Arguments& arguments);
  Value write_result(const Target& target, const aten::Returns& results);
  const onnx::Origin* origin(std::string_view op);
  void check_mode(const aten::Bound& bound);

  // fallback.cpp: operators that stay PyTorch's.
  bool can_fall_back(std::string_view name) const;
  Value fall_back(const Target& target, const Arguments& arguments);
  aten::Returns keep_operator(const aten::Bound& bound);

  // load.cpp
  Value load_object(const archive::Object& object, archive::Ref ref, const std::string& path);
  Value load_tensor(const archive::TensorPtr& tensor, const std::string& path);
  onnx::Value* parameter_input(const archive::TensorPtr& tensor, const std::string& path);

  // What every tensor that the places mention holds now.
  std::unordered_map<const Cell*, aten::Tensor> settle(const std::vector<Place>& places);

  const script::Program& program_;
  onnx::Emit& emit_;
  Options options_;
  Journal journal_;
  Cells cells_;
  Findings findings_;
  aten::CustomOps custom_;
  std::vector<Frame*> frames_;
  std::unordered_map<const script::CallExpr*, std::size_t> targets_;  // of calls that are taken apart
  std::unordered_map<archive::Ref, Value> loaded_;
  // Parameters and buffers that are inputs of the graph, and the paths that are to become such.
  std::vector<std::pair<archive::TensorPtr, onnx::Value*>> parameter_inputs_;
  std::set<std::string> state_paths_;
};

}  // namespace cameo::eval
