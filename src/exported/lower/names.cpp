#include "exported/lower/names.h"

#include <algorithm>

#include "script/chars.h"

namespace cameo::exported {
namespace {

constexpr std::string_view kKeywords[] = {
    "False", "None",     "True",  "and",    "as",   "assert", "async",  "await",    "break",
    "class", "continue", "def",   "del",    "elif", "else",   "except", "finally",  "for",
    "from",  "global",   "if",    "import", "in",   "is",     "lambda", "nonlocal", "not",
    "or",    "pass",     "raise", "return", "try",  "while",  "with",   "yield"};

// Functions and namespaces of the lowered program. A variable of this name would hide them.
constexpr std::string_view kGlobals[] = {"CONSTANTS",
                                         "__torch__",
                                         "abs",
                                         "annotate",
                                         "awaitable",
                                         "bool",
                                         "complex",
                                         "float",
                                         "fork",
                                         "getattr",
                                         "inf",
                                         "infj",
                                         "int",
                                         "isinstance",
                                         "len",
                                         "list",
                                         "max",
                                         "min",
                                         "nan",
                                         "nanj",
                                         "ops",
                                         "print",
                                         "range",
                                         "round",
                                         "self",
                                         "sorted",
                                         "str",
                                         "sum",
                                         "torch",
                                         "tuple",
                                         "unchecked_cast",
                                         "uninitialized"};

template <std::size_t N>
bool is_in(const std::string_view (&words)[N], std::string_view text) {
  return std::ranges::find(words, text) != std::end(words);
}

}  // namespace

bool is_identifier(std::string_view text) {
  return !text.empty() && !script::is_digit(text[0]) && std::ranges::all_of(text, script::is_word_char) &&
         !is_in(kKeywords, text);
}

std::string identifier(std::string_view text) {
  std::string out(text);
  std::ranges::replace_if(
      out, [](char c) { return !script::is_word_char(c); }, '_');
  if (out.empty() || script::is_digit(out[0])) out.insert(0, 1, '_');
  if (is_in(kKeywords, out)) out += '_';
  return out;
}

std::string argument_name(std::string_view text) { return text == "from" ? "from" : identifier(text); }

std::string string_literal(std::string_view text) {
  constexpr std::string_view kHex = "0123456789abcdef";
  std::string out = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (byte < 0x20 || byte == 0x7f) {
      out += "\\x";
      out += kHex[byte >> 4];
      out += kHex[byte & 15];
    } else {
      out += c;
    }
  }
  return out + "\"";
}

void Variables::set(std::string_view value, std::string expression) {
  expressions_.insert_or_assign(value, std::move(expression));
}

const std::string& Variables::of(std::string_view value) {
  if (const auto known = expressions_.find(value); known != expressions_.end()) return known->second;
  return expressions_.emplace(value, fresh(value)).first->second;
}

std::string Variables::fresh(std::string_view wish) {
  std::string name = identifier(wish);
  if (is_in(kGlobals, name)) name += '_';
  std::string unique = name;
  for (int n = 1; !taken_.insert(unique).second; ++n) unique = name + "_" + std::to_string(n);
  return unique;
}

}  // namespace cameo::exported
