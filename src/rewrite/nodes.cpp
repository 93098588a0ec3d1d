#include "rewrite/nodes.h"

#include <fmt/core.h>

#include <algorithm>
#include <map>

#include "base/index.h"
#include "base/overload.h"
#include "onnx/facts/facts.h"

namespace cameo::rewrite {
namespace {

bool is_real(const Number& number) { return std::holds_alternative<double>(number.value); }

double real(const Number& number) {
  return std::visit([](auto value) { return static_cast<double>(value); }, number.value);
}

std::int64_t whole(const Number& number) {
  return std::visit([](auto value) { return static_cast<std::int64_t>(value); }, number.value);
}

// The input of an operator, in its newest form, at `index`; null for an operator of another domain.
const onnx::facts::Parameter* parameter(std::string_view type, std::size_t index) {
  if (type.find("::") != type.npos) return nullptr;
  const auto versions = onnx::facts::versions("", type);
  return versions.empty() ? nullptr : onnx::facts::parameter(versions.back().inputs, index);
}

class Body {
 public:
  Body(const Nodes& nodes, Conversion& conversion) : nodes_(nodes), c_(conversion) {}

  Results run() {
    for (const NodeLine& line : nodes_.nodes) add(line);
    Results results;
    for (const Result& result : nodes_.results) {
      const Tensor tensor = value(result.name);
      if (!tensor) throw ConversionError(fmt::format("the result '{}' is None", result.name));
      if (result.type) declare(tensor, *result.type);
      results.tensors.push_back(tensor);
    }
    return results;
  }

 private:
  const Argument* argument(std::string_view name) const {
    const auto found = std::ranges::find(c_.arguments(), name, &Argument::name);
    return found == c_.arguments().end() ? nullptr : &*found;
  }

  Tensor value(std::string_view name) {
    if (const auto found = values_.find(name); found != values_.end()) return found->second;
    return c_.value(c_[name]);
  }

  void add(const NodeLine& line) {
    std::vector<Tensor> inputs(line.inputs.size());
    // Numbers come last: they have the element types of the tensors.
    for (std::size_t i = 0; i < inputs.size(); ++i)
      if (!is_literal(line.inputs[i])) inputs[i] = input(line.inputs[i]);
    for (std::size_t i = 0; i < inputs.size(); ++i)
      if (is_literal(line.inputs[i])) inputs[i] = literal(line, i, inputs);
    NodeAttributes attributes;
    for (const Attribute& each : line.attributes)
      attributes.push_back({std::string(each.name), attribute(each)});
    const std::vector<Tensor> outputs = c_.ops(line.type, inputs, attributes, line.outputs.size());
    for (std::size_t i = 0; i < outputs.size(); ++i) {
      const Result& output = line.outputs[i];
      if (output.type) declare(outputs[i], *output.type);
      if (!output.name.empty()) values_[output.name] = outputs[i];
    }
  }

  // A number, or an argument that is a number.
  bool is_literal(const Input& input) const {
    if (const auto* name = std::get_if<NameOf>(&input.value)) {
      if (values_.contains(name->name)) return false;
      const Argument* found = argument(name->name);
      return found && !found->is_none() && !std::holds_alternative<Tensor>(found->value);
    }
    return std::holds_alternative<Number>(input.value) || std::holds_alternative<Numbers>(input.value);
  }

  Tensor input(const Input& input) {
    if (const auto* name = std::get_if<NameOf>(&input.value)) return value(name->name);
    if (const auto* weight = std::get_if<WeightOf>(&input.value))
      return value(fmt::format("${}", weight->path));
    return {};
  }

  // A number has the element type of the inputs with the same type variable.
  ElementType type_at(const NodeLine& line, std::size_t index, const std::vector<Tensor>& inputs) const {
    const onnx::facts::Parameter* mine = parameter(line.type, index);
    if (!mine || mine->variable.empty()) return ElementType::undefined;
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      const onnx::facts::Parameter* other = parameter(line.type, i);
      if (i != index && inputs[i] && other && other->variable == mine->variable) return inputs[i].dtype();
    }
    return ElementType::undefined;
  }

  Tensor literal(const NodeLine& line, std::size_t index, const std::vector<Tensor>& inputs) {
    const ElementType type = type_at(line, index, inputs);
    const Input& input = line.inputs[index];
    if (const auto* name = std::get_if<NameOf>(&input.value)) return c_.value(c_[name->name], type);
    Argument made{"a number", {}};
    if (const auto* number = std::get_if<Number>(&input.value)) {
      made.value = argument_value(*number);
    } else {
      Argument::List items;
      for (const Number& item : std::get<Numbers>(input.value).items)
        items.push_back({"a number", argument_value(item)});
      made.value = std::move(items);
    }
    return c_.value(made, type);
  }

