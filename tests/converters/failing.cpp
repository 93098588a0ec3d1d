// A plug-in that throws while it is loaded.
#include <stdexcept>

#include "cameo/converter.h"

extern "C" const char* cameo_plugin_abi() { return cameo::kPluginAbi; }
extern "C" void cameo_register(cameo::Registry&) { throw std::runtime_error("no licence"); }
