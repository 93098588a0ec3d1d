#include "rewrite/tokens.h"

#include <fmt/core.h>

#include <algorithm>

#include "script/chars.h"

namespace cameo::rewrite {
namespace {

using script::is_digit;
using script::is_word_char;

class Scanner {
 public:
  explicit Scanner(const RuleFile& file) : file_(file), text_(file.text) {}

  std::vector<Token> all() {
    std::vector<Token> out;
    do {
      skip_blanks();
      out.push_back(next());
      begins_line_ = false;
    } while (out.back().kind != Token::Kind::end);
    return out;
  }

 private:
  char at(std::size_t i) const { return i < text_.size() ? text_[i] : '\0'; }

  void skip_blanks() {
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (c == '#') {
        at_ = std::min(text_.find('\n', at_), text_.size());
      } else if (c == '\n' || c == ' ' || c == '\t' || c == '\r') {
        begins_line_ = begins_line_ || c == '\n';
        ++at_;
      } else {
        return;
      }
    }
  }

  Token take(Token::Kind kind, std::size_t end) {
    end = std::min(end, text_.size());
    const Range range{static_cast<std::uint32_t>(at_), static_cast<std::uint32_t>(end)};
    const Token token{kind, range, text_.substr(at_, end - at_), begins_line_};
    at_ = end;
    return token;
  }

  Token next() {
    if (at_ >= text_.size()) return take(Token::Kind::end, at_);
    const char c = text_[at_];
    if (is_digit(c)) return take(Token::Kind::number, number_end());
    if (is_word_char(c)) return take(Token::Kind::name, word_end(at_));
    if (c == '"' || c == '\'') return string();
    if (c == '$') return weight();
    if (text_.substr(at_).starts_with("->")) return take(Token::Kind::symbol, at_ + 2);
    const auto byte = static_cast<unsigned char>(c);
    if (byte <= ' ' || byte >= 0x7f || c == ';' || c == '`')
      fail(file_, {static_cast<std::uint32_t>(at_), static_cast<std::uint32_t>(at_ + 1)},
           byte > ' ' && byte < 0x7f ? fmt::format("unexpected character '{}'", c)
                                     : fmt::format("unexpected byte 0x{:02x}", byte));
    return take(Token::Kind::symbol, at_ + 1);
  }

  std::size_t word_end(std::size_t i) const {
    while (is_word_char(at(i))) ++i;
    return i;
  }

  std::size_t number_end() const {
    std::size_t i = word_end(at_);
    if (at(i) == '.') i = word_end(i + 1);
    const char last = at(i - 1);
    if ((last == 'e' || last == 'E') && (at(i) == '-' || at(i) == '+')) i = word_end(i + 1);
    return i;
  }

  Token weight() {
    std::size_t end = word_end(at_ + 1);
    while (at(end) == '.' && is_word_char(at(end + 1))) end = word_end(end + 1);
    Token token = take(Token::Kind::weight, end);
    token.text.remove_prefix(1);
    if (token.text.empty()) fail(file_, token.range, "expected the path of a parameter after '$'");
    return token;
  }

  Token string() {
    const std::string_view rest = text_.substr(at_);
    const bool triple = rest.size() >= 3 && rest[1] == rest[0] && rest[2] == rest[0];
    const std::string_view close = rest.substr(0, triple ? 3 : 1);
    for (std::size_t i = close.size(); i < rest.size(); ++i) {
      if (rest[i] == '\\')
        ++i;
      else if (rest.substr(i).starts_with(close))
        return take(Token::Kind::string, at_ + i + close.size());
      else if (!triple && rest[i] == '\n')
        break;
    }
    fail(file_, {static_cast<std::uint32_t>(at_), static_cast<std::uint32_t>(at_ + 1)},
         "this string has no end");
  }

  const RuleFile& file_;
  std::string_view text_;
  std::size_t at_ = 0;
  bool begins_line_ = true;
};

}  // namespace

std::vector<Token> tokens(const RuleFile& file) { return Scanner(file).all(); }

}  // namespace cameo::rewrite
