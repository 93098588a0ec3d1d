#include "archive/packed_params.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "archive/archive.h"
#include "archive/testing.h"
#include "cameo/diagnostic.h"

namespace cameo::archive {
namespace {

using ::testing::ElementsAre;
using testing::ZipBuilder;
namespace op = testing::op;

std::string weight(std::int64_t numel = 4) {
  return op::tensor(op::storage("CharStorage", "w", 16), 0, {numel}, {1});
}

// An int16 tensor that begins at the `offset`-th number of 0, 1, 2 …
std::string numbers(std::int64_t offset, std::int64_t count) {
  return op::tensor(op::storage("ShortStorage", "n", 16), offset, {count}, {1});
}

std::optional<PackedParams> decode(const std::string& cls, const std::string& state) {
  const std::string prefix = "__torch__.torch.classes.";
  const std::size_t dot = cls.find('.');
  std::string counting;
  for (int i = 0; i < 16; ++i) counting += testing::le(static_cast<std::uint64_t>(i), 2);
  const Archive archive(
      ZipBuilder()
          .add("data.pkl", op::pickle(op::object(prefix + cls.substr(0, dot), cls.substr(dot + 1), state)))
          .add("data/w", std::string(16, 'w'))
          .add("data/n", counting)
          .file());
  return decode_packed_params(*archive.pickle("data")->root()->get_if<Object>());
}

TEST(PackedParams, Linear) {
  const auto with_bias =
      std::get<PackedLinear>(*decode("quantized.LinearPackedParamsBase", op::tuple({weight(), weight(2)})));
  EXPECT_EQ(with_bias.weight->numel(), 4);
  EXPECT_EQ(with_bias.bias->numel(), 2);
  const auto without =
      std::get<PackedLinear>(*decode("quantized.LinearPackedParamsBase", op::tuple({weight(), "N"})));
  EXPECT_EQ(without.bias, nullptr);
}

TEST(PackedParams, ConvFirstEncoding) {
  const auto conv =
      std::get<PackedConv>(*decode("quantized.Conv2dPackedParamsBase",
                                   op::tuple({weight(), "N", op::list({numbers(1, 1), numbers(2, 1)}),
                                              op::list({numbers(3, 1), numbers(4, 1)}),
                                              op::list({numbers(5, 1), numbers(6, 1)}), numbers(7, 1)})));
  EXPECT_THAT(conv.stride, ElementsAre(1, 2));
  EXPECT_THAT(conv.padding, ElementsAre(3, 4));
  EXPECT_THAT(conv.dilation, ElementsAre(5, 6));
  EXPECT_THAT(conv.output_padding, ElementsAre(0, 0));
  EXPECT_EQ(conv.groups, 7);
  EXPECT_FALSE(conv.transpose);
}

TEST(PackedParams, ConvSecondEncoding) {
  const std::string config = numbers(2, 11);  // 2; 3 4; 5 6; 7 8; 9 10; 11; 12
  const auto conv = std::get<PackedConv>(
      *decode("quantized.Conv2dPackedParamsBase",
              op::tuple({op::str("2"), op::list({config, weight()}), op::list({weight(1)})})));
  EXPECT_THAT(conv.stride, ElementsAre(3, 4));
  EXPECT_THAT(conv.padding, ElementsAre(5, 6));
  EXPECT_THAT(conv.dilation, ElementsAre(7, 8));
  EXPECT_THAT(conv.output_padding, ElementsAre(9, 10));
  EXPECT_EQ(conv.groups, 11);
  EXPECT_FALSE(conv.transpose);
  EXPECT_EQ(conv.bias->numel(), 1);
  const auto no_bias = std::get<PackedConv>(*decode(
      "quantized.Conv2dPackedParamsBase", op::tuple({op::str("2"), op::list({config, weight()}), "]"})));
  EXPECT_EQ(no_bias.bias, nullptr);
}

TEST(PackedParams, ConvThirdEncoding) {
  std::vector<std::string> config;
  for (std::int64_t value : {3, 1, 1, 1, 2, 2, 2, 3, 3, 3, 0, 0, 0, 4, 1})
    config.push_back(op::integer(value));
  const auto conv =
      std::get<PackedConv>(*decode("quantized.Conv3dPackedParamsBase",
                                   op::tuple({"K\x03", op::list(config), op::list({"N", weight(), "N"})})));
  EXPECT_THAT(conv.padding, ElementsAre(2, 2, 2));
  EXPECT_EQ(conv.groups, 4);
  EXPECT_TRUE(conv.transpose);
}

TEST(PackedParams, RefusesOtherEncodings) {
  try {
    decode("quantized.Conv2dPackedParamsBase", op::tuple({op::integer(99), "]", "]"}));
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.diagnostics().front().code, Code::bad_packed_params);
  }
}

TEST(PackedParams, EmbeddingAndCell) {
  const auto embedding = std::get<PackedEmbedding>(
      *decode("quantized.EmbeddingPackedParamsBase",
              op::tuple({"K\x01", op::list({weight()}), "]", op::list({op::integer(4)})})));
  EXPECT_EQ(embedding.bit_rate, 4);
  const std::string linear =
      op::object("__torch__.torch.classes.quantized", "LinearPackedParamsBase", op::tuple({weight(), "N"}));
  const auto cell = std::get<PackedCell>(*decode(
      "rnn.CellParamsBase", op::tuple({op::str("quantized_dynamic"), op::list({weight(1), weight(2)}), "]",
                                       op::list({op::integer(1)}), op::list({linear, linear})})));
  EXPECT_EQ(cell.kind, "quantized_dynamic");
  EXPECT_EQ(cell.tensors.size(), 2u);
  EXPECT_THAT(cell.integers, ElementsAre(1));
  EXPECT_EQ(cell.linears.size(), 2u);
}

TEST(PackedParams, MobileContexts) {
  const auto pair = [](std::int64_t a, std::int64_t b) { return op::list({op::integer(a), op::integer(b)}); };
  const auto linear = std::get<PackedLinear>(
      *decode("xnnpack.LinearOpContext", op::tuple({weight(), "N", op::integer(0), op::real(6)})));
  EXPECT_EQ(linear.clamp.min, 0);
  EXPECT_EQ(linear.clamp.max, 6);
  const auto conv = std::get<PackedConv>(
      *decode("xnnpack.Conv2dOpContext",
              op::tuple({weight(), "N", pair(1, 2), pair(3, 4), pair(5, 6), op::integer(1), "N", "N"})));
  EXPECT_THAT(conv.dilation, ElementsAre(5, 6));
  EXPECT_FALSE(conv.clamp.min.has_value());
  const auto transposed = std::get<PackedConv>(*decode(
      "xnnpack.TransposeConv2dOpContext",
      op::tuple({weight(), "N", pair(1, 2), pair(3, 4), pair(5, 6), pair(7, 8), op::integer(1), "N", "N"})));
  EXPECT_THAT(transposed.output_padding, ElementsAre(5, 6));
  EXPECT_THAT(transposed.dilation, ElementsAre(7, 8));
  EXPECT_TRUE(transposed.transpose);
}

TEST(PackedParams, MkldnnContext) {
  const auto pair = [](std::int64_t a, std::int64_t b) { return op::list({op::integer(a), op::integer(b)}); };
  const auto conv = std::get<PackedConv>(
      *decode("mkldnn.ConvOpContext", op::tuple({weight(), "N", pair(1, 2), pair(3, 4), pair(5, 6),
                                                 op::integer(1), pair(7, 8), op::str("relu")})));
  EXPECT_THAT(conv.stride, ElementsAre(1, 2));
  EXPECT_THAT(conv.padding, ElementsAre(3, 4));
  EXPECT_EQ(conv.bias, nullptr);
  EXPECT_EQ(conv.activation, "relu");
  EXPECT_THROW(decode("mkldnn.ConvOpContext", op::tuple({weight(), "N", pair(1, 2)})), Error);
}

TEST(PackedParams, OthersAndNonsense) {
  EXPECT_EQ(decode("tokens.Vocabulary", ")"), std::nullopt);
  EXPECT_THROW(decode("quantized.LinearPackedParamsBase", ")"), Error);
  EXPECT_THROW(decode("quantized.LinearPackedParamsBase", "N"), Error);
  EXPECT_THROW(decode("quantized.Conv2dPackedParamsBase", op::tuple({op::str("9"), "]", "]"})), Error);
  EXPECT_THROW(decode("quantized.Conv2dPackedParamsBase",
                      op::tuple({op::str("2"), op::list({numbers(2, 10), weight()}), "]"})),
               Error);
  EXPECT_THROW(
      decode("quantized.Conv2dPackedParamsBase", op::tuple({"K\x03", op::list({op::integer(1 << 30)}), "]"})),
      Error);
}

}  // namespace
}  // namespace cameo::archive
