// torch.autograd.grad, and the properties of tensors that follow from it.
#include "aten/elementwise.h"
#include "eval/builtins/builtins.h"
#include "gradient/gradient.h"

namespace cameo::eval {
namespace gradients {
namespace {

using Args = const Arguments&;
using Result = std::optional<Value>;

const CellPtr* cell_at(Args args, std::size_t i) {
  return i < args.positional.size() ? args.positional[i].get_if<CellPtr>() : nullptr;
}

bool flag(Evaluation& ev, const Value* value, bool otherwise) {
  if (!value || value->is_none()) return otherwise;
  const std::optional<bool> known = ev.values.decide(*value);
  if (!known) throw aten::Unsupported("a flag must be known at export time");
  return *known;
}

bool tracked(Evaluation& ev, const CellPtr& cell) {
  if (!ev.emit.differentiable()) return false;
  return gradient::depends(ev.emit, ev.tape, ev.memory.cells().read(cell).value, ev.tape.leaves());
}

// torch.autograd.grad takes tensors or lists of them.
std::vector<Value> items_of(const Value& value) {
  if (const ListPtr* list = value.get_if<ListPtr>()) return (*list)->items;
  if (const TuplePtr* tuple = value.get_if<TuplePtr>()) return (*tuple)->items;
  return {value};
}

std::vector<onnx::Value*> tensors_of(Evaluation& ev, const Value* value, const char* what) {
  std::vector<onnx::Value*> out;
  for (const Value& item : value ? items_of(*value) : std::vector<Value>()) {
    const CellPtr* cell = item.get_if<CellPtr>();
    if (!cell) throw aten::ProgramError(std::string(what) + " must be tensors");
    out.push_back(ev.memory.cells().read(*cell));
  }
  return out;
}

// The weights that the program gives, or 1 for a single number.
std::vector<onnx::Value*> weights_of(Evaluation& ev, const std::vector<onnx::Value*>& outputs,
                                     const Value* given) {
  std::vector<Value> items(outputs.size(), Value(None{}));
  if (given && !given->is_none()) items = items_of(*given);
  if (items.size() != outputs.size())
    throw aten::ProgramError("'outputs' and 'grad_outputs' differ in length");
  std::vector<onnx::Value*> weights;
  for (std::size_t i = 0; i < items.size(); ++i) {
    const aten::ValueRef output{outputs[i]};
    if (const CellPtr* cell = items[i].get_if<CellPtr>()) {
      weights.push_back(ev.memory.cells().read(*cell));
      continue;
    }
    if (ev.emit.sym().equal(output.shape().product(), 1) == sym::Truth::no)
      throw aten::ProgramError("grad can be implicitly created only for scalar outputs");
    weights.push_back(aten::filled(ev.emit.scalar(output.dtype(), 1.0), output.shape()));
  }
  return weights;
}

Result grad(Evaluation& ev, Args args) {
  const std::vector<onnx::Value*> outputs = tensors_of(ev, args.find(0, "outputs"), "'outputs'");
  const std::vector<onnx::Value*> inputs = tensors_of(ev, args.find(1, "inputs"), "'inputs'");
  for (const onnx::Value* input : inputs)
    if (input->constant())
      throw aten::Unsupported("a derivative by a parameter or a constant is not supported",
                              "call requires_grad_() on it before it is used");
  const bool keep = flag(ev, args.find(4, "create_graph"), false);
  const bool allow_unused = flag(ev, args.find(5, "allow_unused"), false);
  const std::vector<onnx::Value*> weights = weights_of(ev, outputs, args.find(2, "grad_outputs"));
  const OriginScope origin(ev.emit, ev.reporter, "aten::grad");
  std::vector<Value> results;
  for (onnx::Value* value : gradient::gradients(ev.emit, ev.tape, outputs, weights, inputs)) {
    if (!value && !allow_unused)
      ev.reporter.raise(
          "One of the differentiated Tensors appears to not have been used in the graph. Set "
          "allow_unused=True if this is the desired behavior.");
    if (!value)
      results.push_back(None{});
    else
      results.push_back(ev.memory.make_tensor(keep ? value : ev.emit.stop_gradient(value).value));
  }
  return ev.memory.make_list(std::move(results));
}

Result require_grad(Evaluation& ev, Args args) {
  const CellPtr* cell = cell_at(args, 0);
  if (!cell) return std::nullopt;
  const bool on = flag(ev, args.find(1, "requires_grad"), true);
  if (!ev.emit.differentiable() || on == tracked(ev, *cell)) return *cell;
  onnx::Value* value = ev.memory.cells().read(*cell);
  if (!is_floating(value->dtype()))
    ev.reporter.raise("only Tensors of floating point dtype can require gradients");
  if (!on) {
    ev.memory.cells().track(*cell, ev.emit.stop_gradient(value));
    return *cell;
  }
  onnx::Value* leaf = ev.emit.identity(value);
  ev.tape.add_leaf(leaf);
  ev.memory.cells().track(*cell, leaf);
  return *cell;
}

Result requires_grad(Evaluation& ev, Args args) {
  const CellPtr* cell = cell_at(args, 0);
  return cell ? Result(Value(tracked(ev, *cell))) : std::nullopt;
}

Result is_leaf(Evaluation& ev, Args args) {
  const CellPtr* cell = cell_at(args, 0);
  if (!cell) return std::nullopt;
  return Value(!tracked(ev, *cell) || ev.tape.is_leaf(ev.memory.cells().read(*cell).value));
}

Result set_enabled(Evaluation& ev, Args args) {
  ev.tape.enable(flag(ev, args.find(0, "val"), true));
  return Value(None{});
}

Result is_enabled(Evaluation& ev, Args) { return Value(ev.emit.differentiable() && ev.tape.enabled()); }

constexpr NamedBuiltin kGradients[] = {
    {"aten::grad", grad},
    {"aten::is_grad_enabled", is_enabled},
    {"aten::is_leaf", is_leaf},
    {"aten::requires_grad_", require_grad},
    {"aten::set_grad_enabled", set_enabled},
    {"prim::is_leaf", is_leaf},
    {"prim::requires_grad", requires_grad},
};

}  // namespace
}  // namespace gradients

std::span<const NamedBuiltin> gradient_builtins() { return gradients::kGradients; }

}  // namespace cameo::eval
