#include "aten/reduce.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "aten/elementwise.h"
#include "aten/support.h"

namespace cameo::aten {
namespace {

// What the reduction of no elements gives, where there is such a number.
std::optional<double> identity_of(std::string_view op) {
  if (op == "ReduceProd") return 1;
  if (op == "ReduceMean") return std::numeric_limits<double>::quiet_NaN();
  if (op == "ReduceLogSumExp") return -std::numeric_limits<double>::infinity();
  if (op == "ReduceMax" || op == "ReduceMin") return std::nullopt;
  return 0;
}

Shape reduced(const Shape& shape, const Axes& axes, bool keepdim) {
  Shape out;
  for (std::size_t i = 0, next = 0; i < shape.size(); ++i) {
    if (next == axes.size() || axes[next] != static_cast<std::int64_t>(i)) {
      out.push_back(shape[i]);
    } else {
      ++next;
      if (keepdim) out.emplace_back(1);
    }
  }
  return out;
}

onnx::Value* reduce_booleans(Emit& e, const char* op, onnx::Value* x, const Axes& axes, bool keepdim) {
  return e.cast(reduce(e, op, e.cast(e.cast(x, DType::boolean), DType::u8), axes, keepdim), DType::boolean);
}

// The last axis first, so that the others keep their numbers.
onnx::Value* wide_product(Emit& e, onnx::Value* x, const Axes& axes, bool keepdim) {
  if (static_cast<std::int64_t>(axes.size()) == Tensor(x).rank() && axes.size() > 1) {
    onnx::Value* all = product_by_steps(e, e.reshape(x, {count(x, axes)}), 0, false);
    return keepdim ? e.reshape(all, Shape(axes.size(), Dim(1))) : all;
  }
  for (std::size_t i = axes.size(); i-- > 0;) x = product_by_steps(e, x, axes[i], false);
  return keepdim ? e.unsqueeze(x, axes) : x;
}

}  // namespace

DType sum_dtype(DType dtype) { return is_floating(dtype) || is_complex(dtype) ? dtype : DType::i64; }

onnx::Value* product_by_steps(Emit& e, onnx::Value* x, std::int64_t axis, bool running) {
  Shape slice = Tensor(x).shape();
  slice.erase(slice.begin() + axis);
  const onnx::Type type{.dtype = x->dtype(), .shape = slice};
  onnx::Graph* body = e.new_graph("product");
  {
    const Emit::Scope inside(e, body);
    onnx::Value* before = e.graph_input(body, type);
    onnx::Value* product = e.op("Mul", {before, e.graph_input(body, type)}, {}, type);
    e.graph_output(body, product);
    if (running) e.graph_output(body, product);
  }
  onnx::Attributes attributes{
      {"body", body}, {"num_scan_inputs", std::int64_t{1}}, {"scan_input_axes", Axes{axis}}};
  std::vector<onnx::Value*> results{e.pending(type)};
  if (running) {
    attributes.push_back({"scan_output_axes", Axes{axis}});
    results.push_back(e.pending(x->type));
  }
  e.control("Scan", {filled(e, e.scalar(x->dtype(), 1.0), slice), x}, std::move(attributes), results);
  return results.back();
}

Axes axes_of(const Tensor& self, const std::optional<Axes>& dim) {
  if (dim)
    for (std::int64_t axis : *dim) (void)self.wrap(axis);
  if (self.rank() == 0) return {};
  return !dim || dim->empty() ? all_axes(self) : wrap_axes(self, *dim);
}

Dim count(const Tensor& self, const Axes& axes) {
  Dim product = 1;
  for (std::int64_t axis : axes) product = product * self.dim(axis);
  return product;
}

onnx::Value* reduce(Emit& e, std::string_view op, onnx::Value* x, const Axes& axes, bool keepdim) {
  const Tensor self(x);
  const bool neutral = op == "ReduceSum" || op == "ReduceMean" || op == "ReduceProd" || op == "ReduceMax" ||
                       op == "ReduceMin" || op == "ReduceLogSumExp";
  if (axes.empty()) return neutral ? x : reduce(e, op, e.reshape(x, {1}), {0}, false);
  if (count(self, axes).as_constant() == 0) {
    const std::optional<double> number = identity_of(op);
    if (!number) throw ProgramError("the dimension has no elements");
    return filled(e, e.scalar(x->dtype(), *number), reduced(self.shape(), axes, keepdim));
  }
  if (op == "ReduceProd" && x->dtype() == DType::f64) return wide_product(e, x, axes, keepdim);
  const DType inside = implemented(op, x->dtype());
  std::vector<onnx::Value*> inputs{e.cast(x, inside)};
  if (static_cast<std::int64_t>(axes.size()) < self.rank()) inputs.push_back(e.ints(axes));
  onnx::Attributes attributes;
  if (!keepdim) attributes.push_back({"keepdims", std::int64_t{0}});
  return e.cast(e.op(op, std::move(inputs), std::move(attributes)), x->dtype());
}

onnx::Value* any_of(Emit& e, onnx::Value* x, const Axes& axes, bool keepdim) {
  if (count(x, axes).as_constant() == 0)
    return filled(e, e.scalar(DType::boolean, std::int64_t{0}), reduced(*x->type.shape, axes, keepdim));
  return reduce_booleans(e, "ReduceMax", x, axes, keepdim);
}

onnx::Value* all_of(Emit& e, onnx::Value* x, const Axes& axes, bool keepdim) {
  if (count(x, axes).as_constant() == 0)
    return filled(e, e.scalar(DType::boolean, std::int64_t{1}), reduced(*x->type.shape, axes, keepdim));
  return reduce_booleans(e, "ReduceMin", x, axes, keepdim);
}

onnx::Value* vector_norm(Emit& e, onnx::Value* x, double p, const Axes& axes, bool keepdim) {
  const bool wide = x->dtype() == DType::f64;
  if (axes.empty() && p != 0) return compute(e, "Abs", {x});
  if (p == 2)
    return wide ? e.op("Sqrt", {reduce(e, "ReduceSumSquare", x, axes, keepdim)})
                : reduce(e, "ReduceL2", x, axes, keepdim);
  if (p == 0) {
    onnx::Value* nonzero = e.cast(e.cast(x, DType::boolean), x->dtype());
    return reduce(e, "ReduceSum", nonzero, axes, keepdim);
  }
  if (p == 1 && !wide) return reduce(e, "ReduceL1", x, axes, keepdim);
  onnx::Value* size = compute(e, "Abs", {x});
  if (p == 1) return reduce(e, "ReduceSum", size, axes, keepdim);
  if (std::isinf(p)) return reduce(e, p > 0 ? "ReduceMax" : "ReduceMin", size, axes, keepdim);
  onnx::Value* powers = compute(e, "Pow", {size, like(e, x, p)});
  return compute(e, "Pow", {reduce(e, "ReduceSum", powers, axes, keepdim), like(e, x, 1 / p)});
}

Tensor reduce_loss(Emit& e, onnx::Value* loss, std::int64_t reduction) {
  if (reduction == 0) return loss;
  if (reduction != 1 && reduction != 2)
    throw ProgramError(fmt::format("the loss reduction {} is unknown", reduction));
  return reduce(e, reduction == 1 ? "ReduceMean" : "ReduceSum", loss, all_axes(loss), false);
}

}  // namespace cameo::aten
