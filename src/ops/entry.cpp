#include "ops/entry.h"

#include "onnx/opset/versions.h"
#include "ops/find.h"
#include "ops/variants.h"

namespace cameo {

int OperatorEntry::first_opset() const {
  for (const OperatorForm& form : fixed)
    if (form.converts) return form.first;
  return 0;
}

std::vector<OperatorEntry> find_operators(std::string_view name, const OpsOptions& options) {
  std::vector<OperatorEntry> entries;
  for (const ops::Found& found : ops::find(name, options))
    for (const ops::Operator& op : found.operators) entries.push_back(ops::entry_of(op, options));
  return entries;
}

namespace ops {

OperatorEntry entry_of(const Operator& op, const OpsOptions& options) {
  const aten::Schema& schema = op.schema();
  OperatorEntry entry;
  entry.name = schema.name;
  entry.overload = schema.overload;
  entry.schema = schema.text;
  entry.family = op.family();
  entry.doc = op.op().traits.doc;
  entry.sample = to_text(op.sample(), schema);
  entry.fixed = op.forms(Sizes::fixed);
  entry.dynamic = op.forms(Sizes::dynamic);
  const int opset = options.opset.value_or(onnx::kMaxOpset);
  Limits found = limits(try_variants(op, opset), op.convert(opset));
  entry.known = std::move(found.known);
  entry.notes = std::move(found.notes);
  return entry;
}

std::string outcome_of(const Conversion& conversion) {
  if (conversion.outcome != Outcome::converts) return "no";
  const std::size_t count = conversion.operators().size();
  return count == 0 ? "no node" : count == 1 ? "one to one" : "one to many";
}

}  // namespace ops
}  // namespace cameo
