#pragma once
// Vector-Jacobian products. A rule reads the gradient of the results of one operator and gives those of its
// arguments.

#include <functional>
#include <span>
#include <string_view>
#include <vector>

#include "aten/formula.h"
#include "gradient/tape.h"

namespace cameo::gradient {

using aten::Axes;
using aten::compute;
using aten::Dim;
using aten::Emit;
using aten::Expr;
using aten::reshape;
using aten::Shape;

// Collects gradients while the graph is walked backwards.
class Sums {
 public:
  virtual ~Sums() = default;
  // Whether the gradient of this value is needed.
  virtual bool wants(const onnx::Value* value) const = 0;
  // Adds to the gradient of `value`. Dimensions that were broadcast are summed.
  virtual void add(onnx::Value* value, const Expr& gradient) = 0;
  // The gradient so far; no value if nothing was added.
  virtual Expr of(const onnx::Value* value) const = 0;
};

// An ONNX node in the newest form of its operator.
struct NodeStep {
  Emit& e;
  const onnx::Node& node;
  Sums& sums;

  std::size_t inputs() const { return node.inputs.size(); }
  bool has(std::size_t i) const { return i < node.inputs.size() && node.inputs[i]; }
  Expr in(std::size_t i) const { return {e, node.inputs.at(i)}; }
  Expr out(std::size_t i = 0) const { return {e, node.outputs.at(i)}; }
  Expr grad(std::size_t i = 0) const {
    return sums.of(node.outputs.at(i));
  }  // no value: nothing depends on it
  bool wants(std::size_t i) const { return has(i) && sums.wants(node.inputs[i]); }
  void give(std::size_t i, const Expr& gradient) const {
    if (wants(i)) sums.add(node.inputs[i], gradient);
  }
  std::int64_t integer(std::string_view name, std::int64_t otherwise) const;
  double real(std::string_view name, double otherwise) const;
  std::string_view text(std::string_view name, std::string_view otherwise) const;
  // The elements of an input of integers; throws Unsupported if they are runtime values.
  std::vector<std::int64_t> known(std::size_t i) const;
  Shape formulas(std::size_t i) const;  // the same, as formulas of sizes
};

// A call of a PyTorch operator.
struct CallStep {
  Emit& e;
  const Recorded& recorded;
  Sums& sums;

  bool is_tensor(std::string_view name) const;
  Expr tensor(std::string_view name) const;
  Expr out(std::size_t i = 0) const { return {e, recorded.results.at(i)}; }
  Expr grad(std::size_t i = 0) const {
    return i < recorded.results.size() && recorded.results[i] ? sums.of(recorded.results[i]) : Expr();
  }
  // Adds to the gradient of the argument, in its dtype.
  void give(std::string_view name, const Expr& gradient) const;
  std::optional<double> number(std::string_view name) const;  // nothing for None and if there is none
  std::string_view overload() const { return recorded.call.op->schema.overload; }
  std::optional<Axes> axes(std::string_view name) const;  // of a number or a list of numbers
};

using NodeRule = void (*)(const NodeStep&);
using CallRule = void (*)(const CallStep&);

struct NodeRow {
  std::string_view op;
  NodeRule rule;
};
struct CallRow {
  std::string_view op;  // "aten::log1p" for all overloads, or "aten::max.dim" for one
  CallRule rule;
};

std::span<const NodeRow> elementwise_rules();
std::span<const NodeRow> reduction_rules();
std::span<const NodeRow> layout_rules();
std::span<const NodeRow> indexing_rules();
std::span<const NodeRow> linear_rules();
std::span<const NodeRow> window_rules();
std::span<const CallRow> call_rules();

NodeRule node_rule(const onnx::Node& node);  // null if the derivative is not known
CallRule call_rule(const aten::Op& op);

// ---- shared by the rules
Expr zeros(Emit& e, const onnx::Value* like);                // of its dtype and shape
Expr sum_to(const Expr& gradient, const onnx::Value* like);  // sums the dimensions that were broadcast
// A reduced tensor as large as before, where `axes` were reduced and dropped, or kept with size 1.
Expr spread(const Expr& reduced, const Axes& axes, bool kept, const Shape& shape);

}  // namespace cameo::gradient
