#include "sym/context.h"

#include <utility>

#include "sym/knowledge.h"
#include "sym/store.h"

namespace cameo::sym {

Truth operator!(Truth truth) {
  switch (truth) {
    case Truth::no: return Truth::yes;
    case Truth::yes: return Truth::no;
    case Truth::unknown: break;
  }
  return Truth::unknown;
}

Condition negation(const Condition& c) {
  switch (c.relation) {
    case Relation::equal: return {Relation::not_equal, c.left, c.right};
    case Relation::not_equal: return {Relation::equal, c.left, c.right};
    case Relation::less: return {Relation::less_equal, c.right, c.left};
    case Relation::less_equal: break;
  }
  return {Relation::less, c.right, c.left};
}

Context::Context() : store_(std::make_unique<Store>(this)), knowledge_(std::make_unique<Knowledge>()) {}
Context::~Context() = default;

Expr Context::symbol(std::string_view name, Range range, std::uint64_t tag) {
  return store_->symbol(name, range, tag);
}
std::optional<Expr> Context::find_symbol(std::string_view name) const { return store_->find_symbol(name); }

Truth Context::decide(const Condition& condition) { return knowledge_->decide(condition); }
Range Context::range(Expr e) { return knowledge_->range(simplify(e)); }
Expr Context::simplify(Expr e) { return knowledge_->simplify(e); }
bool Context::assume(const Condition& condition) { return knowledge_->assume(condition); }
void Context::push() { knowledge_->push(); }
void Context::pop() { knowledge_->pop(); }

Truth Context::divisible(Expr a, Expr b) { return knowledge_->divisible(simplify(a), simplify(b)); }

bool Context::assume_divisible(Expr a, Expr b) {
  const Truth truth = divisible(a, b);
  if (truth == Truth::unknown) knowledge_->assume_divisible(a, b);
  return truth != Truth::no;
}

std::optional<Expr> Context::divide_exactly(Expr a, Expr b) {
  const Expr dividend = simplify(a);
  const Expr divisor = simplify(b);
  if (divisor == Expr(0)) return std::nullopt;
  if (knowledge_->divisible(dividend, divisor) != Truth::yes) return std::nullopt;
  return floordiv(dividend, divisor);
}

}  // namespace cameo::sym
