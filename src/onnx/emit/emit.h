#pragma once
// The emitter: creates nodes in the newest form of their operator, in the current scope. It folds a node
// whose inputs are known, reuses an equal visible node, infers its type and symbolic shape, and translates it
// to the target opset. Folding, common subexpressions and shape inference therefore need no passes.

#include <cstdint>
#include <functional>
#include <initializer_list>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "onnx/graph/graph.h"

namespace cameo::onnx {

class Emit;
struct Inferred;

// Writes nodes in the form that an older opset has for them; src/onnx/downgrade implements it.
class Downgrade {
 public:
  virtual ~Downgrade() = default;
  // Changes `node`, which has the newest form of its operator, to the form of the emitter's opset. Returns
  // the values to use if it became other nodes, and nothing if `node` is to be created. Throws NeedsOpset if
  // the opset has no form of it.
  virtual std::vector<Value*> node(Emit& emit, Node& node, const std::vector<Inferred>& results) const = 0;
  // The same for If, Loop and Scan, which have one form: throws if those of the opset cannot have the types
  // that `node` has.
  virtual void control(Emit& emit, Node& node) const = 0;
  virtual bool identity_takes_sequences(int opset) const = 0;
};

// A value with the emitter that made it, as formulas (aten/formula.h) need it.
struct Emitted {
  Emit* emit;
  Value* value;

  operator Value*() const { return value; }
  Value* operator->() const { return value; }
};

// The tag of a symbol that is a dynamic size of an input. Such a size may be 0, but seldom is.
inline constexpr std::uint64_t kInputSize = 2;

struct EmitOptions {
  int opset = kDefaultOpset;
  bool fold = true;
  bool training = false;  // batch normalisation in its training form
  // Quantised weights stay floats, and QuantizeLinear computes their integers at run time.
  bool quantize_at_run_time = false;
  // Layers that quantise their inputs at run time compute with the dequantised numbers.
  bool dynamic_qdq = false;
  // The program differentiates: a value that it tracks keeps its own node (see stop_gradient).
  bool differentiable = false;
};

class Emit {
 public:
  Emit(Model& model, const Downgrade& downgrade, EmitOptions options);
  ~Emit();

  Model& model() { return model_; }
  sym::Context& sym() { return model_.symbols(); }
  bool training() const { return options_.training; }
  bool stores_quantized() const { return options_.fold && !options_.quantize_at_run_time; }
  bool differentiable() const { return options_.differentiable; }
  bool dynamic_qdq() const { return options_.dynamic_qdq; }

  // ---- nodes, in the newest form of the operator
  Emitted op(std::string_view type, std::vector<Value*> inputs, Attributes attributes = {});
  std::vector<Value*> ops(std::string_view type, std::vector<Value*> inputs, Attributes attributes,
                          std::size_t outputs);
  // The same for an operator of another domain ("com.microsoft::Gelu"), or with types of results that the
  // caller knows.
  Emitted op(std::string_view type, std::vector<Value*> inputs, Attributes attributes, Type result);
  std::vector<Value*> ops(std::string_view type, std::vector<Value*> inputs, Attributes attributes,
                          std::vector<Type> results);
  // A node that is already in the form of the target opset: it is neither folded nor reused. Its inputs must
  // be visible.
  std::vector<Value*> create(Node node, const std::vector<Inferred>& results);

  // ---- constants
  Emitted constant(DataPtr data, std::string name = {});  // name: a weight's state-dict path
  Emitted scalar(DType dtype, double value);  // 0-d; the value must be exact in dtype or is rounded to it
  Emitted scalar(DType dtype, std::int64_t value);
  Emitted ints(std::span<const std::int64_t> values);  // 1-d i64
  Emitted ints(std::initializer_list<std::int64_t> values);

  // ---- numbers that are formulas
  Emitted dim(const Dim& number);                                         // 0-d i64; nodes only when used
  Emitted dims(const Shape& numbers);                                     // 1-d i64
  Emitted elements(DType dtype, Shape shape, std::vector<Dim> elements);  // any small integer tensor
  // The number in a one-element integer or boolean tensor: its formula where known, else a fresh symbol that
  // stands for it.
  Dim number(Value* value);
  // A fresh symbol for a size that is a runtime value. It is bound to the first value that has an axis of
  // this size.
  Dim fresh_dim(std::string_view hint);
  // The value itself if it is computed or constant; otherwise nodes that compute its elements in the current
  // scope.
  Emitted materialize(Value* value);
  // Formula under what is assumed now.
  Dim simplify(const Dim& number);

