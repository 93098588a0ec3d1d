#include <algorithm>
#include <array>
#include <iterator>

#include "script/chars.h"
#include "script/lexer.h"

namespace cameo::script {
namespace {

constexpr std::string_view kSpellings[] = {
    "",         "",    "",    "",     "",      "",       "",     "and",    "as",   "assert", "break", "class",
    "continue", "def", "del", "elif", "else",  "False",  "for",  "global", "if",   "import", "in",    "is",
    "None",     "not", "or",  "pass", "raise", "return", "True", "while",  "with", "//=",    "**=",   "<<=",
    ">>=",      "...", "->",  "**",   "//",    "<<",     ">>",   "==",     "!=",   "<=",     ">=",    "+=",
    "-=",       "*=",  "/=",  "%=",   "@=",    "&=",     "|=",   "^=",     "(",    ")",      "[",     "]",
    "{",        "}",   ",",   ":",    ".",     "=",      "+",    "-",      "*",    "/",      "%",     "@",
    "&",        "|",   "^",   "~",    "<",     ">"};
static_assert(std::size(kSpellings) == std::size_t(Tok::gt) + 1);

constexpr Tok next(Tok kind) { return Tok(std::uint8_t(kind) + 1); }

constexpr bool may_be(Tok kind, char first) { return kSpellings[std::size_t(kind)].front() == first; }

// For each character the first punctuation that begins with it: longer ones come before shorter ones.
constexpr auto kFirstPunctuation = [] {
  std::array<Tok, 256> table{};
  for (auto kind = Tok::gt; kind > Tok::kw_with; kind = Tok(std::uint8_t(kind) - 1))
    table[std::uint8_t(kSpellings[std::size_t(kind)].front())] = kind;
  return table;
}();

}  // namespace

std::string_view spelling(Tok kind) { return kSpellings[std::size_t(kind)]; }

bool is_keyword(Tok kind) { return kind >= Tok::kw_and && kind <= Tok::kw_with; }

Tok word(std::string_view text) {
  if (text.empty()) return Tok::name;
  for (auto kind = Tok::kw_and; kind <= Tok::kw_with; kind = next(kind)) {
    if (may_be(kind, text.front()) && spelling(kind) == text) return kind;
  }
  return Tok::name;
}

Tok punctuation_at(std::string_view text) {
  if (text.empty()) return Tok::end;
  const Tok candidate = kFirstPunctuation[std::uint8_t(text.front())];
  if (candidate == Tok::end) return Tok::end;
  for (auto kind = candidate; kind <= Tok::gt; kind = next(kind)) {
    if (may_be(kind, text.front()) && text.starts_with(spelling(kind))) return kind;
  }
  return Tok::end;
}

bool is_identifier(std::string_view text) {
  return !text.empty() && !is_digit(text.front()) && std::all_of(text.begin(), text.end(), is_word_char) &&
         word(text) == Tok::name;
}

}  // namespace cameo::script
