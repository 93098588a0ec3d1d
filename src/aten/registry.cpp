#include "aten/registry.h"

#include <string>

#include "aten/by_parts.h"
#include "aten/families.h"
#include "aten/on_quantized.h"

namespace cameo::aten {
namespace {

constexpr Family kFamilies[] = {
    {"activation", activation_ops},
    {"adaptive pooling", adaptive_pooling_ops},
    {"arithmetic", arithmetic_ops},
    {"attention", attention_ops},
    {"average pooling", average_pooling_ops},
    {"batch norm", batch_norm_ops},
    {"bessel", bessel_ops},
    {"blocks", blocks_ops},
    {"calculus", calculus_ops},
    {"comparison", comparison_ops},
    {"complex parts", complex_parts_ops},
    {"conversion", conversion_ops},
    {"convolution", convolution_ops},
    {"counting", counting_ops},
    {"covariance", covariance_ops},
    {"creation", creation_ops},
    {"ctc loss", ctc_loss_ops},
    {"cumulative", cumulative_ops},
    {"decomposed parameters", decomposed_parameters_ops},
    {"decomposed quantize", decomposed_quantize_ops},
    {"determinant", determinant_ops},
    {"diagonal", diagonal_ops},
    {"distance", distance_ops},
    {"dropout", dropout_ops},
    {"embedding", embedding_ops},
    {"error function", error_function_ops},
    {"extremes", extremes_ops},
    {"fake observer", fake_observer_ops},
    {"fake quantize", fake_quantize_ops},
    {"foreach", foreach_ops},
    {"fourier", fourier_ops},
    {"frames", frames_ops},
    {"gamma", gamma_ops},
    {"grid sampling", grid_sampling_ops},
    {"indexing", indexing_ops},
    {"layout", layout_ops},
    {"linear systems", systems_ops},
    {"linear", linear_ops},
    {"logic", logic_ops},
    {"loss", loss_ops},
    {"lu", lu_ops},
    {"margin loss", margin_loss_ops},
    {"masking", masking_ops},
    {"max pooling", max_pooling_ops},
    {"modified bessel", modified_bessel_ops},
    {"norm", norm_ops},
    {"normalization", normalization_ops},
    {"number parts", number_parts_ops},
    {"packed products", packed_mm_ops},
    {"padding", padding_ops},
    {"pairs", pairs_ops},
    {"polynomials", polynomials_ops},
    {"prepacked", packed_prepacked_ops},
    {"primitive layout", prim_layout_ops},
    {"primitive reduction", prim_reduction_ops},
    {"qr", qr_ops},
    {"eigen", eigen_ops},
    {"quantiles", quantiles_ops},
    {"quantized arithmetic", tensor_arithmetic_ops},
    {"quantized dynamically", packed_dynamic_ops},
    {"quantized embedding", packed_embedding_ops},
    {"quantized functions", tensor_functions_ops},
    {"quantized layers", packed_layers_ops},
    {"quantized recurrent", packed_recurrent_ops},
    {"quantizing", tensor_quantize_ops},
    {"random", random_ops},
    {"rearrange", rearrange_ops},
    {"recurrent", recurrent_ops},
    {"reduction", reduction_ops},
    {"regions", regions_ops},
    {"resize", resize_ops},
    {"scatter", scatter_ops},
    {"segments", segments_ops},
    {"shuffling", shuffling_ops},
    {"singular", singular_ops},
    {"sorting", sorting_ops},
    {"splitting", splitting_ops},
    {"strided", strided_ops},
    {"torchao", torchao_ops},
    {"unary", unary_ops},
    {"unique", unique_ops},
    {"unpooling", unpooling_ops},
    {"vectors", vectors_ops},
    {"windows", windows_ops},
};

// "(Tensor(a) self) -> Tensor(a)" → "(Tensor self) -> Tensor"
std::string without_memory_sharing(std::string signature) {
  constexpr std::string_view kAnnotated = "Tensor(";
  for (std::size_t at = 0; (at = signature.find(kAnnotated, at)) != signature.npos;) {
    const std::size_t open = at + kAnnotated.size() - 1;
    signature.erase(open, signature.find(')', open) + 1 - open);
    at = open;
  }
  return signature;
}

}  // namespace

Registry::Registry(std::span<const Family> families, const Family& unconverted) {
  std::vector<Listed> ignored;
  for (const Family& family : families) add(family, by_name_, order_);
  add(unconverted, unconverted_, ignored);
}

void Registry::add(const Family& family, ByName& by_name, std::vector<Listed>& order) {
  const auto add_name = [&](std::string_view full_name, const Declared& declared) {
    const std::string_view name = full_name.substr(0, full_name.find_first_of("(."));
    std::vector<Declared>& overloads = by_name[name].declared;
    order.emplace_back(name, overloads.size());
    overloads.push_back(declared);
  };
  for (const Declaration& declaration : family.declarations()) {
    add_name(declaration.schema, {&declaration, family.name, {}});
    for (std::string_view alias : declaration.traits.aliases)
      if (!alias.empty()) add_name(alias, {&declaration, family.name, alias});
    for (std::string_view copy : declaration.traits.copies)
      if (!copy.empty()) add_name(copy, {&declaration, family.name, copy, true});
  }
}

const Op& Registry::read(const Declared& declared) const {
  const auto& [declaration, family, other_name, copy] = declared;
  std::string_view text = declaration->schema;
  Traits traits = declaration->traits;
  if (!other_name.empty()) {
    std::string signature(text.substr(text.find('(')));
    if (copy) {
      signature = without_memory_sharing(signature);
      traits.view = View::elements;
    }
    text = other_schemas_.emplace_back(std::string(other_name) + signature);
  }
  return ops_.emplace_back(Op{parse_schema(text), traits, family, declaration->call, declaration->complex});
}

const Registry& Registry::builtin() {
  static const Registry kRegistry(kFamilies, {"unconverted", unconverted_ops});
  return kRegistry;
}

Returns invoke(const Op& op, Emit& e, std::span<const Arg> args) {
  if (!op.call) return static_cast<const CustomOp&>(op).convert(e, args);
  if (op.traits.quantized != OnQuantized::own && has_quantized(args)) return on_quantized(op, e, args);
  if (!has_complex(op.schema, args)) return op.call(e, args, op.schema);
  return op.complex ? op.complex(e, args, op.schema) : by_parts(op, e, args);
}

std::span<const Op* const> Registry::find(std::string_view name) const { return find(by_name_, name); }

std::span<const Op* const> Registry::find_unconverted(std::string_view name) const {
  return find(unconverted_, name);
}

std::span<const Op* const> Registry::find(ByName& by_name, std::string_view name) const {
  const std::lock_guard lock(mutex_);
  const auto found = by_name.find(name);
  if (found == by_name.end()) return {};
  auto& [declared, ops] = found->second;
  if (ops.empty())
    for (const Declared& each : declared) ops.push_back(&read(each));
  return ops;
}

std::vector<const Op*> Registry::all() const {
  std::vector<const Op*> all;
  for (const auto& [name, overload] : order_) all.push_back(find(name)[overload]);
  return all;
}

std::span<const Op* const> Registry::find_in_place(std::string_view name) const {
  const std::optional<std::string_view> functional = functional_form(name);
  if (!functional) return {};
  const std::span<const Op* const> own = find(std::string(name) + "functional");
  return own.empty() ? find(*functional) : own;
}

std::optional<std::string_view> functional_form(std::string_view name) {
  if (!name.ends_with('_') || name.ends_with("__")) return std::nullopt;
  return name.substr(0, name.size() - 1);
}

}  // namespace cameo::aten
