#pragma once
// TorchScript source as tokens, with Python's rules of indentation. Read on demand: nothing is kept.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "script/ast.h"

namespace cameo::script {

enum class Tok : std::uint8_t {
  end,
  newline,
  indent,
  dedent,
  name,
  number,
  string,
  // keywords
  kw_and,
  kw_as,
  kw_assert,
  kw_break,
  kw_class,
  kw_continue,
  kw_def,
  kw_del,
  kw_elif,
  kw_else,
  kw_false,
  kw_for,
  kw_global,
  kw_if,
  kw_import,
  kw_in,
  kw_is,
  kw_none,
  kw_not,
  kw_or,
  kw_pass,
  kw_raise,
  kw_return,
  kw_true,
  kw_while,
  kw_with,
  // punctuation
  floordiv_assign,
  pow_assign,
  lshift_assign,
  rshift_assign,
  ellipsis,
  arrow,
  pow,
  floordiv,
  lshift,
  rshift,
  eq,
  ne,
  le,
  ge,
  add_assign,
  sub_assign,
  mul_assign,
  div_assign,
  mod_assign,
  matmul_assign,
  and_assign,
  or_assign,
  xor_assign,
  lparen,
  rparen,
  lbracket,
  rbracket,
  lbrace,
  rbrace,
  comma,
  colon,
  dot,
  assign,
  plus,
  minus,
  star,
  slash,
  percent,
  at,
  ampersand,
  pipe,
  caret,
  tilde,
  lt,
  gt,
};

struct Token {
  Tok kind = Tok::end;
  Range range;
};

bool is_keyword(Tok kind);
bool is_identifier(std::string_view text);  // and not a keyword
std::string_view spelling(Tok kind);        // "def", "->"; empty for kinds without one
Tok word(std::string_view text);            // a keyword, or name
Tok punctuation_at(std::string_view text);  // the longest that `text` begins with; end if there is none

class Lexer {
 public:
  // Throws Error if `text` is too long to be addressed by Range.
  Lexer(std::string_view file, std::string_view text);
  // A lexer of a part of `text`: functions that are indented by `indentation` columns.
  static Lexer of_functions(std::string_view file, std::string_view text, Range part,
                            std::uint32_t indentation);
  // A lexer of a part of `text`: an expression, which may have several lines.
  static Lexer of_expression(std::string_view file, std::string_view text, Range part);
  // The next token; `end` for ever after the last. Newlines within brackets are passed over. Throws Error.
  Token next();

 private:
  Token take(Tok kind, std::size_t end);
  bool skip_blanks();
  bool start_line();
  Token number();
  Token string();
  Token punctuation();
  [[noreturn]] void fail(std::size_t begin, std::size_t end, std::string message) const;

  std::string_view file_, text_;
  std::size_t at_ = 0;
  std::vector<std::uint32_t> indents_{0};
  std::uint32_t dedents_ = 0;   // still to be reported
  std::uint32_t brackets_ = 0;  // open ones
  bool line_start_ = true;
  bool line_open_ = false;  // a token stands on this line: its end counts
};

// The value of a string token's text, quotes and all. Escapes that Python does not know stand for
// themselves; \ooo and \xhh are bytes, \uhhhh and \Uhhhhhhhh become UTF-8.
std::string string_value(std::string_view token);

}  // namespace cameo::script
