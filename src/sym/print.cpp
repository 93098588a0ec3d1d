#include <string>

#include "sym/context.h"
#include "sym/expr.h"

namespace cameo::sym {

namespace {

// Stops writing a little after `limit`, which also ends the recursion: each level writes before it descends.
class Printer {
 public:
  explicit Printer(std::size_t limit) : limit_(limit) {}

  std::string take() {
    if (text_.size() <= limit_) return std::move(text_);
    text_.resize(limit_ > 3 ? limit_ - 3 : 0);
    return text_ + "...";
  }

  void sum(Expr e) {
    if (is_full()) return;
    if (const auto value = e.as_constant()) return write(std::to_string(*value));
    if (const auto remainder = as_remainder(e)) {
      write("mod(");
      sum(remainder->dividend);
      write(", ");
      sum(remainder->divisor);
      return write(")");
    }
    const auto terms = e.terms();
    std::size_t first = 0;
    while (first < terms.size() && terms[first].coefficient < 0) ++first;
    if (first == terms.size()) first = 0;
    term(terms[first], true);
    for (std::size_t i = 0; i < terms.size(); ++i) {
      if (i != first) term(terms[i], false);
    }
  }

 private:
  bool is_full() const { return text_.size() > limit_; }
  void write(std::string_view text) { text_ += text; }

  void term(const Term& term, bool is_first) {
    std::string coefficient = std::to_string(term.coefficient);
    const bool is_negative = coefficient.front() == '-';
    if (is_negative) coefficient.erase(0, 1);
    write(is_first ? (is_negative ? "-" : "") : (is_negative ? " - " : " + "));
    bool needs_star = coefficient != "1" || term.factors.empty();
    if (needs_star) write(coefficient);
    for (const Factor& f : term.factors) {
      if (needs_star) write("*");
      needs_star = true;
      atom(*f.atom);
      if (f.power != 1) write("^" + std::to_string(f.power));
    }
  }

  void atom(const Atom& atom) {
    if (is_full()) return;
    switch (atom.kind) {
      case Kind::symbol: return write(atom.symbol->name);
      case Kind::floordiv: return quotient("floor(", atom);
      case Kind::truncdiv: return quotient("trunc(", atom);
      case Kind::min: return call("min(", atom);
      case Kind::max: return call("max(", atom);
      case Kind::whole: return call("(", atom);
    }
  }

  void quotient(std::string_view name, const Atom& atom) {
    write(name);
    operand(atom.operands[0], atom.operands[0].terms().size() > 1);
    write("/");
    operand(atom.operands[1], !atom.operands[1].is_constant() && !atom.operands[1].as_atom());
    write(")");
  }

  void operand(Expr e, bool in_parentheses) {
    if (in_parentheses) write("(");
    sum(e);
    if (in_parentheses) write(")");
  }

  void call(std::string_view name, const Atom& atom) {
    write(name);
    for (std::size_t i = 0; i < atom.operands.size(); ++i) {
      if (i > 0) write(", ");
      sum(atom.operands[i]);
    }
    write(")");
  }

  std::size_t limit_;
  std::string text_;
};

std::string_view symbol_of(Relation relation, bool swapped) {
  switch (relation) {
    case Relation::equal: return " == ";
    case Relation::not_equal: return " != ";
    case Relation::less: return swapped ? " > " : " < ";
    case Relation::less_equal: break;
  }
  return swapped ? " >= " : " <= ";
}

}  // namespace

std::string to_string(Expr e, std::size_t limit) {
  Printer printer(limit);
  printer.sum(e);
  return printer.take();
}

std::string to_string(const Condition& condition) {
  const bool swapped = condition.left.is_constant();
  const Expr left = swapped ? condition.right : condition.left;
  const Expr right = swapped ? condition.left : condition.right;
  return to_string(left) + std::string(symbol_of(condition.relation, swapped)) + to_string(right);
}

}  // namespace cameo::sym
