#include "cameo/converter.h"

#include <pybind11/complex.h>
#include <pybind11/stl.h>

#include <memory>

#include "array.h"
#include "bind.h"

namespace py = pybind11;

namespace cameo::python {
namespace {

py::object object_of(const Argument& argument);

struct ToObject {
  py::object operator()(std::monostate) const { return py::none(); }
  py::object operator()(Argument::Opaque) const { return py::none(); }
  py::object operator()(const Size& size) const {
    return size.number() ? py::object(py::int_(*size.number())) : py::cast(size);
  }
  py::object operator()(const Argument::Number& number) const { return py::cast(number.value); }
  py::object operator()(const Argument::List& list) const {
    py::list out;
    for (const Argument& item : list) out.append(object_of(item));
    return out;
  }
  template <class T>
  py::object operator()(const T& value) const {
    return py::cast(value);
  }
};

py::object object_of(const Argument& argument) { return std::visit(ToObject(), argument.value); }

Size size_of(const py::handle& size) {
  if (size.is_none() || py::isinstance<py::str>(size)) return Size::unknown();
  return py::isinstance<Size>(size) ? size.cast<Size>() : Size(size.cast<std::int64_t>());
}

Contents contents_of(const py::array& numpy) {
  auto array = std::make_shared<const Array>(array_of(numpy));
  return {.dtype = array->type(), .shape = array->shape(), .bytes = array->bytes(), .owner = array};
}

// One attribute, of the kind that its suffix says: i, f, s or t.
NodeAttribute::Value attribute_of(char kind, const py::object& value) {
  const bool list = py::isinstance<py::list>(value);
  switch (kind) {
    case 'i':
      if (list) return value.cast<std::vector<std::int64_t>>();
      return value.cast<std::int64_t>();
    case 'f':
      if (list) return value.cast<std::vector<double>>();
      return value.cast<double>();
    case 's':
      if (list) return value.cast<std::vector<std::string>>();
      return value.cast<std::string>();
    default: return contents_of(value.cast<py::array>());
  }
}

using Attributes = std::vector<std::tuple<std::string, char, py::object>>;

std::vector<Tensor> add_node(Conversion& conversion, const std::string& type,
                             const std::vector<std::optional<Tensor>>& inputs, const Attributes& attributes,
                             std::size_t outputs) {
  NodeAttributes given;
  for (const auto& [name, kind, value] : attributes) given.push_back({name, attribute_of(kind, value)});
  std::vector<Tensor> operands;
  for (const std::optional<Tensor>& input : inputs) operands.push_back(input.value_or(Tensor()));
  return conversion.ops(type, operands, given, outputs);
}

void set_type(Conversion& conversion, const Tensor& tensor, const std::string& dtype,
              const std::optional<py::list>& shape) {
  std::optional<Sizes> sizes;
  if (shape) {
    sizes.emplace();
    for (const py::handle size : *shape) sizes->push_back(size_of(size));
  }
  conversion.set_type(tensor, element_type(dtype), sizes);
}

py::object shape_of(const Tensor& tensor) {
  const std::optional<Sizes> shape = tensor.shape();
  if (!shape) return py::none();
  py::list out;
  for (const Size& size : *shape) out.append(ToObject()(size));
  return out;
}

py::object contents(const Tensor& tensor) {
  const std::optional<Contents> known = tensor.contents();
  if (!known) return py::none();
  return numpy_of(Array::owning(known->dtype, known->shape, {known->bytes.begin(), known->bytes.end()}));
}

// A function of Python, as a converter. The engine copies and drops it without the interpreter's lock.
Converter converter_of(const py::function& function) {
  const std::shared_ptr<py::function> kept(new py::function(function), [](py::function* f) {
    const py::gil_scoped_acquire locked;
    delete f;
  });
  return [kept](Conversion& conversion) -> Results {
    const py::gil_scoped_acquire locked;
    try {
      return (*kept)(py::cast(&conversion, py::return_value_policy::reference)).cast<std::vector<Tensor>>();
    } catch (py::error_already_set& error) {
      if (error.trace()) PyException_SetTraceback(error.value().ptr(), error.trace().ptr());
      const py::object told = py::module_::import("cameo.converters").attr("told")(error.value());
      throw ConversionError(told.cast<std::string>());
    }
  };
}

}  // namespace

void bind_converters(py::module_& module) {
  const auto combine = [](auto op) {
    return [op](const Size& a, const py::object& b) { return op(a, size_of(b)); };
  };
  py::class_<Size>(module, "Size", "A size that depends on the sizes of the model's inputs.")
      .def("__str__", &Size::text)
      .def("__repr__", &Size::text)
      .def("__add__", combine([](const Size& a, const Size& b) { return a + b; }))
      .def("__radd__", combine([](const Size& a, const Size& b) { return b + a; }))
      .def("__sub__", combine([](const Size& a, const Size& b) { return a - b; }))
      .def("__rsub__", combine([](const Size& a, const Size& b) { return b - a; }))
      .def("__mul__", combine([](const Size& a, const Size& b) { return a * b; }))
      .def("__rmul__", combine([](const Size& a, const Size& b) { return b * a; }))
      .def("__floordiv__", combine([](const Size& a, const Size& b) { return a / b; }));
  py::class_<Tensor>(module, "Tensor")
      .def_property_readonly("dtype", [](const Tensor& t) { return std::string(name(t.dtype())); })
      .def_property_readonly("shape", shape_of)
      .def_property_readonly("contents", contents);
  py::class_<Conversion, std::unique_ptr<Conversion, py::nodelete>>(module, "Conversion")
      .def_property_readonly("name", [](const Conversion& c) { return std::string(c.name()); })
      .def_property_readonly("opset", &Conversion::opset)
      .def_property_readonly("training", &Conversion::training)
      .def("arguments",
           [](const Conversion& c) {
             py::list out;
             for (const Argument& argument : c.arguments()) out.append(object_of(argument));
             return out;
           })
      .def("node", add_node)
      .def("set_type", set_type)
      .def("constant", [](Conversion& c, const py::array& array) { return c.constant(contents_of(array)); })
      .def("sizes",
           [](Conversion& c, const py::list& list) {
             Sizes sizes;
             for (const py::handle size : list) sizes.push_back(size_of(size));
             return c.value(sizes);
           })
      .def("warn", &Conversion::warn);
  py::class_<Registry>(module, "Registry")
      .def(py::init<>())
      .def("add", [](Registry& registry, std::string schema, const py::function& function) {
        registry.add(std::move(schema), converter_of(function));
      });
}

}  // namespace cameo::python
