// A plug-in with a converter for each thing that converters can do, or get wrong.
#include <stdexcept>

#include "cameo/converter.h"

namespace {

using cameo::Conversion;
using cameo::ElementType;
using cameo::Results;
using cameo::Tensor;

// The older form of the reductions, in which the axes are an attribute.
Results extremes(Conversion& c) {
  const Tensor x = c["x"].tensor();
  const cameo::NodeAttributes attributes{{"axes", c["dims"].integers()}, {"keepdims", 0}};
  return std::vector{c.op("ReduceMin", {x}, attributes), c.op("ReduceMax", {x}, attributes)};
}

Results pieces(Conversion& c) {
  return c.ops("Split", {c["x"].tensor()}, {{"axis", 0}}, static_cast<std::size_t>(c["n"].integer()));
}

Results count(Conversion& c) { return c.op("Size", {c["x"].tensor()}); }

Results mean(Conversion& c) { return c.op("ReduceMean", {c["x"].tensor()}, {{"keepdims", 0}}); }

Results quant(Conversion& c) {
  const Tensor x = c["x"].tensor();
  const Tensor y = c.op("npu::Quant", {x, c.value(c["scale"])},
                        {{"bits", c["bits"].integer()},
                         {"mode", c["mode"].text()},
                         {"zero", 0.5},
                         {"table", cameo::Contents::of<float>({2}, {1, 2})},
                         {"ranges", c["ranges"].reals()}});
  c.set_type(y, ElementType::i8, x.shape());
  return y;
}

Results untold(Conversion& c) { return c.op("npu::Any", {c["x"].tensor()}); }

// Reads a weight.
Results scaled_by(Conversion& c) {
  const std::optional<cameo::Contents> weight = c["w"].tensor().contents();
  if (!weight) c.fail("'w' must be a parameter", "do not compute it from the inputs");
  float sum = 0;
  for (const float element : weight->as<float>()) sum += element;
  return c.op("Mul", {c["x"].tensor(), c.scalar(sum)});
}

Results flattened(Conversion& c) {
  const cameo::Sizes sizes = c["x"].tensor().shape().value();
  return c.op("Reshape", {c["x"].tensor(), c.value(cameo::Sizes{sizes[0] * sizes[1], sizes[2] + 0})});
}

Results joined(Conversion& c) { return c.op("Concat", c["xs"].tensors(), {{"axis", c["dim"].integer()}}); }

Results as_type(Conversion& c) {
  return c.op("Cast", {c["x"].tensor()}, {{"to", static_cast<std::int64_t>(c["type"].dtype())}});
}

// Numbers of which some are only known at run time.
Results shifted(Conversion& c) {
  const Tensor x = c["x"].tensor();
  return c.op("Add", {x, c.value(c["by"], x.dtype())});
}

Results twice(Conversion& c) { return c.op("Add", {c["x"].tensor(), c["x"].tensor()}); }

Results broken(Conversion&) { throw std::runtime_error("something broke"); }

Results wrong(Conversion& c) {
  const Tensor x = c["x"].tensor();
  const std::string what = c["what"].text();
  if (what == "operator") return c.op("Relux", {x});
  if (what == "attribute") return c.op("Relu", {x}, {{"alpha", 1.0}});
  if (what == "kind") return c.op("Softmax", {x}, {{"axis", "last"}});
  if (what == "missing") return c.op("Concat", {x});
  if (what == "inputs") return c.op("Relu", {x, x});
  if (what == "few") return c.op("Add", {x});
  if (what == "left out") return c.op("Add", {{}, x});
  if (what == "outputs") return c.ops("Relu", {x}, {}, 2);
  if (what == "shapes") return c.op("Add", {x, c.constant<float>({7}, std::vector<float>(7))});
  if (what == "results") return std::vector{x, x};
  if (what == "empty") return Tensor();
  if (what == "parameter") return c["y"].tensor();
  if (what == "argument") return c["what"].tensor();
  if (what == "type") c.set_type(x, ElementType::i64, {});
  if (what == "shape") c.set_type(x, ElementType::f32, cameo::Sizes{9, 9});
  if (what == "bytes") return c.constant(cameo::Contents{ElementType::f32, {3}, {}, {}});
  if (what == "no type") return c.op("npu::Source", {});
  return x;
}

Results named(Conversion& c, const char* name) {
  const Tensor y = c.op(name, {c["self"].tensor()});
  c.set_type(y, c["self"].tensor().dtype(), c["self"].tensor().shape());
  return y;
}

}  // namespace

extern "C" const char* cameo_plugin_abi() { return cameo::kPluginAbi; }

extern "C" void cameo_register(cameo::Registry& registry) {
  registry.add("many::extremes(Tensor x, int[] dims) -> (Tensor, Tensor)", extremes);
  registry.add("many::pieces(Tensor x, int n) -> Tensor[]", pieces);
  registry.add("many::count(Tensor x) -> int", count);
  registry.add("many::mean(Tensor x) -> float", mean);
  registry.add(
      "many::quant(Tensor x, int bits, *, str mode='round', float? scale=None, float[] ranges=[0.5, 1]) -> "
      "Tensor",
      quant);
  registry.add("many::untold(Tensor x) -> Tensor", untold);
  registry.add("many::scaled_by(Tensor x, Tensor w) -> Tensor", scaled_by);
  registry.add("many::flattened(Tensor x) -> Tensor", flattened);
  registry.add("many::joined(Tensor[] xs, int dim=0) -> Tensor", joined);
  registry.add("many::as_type(Tensor x, ScalarType type) -> Tensor", as_type);
  registry.add("many::shifted(Tensor x, float[] by) -> Tensor", shifted);
  registry.add("many::twice_(Tensor(a!) x) -> Tensor(a!)", twice);
  registry.add("many::broken(Tensor x) -> Tensor", broken);
  registry.add("many::wrong(Tensor x, str what) -> Tensor", wrong);
  registry.add("aten::gelu(Tensor self, *, str approximate='none') -> Tensor",
               [](Conversion& c) { return named(c, "com.example::Gelu"); });
  registry.add("aten::hardswish(Tensor self) -> Tensor",
               [](Conversion& c) { return named(c, "a::HardSwish"); }, {.first = 9});
  registry.add("aten::hardswish(Tensor self) -> Tensor",
               [](Conversion& c) { return named(c, "b::HardSwish"); }, {.first = 13, .last = 15});
}
