#include "cameo/export.h"

#include <pybind11/functional.h>
#include <pybind11/stl.h>

#include <deque>

#include "bind.h"
#include "cameo/converter.h"
#include "cameo/version.h"
#include "export/report/report.h"

namespace py = pybind11;

namespace cameo::python {
namespace {

void bind_choices(py::module_& module) {
  py::enum_<ExternalData>(module, "ExternalData")
      .value("automatic", ExternalData::automatic)
      .value("always", ExternalData::always)
      .value("never", ExternalData::never)
      .value("link", ExternalData::link);
  py::enum_<TrainingMode>(module, "TrainingMode")
      .value("eval", TrainingMode::eval)
      .value("preserve", TrainingMode::preserve)
      .value("training", TrainingMode::training);
  py::enum_<OperatorExport>(module, "OperatorExport")
      .value("onnx", OperatorExport::onnx)
      .value("aten", OperatorExport::aten)
      .value("aten_fallback", OperatorExport::aten_fallback)
      .value("fallthrough", OperatorExport::fallthrough)
      .value("raw", OperatorExport::raw);
  py::enum_<ParameterNames>(module, "ParameterNames")
      .value("state_dict", ParameterNames::state_dict)
      .value("numbers", ParameterNames::numbers);
  py::enum_<QuantizedWeights>(module, "QuantizedWeights")
      .value("int8", QuantizedWeights::int8)
      .value("qdq", QuantizedWeights::qdq);
  py::enum_<Metadata>(module, "Metadata")
      .value("none", Metadata::none)
      .value("names", Metadata::names)
      .value("full", Metadata::full);
}

void bind_options(py::module_& module) {
  py::class_<ExportOptions>(module, "ExportOptions")
      .def(py::init<>())
      .def_property("inputs", nullptr,
                    [](ExportOptions& options, const std::vector<std::string>& texts) {
                      options.inputs = parse_inputs(texts);
                    })
      .def_readwrite("method", &ExportOptions::method)
      .def_readwrite("input_names", &ExportOptions::input_names)
      .def_readwrite("output_names", &ExportOptions::output_names)
      .def_readwrite("unroll_loops", &ExportOptions::unroll_loops)
      .def_readwrite("opset", &ExportOptions::opset)
      .def_readwrite("dynamic_axes", &ExportOptions::dynamic_axes)
      .def_readwrite("state_as_io", &ExportOptions::state_as_io)
      .def_readwrite("static_shapes", &ExportOptions::static_shapes)
      .def_readwrite("training", &ExportOptions::training)
      .def_readwrite("operators", &ExportOptions::operators)
      .def_readwrite("custom_opsets", &ExportOptions::custom_opsets)
      .def_property(
          "converters", [](const ExportOptions& options) { return options.converters; },
          py::cpp_function(
              [](ExportOptions& options, const Registry* registry) { options.converters = registry; },
              py::keep_alive<1, 2>()))
      .def_property(
          "rewrites", [](const ExportOptions& options) { return options.rewrites; },
          py::cpp_function(
              [](ExportOptions& options, const Rewrites* rewrites) { options.rewrites = rewrites; },
              py::keep_alive<1, 2>()))
      .def_readwrite("target", &ExportOptions::target)
      .def_readwrite("parameters", &ExportOptions::parameters)
      .def_readwrite("parameters_first", &ExportOptions::parameters_first)
      .def_readwrite("keep_initializers_as_inputs", &ExportOptions::keep_initializers_as_inputs)
      .def_readwrite("parameter_names", &ExportOptions::parameter_names)
      .def_readwrite("fold_constants", &ExportOptions::fold_constants)
      .def_readwrite("quantized_weights", &ExportOptions::quantized_weights)
      .def_readwrite("float64_as_float32", &ExportOptions::float64_as_float32)
      .def_readwrite("disabled_rules", &ExportOptions::disabled_rules)
      .def_readwrite("stop_rules_after", &ExportOptions::stop_rules_after)
      .def_readwrite("external_data", &ExportOptions::external_data)
      .def_readwrite("sync", &ExportOptions::sync)
      .def_readwrite("check", &ExportOptions::check)
      .def_readwrite("doc_strings", &ExportOptions::doc_strings)
      .def_readwrite("metadata", &ExportOptions::metadata)
      .def_readwrite("verbose", &ExportOptions::verbose)
      .def_readwrite("progress", &ExportOptions::progress)
      .def_readwrite("writing", &ExportOptions::writing);
}

// An input or output of an exported model, with its whole type as text.
struct ExportedValue {
  ValueInfo info;
};

std::vector<ExportedValue> exported_values(const std::vector<ValueInfo>& values) {
  std::vector<ExportedValue> out;
  for (const ValueInfo& value : values) out.push_back({value});
  return out;
}

void bind_report(py::module_& module) {
  py::class_<ExportedValue>(module, "ExportedValue")
      .def_property_readonly("name", [](const ExportedValue& v) { return v.info.name; })
      .def_property_readonly("type", [](const ExportedValue& v) { return type_text(v.info); })
      .def("__repr__", [](const ExportedValue& v) { return to_string(v.info); });
  py::class_<RewriteUse>(module, "RewriteUse", "A rewriting rule, and the places where it applied.")
      .def_readonly("rule", &RewriteUse::rule)
      .def_readonly("file", &RewriteUse::file)
      .def_readonly("line", &RewriteUse::line)
      .def_readonly("places", &RewriteUse::places);
  py::class_<Rewrites>(module, "Rewrites")
      .def(py::init())
      .def("read", &Rewrites::read)
      .def("parse", &Rewrites::parse);
  py::class_<ExportReport>(module, "ExportReport", "What an export did.")
      .def_property_readonly("inputs", [](const ExportReport& r) { return exported_values(r.inputs); })
      .def_property_readonly("outputs", [](const ExportReport& r) { return exported_values(r.outputs); })
      .def_readonly("operators", &ExportReport::operators)
      .def_readonly("nodes", &ExportReport::nodes)
      .def_readonly("parameters", &ExportReport::parameters)
      .def_readonly("bytes", &ExportReport::bytes)
      .def_readonly("seconds", &ExportReport::seconds)
      .def_readonly("opset", &ExportReport::opset)
      .def_readonly("rules", &ExportReport::rules)
      .def_readonly("rewrites", &ExportReport::rewrites)
      .def_readonly("timings", &ExportReport::timings)
      .def_readwrite("warnings", &ExportReport::warnings)
      .def_readonly("assumptions", &ExportReport::assumptions)
      .def_readonly("changed_buffers", &ExportReport::changed_buffers)
      .def_readonly("graph", &ExportReport::graph);
  module.def(
      "write_report",
      [](const std::string& path, std::string model, std::string output, const ExportReport* report,
         std::vector<Diagnostic> all) {
        write_report(path, {.model = std::move(model),
                            .output = std::move(output),
                            .version = std::string(version()),
                            .report = report,
                            .all = std::move(all)});
      },
      "The report of an export as a file; None for one that failed.");
}

// A model in memory, seen from Python without a copy.
struct ModelBytes {
  std::string bytes;
};

using Result = std::pair<ModelBytes, ExportReport>;

// An archive and the weights that were left out of it, kept for as long as this is.
class Borrowed {
 public:
  using Weights = std::vector<std::pair<py::buffer, py::buffer>>;  // marks and bytes

