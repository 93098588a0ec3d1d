#include "spec/literal.h"

#include <fmt/core.h>

#include <cctype>
#include <charconv>

#include "cameo/diagnostic.h"

namespace cameo {
namespace {

constexpr int kMaxDepth = 50;

class LiteralParser {
 public:
  LiteralParser(std::string_view text, std::string_view option, Code code)
      : text_(text), option_(option), code_(code) {}

  Literal parse() {
    Literal literal = value();
    if (!at_end()) fail(at_, "nothing is expected here");
    return literal;
  }

 private:
  [[noreturn]] void fail(std::size_t at, std::string message) const {
    fail_at(text_, at, option_, code_, std::move(message));
  }

  bool at_end() {
    while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_]))) ++at_;
    return at_ == text_.size();
  }
  bool take(char c) {
    if (at_end() || text_[at_] != c) return false;
    ++at_;
    return true;
  }

  Literal value() {
    if (at_end()) fail(at_, "a value is missing");
    if (++depth_ > kMaxDepth) fail(at_, "nested too deeply");
    Literal out;
    out.at = at_;
    const char c = text_[at_];
    if (c == '{')
      out.value = dict();
    else if (c == '[' || c == '(')
      out.value = list(c == '[' ? ']' : ')');
    else if (c == '"' || c == '\'')
      out.value = quoted();
    else
      out.value = word();
    --depth_;
    return out;
  }

  // Items up to `close`, with commas between them and perhaps after the last.
  template <class Item>
  void items(char close, Item item) {
    const std::size_t open = at_++;
    while (!take(close)) {
      if (at_end()) fail(open, fmt::format("'{}' is never closed", text_[open]));
      item();
      if (take(',')) continue;
      if (take(close)) return;
      if (at_end()) fail(open, fmt::format("'{}' is never closed", text_[open]));
      fail(at_, fmt::format("expected ',' or '{}'", close));
    }
  }

  Literal::List list(char close) {
    Literal::List out;
    items(close, [&] { out.push_back(value()); });
    return out;
  }
  Literal::Dict dict() {
    Literal::Dict out;
    items('}', [&] {
      Literal key = value();
      if (!take(':')) fail(at_, "expected ':' after a key");
      out.push_back({std::move(key), value()});
    });
    return out;
  }

  std::string quoted() {
    const std::size_t open = at_++;
    std::string out;
    while (at_ < text_.size() && text_[at_] != text_[open]) {
      if (text_[at_] == '\\' && at_ + 1 < text_.size()) ++at_;
      out += text_[at_++];
    }
    if (at_ == text_.size()) fail(open, "the text is never closed");
    ++at_;
    return out;
  }

  decltype(Literal::value) word() {
    const std::size_t start = at_;
    auto belongs = [](char c) {
      return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '.' || c == '-' || c == '+';
    };
    while (at_ < text_.size() && belongs(text_[at_])) ++at_;
    const std::string_view word = text_.substr(start, at_ - start);
    if (word == "None" || word == "null") return Literal::Null{};
    if (word == "True" || word == "true") return true;
    if (word == "False" || word == "false") return false;
    const char* end = word.data() + word.size();
    std::int64_t integer = 0;
    if (auto [stop, error] = std::from_chars(word.data(), end, integer); stop == end && error == std::errc())
      return integer;
    double real = 0;
    if (auto [stop, error] = std::from_chars(word.data(), end, real); stop == end && error == std::errc())
      return real;
    fail(start, word.empty() ? "expected a value" : fmt::format("'{}' is not a value", word));
  }

  std::string_view text_, option_;
  Code code_;
  std::size_t at_ = 0;
  int depth_ = 0;
};

}  // namespace

void fail_at(std::string_view text, std::size_t at, std::string_view option, Code code, std::string message,
             std::string hint) {
  Diagnostic d{.code = code};
  d.message = std::move(message);
  Position position;
  position.file = option;
  position.line = 1;
  position.column = static_cast<int>(at) + 1;
  position.text = text;
  for (char& c : position.text)
    if (c == '\n') c = ' ';
  d.script = std::move(position);
  d.hint = std::move(hint);
  throw Error(std::move(d));
}

Literal parse_literal(std::string_view text, std::string_view option, Code code) {
  return LiteralParser(text, option, code).parse();
}

}  // namespace cameo
