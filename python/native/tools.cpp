#include <pybind11/stl.h>

#include "bind.h"
#include "cameo/inspect.h"
#include "cameo/model.h"

namespace py = pybind11;

namespace cameo::python {

void bind_tools(py::module_& module) {
  using Unlocked = py::call_guard<py::gil_scoped_release>;
  module.def("check_model", &check_model, Unlocked());
  module.def(
      "print_model", [](const std::string& path) { return print_model(path, PrintStyle::onnx); }, Unlocked());
  module.def(
      "inspect", [](const std::string& path) { return inspect_file(path); }, Unlocked());
  module.def(
      "extract_model",
      [](const std::string& path, const std::string& to, std::vector<std::string> inputs,
         std::vector<std::string> outputs, std::vector<std::string> more, bool all) {
        return extract_model(path, to,
                             {.from = std::move(inputs),
                              .to = std::move(outputs),
                              .add_outputs = std::move(more),
                              .all_outputs = all})
            .warnings;
      },
      Unlocked());
}

}  // namespace cameo::python
