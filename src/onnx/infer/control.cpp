#include <fmt/core.h>

#include "cameo/diagnostic.h"
#include "onnx/infer/families.h"
#include "onnx/infer/join.h"

namespace cameo::onnx {
namespace {

// A type as it is seen outside of the subgraph that it was made in.
Type outside(Inference& f, Type type) {
  if (type.shape)
    for (Dim& dim : *type.shape)
      if (!f.visible(dim)) dim = f.fresh("out");
  return type;
}

void if_else(Inference& f) {
  const Graph* yes = f.graph("then_branch");
  const Graph* no = f.graph("else_branch");
  if (yes->outputs.size() != f.outputs() || no->outputs.size() != f.outputs())
    throw InternalError("the branches of If have different numbers of results");
  for (std::size_t i = 0; i < f.outputs(); ++i)
    f.set_type(i, outside(f, join(f.symbols(), yes->outputs[i]->type, no->outputs[i]->type)));
}

bool always_true(const Value* value) {
  if (value->producer && value->producer->op == "Identity") value = value->producer->inputs[0];
  return value->constant() && value->data->numel() == 1 && value->data->integer(0) != 0;
}

// The trip count of a loop if it is a formula: its condition never ends it.
std::optional<Dim> trips(Inference& f, const Graph& body) {
  const auto limit = f.formula(0);
  if (!limit) return std::nullopt;
  if (f.has(1) && !always_true(&f.input(1))) return std::nullopt;
  const Value* again = body.outputs.front();
  const bool passed_on = body.inputs.size() > 1 &&
                         (again == body.inputs[1] || (again->producer && again->producer->op == "Identity" &&
                                                      again->producer->inputs[0] == body.inputs[1]));
  if (!passed_on && !always_true(again)) return std::nullopt;
  return sym::max(Dim(0), *limit);
}

Type stacked(const Type& element, const Dim& count, std::size_t axis) {
  Type type = element;
  if (type.shape) type.shape->insert_at(axis, count);
  return type;
}

void loop(Inference& f) {
  const Graph* body = f.graph("body");
  const std::size_t carried = f.inputs() > 2 ? f.inputs() - 2 : 0;
  if (body->outputs.size() != f.outputs() + 1 || carried > f.outputs() || body->inputs.size() != carried + 2)
    throw InternalError("the body of Loop does not fit its results");
  for (std::size_t i = 0; i < carried; ++i)
    f.set_type(i, outside(f, join(f.symbols(), f.input(i + 2).type, body->outputs[i + 1]->type)));
  const std::optional<Dim> count = trips(f, *body);
  const Dim length = count ? *count : carried < f.outputs() ? f.fresh("trips") : Dim(0);
  for (std::size_t i = carried; i < f.outputs(); ++i)
    f.set_type(i, stacked(outside(f, body->outputs[i + 1]->type), length, 0));
}

void scan(Inference& f) {
  const Graph* body = f.graph("body");
  const auto scanned = static_cast<std::size_t>(f.integer("num_scan_inputs", 0));
  if (scanned > f.inputs() || f.inputs() - scanned > f.outputs() || body->outputs.size() != f.outputs())
    throw InternalError("the body of Scan does not fit its inputs");
  const std::size_t states = f.inputs() - scanned;
  for (std::size_t i = 0; i < states; ++i)
    f.set_type(i, outside(f, join(f.symbols(), f.input(i).type, body->outputs[i]->type)));
  const std::vector<std::int64_t> axes_in = f.list("scan_input_axes"), axes_out = f.list("scan_output_axes");
  Dim length = f.fresh("steps");
  if (scanned > 0 && f.shape(states))
    length = (*f.shape(states))[f.axis(axes_in.empty() ? 0 : axes_in[0], f.shape(states)->size())];
  for (std::size_t i = states; i < f.outputs(); ++i) {
    const Type element = outside(f, body->outputs[i]->type);
    const std::int64_t given = axes_out.empty() ? 0 : axes_out.at(i - states);
    const std::size_t axis = element.shape ? f.axis(given, element.shape->size() + 1) : 0;
    f.set_type(i, stacked(element, length, axis));
  }
}

void sequence_map(Inference& f) {
  const Graph* body = f.graph("body");
  for (std::size_t i = 0; i < f.outputs(); ++i) {
    Type type = body->outputs.at(i)->type;
    if (type.shape)
      for (Dim& dim : *type.shape)
        if (!f.visible(dim)) dim = f.symbols().symbol("item", {0, std::nullopt}, kVaries);
    type.kind = Type::Kind::sequence;
    f.set_type(i, type);
  }
}

constexpr InferRow kControl[] = {
    {"If", if_else}, {"Loop", loop}, {"Scan", scan}, {"SequenceMap", sequence_map}};

}  // namespace

std::span<const InferRow> control_inference() { return kControl; }

}  // namespace cameo::onnx
