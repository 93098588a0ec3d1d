// Attention and the layers that are made of it.
#include <fmt/core.h>

#include <cmath>
#include <limits>

#include "aten/families.h"
#include "aten/matrix/products.h"
#include "aten/reduce.h"
#include "aten/support.h"

namespace cameo::aten {
namespace {

using Optional = std::optional<Expr>;

Expr keys_turned(const Expr& key) {
  std::vector<std::int64_t> perm = all_axes(key);
  std::swap(perm[perm.size() - 1], perm[perm.size() - 2]);
  return transpose(key, perm);
}

// 1 / sqrt(size), in the dtype of the product that it scales.
Expr inverse_root(Emit& e, const Dim& size, DType dtype) {
  if (const auto known = size.as_constant())
    return e.scalar(dtype, 1 / std::sqrt(static_cast<double>(*known)));
  return reciprocal(sqrt(e.cast(e.dim(size), dtype)));
}

Expr lowest(Emit& e, DType dtype) { return e.scalar(dtype, -std::numeric_limits<double>::infinity()); }

// boolean[queries, keys]: no query sees a later key.
Expr causal_mask(Emit& e, const Dim& queries, const Dim& keys) {
  return indices(e, keys) <= unsqueeze(indices(e, queries), {1});
}

// Every head of keys and values serves several heads of queries.
Expr repeated_heads(Emit& e, const Expr& x, const Dim& heads) {
  const Dim own = x.dim(-3);
  if (e.sym().equal(own, heads) == sym::Truth::yes) return x;
  const std::optional<Dim> times = e.sym().divide_exactly(heads, own);
  if (!times)
    throw ProgramError("the number of query heads must be divisible by that of key and value heads");
  const std::int64_t axis = x.rank() - 2;
  const Expr wide = unsqueeze(x, {axis});
  Shape shape = wide.shape(), merged = x.shape();
  shape[axis] = *times;
  merged[axis - 1] = heads;
  return reshape(expand(wide, shape), merged);
}

// These operators do not ask whether the model is training.
Expr dropped(Emit& e, Expr weights, double p) {
  if (!(p >= 0 && p < 1)) throw Unsupported(fmt::format("a dropout of {} is not supported", p));
  if (p == 0) return weights;
  return e.op("Dropout", {weights, e.scalar(DType::f32, p), e.scalar(DType::boolean, std::int64_t{1})});
}

struct Attended {
  Expr result;
  Expr weights;
  Expr scores;  // before the softmax
};

// False for all keys of a query that sees none: its softmax is NaN, and PyTorch gives 0.
Expr sees_keys(const Expr& mask, const Expr& scores) {
  if (mask.dtype() == DType::boolean) return mask;
  return reduce_max(scores, {scores.rank() - 1}, true) > -kInfinity;
}

// Whether a mask may leave a query without any key. Of a constant, all rows are examined.
bool may_hide_all_keys(const Expr& mask) {
  if (!mask->constant() || mask.rank() == 0) return true;
  const auto [keys, count] = std::pair(mask.dim(-1).as_constant().value_or(0), mask->data->numel());
  const bool boolean = mask.dtype() == DType::boolean;
  const auto sees = [&](std::int64_t at) {
    return boolean ? mask->data->integer(at) != 0 : mask->data->real(at) != -kInfinity;
  };
  for (std::int64_t row = 0; row < count; row += keys) {
    std::int64_t key = 0;
    while (key < keys && !sees(row + key)) ++key;
    if (key == keys) return true;
  }
  return keys == 0;
}

Attended attend(Emit& e, const Expr& query, Expr key, Expr value, const Optional& mask, bool causal,
                std::optional<double> scale, bool grouped, double dropout) {
  if (query.rank() < 2 || key.rank() < 2 || value.rank() < 2)
    throw ProgramError("each tensor must have at least two dimensions");
  if (mask && causal) throw ProgramError("a mask must not be given together with is_causal=True");
  if (grouped) {
    key = repeated_heads(e, key, query.dim(-3));
    value = repeated_heads(e, value, query.dim(-3));
  }
  const DType dtype = query.dtype();
  const Expr factor = scale ? e.scalar(dtype, *scale) : inverse_root(e, query.dim(-1), dtype);
  Expr scores = matmul(query * factor, keys_turned(key));
  const Expr seen = causal ? causal_mask(e, query.dim(-2), key.dim(-2)) : mask ? *mask : Expr();
  if (seen.value && seen.dtype() == DType::boolean)
    scores = where(seen, scores, lowest(e, dtype));
  else if (seen.value)
    scores = scores + cast(seen, dtype);
  Expr weights = e.op("Softmax", {scores});
  if (mask && may_hide_all_keys(*mask)) weights = where(sees_keys(*mask, scores), weights, 0);
  weights = dropped(e, weights, dropout);
  return {matmul(weights, value), weights, scores};
}

Expr scaled_dot_product_attention(Emit& e, Expr query, Expr key, Expr value, Optional attn_mask,
                                  double dropout_p, bool is_causal, std::optional<double> scale,
                                  bool enable_gqa) {
  return attend(e, query, key, value, attn_mask, is_causal, scale, enable_gqa, dropout_p).result;
}

std::vector<Expr> attention_with_weights(Emit& e, Expr query, Expr key, Expr value, Optional attn_mask,
                                         double dropout_p, Ignored, bool is_causal) {
  const Attended out = attend(e, query, key, value, attn_mask, is_causal, std::nullopt, false, dropout_p);
  return {out.result, out.weights};
}

// The logarithm of the sum that a softmax divides by, as f32; 0 for a query without keys.
Expr log_sum_exp(const Attended& attended) {
  const Expr scores = cast(attended.scores, attended.scores.dtype() == DType::f64 ? DType::f64 : DType::f32);
  const Expr sums = reduce("ReduceLogSumExp", scores, {scores.rank() - 1});
  return where(is_inf(sums), 0, sums);
}

Arg result(const Expr& value) { return Arg{Tensor(value)}; }
Arg not_computed() { return Arg{None{}}; }

std::vector<Expr> flash_attention_for_cpu(Emit& e, Expr query, Expr key, Expr value, double dropout_p,
                                          bool is_causal, Optional attn_mask, std::optional<double> scale) {
  const Attended out = attend(e, query, key, value, attn_mask, is_causal, scale, false, dropout_p);
  return {out.result, log_sum_exp(out)};
}

// The results of CUDA kernels: output and log_sum_exp, starts of sequences, lengths, the state of the random
// numbers, and the mask of the dropout.
Returns with_kernel_state(const Attended& out, const Expr& query, const Expr& key) {
  const auto length = [](const Expr& x) { return Arg{Scalar{x.dim(-2)}}; };
  return {result(out.result), result(log_sum_exp(out)), not_computed(), not_computed(), length(query),
          length(key),        not_computed(),           not_computed(), not_computed()};
}
Returns flash_attention(Emit& e, Expr query, Expr key, Expr value, double dropout_p, bool is_causal, bool,
                        std::optional<double> scale) {
  return with_kernel_state(attend(e, query, key, value, std::nullopt, is_causal, scale, false, dropout_p),
                           query, key);
}
Returns overrideable_attention(Emit& e, Expr query, Expr key, Expr value, Optional attn_bias,
                               double dropout_p, bool is_causal, bool, std::optional<double> scale) {
  return with_kernel_state(attend(e, query, key, value, attn_bias, is_causal, scale, false, dropout_p), query,
                           key);
}
Returns cudnn_attention(Emit& e, Expr query, Expr key, Expr value, Optional attn_bias, bool, double dropout_p,
                        bool is_causal, bool, std::optional<double> scale) {
  return overrideable_attention(e, query, key, value, attn_bias, dropout_p, is_causal, false, scale);
}
Returns efficient_attention(Emit& e, Expr query, Expr key, Expr value, Optional attn_bias, bool,
                            double dropout_p, bool is_causal, std::optional<double> scale) {
  const Attended out = attend(e, query, key, value, attn_bias, is_causal, scale, false, dropout_p);
  return {result(out.result), result(log_sum_exp(out)), not_computed(), not_computed()};
}

std::vector<Expr> attention_math(Emit& e, Expr query, Expr key, Expr value, Optional attn_mask,
                                 double dropout_p, bool is_causal, Optional dropout_mask,
                                 std::optional<double> scale, bool enable_gqa) {
  if (dropout_mask) throw Unsupported("a given dropout mask is not supported");
  const Attended out = attend(e, query, key, value, attn_mask, is_causal, scale, enable_gqa, dropout_p);
  return {out.result, out.weights};
}

struct Projections {
  Expr qkv_weight, qkv_bias, proj_weight, proj_bias;
};

// Where a mask that says what to leave out is true or not zero, as it broadcasts over [batch, heads, …].
Expr left_out(const Expr& mask, std::optional<std::int64_t> mask_type) {
  const Expr out = cast(mask, DType::boolean);
  const bool of_keys = mask_type ? *mask_type == 1 : mask.rank() == 2;
  return of_keys ? unsqueeze(out, {1, 2}) : out;
}

// [batch, time, embed] to [batch, heads, time, embed / heads].
Expr split_heads(const Expr& x, std::int64_t heads, std::int64_t embed) {
  return transpose(reshape(x, {x.dim(0), x.dim(1), heads, embed / heads}), {0, 2, 1, 3});
}

Attended multi_head(Emit& e, const Expr& query, const Expr& key, const Expr& value, std::int64_t embed,
                    std::int64_t heads, const Projections& p, const Optional& mask,
                    std::optional<std::int64_t> mask_type) {
  if (query.rank() != 3) throw ProgramError("the input must have three dimensions");
  if (heads < 1 || embed % heads != 0)
    throw ProgramError("the width must be divisible by the number of heads");
  const Expr sources[] = {query, key, value};
  Expr parts[3];
  const bool one_source = query.value == key.value && key.value == value.value;
  std::vector<Expr> all;
  if (one_source)
    all = ops(e, "Split", {affine(e, query, p.qkv_weight, p.qkv_bias)},
              {{"axis", std::int64_t{2}}, {"num_outputs", std::int64_t{3}}}, 3);
  for (std::int64_t i = 0; i < 3; ++i) {
    const Expr part = one_source ? element_at(all, i)
                                 : affine(e, sources[i], slice(p.qkv_weight, 0, i * embed, (i + 1) * embed),
                                          slice(p.qkv_bias, 0, i * embed, (i + 1) * embed));
    parts[i] = split_heads(part, heads, embed);
  }
  const Expr factor = inverse_root(e, embed / heads, query.dtype());
  Expr scores = matmul(parts[0] * factor, keys_turned(parts[1]));
  if (mask) scores = where(left_out(*mask, mask_type), lowest(e, query.dtype()), scores);
  const Expr weights = e.op("Softmax", {scores});
  Expr mixed = transpose(matmul(weights, parts[2]), {0, 2, 1, 3});
  mixed = reshape(mixed, {query.dim(0), query.dim(1), embed});
  return {affine(e, mixed, p.proj_weight, p.proj_bias), weights, scores};
}

std::vector<Expr> native_multi_head_attention(Emit& e, Expr query, Expr key, Expr value,
                                              std::int64_t embed_dim, std::int64_t num_head, Expr qkv_weight,
                                              Expr qkv_bias, Expr proj_weight, Expr proj_bias, Optional mask,
                                              Ignored, bool average_attn_weights,
                                              std::optional<std::int64_t> mask_type) {
  const Attended out = multi_head(e, query, key, value, embed_dim, num_head,
                                  {qkv_weight, qkv_bias, proj_weight, proj_bias}, mask, mask_type);
  if (!average_attn_weights) return {out.result, out.weights};
  return {out.result, e.op("ReduceMean", {out.weights, e.ints({1})}, {{"keepdims", std::int64_t{0}}})};
}

Expr transformer_encoder_layer(Emit& e, Expr src, std::int64_t embed_dim, std::int64_t num_heads,
                               Expr qkv_weight, Expr qkv_bias, Expr proj_weight, Expr proj_bias,
                               bool use_gelu, bool norm_first, double eps, Expr norm_weight_1,
                               Expr norm_bias_1, Expr norm_weight_2, Expr norm_bias_2, Expr ffn_weight_1,
                               Expr ffn_bias_1, Expr ffn_weight_2, Expr ffn_bias_2, Optional mask,
                               std::optional<std::int64_t> mask_type) {
  auto norm = [&](Expr x, const Expr& weight, const Expr& bias) {
    onnx::Attributes attributes;
    if (static_cast<float>(eps) != 1e-5f) attributes.push_back({"epsilon", static_cast<float>(eps)});
    return e.op("LayerNormalization", {x, weight, bias}, attributes);
  };
  auto attention = [&](Expr x) {
    return multi_head(e, x, x, x, embed_dim, num_heads, {qkv_weight, qkv_bias, proj_weight, proj_bias}, mask,
                      mask_type)
        .result;
  };
  auto feed_forward = [&](Expr x) {
    const Expr inner = e.op(use_gelu ? "Gelu" : "Relu", {affine(e, x, ffn_weight_1, ffn_bias_1)});
    return affine(e, inner, ffn_weight_2, ffn_bias_2);
  };
  Expr x = src;
  if (norm_first) {
    x = x + attention(norm(x, norm_weight_1, norm_bias_1));
    return x + feed_forward(norm(x, norm_weight_2, norm_bias_2));
  }
  x = norm(x + attention(x), norm_weight_1, norm_bias_1);
  return norm(x + feed_forward(x), norm_weight_2, norm_bias_2);
}

constexpr Declaration kAttention[] = {
    op<scaled_dot_product_attention>(
        "aten::scaled_dot_product_attention(Tensor query, Tensor key, Tensor value, Tensor? attn_mask=None, "
        "float dropout_p=0.0, bool is_causal=False, *, float? scale=None, bool enable_gqa=False) -> Tensor",
        {.doc = "softmax(query @ key^T * scale + mask) @ value.",
         .sample = "query=f32[batch,6,width,16], key=f32[batch,6,height,16], value=f32[batch,6,height,16]"}),
    op<attention_with_weights>(
        "aten::_scaled_dot_product_attention(Tensor query, Tensor key, Tensor value, Tensor? attn_mask=None, "
        "float dropout_p=0.0, bool need_attn_weights=False, bool is_causal=False) -> (Tensor, Tensor)",
        {.doc = "softmax(query @ key^T * scale + mask) @ value, and the softmax.",
         .sample = "query=f32[batch,6,width,16], key=f32[batch,6,height,16], value=f32[batch,6,height,16]"}),
    op<flash_attention_for_cpu>(
        "aten::_scaled_dot_product_flash_attention_for_cpu(Tensor query, Tensor key, Tensor value, float "
        "dropout_p=0.0, bool is_causal=False, *, Tensor? attn_mask=None, float? scale=None) -> (Tensor, "
        "Tensor)",
        {.doc = "softmax(query @ key^T * scale + mask) @ value, and the logarithm of the sums.",
         .sample = "query=f32[batch,6,width,16], key=f32[batch,6,height,16], value=f32[batch,6,height,16]"}),
    op<flash_attention>(
        "aten::_scaled_dot_product_flash_attention(Tensor query, Tensor key, Tensor value, float "
        "dropout_p=0.0, bool is_causal=False, bool return_debug_mask=False, *, float? scale=None) -> "
        "(Tensor, Tensor, Tensor, Tensor, SymInt, SymInt, Tensor, Tensor, Tensor)",
        {.doc = "softmax(query @ key^T * scale) @ value, and the logarithm of the sums.",
         .sample = "query=f32[batch,6,width,16], key=f32[batch,6,height,16], value=f32[batch,6,height,16]"}),
    op<overrideable_attention>(
        "aten::_scaled_dot_product_fused_attention_overrideable(Tensor query, Tensor key, Tensor value, "
        "Tensor? attn_bias=None, float dropout_p=0.0, bool is_causal=False, bool return_debug_mask=False, *, "
        "float? scale=None) -> (Tensor, Tensor, Tensor, Tensor, SymInt, SymInt, Tensor, Tensor, Tensor)",
        {.doc = "softmax(query @ key^T * scale + mask) @ value, and the logarithm of the sums.",
         .sample = "query=f32[batch,6,width,16], key=f32[batch,6,height,16], value=f32[batch,6,height,16]"}),
    op<cudnn_attention>(
        "aten::_scaled_dot_product_cudnn_attention(Tensor query, Tensor key, Tensor value, Tensor? "
        "attn_bias, bool compute_log_sumexp, float dropout_p=0.0, bool is_causal=False, bool "
        "return_debug_mask=False, *, float? scale=None) -> (Tensor, Tensor, Tensor, Tensor, SymInt, SymInt, "
        "Tensor, Tensor, Tensor)",
        {.doc = "softmax(query @ key^T * scale + mask) @ value, and the logarithm of the sums.",
         .sample = "query=f32[batch,6,width,16], key=f32[batch,6,height,16], value=f32[batch,6,height,16]"}),
    op<efficient_attention>(
        "aten::_scaled_dot_product_efficient_attention(Tensor query, Tensor key, Tensor value, Tensor? "
        "attn_bias, bool compute_log_sumexp, float dropout_p=0.0, bool is_causal=False, *, float? "
        "scale=None) -> (Tensor, Tensor, Tensor, Tensor)",
        {.doc = "softmax(query @ key^T * scale + mask) @ value, and the logarithm of the sums.",
         .sample = "query=f32[batch,6,width,16], key=f32[batch,6,height,16], value=f32[batch,6,height,16]"}),
    op<attention_math>(
        "aten::_scaled_dot_product_attention_math(Tensor query, Tensor key, Tensor value, Tensor? "
        "attn_mask=None, float dropout_p=0.0, bool is_causal=False, Tensor? dropout_mask=None, *, float? "
        "scale=None, bool enable_gqa=False) -> (Tensor, Tensor)",
        {.doc = "softmax(query @ key^T * scale + mask) @ value, and the softmax.",
         .sample = "query=f32[batch,6,width,16], key=f32[batch,6,height,16], value=f32[batch,6,height,16]"}),
    op<native_multi_head_attention>(
        "aten::_native_multi_head_attention(Tensor query, Tensor key, Tensor value, int embed_dim, int "
        "num_head, Tensor qkv_weight, Tensor qkv_bias, Tensor proj_weight, Tensor proj_bias, Tensor? "
        "mask=None, bool need_weights=True, bool average_attn_weights=True, int? mask_type=None) -> (Tensor, "
        "Tensor)",
        {.doc = "Attention by several heads, with its projections.",
         .sample =
             "query=f32[batch,width,6], key=f32[batch,width,6], value=f32[batch,width,6], embed_dim=6, "
             "num_head=2, qkv_weight=f32[18,6], qkv_bias=f32[18], proj_weight=f32[6,6], proj_bias=f32[6]"}),
    op<transformer_encoder_layer>(
        "aten::_transformer_encoder_layer_fwd(Tensor src, int embed_dim, int num_heads, Tensor qkv_weight, "
        "Tensor qkv_bias, Tensor proj_weight, Tensor proj_bias, bool use_gelu, bool norm_first, float eps, "
        "Tensor norm_weight_1, Tensor norm_bias_1, Tensor norm_weight_2, Tensor norm_bias_2, Tensor "
        "ffn_weight_1, Tensor ffn_bias_1, Tensor ffn_weight_2, Tensor ffn_bias_2, Tensor? mask=None, int? "
        "mask_type=None) -> Tensor",
        {.doc = "A layer of a transformer's encoder.",
         .sample = "src=f32[batch,width,6], embed_dim=6, num_heads=2, qkv_weight=f32[18,6], "
                   "qkv_bias=f32[18], proj_weight=f32[6,6], proj_bias=f32[6], norm_weight_1=f32[6], "
                   "norm_bias_1=f32[6], norm_weight_2=f32[6], norm_bias_2=f32[6], ffn_weight_1=f32[16,6], "
                   "ffn_bias_1=f32[16], ffn_weight_2=f32[6,16], ffn_bias_2=f32[6]"}),
};

}  // namespace

std::span<const Declaration> attention_ops() { return kAttention; }

}  // namespace cameo::aten
