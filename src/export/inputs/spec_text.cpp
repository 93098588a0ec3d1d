#include "export/inputs/spec_text.h"

#include <fmt/core.h>
#include <fmt/ranges.h>

#include "base/dtype.h"
#include "base/overload.h"

namespace cameo {
namespace {

std::string joined(const std::vector<InputSpec>& items) {
  std::string out;
  for (const InputSpec& item : items) out += (out.empty() ? "" : ", ") + to_text(item);
  return out;
}

std::string tensor_text(const TensorSpec& tensor) {
  std::vector<std::string> sizes;
  for (const Dim& dim : tensor.shape) sizes.push_back(to_string(dim));
  std::string type(name(tensor.type));
  if (const auto& quantization = tensor.quantization)
    type =
        fmt::format("q{}({},{})", name(quantization->integer), quantization->scale, quantization->zero_point);
  return fmt::format("{}[{}]", type, fmt::join(sizes, ","));
}

std::string dict_text(const DictSpec& dict) {
  std::string out;
  for (const auto& [key, value] : dict.items)
    out += fmt::format("{}\"{}\": {}", out.empty() ? "" : ", ", key, to_text(value));
  return fmt::format("{{{}}}", out);
}

}  // namespace

std::string to_text(const InputSpec& spec) {
  return std::visit(Overload{[](const TensorSpec& tensor) { return tensor_text(tensor); },
                             [](const TupleSpec& tuple) {
                               return fmt::format("({}{})", joined(tuple.items),
                                                  tuple.items.size() == 1 ? "," : "");
                             },
                             [](const ListSpec& list) { return fmt::format("[{}]", joined(list.items)); },
                             [](const DictSpec& dict) { return dict_text(dict); },
                             [](const NoneSpec&) { return std::string("None"); },
                             [](bool flag) { return std::string(flag ? "True" : "False"); },
                             [](std::int64_t number) { return std::to_string(number); },
                             [](double number) {
                               std::string text = fmt::format("{}", number);
                               return text.find_first_not_of("-0123456789") == text.npos ? text + ".0" : text;
                             },
                             [](const std::string& text) { return fmt::format("\"{}\"", text); }},
                    spec.value);
}

}  // namespace cameo
