// A plug-in for the command: converters for two operators of your own library.
//
//   g++ -std=c++20 -shared -fPIC -I include examples/plugin.cpp -o libmylib.so
//   cameo export model.pt --plugin ./libmylib.so

#include "cameo/converter.h"

namespace {

// max(x, 0) * a, by operators of ONNX's own: types and shapes are inferred, any runtime runs it.
cameo::Results scaled_relu(cameo::Conversion& c) {
  const cameo::Tensor x = c["x"].tensor();
  return c.op("Mul", {c.op("Relu", {x}), c.value(c["a"], x.dtype())});
}

// An operator of the domain "mylib", which the runtime must provide. Its type must be declared.
cameo::Results pool(cameo::Conversion& c) {
  const cameo::Tensor x = c["x"].tensor();
  const std::int64_t size = c["size"].integer();
  if (size < 1) c.fail("'size' is less than 1");
  const cameo::Tensor y = c.op("mylib::Pool", {x}, {{"size", size}, {"mode", c["mode"].text()}});
  std::optional<cameo::Sizes> shape = x.shape();
  if (shape) shape->back() = shape->back() / size;
  c.set_type(y, x.dtype(), shape);
  return y;
}

}  // namespace

extern "C" const char* cameo_plugin_abi() { return cameo::kPluginAbi; }

extern "C" void cameo_register(cameo::Registry& registry) {
  registry.add("mylib::scaled_relu(Tensor x, float a=1.0) -> Tensor", scaled_relu);
  registry.add("mylib::pool(Tensor x, int size, str mode='mean') -> Tensor", pool);
  registry.set_domain_version("mylib", 2);
}
