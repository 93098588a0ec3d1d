#include "export/watch.h"

#include <fmt/core.h>

#include <algorithm>
#include <bit>

#include "aten/registry.h"

namespace cameo {
namespace {

using eval::Value;
using onnx::Shape;

constexpr const char* kRecorded =
    "a trace records sizes that Python reads as numbers; say -1 or x.size(…) there, or script that part";

std::optional<Shape> tensor_shape(eval::Evaluator& ev, const Value* value) {
  const eval::CellPtr* cell = value ? value->get_if<eval::CellPtr>() : nullptr;
  return cell ? ev.memory().cells().read(*cell)->type.shape : std::nullopt;
}

std::optional<Shape> integers(const Value& value) {
  const eval::ListPtr* list = value.get_if<eval::ListPtr>();
  if (!list || (*list)->sequence) return std::nullopt;
  Shape out;
  for (const Value& item : (*list)->items) {
    const onnx::Dim* dim = item.get_if<onnx::Dim>();
    if (!dim) return std::nullopt;
    out.push_back(*dim);
  }
  return out;
}

std::optional<Shape> first_integers(const eval::Arguments& arguments) {
  for (const Value& value : arguments.positional)
    if (std::optional<Shape> found = integers(value)) return found;
  for (const auto& [name, value] : arguments.keywords)
    if (std::optional<Shape> found = integers(value)) return found;
  return std::nullopt;
}

onnx::Dim product(const Shape& shape) {
  onnx::Dim out = 1;
  for (const onnx::Dim& dim : shape) out = out * dim;
  return out;
}

std::string text(const Shape& shape) {
  std::string out;
  for (const onnx::Dim& dim : shape) out += (out.empty() ? "" : ", ") + sym::to_string(dim);
  return "[" + out + "]";
}

void warn(eval::Evaluator& ev, Code code, std::string message, std::string hint,
          Severity severity = Severity::warning) {
  Diagnostic d = ev.reporter().diagnostic(severity, code, std::move(message));
  d.hint = std::move(hint);
  ev.reporter().report(std::move(d));
}

void warn_of_example(eval::Evaluator& ev, const std::string& name, std::int64_t size) {
  warn(ev, Code::baked_size,
       fmt::format("{} is dynamic, but here it is {}, its size in the example", name, size), kRecorded);
}

// A number in the program's text, which a trace may hold as a tensor.
std::optional<double> literal(const Value& value) {
  if (const double* number = value.get_if<double>()) return *number;
  const eval::CellPtr* cell = value.get_if<eval::CellPtr>();
  if (!cell || !(*cell)->literal) return std::nullopt;
  const onnx::Value* tensor = (*cell)->tensor.value;
  if (!tensor->data || tensor->dtype() != DType::f64 || !tensor->data->shape().empty()) return std::nullopt;
  return tensor->data->real(0);
}

// A 32-bit float that was widened: a literal in Python source would have more bits, or few digits.
bool looks_measured(double number) {
  if (static_cast<double>(static_cast<float>(number)) != number) return false;
  const auto mantissa = std::bit_cast<std::uint64_t>(number) & ((std::uint64_t{1} << 52) - 1);
  const int significant = mantissa == 0 ? 0 : 52 - std::countr_zero(mantissa);
  return significant > 14;
}

// The scales of quantised tensors are measured before a program is saved, so they do not look captured.
bool quantizes(const aten::Op* op) {
  return std::ranges::any_of(
      std::span(op->schema.params).first(op->schema.count),
      [](const aten::ParamSchema& p) { return p.name.find("zero_point") != p.name.npos; });
}

}  // namespace

void Watch::operator()(eval::Evaluator& ev, std::string_view op, const eval::Arguments& arguments) const {
  const auto overloads = aten::Registry::builtin().find(op);
  const Value* self = arguments.find(0, "self");
  switch (aten::fact(overloads, &aten::Traits::sizes)) {
    case aten::SizeList::none: break;
    case aten::SizeList::result:
      if (const std::optional<Shape> sizes = first_integers(arguments))
        for (const onnx::Dim& size : *sizes) new_size(ev, size);
      break;
    case aten::SizeList::reshape: {
      const std::optional<Shape> from = tensor_shape(ev, self), to = first_integers(arguments);
      if (from && to) reshape(ev, *from, *to);
      break;
    }
    case aten::SizeList::window: {
      const std::optional<Shape> shape = tensor_shape(ev, self), kernel = first_integers(arguments);
      if (shape && kernel) pool(ev, *shape, *kernel);
      break;
    }
  }
  const auto drops_dimensions = [&](const aten::Op* overload) {
    return overload->traits.rank_depends_on_sizes && arguments.count() == overload->schema.count;
  };
  if (std::ranges::any_of(overloads, drops_dimensions))
    if (const std::optional<Shape> shape = tensor_shape(ev, self)) squeeze(ev, *shape);
  if (!std::ranges::any_of(overloads, quantizes))
    for (const Value& value : arguments.positional) captured(ev, value);
}

// A formula of the inputs' sizes, and of nothing else.
bool Watch::depends_on_inputs(const onnx::Dim& size) const {
  std::unordered_map<onnx::Dim, std::int64_t> any;
  for (const onnx::Dim& symbol : examples_.symbols) any.emplace(symbol, 1);
  return !size.is_constant() && sym::evaluate(size, any).has_value();
}

void Watch::reshape(eval::Evaluator& ev, const Shape& from, const Shape& to) const {
  const bool all_fixed =
      std::ranges::all_of(to, [](const onnx::Dim& d) { return d.as_constant().value_or(-1) >= 0; });
  if (all_fixed && depends_on_inputs(product(from))) {
    warn(ev, Code::baked_size,
         fmt::format("the shape {} is fixed here, so the model is wrong for other sizes of {}", text(to),
                     text(from)),
         kRecorded);
    return;
  }
  for (std::size_t i = 0; i < std::min(from.size(), to.size()); ++i)
    if (to[i] != from[i] && !is_example(ev, from[i], to[i])) return;
}

// A kernel over the whole of an axis.
void Watch::pool(eval::Evaluator& ev, const Shape& shape, const Shape& kernel) const {
  for (std::size_t i = 0; i < std::min(kernel.size(), shape.size()); ++i)
    is_example(ev, shape[shape.size() - 1 - i], kernel[kernel.size() - 1 - i]);
}

// Whether a number is the size that the dynamic one has in the example; that is worth a warning.
bool Watch::is_example(eval::Evaluator& ev, const onnx::Dim& dynamic, const onnx::Dim& number) const {
  const auto example = examples_.dynamic.find(sym::to_string(dynamic));
  if (example == examples_.dynamic.end() || number != onnx::Dim(example->second)) return false;
  warn_of_example(ev, example->first, example->second);
  return true;
}

void Watch::new_size(eval::Evaluator& ev, const onnx::Dim& size) const {
  const std::int64_t number = size.as_constant().value_or(-1);
  if (number < 2 || examples_.fixed.contains(number)) return;
  for (const auto& [name, example] : examples_.dynamic)
    if (example == number) return warn_of_example(ev, name, number);
}

void Watch::squeeze(eval::Evaluator& ev, const Shape& shape) const {
  for (const onnx::Dim& dim : shape)
    if (ev.emit().sym().equal(dim, 1) == sym::Truth::unknown)
      return warn(ev, Code::squeeze_all,
                  fmt::format("squeeze() of {}: the number of dimensions depends on the sizes at run time",
                              text(shape)),
                  "say which dimension to squeeze", Severity::note);
}

void Watch::captured(eval::Evaluator& ev, const Value& argument) const {
  const std::optional<double> number = literal(argument);
  if (number && looks_measured(*number))
    warn(ev, Code::captured_number,
         fmt::format("the number {} looks captured from the data that was traced", *number),
         "a trace makes a constant of what item(), float() or a loop over a tensor gives; keep it a tensor");
}

}  // namespace cameo
