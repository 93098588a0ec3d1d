#include "operator_map/entry.h"

#include "onnx/graph/versions.h"
#include "operator_map/find.h"
#include "operator_map/variants.h"

namespace cameo {

int OperatorEntry::first_opset() const {
  for (const OperatorForm& form : fixed)
    if (form.converts) return form.first;
  return 0;
}

std::vector<OperatorEntry> find_operators(std::string_view name, const OpsOptions& options) {
  std::vector<OperatorEntry> entries;
  for (const operator_map::Found& found : operator_map::find(name, options))
    for (const operator_map::Operator& op : found.operators)
      entries.push_back(operator_map::entry_of(op, options));
  return entries;
}

namespace operator_map {

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
  const int opset = options.opset.value_or(kMaxOpset);
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

}  // namespace operator_map
}  // namespace cameo
