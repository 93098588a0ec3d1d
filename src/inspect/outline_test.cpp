#include "inspect/outline.h"

#include <gtest/gtest.h>

namespace cameo::inspect {
namespace {

Module module(std::string name, std::string cls, std::size_t depth, std::size_t end) {
  Module result;
  result.name = std::move(name);
  result.cls = std::move(cls);
  result.depth = depth;
  result.end = end;
  return result;
}

// A list of three equal blocks, of which each holds one layer, and a head.
ModuleTree blocks() {
  ModuleTree tree;
  tree.modules = {module("", "Net", 0, 9),      module("list", "List", 1, 8), module("0", "Block", 2, 4),
                  module("conv", "Conv", 3, 4), module("1", "Block", 2, 6),   module("conv", "Conv", 3, 6),
                  module("2", "Block", 2, 8),   module("conv", "Conv", 3, 8), module("head", "Linear", 1, 9)};
  return tree;
}

TEST(Outline, PutsEqualModulesIntoOneRow) {
  const Outline shown = outline(blocks(), std::nullopt, false);
  ASSERT_EQ(shown.rows.size(), 5U);
  EXPECT_EQ(shown.rows[2].module, 2U);
  EXPECT_EQ(shown.rows[2].last, 6U);
  EXPECT_EQ(shown.rows[2].count, 3U);
  EXPECT_EQ(shown.rows[3].module, 3U);
  EXPECT_EQ(shown.rows[4].module, 8U);
  EXPECT_EQ(shown.rows[4].last_child, std::vector<bool>{true});
  EXPECT_EQ(shown.hidden, 0U);
}

TEST(Outline, ShowsEachWhenAsked) { EXPECT_EQ(outline(blocks(), std::nullopt, true).rows.size(), 9U); }

TEST(Outline, KeepsModulesApartThatDiffer) {
  ModuleTree tree = blocks();
  tree.modules[5].own.elements[0] = 1;  // within the second block
  EXPECT_EQ(outline(tree, std::nullopt, false).rows.size(), 9U);
}

TEST(Outline, CountsWhatItHides) {
  const Outline shown = outline(blocks(), 1, false);
  EXPECT_EQ(shown.rows.size(), 3U);
  EXPECT_EQ(shown.hidden, 6U);
  EXPECT_EQ(outline(blocks(), 0, false).hidden, 8U);
  EXPECT_EQ(outline(blocks(), 2, false).hidden, 3U);
}

TEST(Outline, DrawsDeepTreesToAScreenOnly) {
  ModuleTree tree;
  for (std::size_t i = 0; i < 100000; ++i) tree.modules.push_back(module("m", "M", i, 100000));
  const Outline shown = outline(tree, std::nullopt, false);
  EXPECT_LT(shown.rows.size(), 60U);
  EXPECT_EQ(shown.rows.size() + shown.hidden, tree.modules.size());
  EXPECT_LT(outline(tree, 1 << 30, false).rows.size(), 1000U);
}

}  // namespace
}  // namespace cameo::inspect
