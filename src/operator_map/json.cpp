#include "base/json.h"
#include "onnx/graph/versions.h"
#include "operator_map/entry.h"
#include "operator_map/explain.h"
#include "operator_map/text.h"

namespace cameo::operator_map {
namespace {

Json to_json(const std::vector<OperatorForm>& forms) {
  Json list = Json::array();
  for (const OperatorForm& form : forms) {
    Json& entry = list.emplace_back(
        Json{{"first", form.first}, {"last", form.last}, {"converts", form.converts}, {"nodes", form.nodes}});
    if (!form.converts) entry["reason"] = form.reason;
  }
  return list;
}

Json to_json(const EmittedNode& node) {
  Json inputs = Json::array(), attributes = Json::array(), body = Json::array();
  for (const Slot& slot : node.inputs) inputs.push_back({{"name", slot.name}, {"value", slot.value}});
  for (const Slot& slot : node.attributes)
    attributes.push_back({{"name", slot.name}, {"value", slot.value}, {"default", slot.standard}});
  for (const EmittedNode& inner : node.body) body.push_back(to_json(inner));
  return {{"operator", node.op},         {"version", node.version},
          {"inputs", std::move(inputs)}, {"attributes", std::move(attributes)},
          {"outputs", node.outputs},     {"body", std::move(body)}};
}

Json to_json(const Operator& op, const OpsOptions& options, const OpsFormat& format) {
  const OperatorEntry entry = entry_of(op, options);
  const int opset = options.opset.value_or(kMaxOpset);
  const Conversion now = op.convert(opset);
  Json notes = Json::array();
  for (const OperatorNote& note : entry.notes)
    notes.push_back({{"argument", note.argument}, {"reason", note.text}});
  Json json = {{"name", entry.name},
               {"overload", entry.overload},
               {"schema", entry.schema},
               {"family", entry.family},
               {"doc", entry.doc},
               {"first_opset", entry.first_opset()},
               {"opset", opset},
               {"outcome", outcome_of(now)},
               {"nodes", now.operators()},
               {"forms", to_json(entry.fixed)},
               {"dynamic_forms", to_json(entry.dynamic)},
               {"known", entry.known},
               {"notes", std::move(notes)},
               {"sample", entry.sample}};
  if (!format.explain) return json;
  Json nodes = Json::array(), arguments = Json::object();
  for (const EmittedNode& node : now.nodes) nodes.push_back(to_json(node));
  for (const Effect& effect : effects(op, now, try_variants(op, opset)))
    arguments[effect.argument] = effect.where;
  json["explained"] = {{"nodes", std::move(nodes)}, {"arguments", std::move(arguments)}};
  return json;
}

}  // namespace

std::string to_json(const std::vector<Found>& found, const OpsOptions& options, const OpsFormat& format) {
  Json list = Json::array();
  for (const Found& each : found) {
    Json overloads = Json::array();
    for (const Operator& op : each.operators) overloads.push_back(to_json(op, options, format));
    list.push_back({{"name", each.name},
                    {"in_place", each.in_place},
                    {"evaluated", each.of_language},
                    {"overloads", std::move(overloads)}});
  }
  return list.text();
}

}  // namespace cameo::operator_map
