#pragma once
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

namespace cameo::exported {

// Letters, digits and underscores, not a digit first, and not a word of the language.
bool is_identifier(std::string_view text);
// The text with every other character replaced by an underscore.
std::string identifier(std::string_view text);
// The name of an operator's argument in a call. PyTorch has arguments called `from`, which TorchScript accepts here.
std::string argument_name(std::string_view text);
// The text in double quotes, escaped.
std::string string_literal(std::string_view text);

// The variables of one function: each value of the graph has one, with the name of the value if that is an
// identifier. A value may also stand for an expression, such as an attribute of the root module.
class Variables {
 public:
  // The value is the expression from now on.
  void set(std::string_view value, std::string expression);
  // The expression of a value. A value that was not seen before gets a variable.
  const std::string& of(std::string_view value);
  // A variable that belongs to no value.
  std::string fresh(std::string_view wish);

 private:
  std::unordered_map<std::string_view, std::string> expressions_;
  std::unordered_set<std::string> taken_;
};

}  // namespace cameo::exported
