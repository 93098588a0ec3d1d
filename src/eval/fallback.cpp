// Operators that stay PyTorch's: a node ATen that names them, or a node of their own name and domain.
#include <fmt/format.h>

#include <algorithm>

#include "aten/support.h"
#include "eval/assumed_type.h"
#include "eval/evaluator.h"

namespace cameo::eval {
namespace {

using aten::Arg;
using aten::ArgList;
using aten::Scalar;
using aten::Tensor;

constexpr std::string_view kAtenDomain = "org.pytorch.aten";

// What a node of PyTorch's is given: tensors and numbers as inputs, texts as attributes.
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
  // An argument of which only the name tells which one it is.
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
      throw aten::Unsupported(fmt::format("'{}' can only be told by position, which is not known", name));
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
      if (!items.back()) throw aten::Unsupported("a list that holds None or texts cannot be given to a node");
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

// Sizes that only nodes of another scope would tell are new ones.
onnx::Type visible_type(onnx::Emit& e, onnx::Type type) {
  if (type.shape)
    for (Dim& dim : *type.shape)
      if (!e.visible(dim)) dim = e.fresh_dim("size");
  return type;
}

}  // namespace

bool Evaluator::can_fall_back(std::string_view name) const {
  switch (options_.operators) {
    case OperatorExport::onnx:
    case OperatorExport::raw: return false;
    case OperatorExport::aten:
    case OperatorExport::aten_fallback: return name.starts_with("aten::");
    case OperatorExport::fallthrough: return !name.starts_with("prim::");
  }
  return false;
}

Value Evaluator::fall_back(const Target& target, const Arguments& args) {
  Kept kept{emit_};
  for (std::size_t i = 0; i < args.positional.size(); ++i)
    kept.add(to_arg(args.positional[i]), fmt::format("arg{}", i));
  for (const auto& [name, value] : args.keywords) kept.add_named(to_arg(value), name);
  if (kept.operands.empty())
    throw aten::Unsupported("it has no conversion, and without a tensor among its arguments no node either");
  std::vector<onnx::Type> types;
  std::string told;
  for (std::size_t i = 0; i < args.results; ++i) {
    if (std::optional<DType> asked = asked_type(args))
      types.push_back({onnx::Type::Kind::tensor, *asked, std::nullopt});
    else
      types.push_back(assumed_type(target.name, i, kept.operands));
    told += fmt::format("{}{}", i > 0 ? ", " : "", cameo::name(types.back().dtype));
  }
  report(diagnostic(Severity::warning, Stage::convert, "kept-operator",
                    fmt::format("{} stays an operator of PyTorch; its result is taken to be {} of any shape",
                                target.name, told)));
  const std::vector<onnx::Value*> results = emit_.ops(
      node_type(options_.operators, target.name), std::move(kept.inputs),
      node_attributes(options_.operators, target.name, {}, std::move(kept.attributes)), std::move(types));
  if (target.cell) return write_result(target, {Arg{Tensor(results[0])}});
  std::vector<Value> values;
  for (onnx::Value* result : results) values.push_back(wrap(result));
  return values.size() == 1 ? values[0] : make_tuple(std::move(values));
}

// The operator as a node of PyTorch's, with results of the types that its conversion gives. What is known
// without any node stays known.
aten::Returns Evaluator::keep_operator(const aten::Bound& bound) {
  const aten::Schema& schema = bound.op->schema;
  aten::Returns converted;
  {
    onnx::Emit::Scope scope(emit_, emit_.new_graph("scratch"));
    converted = bound.op->call(emit_, bound.args, schema);
  }
  auto known = [&](const Arg& result) {
    const Tensor* tensor = result.get_if<Tensor>();
    return !tensor ? !result.get_if<ArgList>() : emit_.visible(tensor->value);
  };
  if (std::ranges::all_of(converted, known)) return converted;
  Kept kept{emit_};
  for (std::size_t i = 0; i < schema.count; ++i) kept.add(bound.args[i], std::string(schema.params[i].name));
  std::vector<onnx::Type> types;
  for (std::size_t i = 0; i < converted.size(); ++i) {
    if (schema.returns[i].written)
      throw aten::Unsupported("it changes its arguments, which a node of PyTorch's does not tell");
    const Tensor* tensor = converted[i].get_if<Tensor>();
    const ArgList* list = converted[i].get_if<ArgList>();
    if (list && !list->empty()) tensor = list->front().get_if<Tensor>();
    if (!tensor) throw aten::Unsupported("its results cannot be those of a node of PyTorch's");
    onnx::Type type = visible_type(emit_, tensor->value->type);
    if (list) type = {onnx::Type::Kind::sequence, type.dtype, std::nullopt};
    types.push_back(std::move(type));
  }
  std::string_view op = schema.name;
  if (op.ends_with("_functional")) op.remove_suffix(std::string_view("_functional").size());
  const std::vector<onnx::Value*> results = emit_.ops(
      node_type(options_.operators, op), std::move(kept.inputs),
      node_attributes(options_.operators, op, schema.overload, std::move(kept.attributes)), std::move(types));
  for (std::size_t i = 0; i < results.size(); ++i) {
    const ArgList* list = converted[i].get_if<ArgList>();
    if (!list) {
      converted[i] = Arg{Tensor(results[i])};
      continue;
    }
    ArgList items;
    for (std::size_t k = 0; k < list->size(); ++k)
      items.push_back(
          Arg{Tensor(emit_.op("SequenceAt", {results[i], emit_.dim(static_cast<std::int64_t>(k))}, {},
                              visible_type(emit_, aten::detail::to_tensor((*list)[k])->type)))});
    converted[i] = Arg{std::move(items)};
  }
  return converted;
}

}  // namespace cameo::eval
