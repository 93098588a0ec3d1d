#pragma once
// The recursive-descent parser behind parse.h. One token of lookahead; time is linear in the text.

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "script/ast.h"
#include "script/lexer.h"

namespace cameo::script {

class Parser {
 public:
  // `lexer` reads `text`, or a part of it.
  Parser(std::string_view name, std::string_view text, Lexer lexer);
  SourceFile file();
  ExprPtr lone_type();
  ExprPtr lone_expression();

 private:
  // Chosen so that parsing, printing, comparing and destroying the deepest tree fit a stack of 8 MB, also in
  // builds with sanitizers.
  static constexpr std::uint32_t kMaxExpressionDepth = 500;
  static constexpr std::uint32_t kMaxBlockDepth = 1000;

  // Counts a level of recursion while it lives.
  class Level {
   public:
    Level(Parser& parser, std::uint32_t& depth, std::uint32_t limit, std::string_view what);
    ~Level() { --depth_; }
    Level(const Level&) = delete;
    Level& operator=(const Level&) = delete;

   private:
    std::uint32_t& depth_;
  };

  // tokens
  bool at(Tok kind) const { return token_.kind == kind; }
  bool at_name(std::string_view text) const { return at(Tok::name) && token_text() == text; }
  std::string_view token_text() const { return text_of(token_.range); }
  std::string_view text_of(Range range) const { return text_.substr(range.begin, range.end - range.begin); }
  void advance();
  bool accept(Tok kind);
  void expect(Tok kind, std::string_view where);
  std::string_view identifier(std::string_view what);
  std::string_view any_word(std::string_view what);
  Range since(std::uint32_t begin) const { return {begin, last_end_}; }
  [[noreturn]] void fail(Range range, std::string message) const;
  [[noreturn]] void fail_expected(std::string_view expected) const;

  // expressions: parse_expr.cpp, parse_atom.cpp
  template <class Node>
  ExprPtr make(std::uint32_t begin, Node&& node) {
    auto expr = std::make_unique<Expr>();
    expr->node = std::forward<Node>(node);
    return finish(begin, std::move(expr));
  }
  ExprPtr finish(std::uint32_t begin, ExprPtr expr) const;
  ExprPtr expr();
  ExprPtr expr_or_starred();
  enum class Commas { none, between, trailing };
  ExprPtr expr_list(Commas* commas = nullptr);
  ExprPtr binary(int min_precedence);
  ExprPtr prefix(int min_precedence);
  ExprPtr negated(std::uint32_t begin, ExprPtr operand);
  ExprPtr compared(ExprPtr left, BinaryOp op, ExprPtr right);
  ExprPtr postfix();
  ExprPtr call(ExprPtr callee);
  ExprPtr subscript(ExprPtr object);
  ExprPtr subscript_item();
  ExprPtr atom();
  ExprPtr name_or_constant();
  ExprPtr number();
  ExprPtr string();
  ExprPtr parenthesized();
  ExprPtr list();
  ExprPtr dict();

  // statements: parse_stmt.cpp
  Block block();
  StmtPtr statement();
  StmtPtr simple_statement();
  StmtPtr assignment();
  StmtPtr if_statement();
  StmtPtr for_statement();
  StmtPtr while_statement();
  StmtPtr with_statement();
  StmtPtr small_statement();
  StmtPtr nested_function();
  ExprPtr target();
  ExprPtr target_list();
  void check_target(const Expr& expr) const;

  // definitions: parse_def.cpp
  FunctionDef function();
  std::vector<Param> params();
  ClassDef class_def();
  ClassKind class_base();
  void class_item(ClassDef& cls);
  void annotation_item(ClassDef& cls, std::uint32_t begin);
  Field typed_field(std::uint32_t begin, std::string name);
  std::vector<std::string> string_list();

  std::string_view name_, text_;
  Lexer lexer_;
  Token token_;
  std::uint32_t last_end_ = 0;  // of the last token taken that is not mere layout
  std::uint32_t expression_depth_ = 0, block_depth_ = 0;
};

}  // namespace cameo::script
