#include "base/npy.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "base/temporary_folder.h"
#include "cameo/diagnostic.h"

namespace cameo {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

Array read(const std::string& bytes) {
  return read_npy(MappedFile::wrap(std::as_bytes(std::span(bytes)), "x.npy"));
}

std::string file(int version, const std::string& header, const std::string& data) {
  std::string result = "\x93NUMPY";
  result += static_cast<char>(version);
  result += '\0';
  for (int i = 0; i < (version == 1 ? 2 : 4); ++i) result += static_cast<char>(header.size() >> (8 * i));
  return result + header + data;
}

std::string failure(const std::string& bytes) {
  try {
    read(bytes);
  } catch (const Error& error) {
    EXPECT_EQ(error.diagnostics().front().code, Code::bad_npy);
    EXPECT_EQ(error.diagnostics().front().stage(), Stage::read);
    EXPECT_EQ(error.diagnostics().front().file, "x.npy");
    return error.what();
  }
  return "";
}

TEST(Npy, RoundTripsEveryTypeThatNumPyHas) {
  using enum ElementType;
  for (const ElementType type : {boolean, i8, u8, i16, u16, i32, u32, i64, u64, f16, f32, f64, c64, c128}) {
    std::vector<std::byte> contents(6 * bits_per_element(type) / 8);
    for (std::size_t i = 0; i < contents.size(); ++i) contents[i] = std::byte(type == boolean ? i % 2 : i);
    const std::string bytes = npy_bytes(Array::owning(type, {2, 3}, contents));
    const Array array = read(bytes);
    EXPECT_EQ(array.type(), type);
    EXPECT_THAT(array.shape(), ElementsAre(2, 3)) << name(type);
    EXPECT_TRUE(std::ranges::equal(array.bytes(), contents)) << name(type);
  }
}

TEST(Npy, WritesWhatNumPyWrites) {
  const std::string bytes = npy_bytes(Array::of<float>({2}, {0, 0}));
  const std::string dictionary = "{'descr': '<f4', 'fortran_order': False, 'shape': (2,), }";
  EXPECT_EQ(bytes,
            file(1, dictionary + std::string(118 - dictionary.size() - 1, ' ') + "\n", std::string(8, '\0')));
  EXPECT_THAT(npy_bytes(Array::scalar(true)),
              HasSubstr("{'descr': '|b1', 'fortran_order': False, 'shape': (), }"));
}

TEST(Npy, ReadsEveryVersionOfTheHeader) {
  for (const int version : {1, 2, 3}) {
    const std::string bytes = file(version, "{'descr': '<i2', 'fortran_order': False, 'shape': (2,), }\n",
                                   std::string("\1\0\2\0", 4));
    EXPECT_THAT(read(bytes).as<std::int16_t>(), ElementsAre(1, 2)) << version;
  }
}

TEST(Npy, TurnsColumnsIntoRows) {
  const std::string bytes =
      file(1, "{'shape': (2L, 3), \"descr\": '|u1', 'fortran_order': True}", "\1\4\2\5\3\6");
  EXPECT_THAT(read(bytes).as<std::uint8_t>(), ElementsAre(1, 2, 3, 4, 5, 6));
  const std::string cube =
      file(1, "{'descr': '|u1', 'fortran_order': True, 'shape': (2, 2, 2)}", "\1\5\3\7\2\6\4\10");
  EXPECT_THAT(read(cube).as<std::uint8_t>(), ElementsAre(1, 2, 3, 4, 5, 6, 7, 8));
}

TEST(Npy, LeavesRowsInPlace) {
  const std::string bytes = npy_bytes(Array::of<std::uint8_t>({3}, {1, 2, 3}));
  const auto data = read(bytes).bytes().data();
  EXPECT_EQ(reinterpret_cast<const char*>(data), bytes.data() + bytes.size() - 3);
}

TEST(Npy, ReadsEmptyArraysAndOddBooleans) {
  EXPECT_THAT(read(npy_bytes(Array::of<float>({0, 3}, {}))).shape(), ElementsAre(0, 3));
  EXPECT_EQ(read(file(1, "{'descr': '<f4', 'fortran_order': True, 'shape': (0, 9223372036854775807), }", ""))
                .count(),
            0u);
  EXPECT_THAT(
      read(file(1, "{'descr': '|b1', 'fortran_order': False, 'shape': (3,), }", std::string("\0\2\1", 3)))
          .as<bool>(),
      ElementsAre(false, true, true));
}

TEST(Npy, SavesAndLoadsAFile) {
  const TemporaryFolder folder;
  const std::string path = folder.file("array.npy");
  save_npy(path, Array::of<double>({2}, {1.5, -2}));
  EXPECT_THAT(load_npy(path).as<double>(), ElementsAre(1.5, -2));
  EXPECT_THROW(save_npy("/nonexistent/x.npy", Array::scalar(1.0)), Error);
}

TEST(Npy, RefusesWhatNumPyCannotHold) {
  EXPECT_THROW(npy_bytes(Array::owning(ElementType::bf16, {1}, std::vector<std::byte>(2))), Error);
  try {
    npy_bytes(Array::strings({1}, {"a"}));
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.diagnostics().front().code, Code::npy_type);
  }
}