  static Argument::Value argument_value(const Number& number) {
    return std::visit(Overload{[](std::int64_t value) -> Argument::Value { return Size(value); },
                               [](auto value) -> Argument::Value { return value; }},
                      number.value);
  }

  NodeAttribute::Value attribute(const Attribute& attribute) const {
    return std::visit(
        Overload{[](const Number& number) -> NodeAttribute::Value {
                   return is_real(number) ? NodeAttribute::Value(real(number)) : whole(number);
                 },
                 [](const Numbers& numbers) { return list(numbers); },
                 [](const std::string& text) -> NodeAttribute::Value { return text; },
                 [](const std::vector<std::string>& texts) -> NodeAttribute::Value { return texts; },
                 [&](const NameOf& name) { return of_argument(c_[name.name]); }},
        attribute.value);
  }

  static NodeAttribute::Value list(const Numbers& numbers) {
    if (std::ranges::any_of(numbers.items, is_real)) {
      std::vector<double> reals;
      for (const Number& number : numbers.items) reals.push_back(real(number));
      return reals;
    }
    std::vector<std::int64_t> integers;
    for (const Number& number : numbers.items) integers.push_back(whole(number));
    return integers;
  }

  // The value of an argument that is known at export time.
  static NodeAttribute::Value of_argument(const Argument& argument) {
    if (const auto* text = std::get_if<std::string>(&argument.value)) return *text;
    if (std::holds_alternative<double>(argument.value)) return argument.real();
    if (const auto* tensor = std::get_if<Tensor>(&argument.value)) {
      if (std::optional<Contents> contents = tensor->contents()) return *contents;
      throw ConversionError(
          fmt::format("'{}' is a runtime value, which cannot be an attribute", argument.name));
    }
    const auto* items = std::get_if<Argument::List>(&argument.value);
    if (!items) return argument.integer();
    const auto holds_any = [&](auto type) {
      return std::ranges::any_of(
          *items, [](const Argument& item) { return std::holds_alternative<decltype(type)>(item.value); });
    };
    if (holds_any(std::string())) return argument.texts();
    if (holds_any(double())) return argument.reals();
    return argument.integers();
  }

  void declare(const Tensor& tensor, const DeclaredType& type) {
    if (!type.like.empty()) {
      const Tensor like = c_[type.like].tensor();
      return c_.set_type(tensor, like.dtype(), like.shape());
    }
    const ElementType dtype = type.dtype_of.empty() ? type.dtype : c_[type.dtype_of].tensor().dtype();
    std::optional<Sizes> sizes;
    if (type.sizes) {
      sizes.emplace();
      for (const DeclaredSize& size : *type.sizes) sizes->push_back(declared(size));
    }
    c_.set_type(tensor, dtype, std::move(sizes));
  }

  Size declared(const DeclaredSize& size) const {
    return std::visit(Overload{[](std::int64_t number) { return Size(number); },
                               [](Unspecified) { return Size::unknown(); },
                               [&](const NameOf& name) { return size_named(name.name); },
                               [&](const SizeOf& of) { return size_of(of); }},
                      size);
  }

  Size size_of(const SizeOf& of) const {
    const std::optional<Sizes> shape = c_[of.name].tensor().shape();
    if (!shape) throw ConversionError(fmt::format("the rank of '{}' is not known", of.name));
    const auto rank = std::ssize(*shape);
    if (of.axis < -rank || of.axis >= rank)
      throw ConversionError(fmt::format("'{}' has no axis {}: its rank is {}", of.name, of.axis, rank));
    return element_at(*shape, of.axis);
  }

  // A dynamic size that an argument has.
  Size size_named(std::string_view name) const {
    for (const Argument& argument : c_.arguments())
      if (const auto* tensor = std::get_if<Tensor>(&argument.value))
        if (const std::optional<Sizes> shape = tensor->shape())
          for (const Size& size : *shape)
            if (size.text() == name) return size;
    throw ConversionError(fmt::format("no argument has a size '{}'", name),
                          "write a number, '?' for an unknown size, or size(x, 0)");
  }

  const Nodes& nodes_;
  Conversion& c_;
  std::map<std::string_view, Tensor> values_;
};

}  // namespace

Results add_nodes(const Nodes& nodes, Conversion& conversion) { return Body(nodes, conversion).run(); }

}  // namespace cameo::rewrite
