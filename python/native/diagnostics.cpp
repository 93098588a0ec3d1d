#include <pybind11/stl.h>

#include <algorithm>

#include "bind.h"
#include "cameo/diagnostic.h"
#include "cameo/format.h"
#include "cameo/session.h"

namespace py = pybind11;

namespace cameo::python {
namespace {

// The exceptions are classes of Python, so that they look like any other there.
py::object error_class(const char* name) { return py::module_::import("cameo.errors").attr(name); }

void raise(const py::object& exception) { PyErr_SetObject(exception.get_type().ptr(), exception.ptr()); }

void translate(std::exception_ptr pointer) {
  try {
    std::rethrow_exception(pointer);
  } catch (const SessionError& error) {
    raise(error_class("session_error")(static_cast<int>(error.code()), error.what(), error.diagnostics()));
  } catch (const Error& error) {
    raise(error_class("engine_error")(error.diagnostics()));
  } catch (const InternalError& error) {
    raise(error_class("InternalError")(error.what()));
  }
}

// The text of each code: codes.baked_size == "baked-size".
py::object codes() {
  py::object all = py::module_::import("types").attr("SimpleNamespace")();
  for (const CodeInfo& each : kCodes) {
    std::string identifier(each.name);
    std::ranges::replace(identifier, '-', '_');
    all.attr(identifier.c_str()) = each.name;
  }
  return all;
}

}  // namespace

void bind_diagnostics(py::module_& module) {
  py::enum_<Severity>(module, "Severity")
      .value("note", Severity::note)
      .value("warning", Severity::warning)
      .value("error", Severity::error);
  py::enum_<Stage>(module, "Stage")
      .value("read", Stage::read)
      .value("trace", Stage::trace)
      .value("evaluate", Stage::evaluate)
      .value("convert", Stage::convert)
      .value("check", Stage::check)
      .value("write", Stage::write)
      .value("run", Stage::run);
  py::class_<Position>(module, "Position", "One place in a text; line and column count from 1.")
      .def(py::init([](std::string file, int line, std::string text) {
             return Position{.file = std::move(file), .line = line, .text = std::move(text)};
           }),
           py::kw_only(), py::arg("file"), py::arg("line"), py::arg("text") = "")
      .def_readonly("file", &Position::file)
      .def_readonly("line", &Position::line)
      .def_readonly("column", &Position::column)
      .def_readonly("text", &Position::text)
      .def_readonly("function", &Position::function);
  py::class_<Diagnostic>(module, "Diagnostic", "Something that Cameo has to say; str() draws it.")
      .def(py::init([](Severity severity, std::string_view code, std::string message,
                       std::vector<Position> python, std::vector<std::string> notes, std::string hint) {
             const std::optional<Code> known = find_code(code);
             if (!known) throw py::value_error("unknown code");
             return Diagnostic{.severity = severity,
                               .code = *known,
                               .message = std::move(message),
                               .python = std::move(python),
                               .notes = std::move(notes),
                               .hint = std::move(hint)};
           }),
           py::kw_only(), py::arg("severity"), py::arg("code"), py::arg("message"),
           py::arg("python") = std::vector<Position>(), py::arg("notes") = std::vector<std::string>(),
           py::arg("hint") = "")
      .def_readonly("severity", &Diagnostic::severity)
      .def_property_readonly("stage", &Diagnostic::stage)
      .def_property_readonly("code", [](const Diagnostic& d) { return name(d.code); })
      .def_readwrite("message", &Diagnostic::message)
      .def_readonly("file", &Diagnostic::file)
      .def_readonly("script", &Diagnostic::script)
      .def_readwrite("python", &Diagnostic::python)
      .def_readonly("module_path", &Diagnostic::module_path)
      .def_readonly("notes", &Diagnostic::notes)
      .def_readwrite("hint", &Diagnostic::hint)
      .def("__str__", [](const Diagnostic& d) { return format(d); })
      .def("__repr__", [](const Diagnostic& d) {
        return "<Diagnostic " + std::string(name(d.code)) + ": " + d.message + ">";
      });
  module.attr("codes") = codes();
  py::register_exception_translator(translate);
}

}  // namespace cameo::python
