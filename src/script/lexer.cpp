#include "script/lexer.h"

#include <fmt/core.h>

#include <limits>

#include "script/chars.h"
#include "script/fault.h"

namespace cameo::script {

Lexer::Lexer(std::string_view file, std::string_view text) : file_(file), text_(text) {
  if (text.size() >= std::numeric_limits<std::uint32_t>::max()) {
    syntax_error(file, {}, {}, "the file is longer than 4 GiB");
  }
  if (text_.starts_with("\xEF\xBB\xBF")) at_ = 3;
}

Lexer Lexer::of_functions(std::string_view file, std::string_view text, Range part,
                          std::uint32_t indentation) {
  Lexer lexer(file, text.substr(0, part.end));
  lexer.at_ = part.begin;
  lexer.indents_ = {indentation};
  lexer.line_start_ = text[part.begin] == '\n' || text[part.begin] == '\r';
  return lexer;
}

Lexer Lexer::of_expression(std::string_view file, std::string_view text, Range part) {
  Lexer lexer(file, text.substr(0, part.end));
  lexer.at_ = part.begin;
  lexer.line_start_ = false;
  lexer.brackets_ = 1;
  return lexer;
}

void Lexer::fail(std::size_t begin, std::size_t end, std::string message) const {
  syntax_error(file_, text_, {static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end)},
               std::move(message));
}

Token Lexer::take(Tok kind, std::size_t end) {
  const Range range{static_cast<std::uint32_t>(at_), static_cast<std::uint32_t>(end)};
  at_ = end;
  return {kind, range};
}

Token Lexer::next() {
  if (line_start_ && !start_line()) return take(Tok::indent, at_);
  if (dedents_ > 0) {
    --dedents_;
    return take(Tok::dedent, at_);
  }
  if (!skip_blanks()) {
    if (line_open_) {
      line_open_ = false;
      return take(Tok::newline, at_);
    }
    if (indents_.size() > 1) {
      indents_.pop_back();
      return take(Tok::dedent, at_);
    }
    return take(Tok::end, at_);
  }
  const char c = text_[at_];
  if (c == '\n' || c == '\r') {
    line_start_ = true;
    line_open_ = false;
    return take(Tok::newline, at_ + (text_.substr(at_).starts_with("\r\n") ? 2 : 1));
  }
  line_open_ = true;
  if (is_digit(c) || (c == '.' && at_ + 1 < text_.size() && is_digit(text_[at_ + 1]))) return number();
  if (c == '"' || c == '\'') return string();
  if (!is_word_char(c)) return punctuation();
  std::size_t end = at_;
  while (end < text_.size() && is_word_char(text_[end])) ++end;
  return take(word(text_.substr(at_, end - at_)), end);
}

// Passes over spaces, comments, continued lines and, within brackets, newlines. False at the end of the text.
bool Lexer::skip_blanks() {
  while (at_ < text_.size()) {
    const std::string_view rest = text_.substr(at_);
    const char c = rest[0];
    if (c == ' ' || c == '\t' || c == '\f' || ((c == '\n' || c == '\r') && brackets_ > 0)) {
      ++at_;
    } else if (c == '#') {
      at_ = std::min(text_.find_first_of("\r\n", at_), text_.size());
    } else if (rest.starts_with("\\\n") || rest.starts_with("\\\r")) {
      at_ += rest.starts_with("\\\r\n") ? 3 : 2;
    } else {
      return true;
    }
  }
  return false;
}

// Measures the indentation of the next line that holds anything. False if it opens a block.
bool Lexer::start_line() {
  line_start_ = false;
  std::uint32_t column = 0;
  for (; at_ < text_.size(); ++at_) {
    const char c = text_[at_];
    if (c == ' ') {
      ++column;
    } else if (c == '\t') {
      column = (column / 8 + 1) * 8;
    } else if (c == '#') {
      at_ = std::min(text_.find_first_of("\r\n", at_), text_.size()) - 1;
    } else if (c == '\n' || c == '\r' || c == '\f') {
      column = 0;
    } else {
      break;
    }
  }
  if (at_ == text_.size()) column = indents_.front();
  if (column > indents_.back()) {
    indents_.push_back(column);
    return false;
  }
  for (; column < indents_.back(); indents_.pop_back()) ++dedents_;
  if (column != indents_.back()) {
    fail(at_, at_ + 1, "the indentation of this line matches no block around it");
  }
  return true;
}

Token Lexer::number() {
  const auto at = [&](std::size_t i) { return i < text_.size() ? text_[i] : '\0'; };
  std::size_t end = at_;
  const auto digits = [&](unsigned base) {
    while (digit_value(at(end)) < base) ++end;
  };
  const char prefix = static_cast<char>(at(at_ + 1) | 0x20);
  if (text_[at_] == '0' && (prefix == 'x' || prefix == 'o' || prefix == 'b')) {
    end += 2;
    digits(prefix == 'x' ? 16 : prefix == 'o' ? 8 : 2);
    if (end == at_ + 2) fail(at_, end, "a number without digits");
  } else {
    digits(10);
    if (at(end) == '.') {
      ++end;
      digits(10);
    }
    if (at(end) == 'e' || at(end) == 'E') {
      const std::size_t exponent = end + (at(end + 1) == '+' || at(end + 1) == '-' ? 2 : 1);
      if (is_digit(at(exponent))) {
        end = exponent;
        digits(10);
      }
    }
    if (at(end) == 'j' || at(end) == 'J') ++end;
  }
  if (is_word_char(at(end))) fail(at_, end + 1, fmt::format("a number cannot be followed by '{}'", at(end)));
  return take(Tok::number, end);
}

Token Lexer::string() {
  const std::string_view rest = text_.substr(at_);
  const char quote = rest[0];
  const bool triple = rest.size() >= 3 && rest[1] == quote && rest[2] == quote;
  const std::string_view close = rest.substr(0, triple ? 3 : 1);
  std::size_t i = close.size();
  for (; i < rest.size(); ++i) {
    if (rest[i] == '\\') {
      ++i;
    } else if (rest.substr(i).starts_with(close)) {
      return take(Tok::string, at_ + i + close.size());
    } else if (!triple && rest[i] == '\n') {
      break;
    }
  }
  fail(at_, at_ + std::min(i, rest.size()), "this string has no end");
}

Token Lexer::punctuation() {
  const Tok kind = punctuation_at(text_.substr(at_));
  switch (kind) {
    case Tok::end: {
      const auto byte = static_cast<unsigned char>(text_[at_]);
      fail(at_, at_ + 1,
           byte > ' ' && byte < 0x7f ? fmt::format("unexpected character '{}'", text_[at_])
                                     : fmt::format("unexpected byte 0x{:02x}", byte));
    }
    case Tok::lparen:
    case Tok::lbracket:
    case Tok::lbrace: ++brackets_; break;
    case Tok::rparen:
    case Tok::rbracket:
    case Tok::rbrace:
      if (brackets_ > 0) --brackets_;
      break;
    default: break;
  }
  return take(kind, at_ + spelling(kind).size());
}

}  // namespace cameo::script
