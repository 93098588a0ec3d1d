#include <pybind11/stl.h>

#include <map>

#include "array.h"
#include "bind.h"
#include "cameo/calibrate.h"
#include "cameo/inspect.h"
#include "cameo/model.h"
#include "cameo/ops.h"
#include "cameo/print.h"

namespace py = pybind11;

namespace cameo::python {

namespace {

using Unlocked = py::call_guard<py::gil_scoped_release>;

void bind_print(py::module_& module) {
  py::enum_<PrintStyle>(module, "PrintStyle")
      .value("onnx", PrintStyle::onnx)
      .value("text", PrintStyle::text)
      .value("torch", PrintStyle::torch)
      .value("torch_0_3", PrintStyle::torch_0_3)
      .value("annotated", PrintStyle::annotated);
  module.def(
      "print_model", [](const std::string& path, PrintStyle style) { return Model(path).print(style); },
      Unlocked());
}

void bind_extract(py::module_& module) {
  module.def(
      "extract_model",
      [](const std::string& path, const std::string& to, std::vector<std::string> inputs,
         std::vector<std::string> outputs, std::vector<std::string> more, bool all) {
        const Extracted extracted = Model(path).extract({.from = std::move(inputs),
                                                         .to = std::move(outputs),
                                                         .add_outputs = std::move(more),
                                                         .all_outputs = all});
        extracted.model.save(to);
        return extracted.warnings;
      },
      Unlocked());
}

void bind_infer(py::module_& module) {
  py::class_<InferredValue>(module, "InferredValue")
      .def_property_readonly("name", [](const InferredValue& of) { return of.value.name; })
      .def_property_readonly("type", [](const InferredValue& of) { return type_text(of.value, false); })
      .def_property_readonly("shape",
                             [](const InferredValue& of) -> std::optional<std::vector<std::string>> {
                               if (!of.value.shape) return std::nullopt;
                               std::vector<std::string> sizes;
                               for (const Dim& dim : *of.value.shape) sizes.push_back(to_string(dim));
                               return sizes;
                             })
      .def_readonly("op", &InferredValue::op)
      .def_readonly("graph", &InferredValue::graph);
  module.def(
      "infer_model",
      [](const std::string& path, const std::string& to, bool strict) {
        Inferred inferred = Model(path).infer({.strict = strict});
        if (!to.empty()) inferred.model.save(to);
        return std::pair(std::move(inferred.values), std::move(inferred.warnings));
      },
      Unlocked());
}

void bind_simplify(py::module_& module) {
  module.def(
      "simplify_model",
      [](const std::string& path, const std::string& to, std::vector<std::string> only,
         std::vector<std::string> also, std::vector<std::string> without,
         std::vector<std::pair<std::string, std::vector<std::int64_t>>> shapes) {
        const Simplified report = Model(path).simplify({.only = std::move(only),
                                                        .also = std::move(also),
                                                        .disabled = std::move(without),
                                                        .input_shapes = std::move(shapes)});
        report.model.save(to);
        std::map<std::string, std::pair<std::int64_t, std::int64_t>> operators;
        for (const OperatorChange& change : report.operators)
          operators.emplace(change.op, std::pair(change.before, change.after));
        return std::pair(std::move(operators), report.assumptions);
      },
      Unlocked());
}

ElementType known_element_type(const std::string& name) {
  const ElementType type = element_type(name);
  if (type == ElementType::undefined) throw py::value_error("'" + name + "' is not an element type");
  return type;
}

void bind_cast(py::module_& module) {
  module.def(
      "cast_model",
      [](const std::string& path, const std::string& to, const std::string& dtype, bool keep_io,
         std::vector<std::string> keep) {
        Casted done =
            Model(path).cast({.to = known_element_type(dtype), .keep_io = keep_io, .keep = std::move(keep)});
        done.model.save(to);
        return std::move(done.warnings);
      },
      Unlocked());
}

void bind_quantize(py::module_& module) {
  py::class_<QuantizedWeight>(module, "QuantizedWeight")
      .def_readonly("name", &QuantizedWeight::name)
      .def_readonly("node", &QuantizedWeight::node)
      .def_readonly("op", &QuantizedWeight::op)
      .def_readonly("shape", &QuantizedWeight::shape)
      .def_readonly("bytes_before", &QuantizedWeight::bytes_before)
      .def_readonly("bytes_after", &QuantizedWeight::bytes_after)
      .def_readonly("largest", &QuantizedWeight::largest)
      .def_readonly("mean", &QuantizedWeight::mean)
      .def_readonly("relative", &QuantizedWeight::relative);
  py::enum_<QuantizeOptions::Form>(module, "QuantizedForm")
      .value("dequantize", QuantizeOptions::Form::dequantize_linear)
      .value("matmulnbits", QuantizeOptions::Form::matmul_nbits);
  py::enum_<CalibrateOptions::Method>(module, "CalibrationMethod")
      .value("minmax", CalibrateOptions::Method::min_max)
      .value("entropy", CalibrateOptions::Method::entropy)
      .value("percentile", CalibrateOptions::Method::percentile);
  module.def(
      "quantize_model",
      [](const std::string& path, const std::string& to, const std::string& weights, std::int64_t block,
         std::optional<bool> symmetric, bool search, QuantizeOptions::Form form, std::int64_t smallest,
         std::vector<std::string> keep, std::optional<int> opset, bool partial_blocks,
         const std::string& data, CalibrateOptions::Method method, double percentile) {
        QuantizeOptions options{.weights = known_element_type(weights),
                                .block = block,
                                .partial_blocks = partial_blocks,
                                .symmetric = symmetric,
                                .search = search,
                                .form = form,
                                .smallest = smallest,
                                .keep = std::move(keep),
                                .opset = opset};
        if (!data.empty())
          options.ranges = calibrate(path, data, {.method = method, .percentile = percentile});
        Quantized done = Model(path).quantize(options);
        done.model.save(to);
        return std::move(done.weights);
      },
      Unlocked());
}

void bind_linger(py::module_& module) {
  module.def(
      "linger_model",
      [](const std::string& path, const std::string& to, bool quantized_io, bool functions,
         bool scoped_names) {
        const LingerOptions options{
            .quantized_io = quantized_io, .functions = functions, .scoped_names = scoped_names};
        Model(path).linger(options).model.save(to);
      },
      Unlocked());
}

void bind_split(py::module_& module) {
  module.def(
      "split_model",
      [](const std::string& path, const std::string& folder, std::vector<std::string> cuts,
         std::vector<std::pair<std::string, std::string>> assign, std::size_t parts, std::uint64_t max_size) {
        const Split split = Model(path).split(
            {.cuts = std::move(cuts), .assign = std::move(assign), .parts = parts, .max_size = max_size});
        split.save(folder);
        std::vector<std::string> names;
        for (const SplitPart& part : split.parts) names.push_back(part.name);
        return std::pair(names, split.warnings);
      },
      Unlocked());
}

void bind_ops(py::module_& module) {
  module.def("converts", [](const std::string& name) {
    try {
      return !find_operators(name).empty();
    } catch (const Error& error) {
      if (error.diagnostics().front().code != Code::no_such_operator) throw;
      return false;
    }
  });
  module.def(
      "ops",
      [](const std::vector<std::string>& names, bool onnx, std::optional<int> opset, std::string dtype,
         std::vector<std::string> arguments, bool explain) {
        const OpsOptions options{
            .opset = opset, .dtype = std::move(dtype), .arguments = std::move(arguments)};
        const OpsFormat format{.explain = explain};
        if (names.empty()) return summarize_operators(options, format);
        return onnx ? describe_onnx_operators(names, options, format)
                    : describe_operators(names, options, format);
      },
      Unlocked());
}

}  // namespace

void bind_tools(py::module_& module) {
  module.def(
      "check_model", [](const std::string& path, bool full) { return Model(path).check({.full = full}); },
      Unlocked());
  module.def(
      "inspect", [](const std::string& path) { return to_text(inspect::program(path)); }, Unlocked());
  module.def(
      "save_model", [](const std::string& path, const std::string& to) { Model(path).save(to); }, Unlocked());
  bind_print(module);
  bind_extract(module);
  bind_infer(module);
  bind_simplify(module);
  bind_cast(module);
  bind_quantize(module);
  bind_linger(module);
  bind_split(module);
  bind_ops(module);
}

}  // namespace cameo::python
