#include "exported/lower/formula.h"

#include <fmt/core.h>

#include <limits>

#include "base/text.h"
#include "cameo/diagnostic.h"
#include "exported/expression.h"

namespace cameo::exported {
namespace {

struct Printer {
  std::string_view whole;  // for messages

  // In parentheses unless it is a number, a symbol or a call of a function.
  std::string operand(const Expression& e) const {
    std::string text = print(e);
    return e.kind == Expression::Kind::call && e.name != "Max" && e.name != "Min" ? fmt::format("({})", text)
                                                                                  : text;
  }

  std::string joined(const Expression& e, std::string_view separator) const {
    std::vector<std::string> texts;
    for (const Expression& arg : e.args) texts.push_back(operand(arg));
    return join(texts, separator);
  }

  std::string print(const Expression& e) const {
    if (e.kind == Expression::Kind::integer) return std::to_string(e.integer);
    if (e.kind == Expression::Kind::symbol) return e.name;
    if (e.kind == Expression::Kind::call) {
      const std::size_t count = e.args.size();
      if (e.name == "Add") return sum(e);
      if (e.name == "Mul") return joined(e, "*");
      if ((e.name == "FloorDiv" || e.name == "CleanDiv" || e.name == "IntTrueDiv") && count == 2)
        return joined(e, "//");
      if ((e.name == "Mod" || e.name == "PythonMod") && count == 2) return joined(e, " % ");
      if (e.name == "Max" && count > 0) return fmt::format("max({})", joined(e, ", "));
      if (e.name == "Min" && count > 0) return fmt::format("min({})", joined(e, ", "));
      if ((e.name == "Pow" || e.name == "PowByNatural") && count == 2) return power(e);
      if ((e.name == "ToFloat" || e.name == "TruncToInt" || e.name == "Identity") && count == 1)
        return print(e.args[0]);
    }
    throw Error(Diagnostic{
        .code = Code::bad_exported_program,
        .message = fmt::format("the size '{}' of an input is not a formula that is supported", whole),
        .hint = "export the program with dynamic sizes that are simpler"});
  }

  // A term with a negative factor is subtracted.
  std::string sum(const Expression& e) const {
    std::string out;
    for (Expression term : e.args) {
      Expression& factor = term.kind == Expression::Kind::call && term.name == "Mul" && !term.args.empty()
                               ? term.args[0]
                               : term;
      const bool negative = factor.kind == Expression::Kind::integer && factor.integer < 0 &&
                            factor.integer != std::numeric_limits<std::int64_t>::min();
      if (negative) factor.integer = -factor.integer;
      if (out.empty())
        out = negative ? "0 - " : "";
      else
        out += negative ? " - " : " + ";
      out += operand(term);
    }
    return out;
  }

  std::string power(const Expression& e) const {
    const Expression& exponent = e.args[1];
    if (exponent.kind != Expression::Kind::integer || exponent.integer < 1 || exponent.integer > 8)
      return print({.kind = Expression::Kind::call, .name = "power"});
    std::string out = operand(e.args[0]);
    for (std::int64_t i = 1; i < exponent.integer; ++i) out += "*" + operand(e.args[0]);
    return out;
  }
};

}  // namespace

std::string formula(std::string_view expression) {
  return Printer{expression}.print(parse_expression(expression));
}

}  // namespace cameo::exported
