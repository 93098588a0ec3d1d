#include "sym/parse.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <string>

#include "sym/scanner.h"

namespace cameo::sym {

namespace {

class FormulaParser {
 public:
  FormulaParser(std::string_view text, std::size_t start, const std::function<Expr(std::string_view)>& symbol)
      : scan_(text, start), symbol_(symbol) {}

  Expr sum() {
    if (++depth_ > kMaxDepth) fail("nested too deeply", scan_.at());
    Expr total = scan_.take("-") ? -product() : product();
    while (true) {
      if (scan_.take("+"))
        total = total + product();
      else if (scan_.take("-"))
        total = total - product();
      else
        break;
    }
    --depth_;
    return total;
  }

  // Without the spaces behind the formula.
  std::size_t end() const { return scan_.text().find_last_not_of(' ', scan_.at() - 1) + 1; }
  bool at_end() { return scan_.skip_space() == scan_.text().size(); }
  [[noreturn]] void fail(const char* message, std::size_t at, std::size_t length = 1) const {
    throw FormulaError(message, at, std::max<std::size_t>(length, 1));
  }

 private:
  static constexpr int kMaxDepth = 50;
  static constexpr std::int64_t kMaxExponent = 32;

  void expect(std::string_view token, const char* message) {
    if (!scan_.take(token)) fail(message, scan_.at());
  }
  std::string_view word() {
    return scan_.take_while(
        [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '.'; });
  }

  Expr product() {
    Expr value = power();
    while (true) {
      if (scan_.take("*"))
        value = value * power();
      else if (scan_.take("//"))
        value = quotient(value, floordiv);
      else if (scan_.take("%"))
        value = quotient(value, mod);
      else
        return value;
    }
  }

  Expr quotient(Expr dividend, Expr (*divide)(Expr, Expr)) {
    const std::size_t start = scan_.skip_space();
    return divided(dividend, power(), start, divide);
  }
  Expr divided(Expr dividend, Expr divisor, std::size_t at, Expr (*divide)(Expr, Expr)) const {
    if (divisor == Expr(0)) fail("division by zero", at, scan_.at() - at);
    return divide(dividend, divisor);
  }

  Expr power() {
    const Expr base = atom();
    if (!scan_.take("^") && !scan_.take("**")) return base;
    const std::size_t start = scan_.skip_space();
    const auto exponent = atom().as_constant();
    if (!exponent || *exponent < 0 || *exponent > kMaxExponent)
      fail("an exponent is a number from 0 to 32", start, scan_.at() - start);
    return pow(base, *exponent);
  }

  Expr atom() {
    const std::size_t start = scan_.skip_space();
    if (scan_.take("(")) {
      const Expr inner = sum();
      expect(")", "expected ')'");
      return inner;
    }
    const std::string_view text = word();
    if (text.empty()) fail("expected a size, a name or a formula", start);
    if (Scanner::is_digit(text[0])) return number(text, start);
    return scan_.take("(") ? call(text, start) : symbol_(text);
  }

  Expr number(std::string_view text, std::size_t start) const {
    std::int64_t value = 0;
    const char* end = text.data() + text.size();
    const auto [parsed, error] = std::from_chars(text.data(), end, value);
    if (parsed != end || error != std::errc()) fail("this is neither a size nor a name", start, text.size());
    return value;
  }

  Expr call(std::string_view name, std::size_t start) {
    std::string function(name);
    for (char& c : function) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    if (function == "min" || function == "max") return choice(function == "min" ? min : max);
    const bool rounds_down = function == "floor";
    if (rounds_down || function == "trunc") return pair("/", rounds_down ? floordiv : truncdiv);
    if (function == "mod") return pair(",", mod);
    fail("the functions of sizes are min, max, mod and floor", start, name.size());
  }

  Expr choice(Expr (*choose)(Expr, Expr)) {
    Expr value = sum();
    while (scan_.take(",")) value = choose(value, sum());
    expect(")", "expected ',' or ')'");
    return value;
  }

  // "a/b)" or "a, b)"
  Expr pair(std::string_view separator, Expr (*divide)(Expr, Expr)) {
    const Expr dividend = sum();
    expect(separator, separator == "/" ? "expected '/'" : "expected ','");
    const std::size_t start = scan_.skip_space();
    const Expr divisor = sum();
    const Expr value = divided(dividend, divisor, start, divide);
    expect(")", "expected ')'");
    return value;
  }

  Scanner scan_;
  const std::function<Expr(std::string_view)>& symbol_;
  int depth_ = 0;
};

}  // namespace

ParsedFormula parse_formula(std::string_view text, std::size_t start,
                            const std::function<Expr(std::string_view)>& symbol) {
  FormulaParser parser(text, start, symbol);
  const Expr value = parser.sum();
  return {value, parser.end()};
}

Expr parse_formula(std::string_view text, const std::function<Expr(std::string_view)>& symbol) {
  FormulaParser parser(text, 0, symbol);
  const Expr value = parser.sum();
  if (!parser.at_end()) parser.fail("this is not understood", text.find_first_not_of(' ', parser.end()));
  return value;
}

}  // namespace cameo::sym
