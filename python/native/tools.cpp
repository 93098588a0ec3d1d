#include <pybind11/stl.h>

#include "bind.h"
#include "cameo/inspect.h"
#include "cameo/model.h"

namespace py = pybind11;

namespace cameo::python {

void bind_tools(py::module_& module) {
  const py::call_guard<py::gil_scoped_release> unlocked;
  module.def("check_model", &check_model, unlocked);
  module.def(
      "print_model", [](const std::string& path) { return print_model(path, PrintStyle::onnx); }, unlocked);
  module.def(
      "inspect", [](const std::string& path) { return inspect_file(path); }, unlocked);
}

}  // namespace cameo::python
