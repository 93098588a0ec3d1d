#pragma once
// The recursive-descent parser of rules files. docs/rewrites.md has the grammar.

#include <string>
#include <string_view>
#include <vector>

#include "rewrite/tokens.h"

namespace cameo::rewrite {

class Parser {
 public:
  // `file` has its name and text. Its rules are added to it.
  explicit Parser(RuleFile& file) : file_(file), tokens_(tokens(file)) {}
  void parse();

 private:
  const Token& token() const { return tokens_[at_]; }
  bool at(std::string_view text) const;
  bool at(Token::Kind kind) const { return token().kind == kind; }
  bool accept(std::string_view text);
  Token take() { return tokens_[at_ < tokens_.size() - 1 ? at_++ : at_]; }
  Token expect(Token::Kind kind, std::string_view what);
  void expect(std::string_view symbol, std::string_view where);
  [[noreturn]] void fail_expected(std::string_view what) const;
  std::string string(std::string_view what);
  std::int64_t integer(std::string_view what);

  // rules: parser.cpp
  Rule rule();
  void rule_name(Rule& rule);
  bool clause(Rule& rule);
  Place place(bool after);
  Scope scope();
  void condition(Rule& rule);
  Pattern pattern(std::string_view what);
  void check(const Rule& rule, bool placed, bool replaced) const;

  // replacements: parse_replacement.cpp
  void replacement(Rule& rule);
  Functions functions();
  Nodes nodes();
  std::vector<Parameter> parameters();
  std::vector<Result> results();
  DeclaredType type();
  DeclaredSize size();
  NodeLine node();
  std::string node_type();
  Attribute attribute();
  Input input();
  Number number();
  Numbers numbers(std::string_view close);
  void check_names(Nodes& nodes) const;

  RuleFile& file_;
  std::vector<Token> tokens_;
  std::size_t at_ = 0;
};

}  // namespace cameo::rewrite