  Borrowed(const py::buffer& archive, std::string name, const Weights& weights) {
    archive_.name = std::move(name);
    archive_.bytes = keep(archive);
    for (const auto& [mark, bytes] : weights) archive_.borrowed.push_back({keep(mark), keep(bytes)});
  }
  const ArchiveInMemory& archive() const { return archive_; }

 private:
  std::span<const std::byte> keep(const py::buffer& buffer) {
    const py::buffer_info& info = infos_.emplace_back(buffer.request());
    return {static_cast<const std::byte*>(info.ptr), static_cast<std::size_t>(info.size * info.itemsize)};
  }
  std::deque<py::buffer_info> infos_;
  ArchiveInMemory archive_;
};

}  // namespace

void bind_export(py::module_& module) {
  bind_choices(module);
  bind_options(module);
  bind_report(module);
  py::class_<ModelBytes>(module, "ModelBytes", py::buffer_protocol()).def_buffer([](ModelBytes& model) {
    return py::buffer_info(reinterpret_cast<const unsigned char*>(model.bytes.data()),
                           static_cast<py::ssize_t>(model.bytes.size()));
  });
  module.def(
      "export_file",
      [](const std::string& model, const std::string& output, const ExportOptions& options) {
        py::gil_scoped_release unlocked;
        return export_onnx(model, output, options);
      },
      "A saved program to a file.");
  module.def(
      "export_file_to_memory",
      [](const std::string& model, const ExportOptions& options) {
        py::gil_scoped_release unlocked;
        auto [bytes, report] = export_to_memory(model, options);
        return Result{ModelBytes{std::move(bytes)}, std::move(report)};
      },
      "A saved program to a buffer.");
  module.def(
      "export_archive",
      [](const py::buffer& archive, const std::string& name, const Borrowed::Weights& weights,
         const std::string& output, const ExportOptions& options) {
        const Borrowed borrowed(archive, name, weights);
        py::gil_scoped_release unlocked;
        return export_onnx(borrowed.archive(), output, options);
      },
      "An archive in memory to a file.");
  module.def(
      "export_archive_to_memory",
      [](const py::buffer& archive, const std::string& name, const Borrowed::Weights& weights,
         const ExportOptions& options) {
        const Borrowed borrowed(archive, name, weights);
        py::gil_scoped_release unlocked;
        auto [bytes, report] = export_to_memory(borrowed.archive(), options);
        return Result{ModelBytes{std::move(bytes)}, std::move(report)};
      },
      "An archive in memory to a buffer.");
}

}  // namespace cameo::python
