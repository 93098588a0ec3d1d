#include "cameo/model.h"

#include <pybind11/stl.h>

#include "array.h"
#include "bind.h"
#include "cameo/calibrate.h"

namespace py = pybind11;

namespace cameo::python {
namespace {

using Unlocked = py::call_guard<py::gil_scoped_release>;

// A model in a Python object, whose bytes stay while models that are made from it exist.
Model model_in(const py::buffer& object) {
  const std::shared_ptr<const py::buffer_info> info(new py::buffer_info(object.request()),
                                                    [](const py::buffer_info* held) {
                                                      const py::gil_scoped_acquire locked;
                                                      delete held;
                                                    });
  const std::span bytes(static_cast<const std::byte*>(info->ptr),
                        static_cast<std::size_t>(info->size * info->itemsize));
  const py::gil_scoped_release unlocked;
  return Model(bytes, "model", info);
}

ElementType known_element_type(const std::string& name) {
  const ElementType type = element_type(name);
  if (type == ElementType::undefined) throw py::value_error("'" + name + "' is not an element type");
  return type;
}

void bind_model_choices(py::module_& module) {
  py::enum_<PrintStyle>(module, "PrintStyle")
      .value("onnx", PrintStyle::onnx)
      .value("text", PrintStyle::text)
      .value("torch", PrintStyle::torch)
      .value("torch_0_3", PrintStyle::torch_0_3)
      .value("annotated", PrintStyle::annotated);
  py::enum_<QuantizeOptions::Form>(module, "QuantizedForm")
      .value("dequantize", QuantizeOptions::Form::dequantize_linear)
      .value("matmulnbits", QuantizeOptions::Form::matmul_nbits);
  py::enum_<CalibrateOptions::Method>(module, "CalibrationMethod")
      .value("minmax", CalibrateOptions::Method::min_max)
      .value("entropy", CalibrateOptions::Method::entropy)
      .value("percentile", CalibrateOptions::Method::percentile);
}

void bind_values(py::module_& module) {
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
  py::class_<ValueRange>(module, "ValueRange")
      .def_readonly("value", &ValueRange::value)
      .def_readonly("least", &ValueRange::least)
      .def_readonly("most", &ValueRange::most);
}

py::list weights_of(const ModelStats& stats) {
  py::list out;
  for (const WeightStats& each : stats.weights)
    out.append(py::make_tuple(std::string(name(each.type)), each.elements, each.bytes));
  return out;
}

void bind_stats(py::module_& module) {
  py::class_<MultiplyAddTerm>(module, "MultiplyAddTerm")
      .def_readonly("factor", &MultiplyAddTerm::factor)
      .def_readonly("sizes", &MultiplyAddTerm::sizes);
  py::class_<UncountedOperator>(module, "UncountedOperator")
      .def_readonly("op", &UncountedOperator::op)
      .def_readonly("nodes", &UncountedOperator::nodes)
      .def_readonly("why", &UncountedOperator::why);
  py::class_<ModelStats>(module, "ModelStats")
      .def_readonly("nodes", &ModelStats::nodes)
      .def_readonly("operators", &ModelStats::operators)
      .def_readonly("parameters", &ModelStats::parameters)
      .def_readonly("bytes", &ModelStats::bytes)
      .def_readonly("external_bytes", &ModelStats::external_bytes)
      .def_property_readonly("weights", weights_of)
      .def_readonly("multiply_adds", &ModelStats::multiply_adds)
      .def_readonly("uncounted", &ModelStats::uncounted);
}

void bind_diff(py::module_& module) {
  using Kind = ModelDifference::Kind;
  py::enum_<Kind>(module, "DifferenceKind")
      .value("removed", Kind::removed)
      .value("added", Kind::added)
      .value("changed", Kind::changed)
      .value("renamed", Kind::renamed);
  py::class_<ModelDifference>(module, "ModelDifference")
      .def_readonly("kind", &ModelDifference::kind)
      .def_readonly("what", &ModelDifference::what)
      .def_readonly("name", &ModelDifference::name)
      .def_readonly("detail", &ModelDifference::detail)
      .def_readonly("where", &ModelDifference::where)
      .def_readonly("absolute", &ModelDifference::absolute)
      .def_readonly("relative", &ModelDifference::relative);
}

using Names = std::vector<std::string>;

std::pair<Model, std::vector<Diagnostic>> extract(const Model& model, Names inputs, Names outputs, Names more,
                                                  bool all) {
  Extracted done = model.extract({.from = std::move(inputs),
                                  .to = std::move(outputs),
                                  .add_outputs = std::move(more),
                                  .all_outputs = all});
  return {std::move(done.model), std::move(done.warnings)};
}

py::tuple infer(const Model& model, bool strict) {
  Inferred done = [&] {
    const py::gil_scoped_release unlocked;
    return model.infer({.strict = strict});
  }();
  return py::make_tuple(std::move(done.model), std::move(done.values), std::move(done.warnings));
}

using Sizes = std::vector<std::pair<std::string, std::vector<std::int64_t>>>;

py::tuple simplify(const Model& model, Names only, Names also, Names without, Sizes input_shapes,
                   const Names& rewrites) {
  Simplified done = [&] {
    const py::gil_scoped_release unlocked;
    Rewrites rules;
    for (const std::string& file : rewrites) rules.read(file);
    return model.simplify({.only = std::move(only),
                           .also = std::move(also),
                           .disabled = std::move(without),
                           .input_shapes = std::move(input_shapes),
                           .rewrites = &rules});
  }();
  py::list operators;
  for (const OperatorChange& change : done.operators)
    operators.append(py::make_tuple(change.op, change.before, change.after));
  return py::make_tuple(std::move(done.model), std::move(operators), std::move(done.assumptions));
}

std::pair<Model, std::vector<Diagnostic>> cast(const Model& model, const std::string& dtype, bool keep_io,
                                               Names keep) {
  Casted done = model.cast({.to = known_element_type(dtype), .keep_io = keep_io, .keep = std::move(keep)});
  return {std::move(done.model), std::move(done.warnings)};
}

std::pair<Model, std::vector<QuantizedWeight>> quantize(const Model& model, const std::string& weights,
                                                        std::int64_t block, std::optional<bool> symmetric,
                                                        bool search, QuantizeOptions::Form form,
                                                        std::int64_t smallest, Names keep,
                                                        std::optional<int> opset, bool partial_blocks,
                                                        std::vector<ValueRange> ranges) {
  Quantized done = model.quantize({.weights = known_element_type(weights),
                                   .block = block,
                                   .partial_blocks = partial_blocks,
                                   .symmetric = symmetric,
                                   .search = search,
                                   .form = form,
                                   .smallest = smallest,
                                   .keep = std::move(keep),
                                   .opset = opset,
                                   .ranges = std::move(ranges)});
  return {std::move(done.model), std::move(done.weights)};
}

std::pair<Names, std::vector<Diagnostic>> split(const Model& model, const std::string& folder, Names cuts,
                                                std::vector<std::pair<std::string, std::string>> assign,
                                                std::size_t parts, std::uint64_t max_size) {
  Split done = model.split(
      {.cuts = std::move(cuts), .assign = std::move(assign), .parts = parts, .max_size = max_size});
  done.save(folder);
  Names names;
  for (const SplitPart& part : done.parts) names.push_back(part.name);
  return {std::move(names), std::move(done.warnings)};
}

}  // namespace

void bind_model(py::module_& module) {
  bind_model_choices(module);
  bind_values(module);
  bind_stats(module);
  bind_diff(module);
  py::class_<Model>(module, "Model", "An ONNX model of any exporter: a path, or an object with its bytes.")
      .def(py::init(&model_in))  // first, since bytes would also be a path
      .def(py::init<const std::string&>(), Unlocked())
      .def(
          "check", [](const Model& model, bool full) { return model.check({.full = full}); }, Unlocked())
      .def("io",
           [](const Model& model) {
             ModelIo io = model.io();
             return std::pair(std::move(io.inputs), std::move(io.outputs));
           })
      .def("stats", &Model::stats, Unlocked())
      .def(
          "diff",
          [](const Model& model, const Model& other, bool structure) {
            return model.diff(other, {.structure = structure});
          },
          Unlocked())
      .def(
          "print", [](const Model& model, PrintStyle style) { return model.print(style); }, Unlocked())
      .def("extract", &extract, Unlocked())
      .def("infer", &infer)
      .def("simplify", &simplify)
      .def("cast", &cast, Unlocked())
      .def("quantize", &quantize, Unlocked())
      .def("split", &split, Unlocked())
      .def(
          "save", [](const Model& model, const std::string& path) { model.save(path); }, Unlocked())
      .def("to_bytes", [](const Model& model) {
        const std::string bytes = [&] {
          const py::gil_scoped_release unlocked;
          return model.to_bytes();
        }();
        return py::bytes(bytes);
      });
  module.def(
      "calibrate",
      [](const std::string& path, const std::string& data, CalibrateOptions::Method method,
         double percentile) { return calibrate(path, data, {.method = method, .percentile = percentile}); },
      Unlocked());
}

}  // namespace cameo::python
