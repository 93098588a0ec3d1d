// Rows of a table, one by one and in bags.
#include <algorithm>
#include <limits>

#include "aten/families.h"
#include "aten/reduce.h"
#include "aten/support.h"

namespace cameo::aten {
namespace {

enum class Bag : std::int64_t { sum, mean, max };

Expr embedding(Emit&, Expr weight, Expr indices, Ignored, Ignored, Ignored) {
  if (weight.rank() != 2) throw ProgramError("'weight' must have two dimensions");
  return gather(weight, indices, 0);
}

// The table with those rows that are asked for, and whose norm is larger, scaled down to it.
Expr embedding_renorm(Emit& e, Expr self, Expr indices, double max_norm, double norm_type) {
  if (self.rank() != 2) throw ProgramError("the input must have two dimensions");
  const Expr flat = cast(reshape(indices, {indices.shape().product()}), DType::i64);
  const Expr rows = gather(self, flat, 0);
  const Expr norms = vector_norm(rows, norm_type, {1}, true);
  const Expr most = e.scalar(self.dtype(), max_norm);
  const Expr scale = most / (norms + 1e-7);
  const Expr shorter = where(norms > most, rows * scale, rows);
  return e.op("ScatterND", {self, unsqueeze(flat, {1}), shorter});
}

// The size of all bags, where offsets are known to stand evenly: 0, size, 2*size, …
std::optional<Dim> even_size(Emit& e, const Expr& offsets, const Dim& total, bool include_last) {
  std::optional<std::vector<Dim>> at = offsets->elements;
  if (!at && offsets->constant()) {
    at.emplace();
    for (std::int64_t i = 0; i < offsets->data->numel(); ++i) at->emplace_back(offsets->data->integer(i));
  }
  if (at) {
    if (!include_last) at->push_back(total);
    if (at->size() < 2 || at->front() != Dim(0)) return std::nullopt;
    const Dim size = (*at)[1];
    for (std::size_t i = 2; i < at->size(); ++i)
      if ((*at)[i] - (*at)[i - 1] != size) return std::nullopt;
    return e.sym().less(0, size) == sym::Truth::yes ? std::optional(size) : std::nullopt;
  }
  if (include_last || !offsets->producer || offsets->producer->op != "Range") return std::nullopt;
  auto number = [](const onnx::Value* value) -> std::optional<Dim> {
    if (value->elements) return value->elements->front();
    if (value->constant()) return Dim(value->data->integer(0));
    return std::nullopt;
  };
  const std::vector<onnx::Value*>& range = offsets->producer->inputs;
  const std::optional<Dim> start = number(range[0]), limit = number(range[1]), step = number(range[2]);
  if (start != Dim(0) || limit != total || !step) return std::nullopt;
  return e.sym().divide_exactly(total, *step) ? step : std::nullopt;
}

// Sums, means or maxima over the middle dimension of [bags, rows, width]; `counted`, [bags, rows], may be
// null.
Expr reduce_rows(Emit& e, Expr rows, Expr counted, Bag mode) {
  const DType dtype = rows->dtype();
  const onnx::Attributes drop{{"keepdims", std::int64_t{0}}};
  const Expr axis = e.ints({1});
  if (!counted.value) {
    const char* op = mode == Bag::sum ? "ReduceSum" : mode == Bag::mean ? "ReduceMean" : "ReduceMax";
    return e.op(op, {rows, axis}, drop);
  }
  const Expr some = unsqueeze(counted, {2});
  const Expr zero = e.scalar(dtype, 0.0);
  if (mode == Bag::max) {
    const Expr low = e.scalar(dtype, -std::numeric_limits<double>::infinity());
    const Expr highest = e.op("ReduceMax", {where(some, rows, low), axis}, drop);
    const Expr any = cast(e.op("ReduceMax", {cast(some, DType::i32), axis}, drop), DType::boolean);
    return where(any, highest, zero);
  }
  const Expr sum = e.op("ReduceSum", {where(some, rows, zero), axis}, drop);
  if (mode == Bag::sum) return sum;
  const Expr count = e.op("ReduceSum", {cast(some, dtype), axis}, drop);
  return sum / maximum(count, 1);
}

std::vector<Expr> bags(Emit& e, const Expr& weight, const Expr& indices, const Expr& offsets,
                       std::int64_t mode_number, const std::optional<Expr>& per_sample_weights,
                       bool include_last, std::optional<std::int64_t> padding_idx) {
  if (mode_number < 0 || mode_number > 2) throw ProgramError("the mode is unknown");
  if (indices.rank() != 1 || offsets.rank() != 1)
    throw ProgramError("the indices and the offsets must have one dimension");
  const Bag mode{mode_number};
  const Dim total = indices.dim(0), width = weight.dim(1);
  Expr rows = gather(weight, indices, 0);
  if (per_sample_weights) rows = rows * unsqueeze(*per_sample_weights, {1});
  Expr kept = nullptr;
  if (padding_idx && *padding_idx >= 0) kept = !equal(indices, *padding_idx);

  Expr out = nullptr;
  if (const std::optional<Dim> size = even_size(e, offsets, total, include_last)) {
    const Dim count = *e.sym().divide_exactly(total, *size);
    if (kept.value) kept = reshape(kept, {count, *size});
    out = reduce_rows(e, reshape(rows, {count, *size, width}), kept, mode);
  } else {
    const Dim last = offsets.dim(0) - 1;
    const Expr begin = include_last ? slice(offsets, 0, 0, last) : offsets;
    const Expr after = slice(offsets, 0, 1, offsets.dim(0));
    const Expr end = include_last ? after : concat({after, e.cast(e.dims({total}), offsets.dtype())}, 0);
    const Expr at = cast(aten::indices(e, total), offsets.dtype());
    Expr inside = at >= unsqueeze(begin, {1}) && at < unsqueeze(end, {1});
    if (kept.value) inside = inside && kept;
    out = reduce_rows(e, unsqueeze(rows, {0}), inside, mode);
  }
  const Expr none = e.constant(
      std::make_shared<onnx::Data>(DType::i64, std::vector<std::int64_t>{0}, std::vector<std::byte>()));
  return {out, none, none, none};
}

std::vector<Expr> embedding_bag(Emit& e, Expr weight, Expr indices, Expr offsets, Ignored, std::int64_t mode,
                                Ignored, std::optional<Expr> per_sample_weights, bool include_last_offset,
                                std::optional<std::int64_t> padding_idx) {
  if (padding_idx && *padding_idx < 0) {
    const std::vector<std::int64_t> count = known_sizes({weight.dim(0)}, "the number of embeddings");
    padding_idx = *padding_idx + count[0];
  }
  return bags(e, weight, indices, offsets, mode, per_sample_weights, include_last_offset, padding_idx);
}
std::vector<Expr> embedding_bag_forward(Emit& e, Expr weight, Expr indices, Expr offsets, Ignored,
                                        std::int64_t mode, Ignored, std::optional<Expr> per_sample_weights,
                                        bool include_last_offset, std::int64_t padding_idx) {
  return bags(e, weight, indices, offsets, mode, per_sample_weights, include_last_offset, padding_idx);
}

constexpr Declaration kEmbedding[] = {
    op<embedding>("aten::embedding(Tensor weight, Tensor indices, int padding_idx=-1, bool "
                  "scale_grad_by_freq=False, bool sparse=False) -> Tensor",
                  {.doc = "Rows of a table.",
                   .complex = OnComplex::by_parts,
                   .sample = "weight=f32[16,6], indices=i64[batch,width]"}),
    op<embedding_renorm>("aten::embedding_renorm(Tensor self, Tensor indices, float max_norm, float "
                         "norm_type) -> Tensor",
                         {.doc = "A table whose rows at the indices have at most a norm."}),
    op<embedding_bag>(
        "aten::embedding_bag(Tensor weight, Tensor indices, Tensor offsets, bool scale_grad_by_freq=False, "
        "int mode=0, bool sparse=False, Tensor? per_sample_weights=None, bool include_last_offset=False, "
        "int? padding_idx=None) -> (Tensor, Tensor, Tensor, Tensor)",
        {.doc = "Sums, means or maxima of rows of a table; only the first result is meant for use.",
         .aliases = {"aten::embedding_bag.padding_idx"},
         .sample = "weight=f32[16,6], indices=i64[width], offsets=i64[batch]"}),
    op<embedding_bag_forward>(
        "aten::_embedding_bag(Tensor weight, Tensor indices, Tensor offsets, bool scale_grad_by_freq=False, "
        "int mode=0, bool sparse=False, Tensor? per_sample_weights=None, bool include_last_offset=False, int "
        "padding_idx=-1) -> (Tensor, Tensor, Tensor, Tensor)",
        {.doc = "Sums, means or maxima of rows of a table; only the first result is meant for use.",
         .aliases = {"aten::_embedding_bag_forward_only"},
         .sample = "weight=f32[16,6], indices=i64[width], offsets=i64[batch]"}),
};

}  // namespace

std::span<const Declaration> embedding_ops() { return kEmbedding; }

}  // namespace cameo::aten
