#include "base/style.h"

#include <limits>

#include <gtest/gtest.h>

namespace cameo {
namespace {

TEST(Style, GroupsDigits) {
  EXPECT_EQ(grouped(0), "0");
  EXPECT_EQ(grouped(999), "999");
  EXPECT_EQ(grouped(1000), "1,000");
  EXPECT_EQ(grouped(11689512), "11,689,512");
  EXPECT_EQ(grouped(-100), "-100");
  EXPECT_EQ(grouped(-1234567), "-1,234,567");
}

TEST(Style, SpeaksOfBytes) {
  EXPECT_EQ(bytes_text(0), "0 B");
  EXPECT_EQ(bytes_text(999), "999 B");
  EXPECT_EQ(bytes_text(1000), "1.0 kB");
  EXPECT_EQ(bytes_text(999'990), "1.0 MB");
  EXPECT_EQ(bytes_text(46'830'571), "46.8 MB");
  EXPECT_EQ(bytes_text(std::numeric_limits<std::uint64_t>::max()), "18.4 EB");
}

TEST(Style, CutsAtCharactersNotBytes) {
  EXPECT_EQ(cut("größer", 6), "größer");
  EXPECT_EQ(cut("größer", 5), "größ…");
  EXPECT_EQ(cut("größer", 1), "…");
  EXPECT_EQ(cut("größer", 0), "");
  EXPECT_EQ(fill("ö", 3), "ö  ");
}

TEST(Style, FillsColumnsDownwards) {
  EXPECT_EQ(in_columns({"a", "bb", "c", "d"}, 12), "  a    c\n  bb   d\n");
  EXPECT_EQ(in_columns({"a", "bb", "c"}, 100), "  a   bb   c\n");
  EXPECT_EQ(in_columns({"a", "bb"}, 1), "  a\n  bb\n");
  EXPECT_EQ(in_columns({}, 10), "");
}

TEST(Style, ColorsOnlyWhenAsked) {
  EXPECT_EQ(Style(false, false)(Ink::title, "x"), "x");
  EXPECT_EQ(Style(true, false)(Ink::title, "x"), "\x1b[1mx\x1b[0m");
  EXPECT_EQ(Style(true, false)(Ink::plain, "x"), "x");
}

}  // namespace
}  // namespace cameo
