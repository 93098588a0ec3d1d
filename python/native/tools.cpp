#include <pybind11/stl.h>

#include "bind.h"
#include "cameo/inspect.h"
#include "cameo/model.h"
#include "cameo/ops.h"

namespace py = pybind11;

namespace cameo::python {
namespace {

using Unlocked = py::call_guard<py::gil_scoped_release>;
using Names = std::vector<std::string>;

// The JSON of a report, and its text.
std::pair<std::string, std::string> inspected(const inspect::Report& report) {
  return {to_json(report), to_text(report)};
}

std::pair<std::string, std::string> inspect_bytes(const py::buffer& program) {
  const py::buffer_info info = program.request();
  const std::span bytes(static_cast<const std::byte*>(info.ptr),
                        static_cast<std::size_t>(info.size * info.itemsize));
  const py::gil_scoped_release unlocked;
  return inspected(inspect::program(bytes));
}

std::string ops(const Names& names, bool onnx, const OpsOptions& options, const OpsFormat& format) {
  if (names.empty()) return summarize_operators(options, format);
  return onnx ? describe_onnx_operators(names, options, format) : describe_operators(names, options, format);
}

bool converts(const std::string& name) {
  try {
    return !find_operators(name).empty();
  } catch (const Error& error) {
    if (error.diagnostics().front().code != Code::no_such_operator) throw;
    return false;
  }
}

}  // namespace

void bind_tools(py::module_& module) {
  module.def("inspect", &inspect_bytes);  // first, since bytes would also be a path
  module.def(
      "inspect", [](const std::string& path) { return inspected(inspect::program(path)); }, Unlocked());
  module.def(
      "linger_model",
      [](const std::string& path, const std::string& to, bool quantized_io, bool functions,
         bool scoped_names) {
        const LingerOptions options{
            .quantized_io = quantized_io, .functions = functions, .scoped_names = scoped_names};
        Model(path).linger(options).model.save(to);
      },
      Unlocked());
  module.def("converts", &converts);
  module.def(
      "ops",
      [](const Names& names, bool onnx, std::optional<int> opset, std::string dtype, Names arguments,
         bool explain) {
        const OpsOptions options{
            .opset = opset, .dtype = std::move(dtype), .arguments = std::move(arguments)};
        return std::pair(ops(names, onnx, options, {.json = true}),
                         ops(names, onnx, options, {.explain = explain}));
      },
      Unlocked());
}

}  // namespace cameo::python
