#include "aten/custom/ops.h"

#include <algorithm>

#include "aten/custom/schema.h"

namespace cameo::aten {
namespace {

// The traits of views of Cameo's own converter hold for the user's converter too, since its schema may not
// state them.
void inherit_aliases(Schema& schema) {
  if (schema.return_count == 0 || schema.returns[0].alias != 0) return;
  for (const Op* own : Registry::builtin().find(schema.name)) {
    const Schema& like = own->schema;
    if (like.return_count != schema.return_count || like.returns[0].alias == 0) continue;
    for (const ParamSchema& p : std::span(like.params).first(like.count))
      for (ParamSchema& same : std::span(schema.params).first(schema.count))
        if (p.alias == like.returns[0].alias && same.name == p.name) {
          same.alias = p.alias;
          schema.returns[0].alias = p.alias;
          return;
        }
  }
}

}  // namespace

CustomOps::CustomOps(const cameo::Registry* registry, int opset, Warn warn) : warn_(std::move(warn)) {
  if (!registry) return;
  std::vector<const cameo::Registry::Entry*> valid;
  for (const cameo::Registry::Entry& entry : registry->entries())
    if (entry.opsets.first <= opset && opset <= entry.opsets.last) valid.insert(valid.begin(), &entry);
  std::ranges::stable_sort(valid, std::greater<>(),
                           [](const cameo::Registry::Entry* entry) { return entry->opsets.first; });
  for (const cameo::Registry::Entry* entry : valid) {
    CustomOp& op = ops_.emplace_back();
    op.schema = read_schema(entry->schema);
    inherit_aliases(op.schema);
    op.convert = [this, &schema = op.schema, entry](Emit& e, std::span<const Arg> args) {
      return GraphConversion(e, schema, args, warn_).run(entry->converter);
    };
    by_name_[op.schema.name].push_back(&op);
  }
}

std::span<const Op* const> CustomOps::find(std::string_view name) const {
  const auto found = by_name_.find(name);
  if (found == by_name_.end()) return {};
  return found->second;
}

}  // namespace cameo::aten
