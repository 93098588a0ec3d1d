#include "aten/custom/conversion.h"

#include <fmt/core.h>

#include <algorithm>

#include "aten/custom/public_values.h"
#include "aten/support.h"
#include "cameo/diagnostic.h"
#include "onnx/graph/errors.h"

namespace cameo::aten {
namespace {

// A result of the schema that is a number.
Scalar number_in(Emit& e, onnx::Value* value) {
  if (is_integral(value->dtype())) return Scalar{e.number(value)};
  if (is_complex(value->dtype())) throw ConversionError("a result that is a number cannot be complex");
  if (value->data && value->data->numel() == 1) {
    if (value->dtype() == DType::boolean) return Scalar{value->data->integer(0) != 0};
    return Scalar{value->data->real(0)};
  }
  onnx::Value* scalar = e.reshape(value, {});
  return Scalar{value->dtype() == DType::boolean ? scalar : e.cast(scalar, DType::f64)};
}

bool same_parameters(const Schema& a, const Schema& b) {
  return std::ranges::equal(std::span(a.params).first(a.count), std::span(b.params).first(b.count),
                            [](const ParamSchema& p, const ParamSchema& q) {
                              return p.name == q.name && p.type == q.type && p.list == q.list;
                            });
}

// The types of the results in Cameo's own conversion of a call; empty if Cameo does not convert it. The nodes
// of that conversion are in a graph that nothing refers to.
std::vector<onnx::Type> own_types(Emit& e, const Schema& schema, std::span<const Arg> args) {
  const auto own = std::ranges::find_if(Registry::builtin().find(schema.name),
                                        [&](const Op* op) { return same_parameters(op->schema, schema); });
  if (own == Registry::builtin().find(schema.name).end()) return {};
  const onnx::Emit::Scope unused(e, e.new_graph("unused"));
  const sym::Scope assumptions(e.sym());
  std::vector<onnx::Type> types;
  try {
    for (const Arg& result : invoke(**own, e, args))
      if (const Tensor* tensor = result.get_if<Tensor>(); tensor && !tensor->complex && !tensor->quantizer)
        types.push_back(tensor->value->type);
  } catch (const Unsupported&) {
    return {};
  } catch (const ProgramError&) {
    return {};
  } catch (const onnx::NeedsOpset&) {
    return {};
  } catch (const onnx::ShapeMismatch&) {
    return {};
  }
  return types;
}

}  // namespace

Schema schema_of(std::span<const std::string> names, std::size_t results) {
  Schema schema;
  schema.name = "rewrite::nodes";
  for (const std::string& each : names) schema.params[schema.count++] = {.type = "Tensor", .name = each};
  for (std::size_t i = 0; i < results; ++i) schema.returns[schema.return_count++] = {.type = "Tensor"};
  return schema;
}

GraphConversion::GraphConversion(Emit& e, const Schema& schema, std::span<const Arg> args, const Warn& warn)
    : emit_(e), schema_(schema), args_(args), warn_(warn) {
  for (std::size_t i = 0; i < args.size(); ++i) arguments_.push_back(to_argument(args[i], schema.params[i]));
}

template <class Convert>
Returns GraphConversion::guarded(const Convert& convert) {
  try {
    return convert();
  } catch (const ConversionError& error) {
    throw Unsupported(error.what(), error.hint());
  } catch (const Unsupported&) {
    throw;
  } catch (const ProgramError&) {
    throw;
  } catch (const Error&) {
    throw;
  } catch (const InternalError&) {
    throw;
  } catch (const std::exception& error) {
    throw Unsupported(fmt::format("its converter failed: {}", error.what()));
  }
}

Returns GraphConversion::run(const Converter& converter) {
  return guarded([&] {
    const Results results = converter(*this);
    if (std::ranges::any_of(results.tensors, [this](const auto& each) { return is_untold(each); }))
      adopt_own_types(results, own_types(emit_, schema_, args_));
    Returns returns = wrap(results);
    warn_of_untold();
    return returns;
  });
}

Returns GraphConversion::run_strictly(const Converter& converter, std::vector<onnx::Type> own) {
  return guarded([&] {
    const Results results = converter(*this);
    if (own.empty()) own = own_types(emit_, schema_, args_);
    adopt_own_types(results, own);
    Returns returns = wrap(results);
    if (!untold_.empty())
      throw ConversionError(fmt::format("the type of the result of {} is not stated", untold_.front().op),
                            "state it: (y: like x) or (y: f32[n, 3])");
    require_types(results, own);
    return returns;
  });
}

void GraphConversion::require_types(const Results& results, const std::vector<onnx::Type>& types) const {
  if (types.size() != results.tensors.size()) return;
  for (std::size_t i = 0; i < types.size(); ++i) {
    const onnx::Type &mine = take(results.tensors[i])->type, &own = types[i];
    if (own.kind != onnx::Type::Kind::tensor) continue;
    bool agrees = mine.dtype == own.dtype;
    if (mine.shape && own.shape) {
      agrees = agrees && mine.shape->size() == own.shape->size();
      for (std::size_t axis = 0; agrees && axis < mine.shape->size(); ++axis)
        agrees = emit_.sym().equal((*mine.shape)[axis], (*own.shape)[axis]) != sym::Truth::no;
    }
    if (!agrees)
      throw ConversionError(fmt::format("the result would be {}, and without the rule it is {}",
                                        to_string(mine), to_string(own)));
  }
}

Argument GraphConversion::to_argument(const Arg& arg, const ParamSchema& p) {
  Argument out{std::string(p.name), {}};
  if (const Tensor* tensor = arg.get_if<Tensor>()) {
    if (tensor->quantizer) throw Unsupported("a quantised tensor cannot be given to a converter");
    if (tensor->complex) throw Unsupported("a complex tensor cannot be given to a converter");
    out.value = hand_out(tensor->value);
  } else if (const std::string* text = arg.get_if<std::string>()) {
    out.value = *text;
  } else if (const ArgList* list = arg.get_if<ArgList>()) {
    Argument::List items;
    for (const Arg& item : *list) items.push_back(to_argument(item, p));
    out.value = std::move(items);
  } else if (arg.get_if<Ignored>()) {
    out.value = Argument::Opaque{};
  } else if (const Scalar* scalar = arg.get_if<Scalar>()) {
    if (const Dim* dim = std::get_if<Dim>(&scalar->value))
      out.value = to_size(*dim);
    else if (const auto* runtime = std::get_if<onnx::Value*>(&scalar->value))
      out.value = Argument::Number{hand_out(*runtime)};
    else if (const bool* flag = std::get_if<bool>(&scalar->value))
      out.value = *flag;
    else if (const double* real = std::get_if<double>(&scalar->value))
      out.value = *real;
    else
      out.value = std::get<std::complex<double>>(scalar->value);
    if (p.type == "float" && scalar->known()) out.value = *scalar->known();
  }
  return out;
}

Returns GraphConversion::wrap(const Results& results) {
  std::vector<onnx::Value*> values;
  for (const cameo::Tensor& tensor : results.tensors) {
    values.push_back(take(tensor));
    if (!values.back())
      throw ConversionError(fmt::format("result {} of its converter is empty", values.size()));
  }
  Returns out;
  if (schema_.return_count == 1 && schema_.returns[0].list) {
    for (onnx::Value* value : values) out.push_back(Arg{Tensor(value)});
    return {Arg{std::move(out)}};
  }
  if (values.size() != schema_.return_count)
    throw ConversionError(fmt::format("its schema has {} results, and its converter returns {}",
                                      schema_.return_count, values.size()));
  for (std::size_t i = 0; i < values.size(); ++i)
    out.push_back(schema_.returns[i].type == "Tensor" ? Arg{Tensor(values[i])}
                                                      : Arg{number_in(emit_, values[i])});
  return out;
}

bool GraphConversion::is_untold(const cameo::Tensor& tensor) const {
  return std::ranges::find(untold_, take(tensor), &Untold::value) != untold_.end();
}

void GraphConversion::adopt_own_types(const Results& results, const std::vector<onnx::Type>& types) {
  if (types.size() != results.tensors.size()) return;
  for (std::size_t i = 0; i < types.size(); ++i) {
    if (!is_untold(results.tensors[i]) || types[i].kind != onnx::Type::Kind::tensor) continue;
    std::optional<Sizes> sizes;
    if (types[i].shape) {
      sizes.emplace();
      for (const Dim& dim : *types[i].shape)
        sizes->push_back(emit_.visible(dim) ? to_size(dim) : Size::unknown());
    }
    set_type(results.tensors[i], element_type(types[i].dtype), std::move(sizes));
  }
}

void GraphConversion::warn_of_untold() {
  for (const Untold& untold : untold_) {
    if (!untold.guessed)
      throw ConversionError(
          fmt::format("its converter does not state the type of the result of {}", untold.op));
    warn_(fmt::format("{}: the type of the result of {} is not stated; {} of any shape is assumed",
                      schema_.name, untold.op, cameo::name(untold.value->dtype())),
          "state it in the converter with set_type");
  }
}

cameo::Tensor GraphConversion::hand_out(onnx::Value* value) {
  known_.insert(value);
  return {this, value};
}

onnx::Value* GraphConversion::take(const cameo::Tensor& tensor) const {
  auto* value = static_cast<onnx::Value*>(tensor.handle());
  if (value && !known_.contains(value)) throw ConversionError("a tensor of another call was used");
  return value;
}

ElementType GraphConversion::dtype_of(const cameo::Tensor& tensor) const {
  const onnx::Value* value = take(tensor);
  return value ? element_type(value->dtype()) : ElementType::undefined;
}

std::optional<Sizes> GraphConversion::shape_of(const cameo::Tensor& tensor) const {
  const onnx::Value* value = take(tensor);
  if (!value || !value->has_rank()) return std::nullopt;
  Sizes sizes;
  for (const Dim& dim : *value->type.shape) sizes.push_back(to_size(dim));
  return sizes;
}

std::optional<Contents> GraphConversion::contents_of(const cameo::Tensor& tensor) const {
  const onnx::Value* value = take(tensor);
  return value ? aten::contents_of(*value) : std::nullopt;
}

}  // namespace cameo::aten
