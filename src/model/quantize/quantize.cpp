#include "model/quantize/quantize.h"

#include <fmt/core.h>

#include "model/quantize/activations.h"
#include "model/quantize/weight_quantizer.h"
#include "model/rewrite/inline.h"
#include "model/rewrite/raise.h"

namespace cameo {
namespace model {
namespace {

using Form = QuantizeOptions::Form;

constexpr std::int64_t kLeastBlock = 16;  // of MatMulNBits

void check_options(const Opened& opened, const QuantizeOptions& options) {
  const bool halves = options.weights == ElementType::i4 || options.weights == ElementType::u4;
  if (!halves && options.weights != ElementType::i8 && options.weights != ElementType::u8)
    throw Error(Diagnostic{.code = Code::bad_type,
                           .message = fmt::format("weights cannot be quantised to {}", name(options.weights)),
                           .hint = "choose i8, u8, i4 or u4"});
  if (halves && !options.ranges.empty())
    throw Error(Diagnostic{.code = Code::bad_type,
                           .message = "static quantisation needs weights of 8 bits",
                           .hint = "write --weights int8 or --weights uint8"});
  if (options.block < 0)
    fail_quantizing(opened, Code::bad_block_size,
                    fmt::format("a block cannot have {} elements", options.block), "write int4:32");
  if (options.form != Form::matmul_nbits) return;
  const auto block = static_cast<std::uint64_t>(options.block);
  if (!halves || options.block < kLeastBlock || (block & (block - 1)) != 0)
    fail_quantizing(opened, Code::bad_block_size,
                    halves ? fmt::format("MatMulNBits needs blocks of a power of two of at least {}, not {}",
                                         kLeastBlock, options.block)
                           : "MatMulNBits needs weights of 4 bits",
                    "write int4:32 or uint4:32");
}

}  // namespace

QuantizeCounts quantize(Opened& opened, const QuantizeOptions& options) {
  check_options(opened, options);
  const auto names = std::make_shared<Names>(opened.model);
  opened.kept.push_back(names);
  inline_functions(opened.model, *names);
  if (options.opset) raise_opset(opened, *options.opset, *names);
  if (!options.ranges.empty()) return quantize_activations(opened, options, *names);
  return {.weights = WeightQuantizer(opened, options, *names).run(), .activations = 0};
}

}  // namespace model

Quantized Model::quantize(const QuantizeOptions& options) const {
  std::vector<Diagnostic> notes;
  const std::shared_ptr<model::Opened> opened = sorted_copy(notes);
  model::QuantizeCounts counts = model::quantize(*opened, options);
  return {.model = Model(opened), .weights = std::move(counts.weights), .activations = counts.activations};
}

}  // namespace cameo
