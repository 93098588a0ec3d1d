// Random programs of integers: what the rules make of an expression must have the value of the plain
// computation, and what is decided must hold.
#include <gtest/gtest.h>

#include <array>
#include <limits>
#include <random>

#include "base/checked.h"
#include "sym/context.h"
#include "sym/integer.h"

namespace cameo::sym {
namespace {

using Value = std::optional<std::int64_t>;

enum class Op { add, sub, mul, floordiv, mod, truncdiv, truncmod, ceildiv, min, max, count };

Expr symbolic(Op op, Expr a, Expr b) {
  switch (op) {
    case Op::add: return a + b;
    case Op::sub: return a - b;
    case Op::mul: return a * b;
    case Op::floordiv: return floordiv(a, b);
    case Op::mod: return mod(a, b);
    case Op::truncdiv: return truncdiv(a, b);
    case Op::truncmod: return truncmod(a, b);
    case Op::ceildiv: return ceildiv(a, b);
    case Op::min: return min(a, b);
    case Op::max: return max(a, b);
    case Op::count: break;
  }
  return 0;
}

Value concrete(Op op, Value a, Value b) {
  if (!a || !b) return std::nullopt;
  const bool divides = op >= Op::floordiv && op <= Op::ceildiv;
  if (divides && (*b == 0 || (*b == -1 && *a == kLowest))) return std::nullopt;
  switch (op) {
    case Op::add: return checked_add(*a, *b);
    case Op::sub: return checked_sub(*a, *b);
    case Op::mul: return checked_mul(*a, *b);
    case Op::floordiv: return floor_div(*a, *b);
    case Op::mod: return floor_mod(*a, *b);
    case Op::truncdiv: return trunc_div(*a, *b);
    case Op::truncmod: return trunc_mod(*a, *b);
    case Op::ceildiv: return ceil_div(*a, *b);
    case Op::min: return std::min(*a, *b);
    case Op::max: return std::max(*a, *b);
    case Op::count: break;
  }
  return std::nullopt;
}

constexpr int kSamples = 12;

struct Number {
  Expr expr;
  std::vector<Value> values;  // a sample each
};

class Program {
 public:
  explicit Program(unsigned seed) : random_(seed) {
    for (const Range range : {Range{1, std::nullopt}, Range{0, std::nullopt}, Range{2, 9}, Range{}}) {
      Number symbol{context.symbol("s", range), {}};
      for (int i = 0; i < kSamples; ++i) {
        const int value = pick(range.lower ? static_cast<int>(*range.lower) : -12,
                               range.upper ? static_cast<int>(*range.upper) : 14);
        symbol.values.push_back(value);
        samples[static_cast<std::size_t>(i)][symbol.expr] = value;
      }
      numbers.push_back(symbol);
    }
  }

  int pick(int low, int high) { return std::uniform_int_distribution(low, high)(random_); }

  const Number& any() {
    return numbers[static_cast<std::size_t>(pick(0, static_cast<int>(numbers.size()) - 1))];
  }

  Number operand() {
    if (pick(0, 2) != 0) return any();
    const std::int64_t c = has_huge_constants && pick(0, 1) == 0 ? huge() : pick(-3, 8);
    return {c, std::vector<Value>(kSamples, c)};
  }

  void step() {
    const Op op = static_cast<Op>(pick(0, static_cast<int>(Op::count) - 1));
    const Number a = operand();
    const Number b = operand();
    if (b.expr == Expr(0) && op >= Op::floordiv && op <= Op::ceildiv) return;
    Number result;
    try {
      result.expr = symbolic(op, a.expr, b.expr);
    } catch (const DivisionByZero&) {
      return;
    }
    for (std::size_t i = 0; i < kSamples; ++i)
      result.values.push_back(concrete(op, a.values[i], b.values[i]));
    numbers.push_back(result);
  }

  std::int64_t huge() {
    const std::int64_t size = std::numeric_limits<std::int64_t>::max() >> (pick(0, 3) * 15);
    const std::int64_t value = size - pick(0, 3);
    return pick(0, 1) == 0 ? value : -value - pick(0, 1);
  }

  bool has_huge_constants = false;
  Context context;
  std::vector<Number> numbers;
  std::array<std::unordered_map<Expr, std::int64_t>, kSamples> samples;
  std::array<bool, kSamples> is_allowed = [] {
    std::array<bool, kSamples> all;
    all.fill(true);
    return all;
  }();

