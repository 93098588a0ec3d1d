#include "export/inputs/input_maker.h"

#include <fmt/core.h>

#include "aten/complex.h"
#include "aten/quantization.h"

namespace cameo {

using eval::Value;

InputMaker::InputMaker(eval::Evaluator& ev, const ExportOptions& options, DynamicAxes& axes)
    : ev_(ev), options_(options), axes_(axes), sizes_(ev, options.inputs) {
  for (const std::string& name : axes.names()) sizes_.reserve(name);
}

Value InputMaker::make(const InputSpec& spec, const std::string& name) {
  return std::visit([&](const auto& v) { return make(v, name); }, spec.value);
}

Value InputMaker::make(const archive::Value& example, const std::string& name) {
  if (const auto* tensor = example.get_if<archive::TensorPtr>()) {
    const auto& shape = (*tensor)->shape;
    const DType dtype = (*tensor)->dtype;
    if (const auto* parameters = std::get_if<archive::PerTensor>(&(*tensor)->quantization))
      return quantized(this->tensor(DType::f32, {shape.begin(), shape.end()}, name), parameters->scale,
                       parameters->zero_point, aten::integer_type(dtype));
    return ev_.memory().make_tensor(this->tensor(dtype, {shape.begin(), shape.end()}, name));
  }
  if (const auto* tuple = example.get_if<archive::Tuple>())
    return eval::make_tuple(examples(tuple->items, name));
  if (const auto* list = example.get_if<archive::List>())
    return ev_.memory().make_list(examples(list->items, name));
  if (const auto* dict = example.get_if<archive::Dict>()) {
    std::vector<std::pair<Value, Value>> out;
    for (const auto& [key, value] : dict->items) {
      const auto* text = key->get_if<archive::String>();
      out.emplace_back(ev_.loader().load(key, name),
                       make(*value, text ? fmt::format("{}_{}", name, text->text) : name));
    }
    return ev_.memory().make_dict(std::move(out));
  }
  if (const auto* flag = example.get_if<bool>()) return make(*flag, name);
  if (const auto* number = example.get_if<std::int64_t>()) return make(*number, name);
  if (const auto* number = example.get_if<double>()) return make(*number, name);
  return ev_.loader().load(&example, name);
}

Value InputMaker::make(const TensorSpec& spec, const std::string& name) {
  const aten::Tensor input = tensor(onnx::dtype_of(spec.type), spec.shape, name);
  if (!spec.quantization) return ev_.memory().make_tensor(input);
  const auto& [integer, scale, zero_point] = *spec.quantization;
  return quantized(input, scale, zero_point, onnx::dtype_of(integer));
}

Value InputMaker::quantized(const aten::Tensor& numbers, double scale, std::int64_t zero_point,
                            DType integer) {
  onnx::Emit& e = ev_.emit();
  return ev_.memory().make_tensor(
      aten::quantized(e, aten::Expr(e, numbers), aten::per_tensor(e, scale, zero_point, integer), integer));
}

aten::Tensor InputMaker::tensor(DType dtype, std::vector<Dim> shape, const std::string& name) {
  const std::string given = next_ < options_.input_names.size() ? options_.input_names[next_] : name;
  ++next_;
  axes_.name_input(given, shape);
  onnx::Type type{onnx::Type::Kind::tensor, dtype, onnx::Shape{}};
  for (const Dim& dim : shape) type.shape->push_back(size(dim, given));
  if (is_complex(dtype))
    ev_.reporter().report(ev_.reporter().diagnostic(
        Severity::note, Code::complex_input,
        fmt::format("input '{}' is complex: it becomes {} with a last dimension of 2, which holds real and "
                    "imaginary parts",
                    given, cameo::name(part_type(dtype)))));
  return aten::graph_input(ev_.emit(), std::move(type), given);
}

onnx::Dim InputMaker::size(const Dim& dim, const std::string& input) {
  const bool is_dynamic = !dim.name.empty() || dim.size < 0;
  if (is_dynamic && options_.static_shapes)
    ev_.reporter().fail(Code::dynamic_size,
                        fmt::format("with --static every size is a number, and '{}' of input '{}' is dynamic",
                                    to_string(dim), input),
                        "write a number in its place, or leave out --static");
  return sizes_.size(dim);
}

Value InputMaker::make(const TupleSpec& spec, const std::string& name) {
  return eval::make_tuple(items(spec.items, name));
}
Value InputMaker::make(const ListSpec& spec, const std::string& name) {
  return ev_.memory().make_list(items(spec.items, name));
}
Value InputMaker::make(const DictSpec& spec, const std::string& name) {
  std::vector<std::pair<Value, Value>> out;
  for (const auto& [key, value] : spec.items)
    out.emplace_back(key, make(value, fmt::format("{}_{}", name, key)));
  return ev_.memory().make_dict(std::move(out));
}

Value InputMaker::make(bool value, const std::string& name) {
  note_fixed("bool", value ? "True" : "False", name);
  return value;
}
Value InputMaker::make(std::int64_t value, const std::string& name) {
  note_fixed("int", std::to_string(value), name);
  return value;
}
Value InputMaker::make(double value, const std::string& name) {
  note_fixed("float", fmt::format("{}", value), name);
  return value;
}

std::vector<Value> InputMaker::items(const std::vector<InputSpec>& specs, const std::string& name) {
  std::vector<Value> out;
  for (std::size_t i = 0; i < specs.size(); ++i) out.push_back(make(specs[i], fmt::format("{}_{}", name, i)));
  return out;
}

template <class Items>
std::vector<Value> InputMaker::examples(const Items& items, const std::string& name) {
  std::vector<Value> out;
  for (std::size_t i = 0; i < items.size(); ++i)
    out.push_back(make(*items[i], fmt::format("{}_{}", name, i)));
  return out;
}

void InputMaker::note_fixed(std::string_view type, std::string_view value, const std::string& name) {
  ev_.reporter().report(ev_.reporter().diagnostic(
      Severity::note, Code::fixed_argument,
      fmt::format("argument '{}' is a Python {}: stored as constant {}; pass a tensor "
                  "to keep it as input",
                  name, type, value)));
}

}  // namespace cameo
