#include "base/dtype.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "base/dtype_table.h"
#include "cameo/diagnostic.h"

namespace cameo {
namespace {

std::vector<DType> all_dtypes() {
  std::vector<DType> result;
  for (int number = -128; number <= 127; ++number) {
    if (const auto dtype = dtype_from_number(number)) result.push_back(*dtype);
  }
  return result;
}

TEST(DType, EveryNameLeadsBackToItsDType) {
  ASSERT_EQ(all_dtypes().size(), 32U);
  for (const DType dtype : all_dtypes()) {
    EXPECT_EQ(dtype_from_name(info(dtype).name), dtype);
    EXPECT_EQ(dtype_from_name(info(dtype).torch), dtype);
    EXPECT_EQ(dtype_from_storage(std::string(info(dtype).scalar) + "Storage"), dtype);
  }
}

TEST(DType, EveryDTypeIsOfOneKindAtMost) {
  for (const DType dtype : all_dtypes()) {
    EXPECT_LE(is_floating(dtype) + is_integral(dtype) + is_complex(dtype) + is_quantized(dtype), 1)
        << name(dtype);
    EXPECT_EQ(info(dtype).swap(), is_complex(dtype) ? size_of(dtype) / 2 : size_of(dtype)) << name(dtype);
  }
}

TEST(DType, KnowsWhatPyTorchSaves) {
  EXPECT_EQ(dtype_from_number(6), DType::f32);
  EXPECT_EQ(dtype_from_number(11), DType::boolean);
  EXPECT_EQ(dtype_from_number(45), DType::f4e2m1fnx2);
  EXPECT_EQ(name(DType::boolean), "bool");
  EXPECT_EQ(dtype_from_storage("BFloat16Storage"), DType::bf16);
  EXPECT_EQ(size_of(DType::c128), 16U);
  EXPECT_EQ(part_type(DType::c64), DType::f32);
  EXPECT_EQ(complex_type(DType::f64), DType::c128);
  EXPECT_EQ(complex_type(DType::i64), DType::c64);
  EXPECT_TRUE(is_quantized(DType::qu4x2));
  EXPECT_TRUE(is_floating(DType::f8e4m3fn));
  EXPECT_FALSE(is_integral(DType::boolean));
}

TEST(DType, EveryOnnxTypeHasOneRow) {
  for (std::size_t number = 1; number < kElementTypes; ++number) {
    const auto type = static_cast<ElementType>(number);
    EXPECT_EQ(info(type).onnx, type) << number;
    EXPECT_EQ(name(info(type).dtype), name(type)) << number;
  }
  EXPECT_EQ(info(static_cast<ElementType>(kElementTypes)).dtype, DType::undefined);
  EXPECT_EQ(info(ElementType::i8).dtype, DType::i8);  // not qi8
  EXPECT_EQ(element_from_numpy("c16"), ElementType::c128);
  EXPECT_EQ(element_from_numpy(""), std::nullopt);
}

TEST(DType, RefusesWhatIsNone) {
  EXPECT_EQ(dtype_from_number(-1), std::nullopt);
  EXPECT_EQ(dtype_from_number(30), std::nullopt);
  EXPECT_EQ(dtype_from_number(std::int64_t{256} + 6), std::nullopt);
  EXPECT_EQ(dtype_from_name("float"), std::nullopt);
  EXPECT_EQ(dtype_from_storage("UntypedStorage"), std::nullopt);
  EXPECT_THROW(info(static_cast<DType>(99)), InternalError);
}

}  // namespace
}  // namespace cameo