TEST(Npy, ExplainsFilesThatAreNoArrays) {
  EXPECT_THAT(failure("PK\3\4 an archive, not an array"), HasSubstr("not a .npy file"));
  EXPECT_THAT(failure("\x93NUM"), HasSubstr("not a .npy file"));
  EXPECT_THAT(failure(file(9, "{}", "")), HasSubstr("format 9"));
  EXPECT_THAT(failure(file(1, "{'descr': '<f4', 'fortran_order': False, 'shape': (2,)}", "1234")),
              HasSubstr("f32[2] is announced, 4 bytes follow"));
  EXPECT_THAT(failure(file(1, "{'descr': '>f4', 'fortran_order': False, 'shape': ()}", "1234")),
              HasSubstr("big-endian"));
  EXPECT_THAT(failure(file(1, "{'descr': '|O', 'fortran_order': False, 'shape': ()}", "1234")),
              HasSubstr("'|O' is not supported"));
  EXPECT_THAT(failure(file(1, "{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': ()}", "1234")),
              HasSubstr("expected a string at character 11"));
}

TEST(Npy, BoundsWhatAHeaderClaims) {
  EXPECT_THAT(failure(std::string("\x93NUMPY\1\0\xFF\xFF{", 11)), HasSubstr("ends within its header"));
  EXPECT_THAT(failure(std::string("\x93NUMPY\2\0\xFF\xFF\xFF\xFF{", 13)), HasSubstr("too long"));
  EXPECT_THAT(failure(std::string("\x93NUMPY\2\0\xFF\xFF", 10)), HasSubstr("ends within its header"));
  const std::string head = "{'descr': '<f4', 'fortran_order': False, 'shape': ";
  for (const std::string shape :
       {"(4611686018427387904, 4)", "(9223372036854775807, 9223372036854775807)", "(1000000000000,)"}) {
    EXPECT_THAT(failure(file(1, head + shape + "}", "1234")), HasSubstr("ends before its last element"));
  }
  for (const std::string shape :
       {"(-1,)", "(99999999999999999999,)", "(1, , )", "(1 2)", "1", "(", "", "(0x1,)"}) {
    EXPECT_THAT(failure(file(1, head + shape + "}", "1234")), HasSubstr("expected")) << shape;
  }
  std::string axes = "(";
  for (int i = 0; i < 65; ++i) axes += "1,";
  EXPECT_THAT(failure(file(1, head + axes + ")}", "1234")), HasSubstr("at most 64 axes"));
  EXPECT_THAT(failure(file(1, head + "()} surplus", "1234")), HasSubstr("expected the end"));
  EXPECT_THAT(failure(file(1, head + "(), 'shape': ()}", "1234")), HasSubstr("one each"));
  EXPECT_THAT(failure(file(1, "{}", "1234")), HasSubstr("expected 'descr'"));
  EXPECT_THAT(failure(file(1, "{'descr", "1234")), HasSubstr("closing quote"));
}

TEST(Npy, NoPrefixOfAFileIsRead) {
  const std::string bytes = npy_bytes(Array::of<std::int32_t>({3}, {1, 2, 3}));
  for (std::size_t length = 0; length < bytes.size(); ++length) {
    EXPECT_NE(failure(bytes.substr(0, length)), "") << length;
  }
}

}  // namespace
}  // namespace cameo
