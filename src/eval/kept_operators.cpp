#include "eval/kept_operators.h"

#include <fmt/core.h>

#include <algorithm>

#include "aten/support.h"
#include "eval/assumed_type.h"

namespace cameo::eval {
namespace {

using aten::Arg;
using aten::ArgList;
using aten::Scalar;
using aten::Tensor;

constexpr std::string_view kAtenDomain = "org.pytorch.aten";

// The inputs and attributes of a kept node: tensors and numbers are inputs, strings are attributes.
struct Kept {
  onnx::Emit& e;
  std::vector<onnx::Value*> inputs = {};
  onnx::Attributes attributes = {};
  std::vector<aten::Operand> operands = {};  // its tensors

  void add(const Arg& arg, const std::string& name) {
    if (const std::string* text = arg.get_if<std::string>()) {
      attributes.push_back({name, *text});
      inputs.push_back(nullptr);
    } else {
      inputs.push_back(input(arg));
    }
  }
  // An argument whose position is not known.
  void add_named(const Arg& arg, std::string_view name) {
    const Scalar* scalar = arg.get_if<Scalar>();
    if (arg.is_none() || arg.get_if<aten::Ignored>()) return;
    if (const std::string* text = arg.get_if<std::string>())
      attributes.push_back({std::string(name), *text});
    else if (scalar && scalar->known_int())
      attributes.push_back({std::string(name), *scalar->known_int()});
    else if (scalar && scalar->known())
      attributes.push_back({std::string(name), static_cast<float>(*scalar->known())});
    else
      throw aten::Unsupported(fmt::format("'{}' can only be passed by position, which is unknown", name));
  }

