#include "script/lexer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cameo/diagnostic.h"

namespace cameo::script {
namespace {

using ::testing::ElementsAre;

std::vector<Tok> kinds(std::string_view text) {
  Lexer lexer("test.py", text);
  std::vector<Tok> out;
  do out.push_back(lexer.next().kind);
  while (out.back() != Tok::end);
  return out;
}

std::vector<std::string> texts(std::string_view text) {
  Lexer lexer("test.py", text);
  std::vector<std::string> out;
  for (Token token = lexer.next(); token.kind != Tok::end; token = lexer.next()) {
    if (token.range.begin == token.range.end || token.kind == Tok::newline) continue;
    out.emplace_back(text.substr(token.range.begin, token.range.end - token.range.begin));
  }
  return out;
}

std::string lex_error(std::string_view text) {
  try {
    kinds(text);
  } catch (const Error& e) {
    const Position& at = *e.diagnostics()[0].script;
    return std::to_string(at.line) + ":" + std::to_string(at.column) + ": " + e.what();
  }
  return "no error";
}

TEST(Lexer, IndentationOpensAndClosesBlocks) {
  EXPECT_THAT(
      kinds("if a:\n  b\n    \n# c\n  d\ne"),
      ElementsAre(Tok::kw_if, Tok::name, Tok::colon, Tok::newline, Tok::indent, Tok::name, Tok::newline,
                  Tok::name, Tok::newline, Tok::dedent, Tok::name, Tok::newline, Tok::end));
}

TEST(Lexer, SeveralBlocksCloseAtOnceAndAtTheEnd) {
  EXPECT_THAT(kinds("a\n b\n  c\nd\n e"),
              ElementsAre(Tok::name, Tok::newline, Tok::indent, Tok::name, Tok::newline, Tok::indent,
                          Tok::name, Tok::newline, Tok::dedent, Tok::dedent, Tok::name, Tok::newline,
                          Tok::indent, Tok::name, Tok::newline, Tok::dedent, Tok::end));
}

TEST(Lexer, BracketsAndBackslashesJoinLines) {
  EXPECT_THAT(kinds("(a,\n   b)\nc \\\n d\n"),
              ElementsAre(Tok::lparen, Tok::name, Tok::comma, Tok::name, Tok::rparen, Tok::newline, Tok::name,
                          Tok::name, Tok::newline, Tok::end));
}

TEST(Lexer, LineEndsOfOtherSystems) {
  const auto expected = ElementsAre(Tok::name, Tok::newline, Tok::indent, Tok::name, Tok::newline,
                                    Tok::dedent, Tok::name, Tok::newline, Tok::end);
  EXPECT_THAT(kinds("a\r\n  b\r\nc\r\n"), expected);
  EXPECT_THAT(kinds("a\r  b\rc\r"), expected);
}

TEST(Lexer, Numbers) {
  EXPECT_THAT(texts("1 2. .5 0x1F 1e5 1.e-5 3j 2.5J 0b1 0o7 1.0000000000000001e-05"),
              ElementsAre("1", "2.", ".5", "0x1F", "1e5", "1.e-5", "3j", "2.5J", "0b1", "0o7",
                          "1.0000000000000001e-05"));
}

TEST(Lexer, LongestPunctuation) {
  EXPECT_THAT(texts("a**=b//c->d...e<<=f!=g"),
              ElementsAre("a", "**=", "b", "//", "c", "->", "d", "...", "e", "<<=", "f", "!=", "g"));
}

TEST(Lexer, StringsOfEveryQuote) {
  EXPECT_THAT(
      texts(R"('a"b' "it's" """a "quoted"
line""" '''x''' "\"" "")"),
      ElementsAre("'a\"b'", "\"it's\"", "\"\"\"a \"quoted\"\nline\"\"\"", "'''x'''", R"("\"")", "\"\""));
}

TEST(Lexer, StringValues) {
  EXPECT_EQ(string_value(R"("a\n\r\t\\\"\'\a\b\f\v")"), "a\n\r\t\\\"'\a\b\f\v");
  EXPECT_EQ(string_value(R"("\101\0\3778")"), std::string("A\0\377", 3) + "8");
  EXPECT_EQ(string_value(R"("\x41\u00e9\U0001F600")"), "A\u00e9\U0001F600");
  EXPECT_EQ(string_value(R"("\d\xg\u12")"), R"(\d\xg\u12)");
  EXPECT_EQ(string_value("\"a\\\nb\""), "ab");
  EXPECT_EQ(string_value("'''a'b'''"), "a'b");
  EXPECT_EQ(string_value("''"), "");
}

TEST(Lexer, ByteOrderMarkIsPassedOver) {
  EXPECT_THAT(texts("\xEF\xBB\xBF"
                    "a"),
              ElementsAre("a"));
}

TEST(Lexer, Faults) {
  EXPECT_EQ(lex_error("a\n  'b\n"), "2:3: this string has no end");
  EXPECT_EQ(lex_error("x = '''b\n"), "1:5: this string has no end");
  EXPECT_EQ(lex_error("x = 12ab"), "1:5: a number cannot be followed by 'a'");
  EXPECT_EQ(lex_error("x = 0x"), "1:5: a number without digits");
  EXPECT_EQ(lex_error("a ? b"), "1:3: unexpected character '?'");
  EXPECT_EQ(lex_error("a \x01"), "1:3: unexpected byte 0x01");
  EXPECT_EQ(lex_error("a\n    b\n  c"), "3:3: the indentation of this line matches no block around it");
}

TEST(Lexer, IdentifiersAreNotKeywords) {
  EXPECT_TRUE(is_identifier("weight_0"));
  EXPECT_FALSE(is_identifier("0"));
  EXPECT_FALSE(is_identifier("in"));
  EXPECT_FALSE(is_identifier("a.b"));
  EXPECT_FALSE(is_identifier(""));
}

}  // namespace
}  // namespace cameo::script
