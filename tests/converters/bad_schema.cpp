// A plug-in whose schema cannot be read.
#include "cameo/converter.h"

extern "C" const char* cameo_plugin_abi() { return cameo::kPluginAbi; }
extern "C" void cameo_register(cameo::Registry& registry) {
  registry.add("mylib::op(Tensor x)", [](cameo::Conversion& c) { return c["x"].tensor(); });
}