 private:
  onnx::Value* input(const Arg& arg) {
    if (const Tensor* tensor = arg.get_if<Tensor>()) {
      operands.emplace_back(*tensor);
      return *tensor;
    }
    if (const Scalar* scalar = arg.get_if<Scalar>()) return number(*scalar);
    if (const ArgList* list = arg.get_if<ArgList>()) return sequence(*list);
    return nullptr;
  }
  onnx::Value* number(const Scalar& scalar) {
    if (scalar.is_bool()) return aten::as(e, scalar, DType::boolean);
    return aten::as(e, scalar, scalar.is_int() ? DType::i64 : DType::f64);
  }
  onnx::Value* sequence(const ArgList& list) {
    std::vector<onnx::Value*> items;
    bool tensors = false;
    for (const Arg& item : list) {
      tensors = tensors || item.get_if<Tensor>();
      items.push_back(input(item));
      if (!items.back())
        throw aten::Unsupported("a list that holds None or strings cannot be an input of a node");
    }
    if (tensors) return e.op("SequenceConstruct", std::move(items));
    if (items.empty()) return e.ints({});
    for (onnx::Value*& item : items) item = e.unsqueeze(item, {0});
    return e.concat(std::move(items), 0);
  }
};

// The type that the program asks for by `dtype=`.
std::optional<DType> asked_type(const Arguments& args) {
  for (const auto& [name, value] : args.keywords)
    if (const Dim* number = value.get_if<Dim>(); number && name == "dtype" && number->as_constant())
      return dtype_from_number(*number->as_constant());
  return std::nullopt;
}

std::string node_type(OperatorExport mode, std::string_view op) {
  const std::size_t colons = op.find("::");
  const std::string_view space = op.substr(0, colons), name = op.substr(colons + 2);
  const std::string_view domain = space == "aten" ? kAtenDomain : space;
  return fmt::format("{}::{}", domain, mode == OperatorExport::fallthrough ? name : "ATen");
}

onnx::Attributes node_attributes(OperatorExport mode, std::string_view op, std::string_view overload,
                                 onnx::Attributes more) {
  if (mode == OperatorExport::fallthrough) return more;
  onnx::Attributes all{{"operator", std::string(op.substr(op.find("::") + 2))},
                       {"overload_name", std::string(overload)}};
  std::ranges::move(more, std::back_inserter(all));
  return all;
}

// The type with a new symbol for each size that is not visible in the current scope.
onnx::Type visible_type(onnx::Emit& e, onnx::Type type) {
  if (type.shape)
    for (Dim& dim : *type.shape)
      if (!e.visible(dim)) dim = e.fresh_dim("size");
  return type;
}

// The types of the results that a conversion gives.
std::vector<onnx::Type> types_of(onnx::Emit& e, const aten::Schema& schema, const aten::Returns& converted) {
  std::vector<onnx::Type> types;
  for (std::size_t i = 0; i < converted.size(); ++i) {
    if (schema.returns[i].written)
      throw aten::Unsupported("it changes its arguments, which a node cannot express");
    const Tensor* tensor = converted[i].get_if<Tensor>();
    const ArgList* list = converted[i].get_if<ArgList>();
    if (list && !list->empty()) tensor = list->front().get_if<Tensor>();
    if (!tensor) throw aten::Unsupported("its results cannot be the results of a node");
    if (tensor->complex) throw aten::Unsupported("its result is complex, which no node can have");
    if (tensor->quantizer) throw aten::Unsupported("its result is quantised, which no node can have");
    onnx::Type type = visible_type(e, tensor->value->type);
    if (list) type = {onnx::Type::Kind::sequence, type.dtype, std::nullopt};
    types.push_back(std::move(type));
  }
  return types;
}

// The items of a sequence, with the types of `items`.
ArgList taken_apart(onnx::Emit& e, onnx::Value* sequence, const ArgList& items) {
  ArgList out;
  for (const Arg& item : items)
    out.push_back(Arg{Tensor(e.op("SequenceAt", {sequence, e.dim(std::ssize(out))}, {},
                                  visible_type(e, aten::detail::to_tensor(item)->type)))});
  return out;
}

}  // namespace

bool KeptOperators::can_keep(std::string_view name) const {
  switch (mode_) {
    case OperatorExport::onnx:
    case OperatorExport::raw: return false;
    case OperatorExport::aten:
    case OperatorExport::aten_fallback: return name.starts_with("aten::");
    case OperatorExport::fallthrough: return !name.starts_with("prim::");
  }
  return false;
}

std::vector<onnx::Value*> KeptOperators::node(std::string_view op, std::string_view overload,
                                              std::vector<onnx::Value*> inputs, onnx::Attributes attributes,
                                              std::vector<onnx::Type> types) {
  return ev_.emit.ops(node_type(mode_, op), std::move(inputs),
                      node_attributes(mode_, op, overload, std::move(attributes)), std::move(types));
}

std::vector<onnx::Value*> KeptOperators::keep(std::string_view op, const Arguments& args) {
  Kept kept{ev_.emit};
  for (std::size_t i = 0; i < args.positional.size(); ++i)
    kept.add(ev_.values.to_arg(args.positional[i]), fmt::format("arg{}", i));
  for (const auto& [name, value] : args.keywords) kept.add_named(ev_.values.to_arg(value), name);
  if (kept.operands.empty())
    throw aten::Unsupported("it has no conversion, and cannot become a node because no argument is a tensor");
  std::vector<onnx::Type> types;
  std::string names;
  for (std::size_t i = 0; i < args.results; ++i) {
    if (std::optional<DType> asked = asked_type(args))
      types.push_back({onnx::Type::Kind::tensor, *asked, std::nullopt});
    else
      types.push_back(assumed_type(op, i, kept.operands));
    names += fmt::format("{}{}", i > 0 ? ", " : "", name(types.back().dtype));
  }
  ev_.reporter.report(ev_.reporter.diagnostic(
      Severity::warning, Code::kept_operator,
      fmt::format("{} stays an operator of PyTorch; its result is taken to be {} of any shape", op, names)));
  return node(op, {}, std::move(kept.inputs), std::move(kept.attributes), std::move(types));
}

aten::Returns KeptOperators::keep(const aten::Bound& bound) {
  onnx::Emit& e = ev_.emit;
  const aten::Schema& schema = bound.op->schema;
  aten::Returns converted;
  {
    onnx::Emit::Scope scope(e, e.new_graph("scratch"));
    converted = aten::invoke(*bound.op, e, bound.args);
  }
  auto known = [&](const Arg& result) {
    const Tensor* tensor = result.get_if<Tensor>();
    return !tensor ? !result.get_if<ArgList>() : e.visible(tensor->value);
  };
  if (std::ranges::all_of(converted, known)) return converted;
  Kept kept{e};
  for (std::size_t i = 0; i < schema.count; ++i) kept.add(bound.args[i], std::string(schema.params[i].name));
  std::vector<onnx::Type> types = types_of(e, schema, converted);
  std::string_view op = schema.name;
  if (op.ends_with("_functional")) op.remove_suffix(std::string_view("_functional").size());
  const std::vector<onnx::Value*> results =
      node(op, schema.overload, std::move(kept.inputs), std::move(kept.attributes), std::move(types));
  for (std::size_t i = 0; i < results.size(); ++i) {
    const ArgList* list = converted[i].get_if<ArgList>();
    converted[i] = list ? Arg{taken_apart(e, results[i], *list)} : Arg{Tensor(results[i])};
  }
  return converted;
}

}  // namespace cameo::eval
