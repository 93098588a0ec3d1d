#include "aten/reduce.h"

#include <fmt/core.h>

#include <cmath>
#include <limits>

#include "aten/elementwise.h"
#include "aten/support.h"

namespace cameo::aten {
namespace {

// The result of reducing no elements, if there is such a number.
std::optional<double> identity_of(std::string_view op) {
  if (op == "ReduceProd") return 1;
  if (op == "ReduceMean") return std::numeric_limits<double>::quiet_NaN();
  if (op == "ReduceLogSumExp") return -std::numeric_limits<double>::infinity();
  if (op == "ReduceMax" || op == "ReduceMin") return std::nullopt;
  return 0;
}

Shape reduced(const Shape& shape, const Axes& axes, bool keepdim) {
  Shape out;
  std::size_t next = 0;
  for (std::int64_t axis = 0; axis < shape.rank(); ++axis) {
    if (next == axes.size() || axes[next] != axis) {
      out.push_back(shape[axis]);
    } else {
      ++next;
      if (keepdim) out.emplace_back(1);
    }
  }
  return out;
}

Expr reduce_booleans(const char* op, const Expr& x, const Axes& axes, bool keepdim) {
  return cast(reduce(op, cast(cast(x, DType::boolean), DType::u8), axes, keepdim), DType::boolean);
}

// The last axis first, so that the others keep their numbers.
Expr wide_product(Expr x, const Axes& axes, bool keepdim) {
  if (std::ssize(axes) == x.rank() && axes.size() > 1) {
    const Expr all = product_by_steps(reshape(x, {count(x, axes)}), 0, false);
    return keepdim ? reshape(all, Shape(axes.size(), Dim(1))) : all;
  }
  for (std::size_t i = axes.size(); i-- > 0;) x = product_by_steps(x, axes[i], false);
  return keepdim ? unsqueeze(x, axes) : x;
}

}  // namespace

DType sum_dtype(DType dtype) { return is_floating(dtype) || is_complex(dtype) ? dtype : DType::i64; }

Expr product_by_steps(const Expr& x, std::int64_t axis, bool running) {
  Emit& e = *x.e;
  Shape slice = x.shape();
  slice.erase_at(axis);
  const onnx::Type type{.dtype = x->dtype(), .shape = slice};
  onnx::Graph* body = e.new_graph("product");
  {
    const Emit::Scope inside(e, body);
    const Expr before = e.graph_input(body, type);
    const Expr product = e.op("Mul", {before, e.graph_input(body, type)}, {}, type);
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
  e.control("Scan", {filled(x.number(1), slice), x}, std::move(attributes), results);
  return {e, results.back()};
}

Axes axes_of(const ValueRef& self, const std::optional<Axes>& dim) {
  if (dim)
    for (std::int64_t axis : *dim) (void)self.wrap(axis);
  if (self.rank() == 0) return {};
  return !dim || dim->empty() ? all_axes(self) : wrap_axes(self, *dim);
}

Dim count(const ValueRef& self, const Axes& axes) {
  Dim product = 1;
  for (std::int64_t axis : axes) product = product * self.dim(axis);
  return product;
}

Expr reduce(std::string_view op, const Expr& x, const Axes& axes, bool keepdim) {
  const bool neutral = op == "ReduceSum" || op == "ReduceMean" || op == "ReduceProd" || op == "ReduceMax" ||
                       op == "ReduceMin" || op == "ReduceLogSumExp";
  if (axes.empty()) return neutral ? x : reduce(op, reshape(x, {1}), {0}, false);
  if (count(x, axes).as_constant() == 0) {
    const std::optional<double> number = identity_of(op);
    if (!number) throw ProgramError("the dimension has no elements");
    return filled(x.number(*number), reduced(x.shape(), axes, keepdim));
  }
  if (op == "ReduceProd" && x->dtype() == DType::f64) return wide_product(x, axes, keepdim);
  const DType inside = implemented(op, x->dtype());
  std::vector<onnx::Value*> inputs{cast(x, inside)};
  if (std::ssize(axes) < x.rank()) inputs.push_back(x.e->ints(axes));
  onnx::Attributes attributes;
  if (!keepdim) attributes.push_back({"keepdims", std::int64_t{0}});
  return cast(x.e->op(op, std::move(inputs), std::move(attributes)), x->dtype());
}

Expr reduce_sum(const Expr& x, const Axes& axes, bool keepdim) {
  return reduce("ReduceSum", x, axes, keepdim);
}
Expr reduce_mean(const Expr& x, const Axes& axes, bool keepdim) {
  return reduce("ReduceMean", x, axes, keepdim);
}
Expr reduce_max(const Expr& x, const Axes& axes, bool keepdim) {
  return reduce("ReduceMax", x, axes, keepdim);
}
Expr reduce_min(const Expr& x, const Axes& axes, bool keepdim) {
  return reduce("ReduceMin", x, axes, keepdim);
}
Expr reduce_product(const Expr& x, const Axes& axes, bool keepdim) {
  return reduce("ReduceProd", x, axes, keepdim);
}

Expr any_of(const Expr& x, const Axes& axes, bool keepdim) {
  if (count(x, axes).as_constant() == 0)
    return filled(x.e->scalar(DType::boolean, std::int64_t{0}), reduced(x.shape(), axes, keepdim));
  return reduce_booleans("ReduceMax", x, axes, keepdim);
}

Expr all_of(const Expr& x, const Axes& axes, bool keepdim) {
  if (count(x, axes).as_constant() == 0)
    return filled(x.e->scalar(DType::boolean, std::int64_t{1}), reduced(x.shape(), axes, keepdim));
  return reduce_booleans("ReduceMin", x, axes, keepdim);
}

Expr vector_norm(const Expr& x, double p, const Axes& axes, bool keepdim) {
  const bool wide = x->dtype() == DType::f64;
  if (axes.empty() && p != 0) return abs(x);
  if (p == 2)
    return wide ? sqrt(reduce("ReduceSumSquare", x, axes, keepdim)) : reduce("ReduceL2", x, axes, keepdim);
  if (p == 0) {
    const Expr nonzero = cast(cast(x, DType::boolean), x->dtype());
    return reduce_sum(nonzero, axes, keepdim);
  }
  if (p == 1 && !wide) return reduce("ReduceL1", x, axes, keepdim);
  const Expr size = abs(x);
  if (p == 1) return reduce_sum(size, axes, keepdim);
  if (std::isinf(p)) return reduce(p > 0 ? "ReduceMax" : "ReduceMin", size, axes, keepdim);
  const Expr powers = power(size, p);
  return power(reduce_sum(powers, axes, keepdim), 1 / p);
}

Expr reduce_loss(const Expr& loss, std::int64_t reduction) {
  if (reduction == 0) return loss;
  if (reduction != 1 && reduction != 2)
    throw ProgramError(fmt::format("the loss reduction {} is unknown", reduction));
  return reduce(reduction == 1 ? "ReduceMean" : "ReduceSum", loss, all_axes(loss), false);
}

}  // namespace cameo::aten
