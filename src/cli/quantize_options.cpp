#include "cli/quantize_options.h"

#include "base/text.h"

namespace cameo::cli {
namespace {

constexpr std::int64_t kUsualBlock = 32;

struct WeightName {
  std::string_view name;
  ElementType type;
  std::int64_t block;
};
constexpr WeightName kWeightTypes[] = {{"int8", ElementType::i8, 0},
                                       {"uint8", ElementType::u8, 0},
                                       {"int4", ElementType::i4, kUsualBlock},
                                       {"uint4", ElementType::u4, kUsualBlock}};

}  // namespace

WeightsText parse_weights(const std::string& text) {
  const std::size_t colon = text.find(':');
  for (const WeightName& each : kWeightTypes) {
    if (text.substr(0, colon) != each.name) continue;
    WeightsText parsed{each.type, each.block};
    if (colon == text.npos) return parsed;
    if (!parse_integer(text.substr(colon + 1), parsed.block) || parsed.block <= 0)
      throw WrongUsage("--weights: '" + printable(text.substr(colon + 1)) + "' is not a valid block size");
    return parsed;
  }
  throw WrongUsage("--weights: '" + printable(text) +
                   "' is not int8, uint8, int4 or uint4, perhaps with a block size: int4:32");
}

QuantizeOptions QuantizeArguments::options() const {
  QuantizeOptions result = quantize;
  const WeightsText parsed = parse_weights(weights);
  result.weights = parsed.type;
  result.block = parsed.block;
  if (symmetric) result.symmetric = true;
  if (asymmetric) result.symmetric = false;
  return result;
}

void add_quantize_options(Command command, QuantizeArguments& arguments) {
  QuantizeOptions& options = arguments.quantize;
  command.add_option("--weights", arguments.weights, "The type of the weights. Default: int8")
      .option_text("TYPE[:BLOCK]");
  command.add_flag("--partial-blocks", options.partial_blocks,
                   "The last block of an axis may be shorter than the others");
  const Option symmetric =
      command.add_flag("--symmetric", arguments.symmetric,
                       "The zero point is the middle of the range. Default for int8 and int4");
  command
      .add_flag("--asymmetric", arguments.asymmetric,
                "Each scale has a zero point. Default for uint8 and uint4")
      .excludes(symmetric);
  command.add_flag("--search", options.search, "Choose the scales with the smallest squared error");
  command.add_choice("--form", options.form,
                     {{"dequantize", QuantizeOptions::Form::dequantize_linear},
                      {"matmulnbits", QuantizeOptions::Form::matmul_nbits}},
                     "DequantizeLinear (default), or MatMulNBits of ONNX Runtime for weights of 4 bits");
  command.add_option("--keep", options.keep, "The weights of nodes that match stay as they are; repeatable")
      .repeatable()
      .option_text("PATTERN");
  command.add_option("--min-elements", options.smallest, "Smaller weights stay as they are. Default: 1024")
      .non_negative()
      .option_text("N");
  command.add_option("--opset", options.opset, "Raise the model to this opset first").option_text("N");
}

}  // namespace cameo::cli
