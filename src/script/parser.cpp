#include "script/parser.h"

#include <fmt/core.h>

#include "script/fault.h"
#include "script/parse.h"

namespace cameo::script {
namespace {

std::string describe(Tok kind, std::string_view text) {
  switch (kind) {
    case Tok::end: return "the end of the file";
    case Tok::newline: return "the end of the line";
    case Tok::indent: return "a deeper indentation";
    case Tok::dedent: return "the end of the block";
    case Tok::string: return "a string";
    case Tok::number: return fmt::format("the number {}", text.substr(0, 40));
    default: return fmt::format("'{}'", text.substr(0, 40));
  }
}

}  // namespace

Parser::Parser(std::string_view name, std::string_view text, Lexer lexer)
    : name_(name), text_(text), lexer_(std::move(lexer)) {
  token_ = lexer_.next();
}

Parser::Level::Level(Parser& parser, std::uint32_t& depth, std::uint32_t limit, std::string_view what)
    : depth_(depth) {
  if (depth >= limit)
    parser.fail(parser.token_.range, fmt::format("{} nested too deeply (limit {})", what, limit));
  ++depth_;
}

void Parser::advance() {
  if (!at(Tok::newline) && !at(Tok::indent) && !at(Tok::dedent)) last_end_ = token_.range.end;
  token_ = lexer_.next();
}

bool Parser::accept(Tok kind) {
  if (!at(kind)) return false;
  advance();
  return true;
}

void Parser::expect(Tok kind, std::string_view where) {
  if (accept(kind)) return;
  const std::string_view text = spelling(kind);
  fail_expected(fmt::format("{} {}", text.empty() ? describe(kind, {}) : fmt::format("'{}'", text), where));
}

std::string_view Parser::identifier(std::string_view what) {
  if (!at(Tok::name)) fail_expected(what);
  return any_word(what);
}

std::string_view Parser::any_word(std::string_view what) {
  if (!at(Tok::name) && !is_keyword(token_.kind)) fail_expected(what);
  const std::string_view text = token_text();
  advance();
  return text;
}

void Parser::fail(Range range, std::string message) const {
  syntax_error(name_, text_, range, std::move(message));
}

void Parser::fail_expected(std::string_view expected) const {
  const Tok found = token_.range.begin == text_.size() ? Tok::end : token_.kind;
  fail(token_.range, fmt::format("expected {}, found {}", expected, describe(found, token_text())));
}

SourceFile parse(std::string_view name, std::string_view text) {
  return Parser(name, text, Lexer(name, text)).file();
}

SourceFile parse_functions(std::string_view name, std::string_view text, Range part,
                           std::uint32_t indentation) {
  return Parser(name, text, Lexer::of_functions(name, text, part, indentation)).file();
}

ExprPtr parse_expression(std::string_view name, std::string_view text, Range part) {
  return Parser(name, text, Lexer::of_expression(name, text, part)).lone_expression();
}

ExprPtr parse_type(std::string_view text) {
  return Parser("a type", text, Lexer("a type", text)).lone_type();
}

}  // namespace cameo::script
