#include <ctime>
#include <set>

#include "cameo/diagnostic.h"
#include "sketch.h"

namespace cameo::rules::testing {
namespace {

using ::testing::HasSubstr;

void copies(Sketch& s, int count) {
  Value* x = s.node("Relu", {s.input({2})});
  for (int i = 0; i < count; ++i) x = s.node("Identity", {x});
  s.output(s.node("Neg", {x}));
}

TEST(Engine, ARuleCanBeSwitchedOff) {
  Sketch s;
  copies(s, 3);
  EXPECT_EQ(s.simplified({.disabled = {"remove-identity"}}), Applied{});
  EXPECT_EQ(s.operators().size(), 5u);
}

TEST(Engine, StopsAfterSoManyApplications) {
  Sketch s;
  copies(s, 3);
  EXPECT_EQ(s.simplified({.stop_after = 0}), Applied{});
  EXPECT_EQ(s.simplified({.stop_after = 2}), (Applied{{"remove-identity", 2}}));
  EXPECT_EQ(s.simplified(), (Applied{{"remove-identity", 1}}));
}

TEST(Engine, AnUnknownRuleIsRefused) {
  Sketch s;
  copies(s, 1);
  try {
    simplify(s.model, {.disabled = {"remove-identitty"}});
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.diagnostics()[0].code, Code::unknown_rule);
    EXPECT_THAT(error.what(), HasSubstr("there is no rule 'remove-identitty'"));
    EXPECT_EQ(error.diagnostics()[0].hint, "did you mean 'remove-identity'?");
  }
}

TEST(Engine, OneRuleMakesWayForAnother) {
  Sketch s;
  Value* y = s.node("Conv", {s.input({1, 2, 4, 4}), s.reals({3, 2, 1, 1})});
  Value* copy = s.node("Identity", {y});
  Value* wasted = s.node("Reshape", {copy, s.ints({1, 3, 4, 4})});
  s.output(s.batch_norm(wasted, 3));
  EXPECT_EQ(s.simplified(), (Applied{{"remove-identity", 1}, {"remove-reshape", 1}, {"fold-batch-norm", 1}}));
}

TEST(Engine, TakesLinearTime) {
  auto seconds = [](int count) {
    Sketch s;
    Value* x = s.node("Relu", {s.input({2})});
    Value* sum = x;
    for (int i = 0; i < count; ++i) {
      Value* copy = s.node("Identity", {s.node("Identity", {x})});
      sum = s.node("Add", {s.node("Identity", {sum}), copy});
    }
    s.output(sum);
    const std::clock_t start = std::clock();
    EXPECT_EQ(simplify(s.model), (Applied{{"remove-identity", 3 * count}}));
    EXPECT_EQ(s.model.main().nodes.size(), static_cast<std::size_t>(count) + 1);
    return static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
  };
  const double few = seconds(2'000), many = seconds(32'000);
  EXPECT_LT(many, 16 * 8 * std::max(few, 0.001)) << few << " s for 2000 turns, " << many << " s for 32000";
}

TEST(Engine, EveryRuleHasAName) {
  std::set<std::string_view> names;
  for (const Rule& rule : all_rules()) {
    EXPECT_TRUE(names.insert(rule.name).second) << rule.name;
    EXPECT_FALSE(rule.doc.empty()) << rule.name;
    EXPECT_NE(rule.operators.begin(), rule.operators.end()) << rule.name;
  }
}

}  // namespace
}  // namespace cameo::rules::testing
