// Operators that apply another one to each tensor of a list (aten::_foreach_add, …).
#include <fmt/format.h>

#include "aten/families.h"
#include "aten/registry.h"

namespace cameo::aten {
namespace {

// The operator that is applied: aten::add for aten::_foreach_add.
std::string applied_name(const Schema& schema) {
  constexpr std::string_view kPrefix = "aten::_foreach_";
  const std::string_view name = schema.name.substr(kPrefix.size());
  const bool with_number = schema.overload.starts_with("Scalar");
  if (name == "norm") return "aten::linalg_vector_norm";
  if (name == "maximum" && with_number) return "aten::clamp_min";
  if (name == "minimum" && with_number) return "aten::clamp_max";
  return fmt::format("aten::{}", name);
}

// The number of tensors in the first list.
std::size_t length(std::span<const Arg> args) {
  for (const Arg& arg : args)
    if (const ArgList* list = arg.get_if<ArgList>()) return list->size();
  throw ProgramError("there is no list of tensors");
}

// Entry `index` of a list, or of a vector of one number for each tensor; other arguments apply to all.
Arg entry(Emit& e, const Arg& arg, const ParamSchema& param, std::size_t index) {
  if (const ArgList* list = arg.get_if<ArgList>()) {
    if (index >= list->size()) throw ProgramError("the lists have different lengths");
    return (*list)[index];
  }
  const Tensor* tensor = arg.get_if<Tensor>();
  if (!tensor || param.name != "scalars") return arg;
  return Arg{Tensor(e.gather(*tensor, e.dim(static_cast<std::int64_t>(index)), 0))};
}

// The keyword of the applied operator that takes this parameter; empty if it is passed by position.
std::string_view keyword(const Schema& schema, const ParamSchema& param) {
  const bool factor = param.name == "value" || (param.name == "scalars" && schema.count == 4);
  if (factor) return "value";  // of addcmul and addcdiv
  return param.keyword_only || param.name == "dtype" ? param.name : std::string_view();
}

Returns apply_to_each(Emit& e, std::span<const Arg> args, const Schema& schema) {
  const std::string name = applied_name(schema);
  ArgList results;
  for (std::size_t i = 0; i < length(args); ++i) {
    Call call;
    for (std::size_t p = 0; p < schema.count; ++p) {
      const std::string_view by_name = keyword(schema, schema.params[p]);
      if (by_name.empty())
        call.positional.push_back(entry(e, args[p], schema.params[p], i));
      else
        call.keywords.emplace_back(by_name, entry(e, args[p], schema.params[p], i));
    }
    const std::optional<Bound> bound = aten::bind(e, Registry::builtin().find(name), call);
    if (!bound) throw Unsupported(fmt::format("{} does not take these arguments", name));
    results.push_back(invoke(*bound->op, e, bound->args).at(0));
  }
  return {Arg{std::move(results)}};
}

consteval Declaration each(std::string_view schema, std::string_view sample = {}) {
  const Traits traits{.doc = "Applies an operator to each tensor of a list.", .sample = sample};
  check(parse_schema(schema), traits);
  return {schema, traits, &apply_to_each};
}

constexpr Declaration kForeach[] = {
    each("aten::_foreach_abs(Tensor[] self) -> Tensor[]", "self=[f32[batch,6], f32[4]]"),
    each("aten::_foreach_acos(Tensor[] self) -> Tensor[]", "self=[f32[batch,6], f32[4]]"),
    each("aten::_foreach_add.List(Tensor[] self, Tensor[] other, *, Scalar alpha=1) -> Tensor[]",
         "self=[f32[batch,6], f32[4]], other=[f32[batch,6], f32[4]]"),
    each("aten::_foreach_add.Scalar(Tensor[] self, Scalar scalar) -> Tensor[]",
         "self=[f32[batch,6], f32[4]], scalar=2.0"),
    each("aten::_foreach_add.ScalarList(Tensor[] self, Scalar[] scalars) -> Tensor[]",
         "self=[f32[batch,6], f32[4]], scalars=[2.0, 3.0]"),
    each("aten::_foreach_add.Tensor(Tensor[] self, Tensor other, *, Scalar alpha=1) -> Tensor[]",
         "self=[f32[batch,6], f32[4]], other=f32[]"),
    each("aten::_foreach_addcdiv.Scalar(Tensor[] self, Tensor[] tensor1, Tensor[] tensor2, Scalar value=1) "
         "-> Tensor[]",
         "self=[f32[batch,6], f32[4]], tensor1=[f32[batch,6], f32[4]], tensor2=[f32[batch,6], f32[4]]"),
    each("aten::_foreach_addcdiv.ScalarList(Tensor[] self, Tensor[] tensor1, Tensor[] tensor2, Scalar[] "
         "scalars) -> Tensor[]",
         "self=[f32[batch,6], f32[4]], tensor1=[f32[batch,6], f32[4]], tensor2=[f32[batch,6], f32[4]], "
         "scalars=[2.0, 3.0]"),
    each("aten::_foreach_addcdiv.Tensor(Tensor[] self, Tensor[] tensor1, Tensor[] tensor2, Tensor scalars) "
         "-> Tensor[]",
         "self=[f32[batch,6], f32[4]], tensor1=[f32[batch,6], f32[4]], tensor2=[f32[batch,6], f32[4]], "
         "scalars=f32[2]"),
    each("aten::_foreach_addcmul.Scalar(Tensor[] self, Tensor[] tensor1, Tensor[] tensor2, Scalar value=1) "
         "-> Tensor[]",
         "self=[f32[batch,6], f32[4]], tensor1=[f32[batch,6], f32[4]], tensor2=[f32[batch,6], f32[4]]"),
    each("aten::_foreach_addcmul.ScalarList(Tensor[] self, Tensor[] tensor1, Tensor[] tensor2, Scalar[] "
         "scalars) -> Tensor[]",
         "self=[f32[batch,6], f32[4]], tensor1=[f32[batch,6], f32[4]], tensor2=[f32[batch,6], f32[4]], "
         "scalars=[2.0, 3.0]"),
    each("aten::_foreach_addcmul.Tensor(Tensor[] self, Tensor[] tensor1, Tensor[] tensor2, Tensor scalars) "
         "-> Tensor[]",
         "self=[f32[batch,6], f32[4]], tensor1=[f32[batch,6], f32[4]], tensor2=[f32[batch,6], f32[4]], "
         "scalars=f32[2]"),
    each("aten::_foreach_asin(Tensor[] self) -> Tensor[]", "self=[f32[batch,6], f32[4]]"),
    each("aten::_foreach_atan(Tensor[] self) -> Tensor[]", "self=[f32[batch,6], f32[4]]"),
    each("aten::_foreach_ceil(Tensor[] self) -> Tensor[]", "self=[f32[batch,6], f32[4]]"),
    each("aten::_foreach_clamp_max.List(Tensor[] self, Tensor[] other) -> Tensor[]",
         "self=[f32[batch,6], f32[4]], other=[f32[batch,6], f32[4]]"),
    each("aten::_foreach_clamp_max.Scalar(Tensor[] self, Scalar scalar) -> Tensor[]",
         "self=[f32[batch,6], f32[4]], scalar=2.0"),
    each("aten::_foreach_clamp_max.ScalarList(Tensor[] self, Scalar[] scalars) -> Tensor[]",
         "self=[f32[batch,6], f32[4]], scalars=[2.0, 3.0]"),
    each("aten::_foreach_clamp_min.List(Tensor[] self, Tensor[] other) -> Tensor[]",
         "self=[f32[batch,6], f32[4]], other=[f32[batch,6], f32[4]]"),
    each("aten::_foreach_clamp_min.Scalar(Tensor[] self, Scalar scalar) -> Tensor[]",
         "self=[f32[batch,6], f32[4]], scalar=2.0"),
    each("aten::_foreach_clamp_min.ScalarList(Tensor[] self, Scalar[] scalars) -> Tensor[]",
         "self=[f32[batch,6], f32[4]], scalars=[2.0, 3.0]"),
    each("aten::_foreach_clone(Tensor[] self, *, MemoryFormat? memory_format=None) -> Tensor[]",
         "self=[f32[batch,6], f32[4]]"),
    each("aten::_foreach_copy(Tensor[] self, Tensor[] src, bool non_blocking=False) -> Tensor[]",
         "self=[f32[batch,6], f32[4]], src=[f32[batch,6], f32[4]]"),
    each("aten::_foreach_cos(Tensor[] self) -> Tensor[]", "self=[f32[batch,6], f32[4]]"),
    each("aten::_foreach_cosh(Tensor[] self) -> Tensor[]", "self=[f32[batch,6], f32[4]]"),
    each("aten::_foreach_div.List(Tensor[] self, Tensor[] other) -> Tensor[]",
         "self=[f32[batch,6], f32[4]], other=[f32[batch,6], f32[4]]"),
    each("aten::_foreach_div.Scalar(Tensor[] self, Scalar scalar) -> Tensor[]",
         "self=[f32[batch,6], f32[4]], scalar=2.0"),
    each("aten::_foreach_div.ScalarList(Tensor[] self, Scalar[] scalars) -> Tensor[]",
         "self=[f32[batch,6], f32[4]], scalars=[2.0, 3.0]"),
    each("aten::_foreach_div.Tensor(Tensor[] self, Tensor other) -> Tensor[]",
         "self=[f32[batch,6], f32[4]], other=f32[]"),
    each("aten::_foreach_erf(Tensor[] self) -> Tensor[]", "self=[f32[batch,6], f32[4]]"),
    each("aten::_foreach_erfc(Tensor[] self) -> Tensor[]", "self=[f32[batch,6], f32[4]]"),
    each("aten::_foreach_exp(Tensor[] self) -> Tensor[]", "self=[f32[batch,6], f32[4]]"),
    each("aten::_foreach_expm1(Tensor[] self) -> Tensor[]", "self=[f32[batch,6], f32[4]]"),
    each("aten::_foreach_floor(Tensor[] self) -> Tensor[]", "self=[f32[batch,6], f32[4]]"),
    each("aten::_foreach_frac(Tensor[] self) -> Tensor[]", "self=[f32[batch,6], f32[4]]"),
    each("aten::_foreach_lerp.List(Tensor[] self, Tensor[] tensors1, Tensor[] weights) -> Tensor[]",
         "self=[f32[batch,6], f32[4]], tensors1=[f32[batch,6], f32[4]], weights=[f32[batch,6], f32[4]]"),
    each("aten::_foreach_lerp.Scalar(Tensor[] self, Tensor[] tensors1, Scalar weight) -> Tensor[]",
         "self=[f32[batch,6], f32[4]], tensors1=[f32[batch,6], f32[4]], weight=2.0"),
    each("aten::_foreach_lerp.ScalarList(Tensor[] self, Tensor[] tensors1, Scalar[] weight) -> Tensor[]",
         "self=[f32[batch,6], f32[4]], tensors1=[f32[batch,6], f32[4]], weight=[2.0, 3.0]"),
    each("aten::_foreach_lgamma(Tensor[] self) -> Tensor[]", "self=[f32[batch,6], f32[4]]"),
    each("aten::_foreach_log(Tensor[] self) -> Tensor[]", "self=[f32[batch,6], f32[4]]"),
    each("aten::_foreach_log10(Tensor[] self) -> Tensor[]", "self=[f32[batch,6], f32[4]]"),
    each("aten::_foreach_log1p(Tensor[] self) -> Tensor[]", "self=[f32[batch,6], f32[4]]"),
    each("aten::_foreach_log2(Tensor[] self) -> Tensor[]", "self=[f32[batch,6], f32[4]]"),
    each("aten::_foreach_max(Tensor[] self) -> Tensor[]", "self=[f32[batch,6], f32[4]]"),
    each("aten::_foreach_maximum.List(Tensor[] self, Tensor[] other) -> Tensor[]",
         "self=[f32[batch,6], f32[4]], other=[f32[batch,6], f32[4]]"),
    each("aten::_foreach_maximum.Scalar(Tensor[] self, Scalar scalar) -> Tensor[]",
         "self=[f32[batch,6], f32[4]], scalar=2.0"),
    each("aten::_foreach_maximum.ScalarList(Tensor[] self, Scalar[] scalars) -> Tensor[]",
         "self=[f32[batch,6], f32[4]], scalars=[2.0, 3.0]"),
    each("aten::_foreach_minimum.List(Tensor[] self, Tensor[] other) -> Tensor[]",
         "self=[f32[batch,6], f32[4]], other=[f32[batch,6], f32[4]]"),
    each("aten::_foreach_minimum.Scalar(Tensor[] self, Scalar scalar) -> Tensor[]",
         "self=[f32[batch,6], f32[4]], scalar=2.0"),
    each("aten::_foreach_minimum.ScalarList(Tensor[] self, Scalar[] scalars) -> Tensor[]",
         "self=[f32[batch,6], f32[4]], scalars=[2.0, 3.0]"),
    each("aten::_foreach_mm(Tensor[] self, Tensor[] mat2) -> Tensor[]",
         "self=[f32[6,6], f32[6,6]], mat2=[f32[6,6], f32[6,6]]"),
    each("aten::_foreach_mul.List(Tensor[] self, Tensor[] other) -> Tensor[]",
         "self=[f32[batch,6], f32[4]], other=[f32[batch,6], f32[4]]"),
    each("aten::_foreach_mul.Scalar(Tensor[] self, Scalar scalar) -> Tensor[]",
         "self=[f32[batch,6], f32[4]], scalar=2.0"),
    each("aten::_foreach_mul.ScalarList(Tensor[] self, Scalar[] scalars) -> Tensor[]",
         "self=[f32[batch,6], f32[4]], scalars=[2.0, 3.0]"),
    each("aten::_foreach_mul.Tensor(Tensor[] self, Tensor other) -> Tensor[]",
         "self=[f32[batch,6], f32[4]], other=f32[]"),
    each("aten::_foreach_neg(Tensor[] self) -> Tensor[]", "self=[f32[batch,6], f32[4]]"),
    each("aten::_foreach_norm.Scalar(Tensor[] self, Scalar ord=2, ScalarType? dtype=None) -> Tensor[]",
         "self=[f32[batch,6], f32[4]]"),
    each("aten::_foreach_pow.List(Tensor[] self, Tensor[] exponent) -> Tensor[]",
         "self=[f32[batch,6], f32[4]], exponent=[f32[batch,6], f32[4]]"),
    each("aten::_foreach_pow.Scalar(Tensor[] self, Scalar exponent) -> Tensor[]",
         "self=[f32[batch,6], f32[4]], exponent=2.0"),
    each("aten::_foreach_pow.ScalarAndTensor(Scalar self, Tensor[] exponent) -> Tensor[]",
         "self=2.0, exponent=[f32[batch,6], f32[4]]"),
    each("aten::_foreach_pow.ScalarList(Tensor[] self, Scalar[] exponent) -> Tensor[]",
         "self=[f32[batch,6], f32[4]], exponent=[2.0, 3.0]"),
    each("aten::_foreach_reciprocal(Tensor[] self) -> Tensor[]", "self=[f32[batch,6], f32[4]]"),
    each("aten::_foreach_round(Tensor[] self) -> Tensor[]", "self=[f32[batch,6], f32[4]]"),
    each("aten::_foreach_rsqrt(Tensor[] self) -> Tensor[]", "self=[f32[batch,6], f32[4]]"),
    each("aten::_foreach_sigmoid(Tensor[] self) -> Tensor[]", "self=[f32[batch,6], f32[4]]"),
    each("aten::_foreach_sign(Tensor[] self) -> Tensor[]", "self=[f32[batch,6], f32[4]]"),
    each("aten::_foreach_sin(Tensor[] self) -> Tensor[]", "self=[f32[batch,6], f32[4]]"),
    each("aten::_foreach_sinh(Tensor[] self) -> Tensor[]", "self=[f32[batch,6], f32[4]]"),
    each("aten::_foreach_sqrt(Tensor[] self) -> Tensor[]", "self=[f32[batch,6], f32[4]]"),
    each("aten::_foreach_sub.List(Tensor[] self, Tensor[] other, *, Scalar alpha=1) -> Tensor[]",
         "self=[f32[batch,6], f32[4]], other=[f32[batch,6], f32[4]]"),
    each("aten::_foreach_sub.Scalar(Tensor[] self, Scalar scalar) -> Tensor[]",
         "self=[f32[batch,6], f32[4]], scalar=2.0"),
    each("aten::_foreach_sub.ScalarList(Tensor[] self, Scalar[] scalars) -> Tensor[]",
         "self=[f32[batch,6], f32[4]], scalars=[2.0, 3.0]"),
    each("aten::_foreach_tan(Tensor[] self) -> Tensor[]", "self=[f32[batch,6], f32[4]]"),
    each("aten::_foreach_tanh(Tensor[] self) -> Tensor[]", "self=[f32[batch,6], f32[4]]"),
    each("aten::_foreach_trunc(Tensor[] self) -> Tensor[]", "self=[f32[batch,6], f32[4]]"),
    each("aten::_foreach_zero(Tensor[] self) -> Tensor[]", "self=[f32[batch,6], f32[4]]"),
};

}  // namespace

std::span<const Declaration> foreach_ops() { return kForeach; }

}  // namespace cameo::aten
