#include "exported/expression.h"

#include <fmt/core.h>

#include <charconv>
#include <optional>

#include "base/text.h"
#include "cameo/diagnostic.h"

namespace cameo::exported {
namespace {

constexpr int kMaxExpressionDepth = 200;
// Of operators in a row whose results nest: a // b // c.
constexpr int kMaxChain = 16;

Expression integer_of(std::int64_t value) { return {.kind = Expression::Kind::integer, .integer = value}; }
Expression symbol_of(std::string_view name) {
  return {.kind = Expression::Kind::symbol, .name = std::string(name)};
}
Expression call_of(std::string_view name, std::vector<Expression> args) {
  return {.kind = Expression::Kind::call, .name = std::string(name), .args = std::move(args)};
}
Expression negated(Expression operand) {
  if (operand.kind == Expression::Kind::real) {
    operand.real = -operand.real;
    return operand;
  }
  return call_of("Mul", {integer_of(-1), std::move(operand)});
}
Expression inverse(Expression operand) { return call_of("Pow", {std::move(operand), integer_of(-1)}); }

// The str form of a relation has an operator, its srepr form has a class name.
struct Relation {
  std::string_view name, operator_text, class_name;
};

constexpr Relation kRelations[] = {
    {"Eq", "==", "Equality"},    {"Ne", "!=", "Unequality"},    {"Le", "<=", "LessThan"},
    {"Ge", ">=", "GreaterThan"}, {"Lt", "<", "StrictLessThan"}, {"Gt", ">", "StrictGreaterThan"},
};

bool is_name_start(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_number_part(char c) { return (c >= '0' && c <= '9') || c == '.'; }
bool is_name_part(char c) { return is_name_start(c) || is_number_part(c); }

// Both forms are Python expressions: names, numbers, strings, calls and operators.
class ExpressionParser {
 public:
  explicit ExpressionParser(std::string_view text) : text_(text) {}

  Expression parse() {
    Expression expression = relation();
    skip_spaces();
    if (at_ != text_.size()) fail("more text follows");
    return expression;
  }

 private:
  struct Level {
    explicit Level(ExpressionParser& owner) : parser(owner) {
      if (++parser.depth_ > kMaxExpressionDepth) {
        parser.fail(fmt::format("it is nested too deeply (limit {})", kMaxExpressionDepth));
      }
    }
    ~Level() { --parser.depth_; }
    Level(const Level&) = delete;
    Level& operator=(const Level&) = delete;
    ExpressionParser& parser;
  };

  [[noreturn]] void fail(std::string_view why) const {
    throw Error(Diagnostic{.code = Code::bad_exported_program,
                           .message = fmt::format("the symbolic expression '{}' cannot be read: {}",
                                                  printable(text_.substr(0, 200)), why),
                           .hint = "save the program again with torch.export.save"});
  }

  void skip_spaces() {
    while (at_ < text_.size() && text_[at_] == ' ') ++at_;
  }

  bool take(std::string_view token) {
    skip_spaces();
    if (!text_.substr(at_).starts_with(token)) return false;
    at_ += token.size();
    return true;
  }

  void expect(std::string_view token) {
    if (!take(token)) fail(fmt::format("'{}' was expected", token));
  }

  // A further operand of an associative operator does not deepen the tree.
  Expression joined(std::string_view name, Expression left, Expression right) {
    if (left.kind == Expression::Kind::call && left.name == name) {
      left.args.push_back(std::move(right));
      return left;
    }
    return call_of(name, {std::move(left), std::move(right)});
  }

  std::optional<std::string_view> take_relation() {
    for (const Relation& relation : kRelations) {
      if (take(relation.operator_text)) return relation.name;
    }
    return std::nullopt;
  }

  Expression relation() {
    const Level level(*this);
    Expression left = disjunction();
    if (const std::optional<std::string_view> name = take_relation()) {
      return call_of(*name, {std::move(left), disjunction()});
    }
    return left;
  }

  Expression disjunction() {
    Expression left = conjunction();
    while (take("|")) left = joined("Or", std::move(left), conjunction());
    return left;
  }

  Expression conjunction() {
    Expression left = sum();
    while (take("&")) left = joined("And", std::move(left), sum());
    return left;
  }

  Expression sum() {
    Expression left = product();
    while (true) {
      if (take("+")) {
        left = joined("Add", std::move(left), product());
      } else if (take("-")) {
        left = joined("Add", std::move(left), negated(product()));
      } else {
        return left;
      }
    }
  }

  bool next_is_power() {
    skip_spaces();
    return text_.substr(at_).starts_with("**");
  }

  Expression product() {
    Expression left = unary();
    for (int chain = 0; chain <= kMaxChain;) {
      if (take("//")) {
        left = call_of("FloorDiv", {std::move(left), unary()});
        ++chain;
      } else if (take("%")) {
        left = call_of("PythonMod", {std::move(left), unary()});
        ++chain;
      } else if (take("/")) {
        left = joined("Mul", std::move(left), inverse(unary()));
      } else if (!next_is_power() && take("*")) {
        left = joined("Mul", std::move(left), unary());
      } else {
        return left;
      }
    }
    fail(fmt::format("it has more than {} divisions in a row", kMaxChain));
  }

  Expression unary() {
    const Level level(*this);
    if (take("~")) return call_of("Not", {unary()});
    if (take("+")) return unary();
    if (!take("-")) return power();
    // The most negative integer has no positive counterpart.
    skip_spaces();
    if (at_ < text_.size() && is_number_part(text_[at_])) {
      Expression number = this->number(true);
      if (!next_is_power()) return number;
      at_ = number_start_;
    }
    return negated(unary());
  }

  Expression power() {
    Expression base = atom();
    if (!take("**")) return base;
    return call_of("Pow", {std::move(base), unary()});
  }

  Expression atom() {
    skip_spaces();
    if (take("(")) {
      Expression inside = relation();
      expect(")");
      return inside;
    }
    if (at_ < text_.size() && is_number_part(text_[at_])) return number(false);
    const std::string_view name = identifier();
    if (take("(")) return call(name);
    if (name == "True" || name == "False") {
      return {.kind = Expression::Kind::boolean, .integer = name == "True" ? 1 : 0};
    }
    return symbol_of(name);
  }

  std::string_view identifier() {
    skip_spaces();
    const std::size_t start = at_;
    if (at_ < text_.size() && is_name_start(text_[at_])) {
      while (at_ < text_.size() && is_name_part(text_[at_])) ++at_;
    }
    if (at_ == start) fail(start == text_.size() ? "it ends in the middle" : "a value was expected");
    return text_.substr(start, at_ - start);
  }

  Expression number(bool negative) {
    number_start_ = at_;
    const char* const begin = text_.data() + at_;
    const char* const end = text_.data() + text_.size();
    std::uint64_t magnitude = 0;
    const auto integer = std::from_chars(begin, end, magnitude);
    double real = 0;
    const auto floating = std::from_chars(begin, end, real);
    if (floating.ec != std::errc()) fail("a number cannot be read");
    at_ = static_cast<std::size_t>(floating.ptr - text_.data());
    if (integer.ptr < floating.ptr) {
      return {.kind = Expression::Kind::real, .real = negative ? -real : real};
    }
    const std::uint64_t limit = (std::uint64_t{1} << 63U) - (negative ? 0 : 1);
    if (integer.ec != std::errc() || magnitude > limit) fail("an integer does not fit in 64 bits");
    return integer_of(static_cast<std::int64_t>(negative ? 0 - magnitude : magnitude));
  }

  std::string_view quoted() {
    const char quote = text_[at_];
    const std::size_t end = text_.find(quote, at_ + 1);
    if (end == text_.npos) fail("a string has no end");
    const std::string_view inside = text_.substr(at_ + 1, end - at_ - 1);
    at_ = end + 1;
    return inside;
  }

  bool next_is_quoted() {
    skip_spaces();
    return at_ < text_.size() && (text_[at_] == '\'' || text_[at_] == '"');
  }

  // "integer=True" among the arguments: an assumption, which is ignored.
  bool take_assumption() {
    const std::size_t start = at_;
    skip_spaces();
    if (at_ < text_.size() && is_name_start(text_[at_])) {
      identifier();
      if (take("=") && !take("=")) {
        if (next_is_quoted()) {
          quoted();
        } else {
          relation();
        }
        return true;
      }
    }
    at_ = start;
    return false;
  }

  Expression call(std::string_view name) {
    std::vector<Expression> args;
    std::optional<std::string_view> text;
    if (!take(")")) {
      do {
        if (take_assumption()) continue;
        if (next_is_quoted()) {
          text = quoted();
        } else {
          args.push_back(relation());
        }
      } while (take(","));
      expect(")");
    }
    return named_call(name, std::move(args), text);
  }

  Expression named_call(std::string_view name, std::vector<Expression> args,
                        std::optional<std::string_view> text) {
    if (name == "Symbol" || name == "Dummy") {
      if (!text || text->empty()) fail("a symbol has no name");
      return symbol_of(*text);
    }
    if (name == "Float" && text) return real_text(*text);
    if (text) fail(fmt::format("{} has a string as an argument", name));
    if ((name == "Integer" || name == "Float") && args.size() == 1) return std::move(args.front());
    if (name == "Rational" && args.size() == 2)
      return call_of("Mul", {std::move(args[0]), inverse(std::move(args[1]))});
    if (name == "IntInfinity") return symbol_of("int_oo");
    if (name == "NegativeIntInfinity") return negated(symbol_of("int_oo"));
    for (const Relation& relation : kRelations) {
      if (name == relation.class_name) return call_of(relation.name, std::move(args));
    }
    return call_of(name, std::move(args));
  }

  Expression real_text(std::string_view text) {
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size()) fail("a number cannot be read");
    return {.kind = Expression::Kind::real, .real = value};
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::size_t number_start_ = 0;
  int depth_ = 0;
};

}  // namespace

Expression parse_expression(std::string_view text) { return ExpressionParser(text).parse(); }

std::string to_string(const Expression& expression) {
  switch (expression.kind) {
    case Expression::Kind::integer: return std::to_string(expression.integer);
    case Expression::Kind::real: return fmt::format("{:#}", expression.real);
    case Expression::Kind::boolean: return expression.integer != 0 ? "True" : "False";
    case Expression::Kind::symbol: return expression.name;
    case Expression::Kind::call: break;
  }
  std::string text = expression.name + "(";
  for (const Expression& arg : expression.args) {
    if (&arg != &expression.args.front()) text += ", ";
    text += to_string(arg);
  }
  return text + ")";
}

}  // namespace cameo::exported
