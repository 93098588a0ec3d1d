#include "aten/registry.h"

#include "aten/families.h"

namespace cameo::aten {

Registry::Registry(std::span<const std::span<const Op>> families) {
  for (std::span<const Op> family : families) {
    for (const Op& op : family) {
      all_.push_back(&op);
      by_name_[op.schema.name].push_back(&op);
    }
  }
}

const Registry& Registry::builtin() {
  static const Registry kRegistry = [] {
    const std::span<const Op> families[] = {
        activation_ops(), arithmetic_ops(),    attention_ops(), batch_norm_ops(), comparison_ops(),
        conversion_ops(), convolution_ops(),   creation_ops(),  cumulative_ops(), diagonal_ops(),
        distance_ops(),   dropout_ops(),       embedding_ops(), extremes_ops(),   indexing_ops(),
        layout_ops(),     linear_ops(),        logic_ops(),     loss_ops(),       masking_ops(),
        norm_ops(),       normalization_ops(), padding_ops(),   pooling_ops(),    random_ops(),
        rearrange_ops(),  recurrent_ops(),     reduction_ops(), resize_ops(),     scatter_ops(),
        sorting_ops(),    splitting_ops(),     unary_ops(),     unique_ops(),     windows_ops(),
    };
    return Registry(families);
  }();
  return kRegistry;
}

Returns invoke(const Op& op, Emit& e, std::span<const Arg> args) {
  return op.call ? op.call(e, args, op.schema) : static_cast<const CustomOp&>(op).convert(e, args);
}

std::span<const Op* const> Registry::find(std::string_view name) const {
  auto found = by_name_.find(name);
  if (found == by_name_.end()) return {};
  return found->second;
}

}  // namespace cameo::aten
