#include <bit>

#include <fmt/core.h>

#include "base/text.h"
#include "model/diff/findings.h"
#include "model/graph/describe.h"
#include "onnx/proto/encode.h"

namespace cameo::model {
namespace {

using namespace onnx::proto;  // NOLINT(google-build-using-namespace): the messages are what this is about

std::string shortened(std::string text, std::size_t most) {
  return text.size() <= most ? text : text.substr(0, most) + " ...";
}

// "" for what has to be looked at by itself.
std::string value_text(const Attribute& attribute) {
  if (attribute.f) return fmt::format("{}", *attribute.f);
  if (attribute.i) return fmt::format("{}", *attribute.i);
  if (present(attribute.s)) return quoted(attribute.s);
  if (present(attribute.ref_attr_name))
    return fmt::format("the function's {}", quoted(attribute.ref_attr_name));
  if (!attribute.floats.empty()) return fmt::format("[{}]", join(attribute.floats, ", "));
  if (!attribute.ints.empty()) return fmt::format("[{}]", join(attribute.ints, ", "));
  if (attribute.strings.empty()) return {};
  std::vector<std::string> texts;
  for (const Text text : attribute.strings) texts.push_back(quoted(text));
  return fmt::format("[{}]", join(texts, ", "));
}

// NaN equals itself here, and 0 is not -0.
std::vector<std::uint32_t> bits(const Attribute& attribute) {
  std::vector<std::uint32_t> all;
  if (attribute.f) all.push_back(std::bit_cast<std::uint32_t>(*attribute.f));
  for (const float number : attribute.floats) all.push_back(std::bit_cast<std::uint32_t>(number));
  return all;
}

template <class M>
std::vector<std::string> encoded(const std::vector<M>& messages) {
  std::vector<std::string> bytes;
  for (const M& message : messages) bytes.push_back(encode(message));
  return bytes;
}
template <class M>
std::string encoded(const std::unique_ptr<M>& message) {
  return message ? encode(*message) : std::string();
}

bool same_scalars(const Attribute& a, const Attribute& b) {
  return bits(a) == bits(b) && a.f.has_value() == b.f.has_value() && a.i == b.i && a.s == b.s &&
         a.ref_attr_name == b.ref_attr_name && a.ints == b.ints && a.strings == b.strings;
}

bool same_rest(const Attribute& a, const Attribute& b) {
  return (a.t == nullptr) == (b.t == nullptr) && (a.g == nullptr) == (b.g == nullptr) &&
         a.tensors.size() == b.tensors.size() && a.graphs.size() == b.graphs.size() &&
         encoded(a.sparse_tensor) == encoded(b.sparse_tensor) && encoded(a.tp) == encoded(b.tp) &&
         encoded(a.sparse_tensors) == encoded(b.sparse_tensors) &&
         encoded(a.type_protos) == encoded(b.type_protos);
}

}  // namespace

std::string attribute_value(const Attribute& attribute, std::size_t most) {
  if (std::string text = value_text(attribute); !text.empty()) return shortened(std::move(text), most);
  if (attribute.t) return type_text(*attribute.t);
  if (attribute.g || !attribute.graphs.empty()) return "a graph";
  if (!attribute.tensors.empty()) return fmt::format("{} tensors", attribute.tensors.size());
  return "something else";
}

std::string attribute_text(const Attribute& attribute) {
  return fmt::format("{} {}", printable(attribute.name), attribute_value(attribute));
}

std::string attribute_difference(Sides sides, const Attribute& a, const Attribute& b) {
  const std::string name = printable(a.name);
  if (!same_scalars(a, b) || !same_rest(a, b)) {
    const std::string left = attribute_value(a), right = attribute_value(b);
    return left == right ? fmt::format("{} differs", name) : fmt::format("{} {} -> {}", name, left, right);
  }
  if (a.t)
    if (const auto found = tensor_difference(sides, *a.t, *b.t))
      return fmt::format("{}: {}", name, found->detail);
  for (std::size_t i = 0; i < a.tensors.size(); ++i)
    if (const auto found = tensor_difference(sides, a.tensors[i], b.tensors[i]))
      return fmt::format("{}[{}]: {}", name, i, found->detail);
  return {};
}

}  // namespace cameo::model
