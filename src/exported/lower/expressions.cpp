#include "exported/lower/expressions.h"

#include <fmt/core.h>

#include <cmath>

#include "base/overload.h"
#include "base/text.h"

namespace cameo::exported {
namespace {

// The texts of values. Each function gives the expression of one alternative of an argument.
class Expressions {
 public:
  explicit Expressions(Variables& variables) : variables_(variables) {}

  std::string operator()(None) const { return "None"; }
  std::string operator()(const TensorName& tensor) const { return variables_.of(tensor.name); }
  std::string operator()(const SymName& number) const { return variables_.of(number.name); }
  std::string operator()(const std::optional<TensorName>& tensor) const {
    return tensor ? (*this)(*tensor) : "None";
  }
  std::string operator()(std::int64_t number) const { return std::to_string(number); }
  std::string operator()(double number) const { return literal(number); }
  std::string operator()(bool truth) const { return truth ? "True" : "False"; }
  std::string operator()(const Complex& number) const {
    return fmt::format("complex({}, {})", literal(number.real), literal(number.imag));
  }
  std::string operator()(std::string_view text) const { return string_literal(text); }
  template <class T>
  std::string operator()(const std::variant<SymName, T>& number) const {
    return std::visit(*this, number);
  }
  std::string operator()(DType dtype) const { return std::to_string(torch_number(dtype)); }
  std::string operator()(MemoryFormat format) const { return std::to_string(static_cast<int>(format)); }
  std::string operator()(Layout layout) const { return std::to_string(static_cast<int>(layout)); }
  std::string operator()(const Device& device) const {
    return fmt::format("torch.device({})", string_literal(device.type));
  }
  std::string operator()(const Subgraph&) const { return "None"; }
  std::string operator()(const CustomObject&) const { return "None"; }
  std::string operator()(const Operator& op) const { return string_literal(op.target); }
  std::string operator()(const Unknown&) const { return "None"; }
  std::string operator()(const DictEntry& entry) const {
    return fmt::format("{}: {}", string_literal(entry.key), std::visit(*this, entry.value.data));
  }
  std::string operator()(const std::vector<DictEntry>& entries) const {
    return "{" + join(texts(entries), ", ") + "}";
  }
  template <class T>
  std::string operator()(const std::vector<T>& list) const {
    return "[" + join(texts(list), ", ") + "]";
  }

  template <class T>
  std::vector<std::string> texts(const std::vector<T>& list) const {
    std::vector<std::string> out;
    for (const auto& item : list) {
      if constexpr (std::is_same_v<T, bool>)
        out.push_back((*this)(bool{item}));
      else
        out.push_back((*this)(item));
    }
    return out;
  }

 private:
  Variables& variables_;
};

}  // namespace

std::string literal(double value) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value < 0 ? "-inf" : "inf";
  std::string text = fmt::format("{}", value);
  if (text.find_first_of(".e") == text.npos) text += ".0";
  return text;
}

std::string expression(const Argument& argument, Variables& variables) {
  return std::visit(Expressions(variables), argument.data);
}

std::vector<std::string> items(const Argument& argument, Variables& variables) {
  const Expressions expressions(variables);
  return std::visit(Overload{[&]<class T>(const std::vector<T>& list) { return expressions.texts(list); },
                             [&](const auto& one) { return std::vector{expressions(one)}; }},
                    argument.data);
}

}  // namespace cameo::exported
