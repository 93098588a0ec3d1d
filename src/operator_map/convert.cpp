#include "operator_map/convert.h"

#include "aten/complex.h"
#include "aten/quantization.h"
#include "base/overload.h"
#include "onnx/downgrade/downgrade.h"
#include "onnx/graph/errors.h"
#include "onnx/graph/finish.h"
#include "onnx/graph/value_info.h"
#include "operator_map/read_nodes.h"

namespace cameo::operator_map {
namespace {

// One scale for u8, one scale per index of the first axis for i8.
aten::Tensor with_scale(onnx::Emit& e, aten::Tensor integers) {
  const DType dtype = integers->dtype();
  if (dtype == DType::u8) return {integers.value, aten::per_tensor(e, 0.5, 3, dtype)};
  const std::int64_t channels = integers.dim(0).as_constant().value_or(1);
  const std::vector<float> scales(as_size(channels), 0.5F);
  onnx::Value* scale = e.constant(onnx::Data::of<float>(DType::f32, {channels}, scales));
  onnx::Value* zero_point = e.constant(std::make_shared<onnx::Data>(
      DType::i8, std::vector<std::int64_t>{channels}, std::vector<std::byte>(as_size(channels))));
  return {integers.value, aten::checked({scale, zero_point, 0}, dtype)};
}

// A table with one scale per row.
aten::Tensor rows(onnx::Emit& e, const aten::Tensor& table) {
  const std::vector<float> ones(as_size(*table.dim(0).as_constant()), 1.0F);
  onnx::Value* scale = e.constant(onnx::Data::of<float>(DType::f32, {std::ssize(ones)}, ones));
  return {table.value, aten::checked({scale, scale, 0}, table->dtype())};
}

// Quantised tensors of a sample are written 'qu8[batch,6]'.
aten::Arg quantized(onnx::Emit& e, const aten::Arg& arg) {
  if (const auto* list = arg.get_if<aten::ArgList>()) {
    aten::ArgList items;
    for (const aten::Arg& item : *list) items.push_back(quantized(e, item));
    return {std::move(items)};
  }
  const auto* tensor = arg.get_if<aten::Tensor>();
  return tensor ? aten::Arg{with_scale(e, *tensor)} : arg;
}

// The object of class `cls` with the weights of a list: weight and bias, of a recurrent layer two of each.
aten::Arg packed(onnx::Emit& e, std::string_view cls, const aten::ArgList& weights) {
  const auto weight = [&](std::size_t i) {
    const aten::Tensor tensor = aten::detail::to_tensor(weights.at(i));
    return is_integral(tensor->dtype()) ? with_scale(e, tensor) : tensor;
  };
  const auto linear = [&](std::size_t i, std::size_t bias) {
    return aten::PackedLinear{weight(i), weight(bias)};
  };
  if (cls == aten::kEmbeddingClass)
    return packed_arg(cls, aten::PackedEmbedding{rows(e, aten::detail::to_tensor(weights.at(0)))});
  if (cls == aten::kCellClass) return packed_arg(cls, aten::PackedCell{linear(0, 2), linear(1, 3), true});
  if (cls.ends_with("LinearPackedParamsBase") || cls.ends_with("LinearOpContext"))
    return packed_arg(cls, linear(0, 1));
  const auto axes = as_size(weight(0).rank() - 2);
  const std::vector<std::int64_t> ones(axes, 1), zeros(axes, 0);
  aten::PackedConv conv{weight(0), weight(1), ones, zeros, ones, zeros, 1};
  conv.transpose = cls == aten::kXnnTransposedClass;
  return packed_arg(cls, std::move(conv));
}

// A list of weights where the schema has an object, or a list of objects.
aten::Arg packed(onnx::Emit& e, const aten::ParamSchema& p, const aten::Arg& arg) {
  const auto* weights = arg.get_if<aten::ArgList>();
  if (!weights) return arg;
  if (!p.list) return packed(e, p.type, *weights);
  aten::ArgList objects;
  for (const aten::Arg& each : *weights) objects.push_back(packed(e, p.type, aten::detail::to_list(each)));
  return {std::move(objects)};
}

bool quantized_in_sample(const aten::Op& op, std::string_view parameter) {
  for (std::string_view rest = op.traits.sample; !rest.empty();) {
    const std::string_view argument = aten::take_argument(rest);
    const std::string_view value = argument.substr(argument.find('=') + 1);
    if (argument.starts_with(parameter) && argument[parameter.size()] == '=')
      return value.starts_with("q") || value.starts_with("[q");
  }
  return false;
}

class Call {
 public:
  explicit Call(onnx::Emit& emit) : e_(emit) {}

