#include "sym/store.h"

#include <algorithm>

namespace cameo::sym {

namespace {

void mix(std::size_t& seed, std::size_t value) {
  seed ^= value + 0x9e3779b97f4a7c15u + (seed << 6) + (seed >> 2);
}

}  // namespace

std::size_t Store::SumHash::operator()(const Expr::Sum& sum) const {
  std::size_t seed = sum.terms.size();
  for (const Term& term : sum.terms) {
    mix(seed, static_cast<std::size_t>(term.coefficient));
    for (const Factor& f : term.factors) {
      mix(seed, f.atom->id);
      mix(seed, static_cast<std::size_t>(f.power));
    }
  }
  return seed;
}

std::size_t Store::AtomHash::operator()(const Atom& atom) const {
  std::size_t seed = static_cast<std::size_t>(atom.kind);
  mix(seed, std::hash<const void*>()(atom.symbol));
  for (Expr operand : atom.operands) mix(seed, std::hash<Expr>()(operand));
  return seed;
}

const Atom* Store::insert(Kind kind, std::vector<Expr> operands, const Symbol* symbol) {
  const auto [at, is_new] = atoms_.insert(Atom{context_, next_id_, kind, std::move(operands), symbol});
  if (is_new) ++next_id_;
  return &*at;
}

Expr Store::symbol(std::string_view name, Range range, std::uint64_t tag) {
  std::string unique(name);
  for (int i = 1; by_name_.contains(unique); ++i) unique = std::string(name) + "_" + std::to_string(i);
  symbols_.push_back({unique, range, tag});
  const Atom* atom = insert(Kind::symbol, {}, &symbols_.back());
  by_name_.emplace(std::move(unique), atom);
  return intern(atom);
}

std::optional<Expr> Store::find_symbol(std::string_view name) const {
  const auto at = by_name_.find(std::string(name));
  if (at == by_name_.end()) return std::nullopt;
  return as_expr(at->second);
}

Expr Store::atom(Kind kind, std::vector<Expr> operands) {
  return intern(insert(kind, std::move(operands), nullptr));
}

Expr Store::whole(Expr operand) {
  return operand.is_constant() || operand.as_atom() ? operand : atom(Kind::whole, {operand});
}

std::optional<Expr> Store::intern(Polynomial p) {
  if (const auto value = as_constant(p)) return Expr(*value);
  if (p.size() > kMaxTerms) return std::nullopt;
  return Expr(&*sums_.insert({context_, std::move(p)}).first);
}

Expr Store::intern(const Atom* atom) { return *intern(polynomial_of(atom)); }

}  // namespace cameo::sym
