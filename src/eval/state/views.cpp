#include "eval/state/views.h"

#include "aten/complex.h"
#include "aten/quantization.h"
#include "cameo/diagnostic.h"

namespace cameo::eval {
namespace {

using aten::Arg;
using aten::Dim;
using aten::Shape;
using aten::Tensor;
using aten::View;

std::optional<std::int64_t> known(const aten::Bound& call, std::string_view name) {
  const Arg* arg = call.argument(name);
  const aten::Scalar* scalar = arg ? arg->get_if<aten::Scalar>() : nullptr;
  return scalar ? scalar->known_int() : std::nullopt;
}

std::optional<Dim> number(const aten::Bound& call, std::string_view name) {
  const Arg* arg = call.argument(name);
  const aten::Scalar* scalar = arg ? arg->get_if<aten::Scalar>() : nullptr;
  const Dim* dim = scalar ? std::get_if<Dim>(&scalar->value) : nullptr;
  return dim ? std::optional(*dim) : std::nullopt;
}

bool only_reshapes(View view) {
  return view == View::reshape || view == View::reshape_or_copy || view == View::contiguous;
}

// The elements of `base` before `start`, `value`, and the elements from `end` on, along one axis.
Tensor splice(onnx::Emit& e, Tensor base, Tensor value, std::int64_t axis, const Dim& start, const Dim& end) {
  std::vector<onnx::Value*> parts;
  const Dim size = base.dim(axis);
  if (e.sym().equal(start, 0) != sym::Truth::yes) parts.push_back(e.slice(base, axis, 0, start));
  parts.push_back(value);
  if (e.sym().equal(end, size) != sym::Truth::yes) parts.push_back(e.slice(base, axis, end, size));
  return parts.size() == 1 ? Tensor(parts[0]) : Tensor(e.concat(parts, axis));
}

// Works for every view: the operator, applied to the positions of the elements, gives those in the view.
Tensor scatter(onnx::Emit& e, const aten::Bound& call, std::size_t self, std::size_t item, Tensor base,
               Tensor value) {
  const Dim count = base.shape().product();
  Tensor positions = apply_view(e, call, self, item, e.reshape(aten::indices(e, count), base.shape()));
  onnx::Value* flat_positions = e.reshape(positions, {positions.shape().product()});
  onnx::Value* flat_value = e.reshape(value, {value.shape().product()});
  onnx::Value* flat_base = e.reshape(base, {count});
  return e.reshape(
      e.op("ScatterElements", {flat_base, flat_positions, flat_value}, {{"axis", std::int64_t{0}}}),
      base.shape());
}

// Writes through views that exchange complex numbers with their parts. Nothing for other views.
std::optional<Tensor> write_parts(onnx::Emit& e, View view, const Tensor& base, const Tensor& value) {
  if (view == View::as_real) return Tensor::pairs(value.value);
  if (view == View::as_complex) return Tensor(value.value);
  const bool part = view == View::real_part || view == View::imaginary_part || view == View::conjugate;
  if (!part) return std::nullopt;
  if (!base.complex) return value;
  if (view == View::conjugate) return aten::pairs(conjugate(aten::parts_of(e, value)));
  const aten::Complex parts = aten::parts_of(e, base);
  const aten::Expr written(e, value);
  return aten::pairs(view == View::real_part ? aten::Complex{written, parts.imaginary}
                                             : aten::Complex{parts.real, written});
}

}  // namespace

Layout layout_of_view(const aten::Bound& call, bool base_contiguous) {
  switch (call.op->traits.view) {
    case View::reshape:
    case View::as_real:
    case View::as_complex:
    case View::bytes: return base_contiguous ? Layout::contiguous : Layout::strided;
    case View::contiguous:
    case View::reshape_or_copy: return base_contiguous ? Layout::contiguous : Layout::doubtful;
    case View::select:
    case View::slice:
    case View::part:
      return base_contiguous && known(call, "dim") == 0 && known(call, "step").value_or(1) == 1
                 ? Layout::contiguous
                 : Layout::strided;
    default: return Layout::strided;
  }
}

Tensor apply_view(onnx::Emit& e, const aten::Bound& call, std::size_t self, std::size_t item, Tensor base) {
  std::vector<Arg> args = call.args;
  args[self] = Arg{base};
  aten::Returns results = aten::invoke(*call.op, e, args);
  const Arg* result = &results.at(0);
  if (const aten::ArgList* list = result->get_if<aten::ArgList>())
    result = &list->at(item);
  else if (results.size() > 1)
    result = &results.at(item);
  const Tensor* tensor = result->get_if<Tensor>();
  if (!tensor) throw InternalError("a view operator returned no tensor");
  return *tensor;
}

Tensor write_through(onnx::Emit& e, const aten::Bound& call, std::size_t self, std::size_t item, Tensor base,
                     Tensor value) {
  const View view = call.op->traits.view;
  if (base.quantizer) {
    if (!aten::same_parameters(base.quantizer, value.quantizer))
      throw aten::Unsupported("a view of a quantised tensor is written with other parameters");
    return {write_through(e, call, self, item, Tensor(base.value), Tensor(value.value)), base.quantizer};
  }
  if (const std::optional<Tensor> whole = write_parts(e, view, base, value)) return *whole;
  if (base.complex && aten::is_transposition(view)) return apply_view(e, call, self, item, value);
  if (base.complex) {
    const aten::Complex before = aten::parts_of(e, base), now = aten::parts_of(e, value);
    const Tensor real = write_through(e, call, self, item, before.real, now.real);
    const Tensor imaginary = write_through(e, call, self, item, before.imaginary, now.imaginary);
    return aten::pairs({aten::Expr(e, real), aten::Expr(e, imaginary)});
  }
  if (only_reshapes(view)) return e.reshape(value, base.shape());
  if (view == View::select) {
    const std::int64_t axis = base.wrap(*known(call, "dim"));
    Dim index = *number(call, "index");
    if (e.sym().less(index, 0) == sym::Truth::yes) index = index + base.dim(axis);
    if (e.sym().less_equal(0, index) == sym::Truth::yes)
      return splice(e, base, e.unsqueeze(value, {axis}), axis, index, index + 1);
  }
  if (view == View::slice && known(call, "step").value_or(1) == 1) {
    const std::int64_t axis = base.wrap(known(call, "dim").value_or(0));
    auto [start, end] = aten::slice_range(e, base.dim(axis), number(call, "start"), number(call, "end"));
    return splice(e, base, value, axis, start, end);
  }
  if (view == View::bytes) {
    aten::Bound inverse = call;
    *inverse.argument("dtype") = Arg{aten::Scalar{Dim(static_cast<std::int64_t>(base.dtype()))}};
    return apply_view(e, inverse, self, item, value);
  }
  if (aten::is_transposition(view)) return apply_view(e, call, self, item, value);
  if (view == View::permute) {
    const aten::ArgList& dims = aten::detail::to_list(*call.argument("dims"));
    std::vector<std::int64_t> order;
    for (const Arg& dim : dims) order.push_back(base.wrap(aten::detail::to_int(dim, "dims")));
    return e.transpose(value, inverse_permutation(order));
  }
  return scatter(e, call, self, item, base, value);
}

}  // namespace cameo::eval
