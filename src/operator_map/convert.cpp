#include "operator_map/convert.h"

#include "aten/complex.h"
#include "base/overload.h"
#include "onnx/downgrade/downgrade.h"
#include "onnx/graph/errors.h"
#include "onnx/graph/finish.h"
#include "onnx/graph/value_info.h"
#include "operator_map/read_nodes.h"

namespace cameo::operator_map {
namespace {

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

void keep(onnx::Emit& e, const aten::Arg& result, std::vector<onnx::Value*>& values) {
  if (const auto* tensor = result.get_if<aten::Tensor>()) values.push_back(tensor->value);
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
  for (const InputSpec& argument : sample)
    call.keywords.emplace_back(argument.name, maker.make(argument, argument.name));
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
