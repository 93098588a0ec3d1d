#include "bind.h"
#include "cameo/version.h"

PYBIND11_MODULE(_cameo, module) {
  module.doc() = "Cameo's library for Python; the package `cameo` is its face.";
  module.attr("__version__") = std::string(cameo::version());
  cameo::python::bind_diagnostics(module);
  cameo::python::bind_converters(module);
  cameo::python::bind_export(module);
  cameo::python::bind_session(module);
  cameo::python::bind_model(module);
  cameo::python::bind_tools(module);
}
