#include "base/json.h"
#include "base/index.h"
#include "cameo/inspect.h"

namespace cameo::inspect {
namespace {

std::string_view name(Role role) {
  constexpr std::array<std::string_view, kRoles> kNames = {"parameters", "buffers", "packed", "constants"};
  return element_at(kNames, role);
}

Json version(TorchVersion version, bool bounded) {
  return bounded ? Json(to_string(version)) : Json(nullptr);
}

Json to_json(const Saver& saver) {
  Json evidence = Json::array();
  for (const Evidence& each : saver.evidence) evidence.push_back(each.trait);
  return {{"first", version(saver.first, saver.bounded_below())},
          {"last", version(saver.last, saver.bounded_above())},
          {"evidence", std::move(evidence)}};
}

Json to_json(const Exported& exported) {
  Json sizes = Json::object();
  for (const auto& [name, range] : exported.sizes)
    sizes[name] = {{"least", range.least}, {"most", range.most ? Json(*range.most) : Json(nullptr)}};
  return {{"torch_version", exported.torch_version},
          {"schema_version", exported.schema_version},
          {"dialects", exported.dialects},
          {"sizes", std::move(sizes)}};
}

Json to_json(const EntryPoint& entry) {
  Json arguments = Json::array();
  for (const Argument& argument : entry.arguments) {
    Json& object = arguments.emplace_back(Json{{"name", argument.name}, {"type", argument.type}});
    if (argument.default_value) object["default"] = *argument.default_value;
  }
  Json examples = Json::array();
  for (const Example& example : entry.examples) {
    examples.push_back(
        {{"source", example.bundled ? "bundled" : "traced"}, {"arguments", example.arguments}});
  }
  return {{"name", entry.name},
          {"arguments", std::move(arguments)},
          {"returns", entry.returns},
          {"examples", std::move(examples)}};
}

Json to_json(const ModuleTree& tree) {
  const Weights& weights = tree.weights;
  Json object = Json::object();
  for (std::size_t i = 0; i < kRoles; ++i) {
    object[std::string(name(static_cast<Role>(i)))] = {
        {"tensors", weights.tensors[i]}, {"elements", weights.elements[i]}, {"bytes", weights.bytes[i]}};
  }
  object["bytes"] = weights.total_bytes();
  Json dtypes = Json::object();
  for (const auto& [dtype, elements] : tree.elements) dtypes[dtype] = elements;
  object["dtypes"] = std::move(dtypes);
  return object;
}

Json to_json(const Module& module) {
  Json object = {
      {"path", module.path}, {"class", module.cls}, {"qualified", module.qualified}, {"depth", module.depth}};
  if (module.alias) object["same_as"] = module.same_as;
  for (std::size_t i = 0; i < kRoles; ++i) {
    if (static_cast<Role>(i) == Role::constant) continue;
    object[std::string(name(static_cast<Role>(i)))] = module.total.elements[i];
  }
  object["bytes"] = module.total.total_bytes();
  if (module.shares) object["shares_weights"] = true;
  if (module.training) object["training"] = true;
  if (module.hooks) object["hooks"] = true;
  return object;
}

}  // namespace

std::string to_json(const Report& report) {
  Json object;
  object["file"] = report.file;
  object["bytes"] = report.file_size;
  object["kind"] = report.exported ? "exported" : "torchscript";
  if (report.exported) object["exported"] = to_json(*report.exported);
  object["origin"] = name(report.origin);
  object["mobile"] = report.mobile;
  object["frozen"] = report.frozen;
  object["quantized"] = report.quantized;
  object["format_version"] = report.format_version > 0 ? Json(report.format_version) : Json(nullptr);
  object["pytorch"] = to_json(report.saver);
  object["training"] = report.training ? Json(*report.training) : Json(nullptr);
  object["entry_points"] = Json::array();
  for (const EntryPoint& entry : report.entry_points) object["entry_points"].push_back(to_json(entry));
  object["weights"] = to_json(report.modules);
  object["modules"] = Json::array();
  for (const Module& module : report.modules.modules) object["modules"].push_back(to_json(module));
  object["operators"] = Json::object();
  for (const auto& [op, calls] : report.operators) object["operators"][op] = calls;
  object["extra_files"] = report.extra_files;
  return object.text();
}

}  // namespace cameo::inspect
