#pragma once
// Type and symbolic shape inference, for operators in their newest form. One function per operator, in files
// by family.

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "onnx/graph/graph.h"

namespace cameo::onnx {

struct Inferred {
  Type type;
  std::optional<std::vector<Dim>> elements;  // of a small integer or boolean tensor, where they are known
};

// Tensors of more elements than this do not carry formulas.
inline constexpr std::int64_t kMaxElements = 256;

using Elements = std::optional<std::vector<Dim>>;

// The size that two sizes broadcast to, where one of them is 1 or both are equal.
Dim broadcast_size(const Dim& a, const Dim& b);

// Whether a formula can be computed at the place of the node: sizes of subgraphs do not exist outside.
using Visible = std::function<bool(const Dim&)>;

// The node as an inference function sees it, and the results of the inference.
class Inference {
 public:
  Inference(sym::Context& symbols, const Node& node, std::size_t outputs, const Visible& visible);

  sym::Context& symbols() { return symbols_; }
  const Node& node() const { return node_; }
  std::size_t inputs() const { return node_.inputs.size(); }
  std::size_t outputs() const { return results_.size(); }

  // ---- inputs; a required one that is missing is the converter's mistake
  bool has(std::size_t input) const { return input < inputs() && node_.inputs[input] != nullptr; }
  const Value& input(std::size_t index) const;
  DType dtype(std::size_t input) const { return this->input(input).type.dtype; }
  const std::optional<Shape>& shape(std::size_t input) const { return this->input(input).type.shape; }
  // Contents, of integers and booleans.
  Elements elements(std::size_t input) const;
  std::optional<std::vector<std::int64_t>> integers(std::size_t input) const;
  std::optional<double> number(std::size_t input) const;  // of a constant with one element
  std::optional<Dim> formula(std::size_t input) const;    // of an integer tensor with one element

  // ---- attributes
  bool has_attribute(std::string_view name) const { return node_.attribute(name) != nullptr; }
  std::int64_t integer(std::string_view name, std::int64_t otherwise) const;
  std::string_view text(std::string_view name, std::string_view otherwise) const;
  std::vector<std::int64_t> list(std::string_view name) const;  // empty if absent
  Graph* graph(std::string_view name) const;
  DType dtype_attribute(std::string_view name, DType otherwise) const;

  // ---- results
  void set(std::size_t output, DType dtype, std::optional<Shape> shape);
  void set(DType dtype, std::optional<Shape> shape) { set(0, dtype, std::move(shape)); }
  void set_type(std::size_t output, Type type);
  void set_elements(Elements elements, std::size_t output = 0);
  std::vector<Inferred> take() { return std::move(results_); }

  // ---- dims
  Dim fresh(std::string_view hint);
  bool visible(const Dim& dim) const { return visible_(dim); }
  Shape fresh_shape(std::size_t rank, std::string_view hint);
  // As many sizes as `input`, a list, has elements; absent where that is not known.
  std::optional<Shape> fresh_shape_like(std::size_t input, std::string_view hint);
  bool equal(const Dim& a, const Dim& b) { return symbols_.equal(a, b) == sym::Truth::yes; }
  bool at_least(const Dim& a, const Dim& b) { return symbols_.less_equal(b, a) == sym::Truth::yes; }
  Dim broadcast(const Dim& a, const Dim& b);
  std::optional<Shape> broadcast(const std::optional<Shape>& a, const std::optional<Shape>& b);
  // Two dims that must be the same: the better known one.
  Dim same(const Dim& a, const Dim& b);
  // Axis counted from the front; fails if it is out of range.
  std::size_t axis(std::int64_t axis, std::size_t rank) const;

  [[noreturn]] void fail(std::string message) const;

 private:
  sym::Context& symbols_;
  const Node& node_;
  const Visible& visible_;
  std::vector<Inferred> results_;
};

using Infer = void (*)(Inference&);

struct InferRow {
  std::string_view op;  // with its domain in front if that is not ai.onnx: "ai.onnx.ml::Scaler"
  Infer infer;
};

// The inference of an operator whose first result has the type of its first input.
void like_first(Inference& f);

// Whether its operator is one of those that are known.
bool can_infer(const Node& node);

// Throws ShapeMismatch if operands do not fit, InternalError for an operator that is not known. Results that
// are not inferred are of kind unknown.
std::vector<Inferred> infer(sym::Context& symbols, const Node& node, std::size_t outputs,
                            const Visible& visible);

std::optional<std::int64_t> product(std::span<const Dim> shape);  // where all of it is numbers

}  // namespace cameo::onnx