 private:
  std::mt19937 random_;
};

bool holds(Relation relation, std::int64_t a, std::int64_t b) {
  switch (relation) {
    case Relation::equal: return a == b;
    case Relation::not_equal: return a != b;
    case Relation::less: return a < b;
    case Relation::less_equal: return a <= b;
  }
  return false;
}

// The values of all numbers at the samples that the assumptions allow.
void check_values(Program& p, unsigned seed, int& checked, int& skipped) {
  for (const Number& number : p.numbers) {
    const Expr simple = p.context.simplify(number.expr);
    const Range range = p.context.range(number.expr);
    for (std::size_t i = 0; i < kSamples; ++i) {
      if (!p.is_allowed[i] || !number.values[i]) continue;
      for (Expr e : {number.expr, simple}) {
        const Value simplified = evaluate(e, p.samples[i]);
        if (!simplified) {
          ++skipped;
          continue;
        }
        ++checked;
        ASSERT_EQ(simplified, number.values[i])
            << to_string(e) << " from " << to_string(number.expr) << " seed " << seed;
      }
      const std::int64_t value = *number.values[i];
      ASSERT_LE(range.lower.value_or(value), value) << to_string(number.expr) << " seed " << seed;
      ASSERT_GE(range.upper.value_or(value), value) << to_string(number.expr) << " seed " << seed;
    }
  }
}

void check_decisions(Program& p, unsigned seed, int& decided) {
  for (int n = 0; n < 10; ++n) {
    const Number a = p.operand();
    const Number b = p.operand();
    const Condition c{static_cast<Relation>(p.pick(0, 3)), a.expr, b.expr};
    const Truth truth = p.context.decide(c);
    const Truth divisible = p.context.divisible(a.expr, b.expr);
    decided += truth != Truth::unknown;
    for (std::size_t i = 0; i < kSamples; ++i) {
      if (!p.is_allowed[i] || !a.values[i] || !b.values[i]) continue;
      if (truth != Truth::unknown) {
        ASSERT_EQ(truth == Truth::yes, holds(c.relation, *a.values[i], *b.values[i]))
            << to_string(c) << " seed " << seed << " sample " << i;
      }
      if (divisible != Truth::unknown && *b.values[i] != 0) {
        ASSERT_EQ(divisible == Truth::yes, floor_mod(*a.values[i], *b.values[i]) == 0)
            << to_string(a.expr) << " by " << to_string(b.expr) << " seed " << seed;
      }
    }
  }
}

// Assumes something that the first sample fulfils; the samples that do not are out from now on.
void assume_something(Program& p, unsigned seed) {
  const Number a = p.operand();
  const Number b = p.operand();
  if (!a.values[0] || !b.values[0]) return;
  if (p.pick(0, 4) == 0) {
    if (*b.values[0] == 0 || floor_mod(*a.values[0], *b.values[0]) != 0) return;
    ASSERT_TRUE(p.context.assume_divisible(a.expr, b.expr)) << "seed " << seed;
    for (std::size_t i = 0; i < kSamples; ++i) {
      const bool defined = a.values[i] && b.values[i] && *b.values[i] != 0;
      p.is_allowed[i] = p.is_allowed[i] && defined && floor_mod(*a.values[i], *b.values[i]) == 0;
    }
    return;
  }
  Condition c{static_cast<Relation>(p.pick(0, 3)), a.expr, b.expr};
  if (!holds(c.relation, *a.values[0], *b.values[0])) c = negation(c);
  const bool is_swapped = c.left != a.expr;
  ASSERT_TRUE(p.context.assume(c)) << to_string(c) << " seed " << seed;
  for (std::size_t i = 0; i < kSamples; ++i) {
    const Value left = is_swapped ? b.values[i] : a.values[i];
    const Value right = is_swapped ? a.values[i] : b.values[i];
    p.is_allowed[i] = p.is_allowed[i] && left && right && holds(c.relation, *left, *right);
  }
}

TEST(Property, SimplifiedExpressionsKeepTheirValues) {
  int checked = 0;
  int skipped = 0;
  for (unsigned seed = 0; seed < 600; ++seed) {
    Program p(seed);
    for (int i = 0; i < 14; ++i) p.step();
    check_values(p, seed, checked, skipped);
    if (HasFatalFailure()) return;
  }
  EXPECT_GT(checked, 50000);
  EXPECT_LT(skipped, checked / 50);
}

TEST(Property, HugeConstantsNeitherWrapNorTrap) {
  int checked = 0;
  int skipped = 0;
  int decided = 0;
  for (unsigned seed = 5000; seed < 5600; ++seed) {
    Program p(seed);
    p.has_huge_constants = true;
    for (int i = 0; i < 10; ++i) {
      p.step();
      for (std::size_t s = 0; s < kSamples; ++s)
        p.is_allowed[s] = p.is_allowed[s] && p.numbers.back().values[s];
    }
    check_values(p, seed, checked, skipped);
    if (HasFatalFailure()) return;
    check_decisions(p, seed, decided);
    if (HasFatalFailure()) return;
  }
  EXPECT_GT(checked, 5000);
}

TEST(Property, AssumptionsKeepValuesAndDecisionsHold) {
  int checked = 0;
  int skipped = 0;
  int decided = 0;
  for (unsigned seed = 1000; seed < 2200; ++seed) {
    Program p(seed);
    // A division that the first sample does not survive says nothing: the program would have failed there.
    for (int round = 0; round < 4; ++round) {
      for (int i = 0; i < 3; ++i) {
        p.step();
        for (std::size_t s = 0; s < kSamples; ++s)
          p.is_allowed[s] = p.is_allowed[s] && p.numbers.back().values[s];
        if (!p.numbers.back().values[0]) break;
      }
      if (!p.is_allowed[0]) break;
      assume_something(p, seed);
      if (testing::Test::HasFatalFailure()) return;
      check_decisions(p, seed, decided);
      if (testing::Test::HasFatalFailure()) return;
    }
    check_values(p, seed, checked, skipped);
    if (testing::Test::HasFatalFailure()) return;
  }
  EXPECT_GT(checked, 10000);
  EXPECT_GT(decided, 10000);
  EXPECT_LT(skipped, checked / 50);
}

}  // namespace
}  // namespace cameo::sym