  aten::Arg make(const InputSpec& spec, const std::string& name) {
    using aten::Arg;
    using aten::Scalar;
    const auto list = [&](const std::vector<InputSpec>& items) {
      aten::ArgList args;
      for (std::size_t i = 0; i < items.size(); ++i)
        args.push_back(make(items[i], name + "[" + std::to_string(i) + "]"));
      return Arg{std::move(args)};
    };
    return std::visit(Overload{
                          [&](const TensorSpec& t) { return Arg{input(t, name)}; },
                          [&](const TupleSpec& t) { return list(t.items); },
                          [&](const ListSpec& l) { return list(l.items); },
                          [](const DictSpec&) { return Arg{aten::Ignored{}}; },
                          [](const NoneSpec&) { return Arg{aten::None{}}; },
                          [](bool b) { return Arg{Scalar{b}}; },
                          [](std::int64_t i) { return Arg{Scalar{onnx::Dim(i)}}; },
                          [](double d) { return Arg{Scalar{d}}; },
                          [](const std::string& s) { return Arg{s}; },
                      },
                      spec.value);
  }

 private:
  aten::Tensor input(const TensorSpec& spec, const std::string& name) {
    onnx::Type type{.dtype = onnx::dtype_of(spec.type), .shape = onnx::Shape{}};
    for (const Dim& dim : spec.shape)
      type.shape->push_back(dim.name.empty() && dim.size >= 0 ? onnx::Dim(dim.size) : symbol(dim.name));
    return aten::graph_input(e_, std::move(type), name);
  }

  onnx::Dim symbol(const std::string& name) {
    const std::optional<onnx::Dim> known = name.empty() ? std::nullopt : e_.sym().find_symbol(name);
    return known ? *known : e_.sym().symbol(name.empty() ? "size" : name);
  }

  onnx::Emit& e_;
};

void keep_weight(const aten::PackedCell& params, std::vector<onnx::Value*>& values) {
  values.push_back(params.input.weight.value);
}
void keep_weight(const auto& params, std::vector<onnx::Value*>& values) {
  values.push_back(params.weight.value);
}

void keep(onnx::Emit& e, const aten::Arg& result, std::vector<onnx::Value*>& values) {
  if (const auto* tensor = result.get_if<aten::Tensor>()) values.push_back(tensor->value);
  if (const auto* object = result.get_if<aten::PackedPtr>())
    std::visit([&](const auto& params) { keep_weight(params, values); }, (*object)->params);
  if (const auto* number = result.get_if<aten::Scalar>(); number && number->known())
    values.push_back(e.scalar(DType::f64, *number->known()));
  if (const auto* scalar = result.get_if<aten::Scalar>()) {
    if (const auto* value = std::get_if<onnx::Value*>(&scalar->value)) values.push_back(*value);
    if (const auto* dim = std::get_if<onnx::Dim>(&scalar->value)) values.push_back(e.dim(*dim));
  }
  if (const auto* list = result.get_if<aten::ArgList>())
    for (const aten::Arg& item : *list) keep(e, item, values);
}

std::vector<onnx::Value*> run(onnx::Emit& e, const aten::Op& op, const Sample& sample) {
  Call maker(e);
  aten::Call call;
  for (const InputSpec& argument : sample) {
    const aten::ParamSchema* p = op.schema.parameter(argument.name);
    aten::Arg arg = maker.make(argument, argument.name);
    if (p && aten::is_packed_class(p->type)) arg = packed(e, *p, arg);
    if (quantized_in_sample(op, argument.name)) arg = quantized(e, arg);
    call.keywords.emplace_back(argument.name, std::move(arg));
  }
  const aten::Op* const overloads[] = {&op};
  const std::optional<aten::Bound> bound = aten::bind(e, overloads, call);
  if (!bound) throw aten::ProgramError("it takes no such arguments");
  std::vector<onnx::Value*> results;
  for (const aten::Arg& result : aten::invoke(op, e, bound->args)) keep(e, result, results);
  for (onnx::Value*& result : results) result = e.materialize(result);
  return results;
}

Conversion failed(Outcome outcome, std::string reason) {
  Conversion conversion;
  conversion.outcome = outcome;
  conversion.reason = std::move(reason);
  return conversion;
}

void list(const std::vector<EmittedNode>& nodes, std::vector<std::string>& names) {
  for (const EmittedNode& node : nodes) {
    names.push_back(node.op);
    list(node.body, names);
  }
}

}  // namespace

std::vector<std::string> Conversion::operators() const {
  std::vector<std::string> names;
  list(nodes, names);
  return names;
}

Conversion convert(const aten::Op& op, const Sample& sample, int opset) {
  onnx::Model model;
  onnx::Emit emit(model, onnx::downgrade(), {.opset = opset});
  try {
    const std::vector<onnx::Value*> results = run(emit, op, sample);
    for (onnx::Value* result : results)
      if (result->producer) model.main().outputs.push_back(result);
    onnx::prune(model);
    return read_nodes(model, results);
  } catch (const aten::Unsupported& unsupported) {
    return failed(Outcome::unsupported, unsupported.what());
  } catch (const aten::ProgramError& error) {
    return failed(Outcome::invalid, error.what());
  } catch (const sym::DivisionByZero& error) {
    return failed(Outcome::invalid, error.what());
  } catch (const onnx::NeedsOpset& error) {
    return failed(Outcome::needs_opset, error.what());
  } catch (const Error& error) {
    return failed(Outcome::invalid, error.what());
  }
}

}  // namespace cameo::operator_map
