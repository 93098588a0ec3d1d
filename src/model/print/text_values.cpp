#include "model/print/text_values.h"

#include <fmt/core.h>

#include <algorithm>
#include <cctype>
#include <type_traits>

#include "base/text.h"
#include "model/file/stored.h"
#include "model/print/python_text.h"
#include "onnx/graph/element_names.h"

namespace cameo::model::text {
namespace {

using namespace onnx::proto;  // NOLINT(google-build-using-namespace): the messages are what this is about
using onnx::proto::ValueInfo;

bool is_identifier(std::string_view name) {
  const auto letter = [](char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_'; };
  return !name.empty() && letter(name.front()) &&
         std::ranges::all_of(name, [&](char c) { return letter(c) || (c >= '0' && c <= '9'); });
}

std::string dim_text(const Dimension& dim) {
  if (dim.value) return fmt::format("{}", *dim.value);
  return dim.parameter.empty() ? "?" : id(dim.parameter);
}

// A scalar has no brackets; what has empty ones may be of any rank.
std::string shaped(std::int32_t element, const std::optional<Shape>& shape) {
  std::string out = element_name(element);
  if (!shape) return out + "[]";
  std::vector<std::string> dims;
  for (const Dimension& dim : shape->dims) dims.push_back(dim_text(dim));
  return dims.empty() ? out : out + fmt::format("[{}]", join(dims, ","));
}

template <class T>
std::string element_text(const T& element) {
  if constexpr (std::is_same_v<T, std::string_view>)
    return quoted(element);
  else
    return fmt::format("{}", element);
}

std::string elements_text(const Stored& elements, std::size_t most) {
  return std::visit(
      [most](const auto& all) {
        std::string out = "{";
        for (std::size_t i = 0; i < std::min(all.size(), most); ++i)
          out += (i == 0 ? "" : ", ") + element_text(all[i]);
        if (all.size() > most) out += most == 0 ? "..." : ", ...";
        return out + "}";
      },
      elements);
}

std::string contents(const Tensor& tensor, std::size_t most) {
  if (!tensor.external()) return elements_text(stored(tensor), most);
  std::vector<std::string> entries;
  for (const Entry& entry : tensor.external_data)
    entries.push_back(quoted(entry.key) + ": " + quoted(entry.value));
  return fmt::format("[{}]", join(entries, ", "));
}

std::string tensor_type(const Tensor& tensor) {
  const std::string name = element_name(tensor.data_type.value_or(kUndefined));
  return tensor.dims.empty() ? name : name + fmt::format("[{}]", join(tensor.dims, ","));
}

}  // namespace

std::string quoted(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out + "\"";
}

std::string id(std::string_view name) { return is_identifier(name) ? std::string(name) : quoted(name); }

std::string number(float value) {
  const std::string text = fmt::format("{}", value);
  return text.find_first_not_of("-0123456789") == text.npos ? text + ".0" : text;
}

std::string element_name(std::int32_t type) {
  switch (type) {
    case kUndefined: return "undefined";
    case kFloat: return "float";
    case kDouble: return "double";
    default: return onnx::plain_name(type);
  }
}

std::string type_text(const Type& type) {
  const std::int32_t element = type.element.value_or(kUndefined);
  const std::string inner = type.inner ? type_text(*type.inner) : "";
  switch (type.kind) {
    case Type::Kind::none: return {};
    case Type::Kind::tensor: return shaped(element, type.shape);
    case Type::Kind::sparse_tensor: return fmt::format("sparse_tensor({})", shaped(element, type.shape));
    case Type::Kind::sequence: return fmt::format("seq({})", inner);
    case Type::Kind::optional: return fmt::format("optional({})", inner);
    case Type::Kind::map: return fmt::format("map({}, {})", element_name(element), inner);
    case Type::Kind::opaque:
      return fmt::format("opaque({}{}{})", type.domain, type.domain.empty() ? "" : ",", type.name);
  }
  return {};
}

std::string value_text(const ValueInfo& value) {
  const std::string type = value.type ? type_text(*value.type) : "";
  return type.empty() ? id(value.name) : type + " " + id(value.name);
}

std::string tensor_text(const Tensor& tensor, std::size_t most) {
  const std::string name = tensor.name.empty() ? "" : id(tensor.name) + " ";
  return fmt::format("{} {}{}", tensor_type(tensor), name, contents(tensor, most));
}

std::string initializer_text(const Tensor& tensor, std::size_t most) {
  return fmt::format("{} {} = {}", tensor_type(tensor), id(tensor.name), contents(tensor, most));
}

std::string sparse_text(const SparseTensor& tensor, std::size_t most) {
  const auto part = [most](const std::optional<Tensor>& each) {
    return each ? tensor_text(*each, most) : std::string("nothing");
  };
  return fmt::format("{} at {} of [{}]", part(tensor.values), part(tensor.indices), join(tensor.dims, ","));
}

}  // namespace cameo::model::text
