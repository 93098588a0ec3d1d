// A plug-in of another time.
extern "C" const char* cameo_plugin_abi() { return "0, libstdc++"; }
