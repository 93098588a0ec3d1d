#include "onnx/text/torch_text.h"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <iterator>

#include "base/checked.h"
#include "base/text.h"

namespace cameo::onnx::torch_text {
namespace {

// Of a tensor whose elements lie one after the other; nothing if a size is not known or they are too many.
std::string strides(const std::vector<std::optional<std::int64_t>>& sizes) {
  std::vector<std::int64_t> steps(sizes.size(), 1);
  for (std::size_t i = sizes.size(); i-- > 0;) {
    if (!sizes[i]) return {};
    if (i == 0) break;
    const auto step = checked_mul(steps[i], std::max<std::int64_t>(*sizes[i], 1));
    if (!step) return {};
    steps[i - 1] = *step;
  }
  return steps.empty() ? "" : fmt::format("strides=[{}], ", join(steps, ", "));
}

std::string text(const std::optional<Type>& type) {
  if (!type) return "Tensor";
  std::string out = type->scalar + "(";
  if (type->sizes) {
    for (const auto& size : *type->sizes) out += (size ? std::to_string(*size) : "*") + ", ";
    out += strides(*type->sizes);
  }
  out += "requires_grad=0, device=cpu)";
  if (type->kind == Type::Kind::sequence) out += "[]";
  if (type->kind == Type::Kind::optional) out += "?";
  return out;
}

std::string definitions(const std::vector<Value>& values, std::string_view separator) {
  std::string out;
  for (const Value& value : values) {
    if (!out.empty()) out += separator;
    out += fmt::format("%{} : {}", value.name, text(value.type));
  }
  return out;
}

std::string references(const std::vector<std::string>& names) {
  std::string out;
  for (const std::string& name : names) out += (out.empty() ? "%" : ", %") + name;
  return out;
}

void add_nodes(std::string& out, const Block& block, int depth) {
  const auto line = [&out](int at, std::string_view content) {
    out += fmt::format("{:{}}{}\n", "", at * 2, content);
  };
  for (const Node& node : block.nodes) {
    line(depth, fmt::format("{} = {}::{}{}({}){}{}", definitions(node.outputs, ", "), node.domain, node.op,
                            attributes_text(node), references(node.inputs),
                            node.scope.empty() ? "" : ", scope: " + node.scope,
                            node.place.empty() ? "" : " # " + node.place));
    for (std::size_t i = 0; i < node.blocks.size(); ++i) {
      line(depth + 1, fmt::format("block{}({}):", i, definitions(node.blocks[i].inputs, ", ")));
      add_nodes(out, node.blocks[i], depth + 2);
      line(depth + 2, fmt::format("-> ({})", references(node.blocks[i].outputs)));
    }
  }
}

// A whole number has a point after it.
std::string pointed(std::string number) {
  return number.find_first_not_of("-0123456789") == number.npos ? number + "." : number;
}

}  // namespace

std::string dump(const Block& graph) {
  std::string out = fmt::format("graph({}):\n", definitions(graph.inputs, ",\n      "));
  add_nodes(out, graph, 1);
  return out + fmt::format("  return ({})\n", references(graph.outputs));
}

std::string attributes_text(const Node& node) {
  std::string out;
  for (const Attribute& attribute : node.attributes)
    if (!attribute.text.empty()) out += (out.empty() ? "" : ", ") + attribute.name + "=" + attribute.text;
  return out.empty() ? out : "[" + out + "]";
}

std::optional<Type> type_of(const onnx::Type& type) {
  if (type.kind == onnx::Type::Kind::unknown || type.dtype == DType::undefined) return std::nullopt;
  Type out{.scalar = scalar_name(type.dtype)};
  if (type.kind == onnx::Type::Kind::sequence) out.kind = Type::Kind::sequence;
  if (type.kind == onnx::Type::Kind::optional) out.kind = Type::Kind::optional;
  if (!type.shape) return out;
  out.sizes.emplace();
  for (const Dim& dim : *type.shape) out.sizes->push_back(known(dim));
  return out;
}

std::string scalar_name(DType dtype) {
  const DTypeInfo& row = info(dtype);
  return std::string(row.scalar.empty() ? row.name : row.scalar);
}

// PyTorch has the number as a double. The shortest decimal of the float is most likely what was written.
std::string float_text(float value) {
  const std::string shortest = fmt::format("{}", value);
  double meant = value;
  std::from_chars(shortest.data(), shortest.data() + shortest.size(), meant);
  return pointed(fmt::format("{:.17g}", meant));
}

std::string old_float_text(float value) { return fmt::format("{:g}", value); }

std::string string_text(std::string_view value) {
  std::string out = "\"";
  for (const char c : value) {
    switch (c) {
      case '\n': out += "\\n"; break;
      case '\r': out += "\\r"; break;
      case '\t': out += "\\t"; break;
      case '"':
      case '\\': out += '\\'; [[fallthrough]];
      default: out += c;
    }
  }
  return out + "\"";
}

}  // namespace cameo::onnx::torch_text
