#include "base/text.h"

#include <gtest/gtest.h>

namespace cameo {
namespace {

TEST(Text, KeepsWhatCanBeShown) {
  EXPECT_EQ(printable("layer1.0.conv1 ~ \"x\""), "layer1.0.conv1 ~ \"x\"");
  EXPECT_EQ(printable("größe 層 🙂"), "größe 層 🙂");
  EXPECT_EQ(printable(""), "");
}

TEST(Text, DisarmsControlCharacters) {
  EXPECT_EQ(printable("\x1b[31mred\n\t\x7f"), "\\x1b[31mred\\x0a\\x09\\x7f");
  EXPECT_EQ(printable(std::string_view("a\0b", 3)), "a\\x00b");
  EXPECT_EQ(printable("\xc2\x9b"), "\\xc2\\x9b") << "the one-character form of ESC [";
  EXPECT_EQ(printable("\xe2\x80\xae"), "\\xe2\\x80\\xae") << "right-to-left override";
}

TEST(Text, ShowsBytesThatAreNoUtf8) {
  EXPECT_EQ(printable("\xff\x80"), "\\xff\\x80");
  EXPECT_EQ(printable("\xc3"), "\\xc3") << "cut short";
  EXPECT_EQ(printable("\xc0\xaf"), "\\xc0\\xaf") << "overlong";
  EXPECT_EQ(printable("\xed\xa0\x80"), "\\xed\\xa0\\x80") << "surrogate";
  EXPECT_EQ(printable("\xf4\x90\x80\x80"), "\\xf4\\x90\\x80\\x80") << "beyond the last code point";
}

TEST(Text, CountsCodePoints) {
  EXPECT_EQ(display_width("größe"), 5U);
  EXPECT_EQ(display_width("層🙂"), 2U);
}

}  // namespace
}  // namespace cameo
