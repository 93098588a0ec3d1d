#include "cameo/array.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "cameo/diagnostic.h"

namespace cameo {
namespace {

using ::testing::ElementsAre;

TEST(ArrayTest, HoldsTypedElements) {
  const auto array = Array::of<float>({2, 2}, {1, 2, 3, 4});
  EXPECT_EQ(to_string(array.type(), array.shape()), "f32[2, 2]");
  EXPECT_EQ(array.count(), 4u);
  EXPECT_THAT(array.as<float>(), ElementsAre(1, 2, 3, 4));
  EXPECT_THROW(array.as<double>(), Error);
  EXPECT_THROW(array.strings(), Error);
  EXPECT_THAT(Array::of<bool>({2}, {true, false}).as<bool>(), ElementsAre(true, false));
  EXPECT_THAT(Array::scalar(std::complex<float>(1, 2)).as<std::complex<float>>(),
              ElementsAre(std::complex<float>(1, 2)));
}

TEST(ArrayTest, RefusesShapesThatDoNotFit) {
  EXPECT_THROW(Array::of<float>({3}, {1, 2}), Error);
  EXPECT_THROW(Array::of<float>({-1}, {1}), Error);
  EXPECT_THROW(Array::of<float>({std::numeric_limits<std::int64_t>::max(), 16}, {1}), Error);
  EXPECT_THROW(Array::strings({2}, {"a"}), Error);
  EXPECT_THROW(Array::owning(ElementType::string, {1}, {}), Error);
  EXPECT_EQ(Array::of<float>({0, std::numeric_limits<std::int64_t>::max(), 16}, {}).count(), 0u);
}

TEST(ArrayTest, PacksElementsNarrowerThanAByte) {
  EXPECT_EQ(Array::owning(ElementType::u4, {3}, std::vector<std::byte>(2)).count(), 3u);
  EXPECT_EQ(Array::owning(ElementType::i2, {5}, std::vector<std::byte>(2)).count(), 5u);
  EXPECT_THROW(Array::owning(ElementType::u4, {3}, std::vector<std::byte>(3)), Error);
}

TEST(ArrayTest, ViewsShareAlignedBytesAndCopyOthers) {
  const std::vector<std::int64_t> numbers = {1, 2, 3};
  const auto bytes = std::as_bytes(std::span(numbers));
  EXPECT_EQ(Array::view(ElementType::i64, {3}, bytes).bytes().data(), bytes.data());
  const auto shifted = bytes.subspan(1, 16);
  const auto copy = Array::view(ElementType::i64, {2}, shifted);
  EXPECT_NE(copy.bytes().data(), shifted.data());
  EXPECT_TRUE(std::ranges::equal(copy.bytes(), shifted));
}

TEST(ArrayTest, KeepsTheOwnerOfItsBytes) {
  auto owner = std::make_shared<std::vector<std::byte>>(4, std::byte{1});
  const std::weak_ptr<const void> watch = owner;
  {
    Array array = Array::view(ElementType::u8, {4}, *owner, owner);
    const Array copy = array;
    owner.reset();
    array = Array();
    EXPECT_THAT(copy.as<std::uint8_t>(), ElementsAre(1, 1, 1, 1));
  }
  EXPECT_TRUE(watch.expired());
}

Array small(ElementType type, std::initializer_list<int> bytes) {
  std::vector<std::byte> contents;
  for (const int byte : bytes) contents.push_back(std::byte(byte));
  return Array::owning(type, {static_cast<std::int64_t>(bytes.size() * 8 / bits_per_element(type))},
                       contents);
}

TEST(ArrayTest, GivesNumbersOfAnyRealType) {
  EXPECT_THAT(Array::of<std::int8_t>({2}, {-1, 2}).to_doubles(), ElementsAre(-1, 2));
  EXPECT_THAT(Array::of<bool>({2}, {true, false}).to_doubles(), ElementsAre(1, 0));
  EXPECT_THAT(small(ElementType::f16, {0x00, 0x3C, 0x01, 0x00, 0x00, 0xFC}).to_doubles(),
              ElementsAre(1, 0x1p-24, -std::numeric_limits<double>::infinity()));
  EXPECT_THAT(small(ElementType::bf16, {0x80, 0x3F, 0x00, 0xC0}).to_doubles(), ElementsAre(1, -2));
  EXPECT_THAT(small(ElementType::f8e4m3fn, {0x38, 0x7E, 0x01, 0xB8, 0x78}).to_doubles(),
              ElementsAre(1, 448, 0x1p-9, -1, 256));
  EXPECT_THAT(small(ElementType::f8e4m3fnuz, {0x40, 0x7F}).to_doubles(), ElementsAre(1, 240));
  EXPECT_THAT(small(ElementType::f8e5m2, {0x3C, 0x7B, 0x7C, 0x01}).to_doubles(),
              ElementsAre(1, 57344, std::numeric_limits<double>::infinity(), 0x1p-16));
  EXPECT_THAT(small(ElementType::f8e5m2fnuz, {0x40, 0x7F}).to_doubles(), ElementsAre(1, 57344));
  EXPECT_THAT(small(ElementType::f8e8m0, {127, 128}).to_doubles(), ElementsAre(1, 2));
  EXPECT_TRUE(std::isnan(small(ElementType::f8e4m3fn, {0x7F}).to_doubles()[0]));
  EXPECT_TRUE(std::isnan(small(ElementType::f8e4m3fnuz, {0x80}).to_doubles()[0]));
  EXPECT_TRUE(std::isnan(small(ElementType::f8e5m2, {0x7D}).to_doubles()[0]));
  EXPECT_THROW(Array::strings({1}, {"1"}).to_doubles(), Error);
}

TEST(ArrayTest, SaysWhatDoesNotFit) {
  const auto code = [](auto act) {
    try {
      act();
    } catch (const Error& error) {
      return std::optional(error.diagnostics().front().code);
    }
    return std::optional<Code>();
  };
  EXPECT_EQ(code([] { Array::of<float>({3}, {1, 2}); }), Code::bad_shape);
  EXPECT_EQ(code([] { Array::strings({1}, {"1"}).to_doubles(); }), Code::bad_type);
}

TEST(ArrayTest, NamesEveryElementType) {
  EXPECT_EQ(name(ElementType::boolean), "bool");
  EXPECT_EQ(name(ElementType::i2), "i2");
  EXPECT_EQ(name(static_cast<ElementType>(99)), "undefined");
  EXPECT_EQ(bits_per_element(ElementType::c128), 128u);
}

}  // namespace
}  // namespace cameo