  // ---- assumptions
  // A run gets past this point only if the condition holds. From here on it is assumed; if it was not known, it
  // is reported.
  void require(const sym::Condition& condition, std::string_view otherwise);
  // `report` is called for each new assumption about sizes of inputs.
  using Report = std::function<void(const sym::Condition& condition, std::string_view otherwise)>;
  void report_assumptions(Report report) { report_ = std::move(report); }

  // ---- frequent operators; each returns its operand if it changes nothing
  Emitted cast(Value* x, DType dtype);
  Emitted reshape(Value* x, const Shape& shape);  // the emitter uses 0 and -1 where they mean the same
  Emitted transpose(Value* x, std::vector<std::int64_t> perm);
  Emitted unsqueeze(Value* x, std::vector<std::int64_t> axes);  // axes count in the result
  Emitted squeeze(Value* x, std::vector<std::int64_t> axes);
  Emitted expand(Value* x, const Shape& shape);  // all dims given; numpy rules
  Emitted slice(Value* x, std::int64_t axis, const Dim& start, const Dim& end, std::int64_t step = 1);
  Emitted gather(Value* x, Value* indices, std::int64_t axis);
  Emitted concat(std::vector<Value*> xs, std::int64_t axis);
  Emitted shape_of(Value* x);  // 1-d i64; formulas where the rank is known
  Emitted identity(Value* x);  // always a node: for outputs that need their own name
  // The same elements, by a node that no gradient passes. The value itself if nothing is differentiated.
  Emitted stop_gradient(Value* x);
  bool stops_gradient(const Node* node) const;

  // ---- scopes
  Graph* scope() const { return scope_; }
  // Nodes are added to `graph` as long as the guard lives. Reuse of nodes and of materialised formulas
  // respects visibility.
  class Scope {
   public:
    Scope(Emit& emit, Graph* graph);
    ~Scope();
    Scope(const Scope&) = delete;
    Scope& operator=(const Scope&) = delete;

   private:
    Emit& emit_;
    Graph* previous_;
  };
  Graph* new_graph(std::string name) { return model_.add_graph(scope_, std::move(name)); }
  Emitted graph_input(Graph* graph, Type type, std::string name = {});
  // Adds an output that `graph` itself produces: through Identity where the value comes from outside, is an
  // input or a constant, or is an output already. Returns that output. The current scope must be `graph`.
  Emitted graph_output(Graph* graph, Value* value, std::string name = {});
  // A value that is defined later: an input of a body, an output of If or Loop.
  Emitted pending(Type type);
  // If, Loop, Scan: a node around subgraphs that defines `outputs`, all pending until now.
  void control(std::string_view type, std::vector<Value*> inputs, Attributes attributes,
               std::vector<Value*> outputs);
  // Binds a fresh symbol to the size of `axis` of `value`, or to the number in the 0-d `value`.
  void bind_dim(const Dim& symbol, Value* value, std::int64_t axis);
  void bind_number(const Dim& symbol, Value* scalar);
  // Says how to compute a symbol that is bound to nothing. The formula must not contain the symbol.
  void define(const Dim& symbol, const Dim& formula);
  bool visible(const Value* value) const;  // from the current scope
  bool visible(const Dim& number) const;   // all its symbols can be computed in the current scope

  // ---- provenance of what is created from here on
  void set_origin(const Origin* origin) { origin_ = origin; }
  const Origin* origin() const { return origin_; }

 private:
  struct Tables;
  std::vector<Inferred> inferred(const Node& node, std::size_t outputs);
  std::vector<Value*> emit(Node node, std::vector<Inferred> results);
  const std::vector<Value*>* find_equal(const std::string& key) const;
  Value* create_one(std::string_view op, std::vector<Value*> inputs, Attributes attributes);
  void carry(Value* value);
  friend class Materialize;

  Model& model_;
  const Downgrade& downgrade_;
  EmitOptions options_;
  Graph* scope_;
  const Origin* origin_ = nullptr;
  Report report_;
  std::unique_ptr<Tables> tables_;
};

}  // namespace cameo::onnx
