#include "array.h"

#include <pybind11/stl.h>

#include <algorithm>
#include <string>
#include <utility>

namespace py = pybind11;

namespace cameo::python {
namespace {

Array strings_of(const py::array& array) {
  std::vector<std::string> elements;
  for (const py::handle item : array.attr("ravel")()) {
    if (!py::isinstance<py::str>(item)) throw py::type_error("an array of objects must hold strings");
    elements.push_back(item.cast<std::string>());
  }
  return Array::strings({array.shape(), array.shape() + array.ndim()}, std::move(elements));
}

py::object numpy_strings(const Array& array) {
  py::list elements;
  for (const std::string& text : array.strings()) elements.append(py::str(text));
  return py::module_::import("numpy")
      .attr("array")(elements, "object")
      .attr("reshape")(py::cast(array.shape()));
}

}  // namespace

Array array_of(const py::array& given) {
  const char kind = given.dtype().kind();
  if (kind == 'O' || kind == 'U' || kind == 'S') return strings_of(given);
  const std::string wanted = kind + std::to_string(given.dtype().itemsize());
  const auto types = element_types();
  const auto type = std::ranges::find(types, wanted, [](ElementType each) { return names(each).numpy; });
  if (type == types.end())
    throw py::type_error("no tensor has elements of the type " + std::string(py::str(given.dtype())));
  const auto plain = py::module_::import("numpy").attr("ascontiguousarray")(given, py::dtype("<" + wanted));
  const py::array array = plain.attr("reshape")(given.attr("shape"));
  auto owner = std::shared_ptr<const void>(new py::array(array), [](const void* kept) {
    const py::gil_scoped_acquire locked;
    delete static_cast<const py::array*>(kept);
  });
  return Array::view(*type, {array.shape(), array.shape() + array.ndim()},
                     {static_cast<const std::byte*>(array.data()), static_cast<std::size_t>(array.nbytes())},
                     std::move(owner));
}

py::object numpy_of(const Array& array) {
  if (array.type() == ElementType::string) return numpy_strings(array);
  const std::string_view numpy = names(array.type()).numpy;
  const std::size_t bits = bits_per_element(array.type());
  std::vector<py::ssize_t> shape(array.shape().begin(), array.shape().end());
  if (numpy.empty() && bits % 8 == 0)
    shape.push_back(static_cast<py::ssize_t>(bits / 8));
  else if (numpy.empty())
    shape = {static_cast<py::ssize_t>(array.bytes().size())};
  const py::capsule owner(new Array(array), [](void* kept) { delete static_cast<Array*>(kept); });
  const std::string type = numpy.empty() ? "u1" : "<" + std::string(numpy);
  return py::array(py::dtype(type), shape, array.bytes().data(), owner);
}

ElementType element_type(const std::string& wanted) {
  const auto types = element_types();
  const auto found = std::ranges::find(types, wanted, [](ElementType each) { return name(each); });
  return found == types.end() ? ElementType::undefined : *found;
}

}  // namespace cameo::python
