#pragma once
// One function per file of this folder; each adds its part to the module.

#include <pybind11/pybind11.h>

namespace cameo::python {

void bind_converters(pybind11::module_& module);
void bind_diagnostics(pybind11::module_& module);
void bind_export(pybind11::module_& module);
void bind_model(pybind11::module_& module);
void bind_session(pybind11::module_& module);
void bind_tools(pybind11::module_& module);

}  // namespace cameo::python
