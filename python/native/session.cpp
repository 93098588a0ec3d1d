#include "cameo/session.h"

#include <pybind11/stl.h>

#include "array.h"
#include "bind.h"
#include "cameo/backend.h"

namespace py = pybind11;

namespace cameo::python {
namespace {

Datum datum_of(const py::handle& value) {
  if (value.is_none()) return {};
  if (!py::isinstance<py::list>(value)) return array_of(py::reinterpret_borrow<py::array>(value));
  std::vector<Array> items;
  for (const py::handle item : value) items.push_back(array_of(py::reinterpret_borrow<py::array>(item)));
  return items;
}

py::object object_of(const Datum& datum) {
  if (!datum.has_value()) return py::none();
  if (datum.is_tensor()) return numpy_of(datum.tensor());
  py::list out;
  for (const Array& item : datum.sequence()) out.append(numpy_of(item));
  return out;
}

py::list run(const Session& session, const py::dict& feeds, const std::vector<std::string>& outputs) {
  std::vector<Session::Feed> fed;
  for (const auto& [name, value] : feeds) fed.emplace_back(py::cast<std::string>(name), datum_of(value));
  std::vector<Datum> results;
  {
    py::gil_scoped_release unlocked;
    results = session.run(fed, outputs);
  }
  py::list out;
  for (const Datum& result : results) out.append(object_of(result));
  return out;
}

SessionOptions options_of(int threads, int optimization, int log, const std::string& library,
                          const std::vector<std::string>& fetch) {
  return {.threads = threads,
          .optimization = static_cast<SessionOptions::Optimization>(optimization),
          .log = static_cast<SessionOptions::Log>(log),
          .library = library,
          .fetch = fetch};
}

Session open(const py::object& model, const SessionOptions& options) {
  if (py::isinstance<py::str>(model)) {
    const auto path = model.cast<std::string>();
    py::gil_scoped_release unlocked;
    return Session(path, options);
  }
  const py::buffer_info info = model.cast<py::buffer>().request();
  const std::span bytes(static_cast<const std::byte*>(info.ptr),
                        static_cast<std::size_t>(info.size * info.itemsize));
  py::gil_scoped_release unlocked;
  return Session(bytes, options);
}

std::vector<Datum> data_of(const py::list& inputs) {
  std::vector<Datum> out;
  for (const py::handle input : inputs) out.push_back(datum_of(input));
  return out;
}

py::list run_prepared(const Prepared& prepared, const py::list& inputs) {
  const std::vector<Datum> given = data_of(inputs);
  std::vector<Datum> results;
  {
    py::gil_scoped_release unlocked;
    results = prepared.run(given);
  }
  py::list out;
  for (const Datum& result : results) out.append(object_of(result));
  return out;
}

py::dict run_all(const Prepared& prepared, const py::list& inputs) {
  const Workspace workspace = prepared.run_all(data_of(inputs));
  py::dict out;
  for (const std::string& name : workspace.names()) out[py::str(name)] = object_of(workspace.fetch(name));
  return out;
}

}  // namespace

void bind_session(py::module_& module) {
  py::list types;  // (name, ONNX's name, PyTorch's name)
  for (const ElementType type : element_types())
    types.append(py::make_tuple(name(type), names(type).onnx, names(type).torch));
  module.attr("ELEMENT_TYPES") = types;
  py::enum_<ValueInfo::Kind>(module, "Kind")
      .value("tensor", ValueInfo::Kind::tensor)
      .value("sequence", ValueInfo::Kind::sequence)
      .value("other", ValueInfo::Kind::other);
  py::class_<Dim>(module, "Dim").def_readonly("size", &Dim::size).def_readonly("name", &Dim::name);
  py::class_<ValueInfo>(module, "ValueInfo")
      .def_readonly("name", &ValueInfo::name)
      .def_readonly("kind", &ValueInfo::kind)
      .def_readonly("optional", &ValueInfo::optional)
      .def_property_readonly("type", [](const ValueInfo& info) { return std::string(name(info.type)); })
      .def_readonly("shape", &ValueInfo::shape)
      .def("__str__", [](const ValueInfo& info) { return to_string(info); });
  py::class_<Session>(module, "Session")
      .def(py::init([](const py::object& model, int threads, int optimization, int log,
                       const std::string& library, const std::vector<std::string>& fetch) {
             return open(model, options_of(threads, optimization, log, library, fetch));
           }),
           py::arg("model"), py::arg("threads"), py::arg("optimization"), py::arg("log"), py::arg("library"),
           py::arg("fetch"))
      .def_property_readonly("inputs", &Session::inputs)
      .def_property_readonly("outputs", &Session::outputs)
      .def_property_readonly("runtime_version", &Session::runtime_version)
      .def("run", run);
  py::class_<Prepared>(module, "Prepared")
      .def("run", run_prepared)
      .def("run_all", run_all)
      .def("predict_net", [](const Prepared& prepared) { return py::bytes(prepared.predict_net()); });
  module.def("supports_device", [](const std::string& device) { return supports_device(device); });
  module.def("prepare", [](const std::string& path, const std::string& device, const std::string& library) {
    return prepare(path, device, {.library = library});
  });
}

}  // namespace cameo::python
