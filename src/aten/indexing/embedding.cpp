// Rows of a table, one by one and in bags.
#include <algorithm>
#include <limits>

#include "aten/families.h"
#include "aten/reduce.h"
#include "aten/support.h"

namespace cameo::aten {
namespace {

enum class Bag : std::int64_t { sum, mean, max };

Tensor embedding(Emit& e, Tensor weight, Tensor indices, Ignored, Ignored, Ignored) {
  if (weight.rank() != 2) throw ProgramError("'weight' must have two dimensions");
  return e.gather(weight, indices, 0);
}

// The table with those rows that are asked for, and whose norm is larger, scaled down to it.
Tensor embedding_renorm(Emit& e, Tensor self, Tensor indices, double max_norm, double norm_type) {
  if (self.rank() != 2) throw ProgramError("the input must have two dimensions");
  const Tensor flat = e.cast(e.reshape(indices, {numel(e, indices)}), DType::i64);
  onnx::Value* rows = e.gather(self, flat, 0);
  onnx::Value* norms = vector_norm(e, rows, norm_type, {1}, true);
  onnx::Value* most = e.scalar(self.dtype(), max_norm);
  onnx::Value* scale = e.op("Div", {most, e.op("Add", {norms, e.scalar(self.dtype(), 1e-7)})});
  onnx::Value* shorter = e.op("Where", {e.op("Greater", {norms, most}), e.op("Mul", {rows, scale}), rows});
  return e.op("ScatterND", {self, e.unsqueeze(flat, {1}), shorter});
}

// The size of all bags, where offsets are known to stand evenly: 0, size, 2*size, …
std::optional<Dim> even_size(Emit& e, const Tensor& offsets, const Dim& total, bool include_last) {
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
onnx::Value* reduce_rows(Emit& e, onnx::Value* rows, onnx::Value* counted, Bag mode) {
  const DType dtype = rows->dtype();
  const onnx::Attributes drop{{"keepdims", std::int64_t{0}}};
  onnx::Value* axis = e.ints({1});
  if (!counted) {
    const char* op = mode == Bag::sum ? "ReduceSum" : mode == Bag::mean ? "ReduceMean" : "ReduceMax";
    return e.op(op, {rows, axis}, drop);
  }
  onnx::Value* some = e.unsqueeze(counted, {2});
  onnx::Value* zero = e.scalar(dtype, 0.0);
  if (mode == Bag::max) {
    onnx::Value* low = e.scalar(dtype, -std::numeric_limits<double>::infinity());
    onnx::Value* highest = e.op("ReduceMax", {e.op("Where", {some, rows, low}), axis}, drop);
    onnx::Value* any = e.cast(e.op("ReduceMax", {e.cast(some, DType::i32), axis}, drop), DType::boolean);
    return e.op("Where", {any, highest, zero});
  }
  onnx::Value* sum = e.op("ReduceSum", {e.op("Where", {some, rows, zero}), axis}, drop);
  if (mode == Bag::sum) return sum;
  onnx::Value* count = e.op("ReduceSum", {e.cast(some, dtype), axis}, drop);
  return e.op("Div", {sum, e.op("Max", {count, e.scalar(dtype, 1.0)})});
}

std::vector<Tensor> bags(Emit& e, const Tensor& weight, const Tensor& indices, const Tensor& offsets,
                         std::int64_t mode_number, const std::optional<Tensor>& per_sample_weights,
                         bool include_last, std::optional<std::int64_t> padding_idx) {
  if (mode_number < 0 || mode_number > 2) throw ProgramError("the mode is unknown");
  if (indices.rank() != 1 || offsets.rank() != 1)
    throw ProgramError("the indices and the offsets must have one dimension");
  const Bag mode{mode_number};
  const Dim total = indices.dim(0), width = weight.dim(1);
  onnx::Value* rows = e.gather(weight, indices, 0);
  if (per_sample_weights) rows = e.op("Mul", {rows, e.unsqueeze(*per_sample_weights, {1})});
  onnx::Value* kept = nullptr;
  if (padding_idx && *padding_idx >= 0)
    kept = e.op("Not", {e.op("Equal", {indices, e.scalar(indices.dtype(), *padding_idx)})});

  onnx::Value* out = nullptr;
  if (const std::optional<Dim> size = even_size(e, offsets, total, include_last)) {
    const Dim count = *e.sym().divide_exactly(total, *size);
    if (kept) kept = e.reshape(kept, {count, *size});
    out = reduce_rows(e, e.reshape(rows, {count, *size, width}), kept, mode);
  } else {
    const Dim last = offsets.dim(0) - 1;
    onnx::Value* begin = include_last ? e.slice(offsets, 0, 0, last) : offsets.value;
    onnx::Value* after = e.slice(offsets, 0, 1, offsets.dim(0));
    onnx::Value* end = include_last ? after : e.concat({after, e.cast(e.dims({total}), offsets.dtype())}, 0);
    onnx::Value* at = e.cast(aten::indices(e, total), offsets.dtype());
    onnx::Value* inside = e.op("And", {e.op("GreaterOrEqual", {at, e.unsqueeze(begin, {1})}),
                                       e.op("Less", {at, e.unsqueeze(end, {1})})});
    if (kept) inside = e.op("And", {inside, kept});
    out = reduce_rows(e, e.unsqueeze(rows, {0}), inside, mode);
  }
  const Tensor none = e.constant(
      std::make_shared<onnx::Data>(DType::i64, std::vector<std::int64_t>{0}, std::vector<std::byte>()));
  return {out, none, none, none};
}

std::vector<Tensor> embedding_bag(Emit& e, Tensor weight, Tensor indices, Tensor offsets, Ignored,
                                  std::int64_t mode, Ignored, std::optional<Tensor> per_sample_weights,
                                  bool include_last_offset, std::optional<std::int64_t> padding_idx) {
  if (padding_idx && *padding_idx < 0) {
    const std::vector<std::int64_t> count = known_sizes({weight.dim(0)}, "the number of embeddings");
    padding_idx = *padding_idx + count[0];
  }
  return bags(e, weight, indices, offsets, mode, per_sample_weights, include_last_offset, padding_idx);
}
std::vector<Tensor> embedding_bag_forward(Emit& e, Tensor weight, Tensor indices, Tensor offsets, Ignored,
                                          std::int64_t mode, Ignored,
                                          std::optional<Tensor> per_sample_weights, bool include_last_offset,
                                          std::int64_t padding_idx) {
  return bags(e, weight, indices, offsets, mode, per_sample_weights, include_last_offset, padding_idx);
}

constexpr Declaration kEmbedding[] = {
    op<embedding>("aten::embedding(Tensor weight, Tensor indices, int padding_idx=-1, bool "
                  "scale_grad_by_freq=False, bool sparse=False) -> Tensor",
                  {.doc = "Rows of a table.", .sample = "weight=f32[16,6], indices=i64[batch,width]"}),
    op<embedding_renorm>("aten::embedding_renorm(Tensor self, Tensor indices, float max_norm, float "
                         "norm_type) -> Tensor",
                         {.doc = "A table whose rows at the indices have at most a norm."}),
    op<embedding_bag>(
        "aten::embedding_bag(Tensor weight, Tensor indices, Tensor offsets, bool scale_grad_by_freq=False, "
        "int mode=0, bool sparse=False, Tensor? per_sample_weights=None, bool include_last_offset=False, "
        "int? padding_idx=None) -> (Tensor, Tensor, Tensor, Tensor)",
        {.doc = "Sums, means or maxima of rows of a table; only the first result is meant for use.",
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
