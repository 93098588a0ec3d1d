#include "onnx/print.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <unordered_set>

namespace cameo::onnx {
namespace {

std::string_view torch_name(DType dtype) {
  switch (dtype) {
    case DType::f32: return "Float";
    case DType::f64: return "Double";
    case DType::f16: return "Half";
    case DType::bf16: return "BFloat16";
    case DType::u8: return "Byte";
    case DType::i8: return "Char";
    case DType::i16: return "Short";
    case DType::i32: return "Int";
    case DType::i64: return "Long";
    case DType::boolean: return "Bool";
    case DType::c64: return "ComplexFloat";
    case DType::c128: return "ComplexDouble";
    default: return name(dtype);
  }
}

std::string strides(const Shape& shape) {
  std::vector<std::int64_t> steps(shape.size(), 1);
  for (std::size_t i = shape.size(); i-- > 0;) {
    const auto size = known(shape[i]);
    if (!size) return {};
    if (i > 0) steps[i - 1] = steps[i] * *size;
  }
  return steps.empty() ? "" : fmt::format("strides=[{}], ", fmt::join(steps, ", "));
}

std::string text(const Type& type) {
  std::string out(torch_name(type.dtype));
  if (type.shape) {
    out += "(";
    for (const Dim& dim : *type.shape) {
      const auto size = known(dim);
      out += (size ? std::to_string(*size) : "*") + ", ";
    }
    out += strides(*type.shape) + "requires_grad=0, device=cpu)";
  } else {
    out += "(requires_grad=0, device=cpu)";
  }
  return type.kind == Type::Kind::tensor ? out : out + (type.kind == Type::Kind::sequence ? "[]" : "?");
}

std::string number(double value) {
  std::string out = fmt::format("{:g}", value);
  return out.find_first_not_of("-0123456789") == out.npos ? out + "." : out;
}

struct AttributeText {
  std::string operator()(std::int64_t value) const { return std::to_string(value); }
  std::string operator()(float value) const { return number(value); }
  std::string operator()(const std::string& value) const { return fmt::format("\"{}\"", value); }
  std::string operator()(const DataPtr& data) const {
    if (data->numel() == 1 && data->shape().empty()) return fmt::format("{{{:g}}}", data->real(0));
    return "<Tensor>";
  }
  std::string operator()(const Graph*) const { return "<Graph>"; }
  template <class T>
  std::string operator()(const std::vector<T>& values) const {
    std::string out;
    for (const T& value : values) out += (out.empty() ? "" : ", ") + (*this)(value);
    return "[" + out + "]";
  }
};

std::string attributes(const Node& node) {
  std::string out;
  for (const Attribute& attribute : node.attributes) {
    if (std::holds_alternative<Graph*>(attribute.value)) continue;
    out += out.empty() ? "[" : ", ";
    out += fmt::format("{}={}", attribute.name, std::visit(AttributeText{}, attribute.value));
  }
  if (!out.empty()) out += "]";
  return out;
}

std::string place(const Node& node) {
  const Places places = node.origin ? node.origin->places() : Places{};
  if (places.python.empty()) return {};
  const Position& python = places.python.front();
  return fmt::format(" # {}:{}:{}", python.file, python.line, std::max(python.column - 1, 0));
}

class Printer {
 public:
  std::string print(const Graph& main) {
    std::string values;
    for (const Value* input : main.inputs) add_definition(values, *input);
    constants(main, values);
    out_ = fmt::format("graph({}):\n", values);
    nodes(main, 1);
    line(1, fmt::format("return ({})", names(main.outputs)));
    return std::move(out_);
  }

 private:
  static std::string definition(const Value& value) {
    return fmt::format("%{} : {}", value.name, text(value.type));
  }
  static void add_definition(std::string& list, const Value& value) {
    list += (list.empty() ? "" : ",\n      ") + definition(value);
  }
  static std::string definitions(const std::vector<Value*>& values) {
    std::string out;
    for (const Value* value : values)
      if (value) out += (out.empty() ? "" : ", ") + definition(*value);
    return out;
  }
  static std::string names(const std::vector<Value*>& values) {
    std::string out;
    for (const Value* value : values) {
      out += out.empty() ? "%" : ", %";
      if (value) out += value->name;
    }
    return out;
  }

  void constants(const Graph& graph, std::string& list) {
    auto add = [&](const Value* value) {
      if (value && value->constant() && seen_.insert(value).second) add_definition(list, *value);
    };
    for (const Node* node : graph.nodes) {
      for (const Value* input : node->inputs) add(input);
      for (const Attribute& attribute : node->attributes)
        for (const Graph* inner : subgraphs(attribute.value)) constants(*inner, list);
    }
    for (const Value* output : graph.outputs) add(output);
  }

  void line(int depth, std::string_view content) {
    fmt::format_to(std::back_inserter(out_), "{:{}}{}\n", "", depth * 2, content);
  }

  void nodes(const Graph& graph, int depth) {
    for (const Node* node : graph.nodes) {
      line(depth, fmt::format("{} = {}::{}{}({}){}", definitions(node->outputs),
                              node->domain.empty() ? "onnx" : node->domain, node->op, attributes(*node),
                              names(node->inputs), place(*node)));
      int block = 0;
      for (const Attribute& attribute : node->attributes)
        for (const Graph* inner : subgraphs(attribute.value)) {
          line(depth + 1, fmt::format("block{}({}):", block++, definitions(inner->inputs)));
          nodes(*inner, depth + 2);
          line(depth + 2, fmt::format("-> ({})", names(inner->outputs)));
        }
    }
  }

  std::unordered_set<const Value*> seen_;
  std::string out_;
};

}  // namespace

std::string print(const Model& model) { return Printer().print(model.main()); }

}  // namespace cameo::onnx
