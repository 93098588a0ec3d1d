#include "specs.h"

#include <fmt/format.h>

#include "cameo/diagnostic.h"
#include "elements.h"

namespace cameo::torch {
namespace {

[[noreturn]] void refuse_input(std::string what) {
  throw Error(
      Diagnostic{.code = Code::unfit_input,
                 .message = std::move(what),
                 .hint = "inputs are tensors, numbers, strings, and tuples, lists and dicts of them"});
}

std::string quoted(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) out += c == '"' || c == '\\' ? std::string{'\\', c} : std::string{c};
  return out + "\"";
}

std::string spec(const c10::IValue& value);

std::string spec(const at::Tensor& tensor) {
  if (!tensor.defined()) return "None";
  const auto type = element_type(tensor.scalar_type());
  if (!type)
    refuse_input(fmt::format("a tensor of {} cannot be an input", c10::toString(tensor.scalar_type())));
  return to_string(*type, std::vector<std::int64_t>(tensor.sizes().begin(), tensor.sizes().end()));
}

template <class Items>
std::string listed(const Items& items) {
  std::string out;
  for (const auto& item : items) out += (out.empty() ? "" : ", ") + spec(c10::IValue(item));
  return out;
}

std::string spec(const c10::IValue& value) {
  if (value.isTensor()) return spec(value.toTensor());
  if (value.isNone()) return "None";
  if (value.isBool()) return value.toBool() ? "True" : "False";
  if (value.isInt()) return std::to_string(value.toInt());
  if (value.isDouble()) return fmt::format("{:#}", value.toDouble());
  if (value.isString()) return quoted(value.toStringRef());
  if (value.isTuple()) {
    const auto& items = value.toTupleRef().elements();
    return fmt::format("({}{})", listed(items), items.size() == 1 ? "," : "");
  }
  if (value.isList()) return fmt::format("[{}]", listed(value.toListRef()));
  if (!value.isGenericDict()) refuse_input(fmt::format("a {} cannot be an input", value.tagKind()));
  std::string out;
  for (const auto& entry : value.toGenericDict()) {
    if (!entry.key().isString()) refuse_input("the keys of a dict that is an input are strings");
    out += fmt::format("{}{}: {}", out.empty() ? "" : ", ", quoted(entry.key().toStringRef()),
                       spec(entry.value()));
  }
  return fmt::format("{{{}}}", out);
}

}  // namespace

std::vector<std::string> specs_of(const Inputs& inputs) {
  std::vector<std::string> out;
  for (const c10::IValue& input : inputs) out.push_back(spec(input));
  return out;
}

}  // namespace cameo::torch
