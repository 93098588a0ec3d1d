// Embeddings with quantised tables. Only the rows that a call reads are dequantised.
#include <fmt/core.h>

#include "aten/families.h"
#include "aten/quantization.h"
#include "aten/quantized/calls.h"
#include "aten/support.h"

namespace cameo::aten {
namespace quantized_embedding {
namespace {

using namespace quantized_ops;

void check_pruned(bool pruned) {
  if (pruned) throw Unsupported("embeddings with pruned rows are not supported");
}

// Two integers of four bits in each byte, the lower bits first.
Expr halves(Emit& e, const Expr& bytes) {
  const Expr wide = cast(bytes, DType::i32);
  const std::int64_t last = wide.rank();
  const Expr pairs = concat({unsqueeze(wide % 16, {last}), unsqueeze(wide / 16, {last})}, last);
  Shape shape = bytes.shape();
  shape[last - 1] = shape[last - 1] * 2;
  return Expr(e.reshape(pairs, shape));
}

// The rows of the table at these indices, as numbers. PyTorch keeps a scale and an offset for each row; those of
// four bits are f16.
Expr rows(Emit& e, const PackedEmbedding& packed, const Expr& indices) {
  const Tensor& table = packed.weight;
  check_quantized(table, "weight");
  const Quantizer& q = *table.quantizer;
  if (packed.bits != 8 && packed.bits != 4)
    throw Unsupported(fmt::format("embeddings of {} bits are not supported", packed.bits));
  if (q.axis != 0) throw Unsupported("the table of an embedding needs one scale per row");
  const Expr found = gather(Expr(e, table.value), indices, 0);
  const Expr steps = cast(packed.bits == 4 ? halves(e, found) : found, DType::f32);
  const auto by_row = [&](const Expr& each) {
    const Expr one = gather(packed.bits == 4 ? cast(cast(each, DType::f16), DType::f32) : each, indices, 0);
    return unsqueeze(one, {one.rank()});
  };
  const Expr scale(e, q.scale);
  const Expr offset = -(cast(Expr(e, q.zero_point), DType::f32) * scale);
  return steps * by_row(scale) + by_row(offset);
}

Expr embedding(Emit& e, PackedEmbedding packed, Expr indices, bool pruned) {
  check_pruned(pruned);
  return rows(e, packed, indices);
}

// PyTorch adds the rows for any mode.
Expr embedding_bag(Emit& e, PackedEmbedding packed, Expr indices, std::optional<Expr> offsets, Ignored,
                   Ignored, bool pruned, std::optional<Expr> weights, std::optional<Expr> mapping,
                   bool last) {
  check_pruned(pruned);
  if (mapping && mapping->value->data && mapping->value->data->numel() > 1)
    throw Unsupported("embeddings with pruned rows are not supported");
  const Expr found = rows(e, packed, indices);
  if (indices.rank() == 2) {
    const Expr each = weights ? found * unsqueeze(*weights, {2}) : found;
    return e.op("ReduceSum", {each, e.ints({1})}, {{"keepdims", std::int64_t{0}}});
  }
  if (!offsets) throw ProgramError("'offsets' is needed for indices of one dimension");
  const Expr all = aten::indices(e, indices.dim(0));
  return call(e, "aten::embedding_bag",
              {arg(found), arg(all), arg(cast(*offsets, DType::i64)), arg(false), arg(std::int64_t{0}),
               arg(false), arg(weights), arg(last)});
}

Returns prepack(Emit&, Tensor weight) {
  check_quantized(weight, "weight");
  return {packed_arg(kEmbeddingClass, PackedEmbedding{weight, 8})};
}
Tensor unpack(Emit&, PackedEmbedding packed) {
  if (packed.bits != 8) throw Unsupported("the table of an embedding of four bits cannot be unpacked");
  return packed.weight;
}

constexpr std::string_view kTable = "weight=[u8[10,6]], indices=i64[batch]";
constexpr std::string_view kBag = "weight=[u8[10,6]], indices=i64[batch,width]";

constexpr Declaration kEmbedding[] = {
    op<embedding>(
        "quantized::embedding_byte(__torch__.torch.classes.quantized.EmbeddingPackedParamsBase weight, "
        "Tensor indices, bool pruned_weights=False) -> Tensor",
        {.doc = "The rows of a quantised table at indices.",
         .aliases = {"quantized::embedding_4bit"},
         .sample = kTable}),
    op<embedding_bag>(
        "quantized::embedding_bag_byte(__torch__.torch.classes.quantized.EmbeddingPackedParamsBase weight, "
        "Tensor indices, Tensor? offsets=None, bool scale_grad_by_freq=False, int mode=0, bool "
        "pruned_weights=False, Tensor? per_sample_weights=None, Tensor? compressed_indices_mapping=None, "
        "bool "
        "include_last_offset=False) -> Tensor",
        {.doc = "Sums of rows of a quantised table.",
         .aliases = {"quantized::embedding_bag_4bit"},
         .sample = kBag}),
    op<prepack>("quantized::embedding_bag_prepack(Tensor weight) -> "
                "__torch__.torch.classes.quantized.EmbeddingPackedParamsBase",
                {.doc = "Keeps the quantised table of an embedding in an object.",
                 .quantized = OnQuantized::own,
                 .sample = "weight=qi8[10,6]"}),
    op<unpack>("quantized::embedding_bag_unpack(__torch__.torch.classes.quantized.EmbeddingPackedParamsBase "
               "W_prepack) -> Tensor",
               {.doc = "The quantised table of an embedding.", .sample = "W_prepack=[u8[10,6]]"}),
};

}  // namespace
}  // namespace quantized_embedding

std::span<const Declaration> packed_embedding_ops() { return quantized_embedding::kEmbedding; }

}  // namespace cameo::aten
