#include <algorithm>

#include <fmt/core.h>
#include "base/json.h"
#include "base/nearest.h"
#include "base/text.h"
#include "cameo/diagnostic.h"
#include "onnx/facts/elements.h"
#include "onnx/facts/facts.h"
#include "onnx/graph/versions.h"
#include "operator_map/operator.h"
#include "operator_map/table.h"
#include "operator_map/variants.h"

namespace cameo {
namespace {

namespace facts = onnx::facts;
using Rows = std::vector<std::vector<std::string>>;

std::string element_names(const facts::TypeSet& types) {
  constexpr std::string_view kForms[] = {"",
                                         "seq({})",
                                         "optional({})",
                                         "optional(seq({}))",
                                         "map(i64, {})",
                                         "map(string, {})",
                                         "seq(map(i64, {}))",
                                         "seq(map(string, {}))"};
  std::vector<std::string> names;
  for (std::size_t form = 0; form < facts::kForms; ++form)
    for (std::size_t i = 1; i < std::size(facts::kElements); ++i)
      if (types.holds(static_cast<facts::Form>(form), static_cast<int>(i)))
        names.push_back(form == 0 ? std::string(facts::kElements[i])
                                  : fmt::format(fmt::runtime(kForms[form]), facts::kElements[i]));
  return join(names, " ");
}

std::string arity(const facts::Parameter& parameter) {
  switch (parameter.arity) {
    case facts::Arity::optional: return "may be left out";
    case facts::Arity::variadic: return fmt::format("{} or more", parameter.minimum);
    case facts::Arity::single: break;
  }
  return "";
}

std::string type_of(const facts::Parameter& parameter) {
  return parameter.variable.empty() ? element_names(*parameter.types) : std::string(parameter.variable);
}

void add_parameters(Rows& rows, std::string_view label, std::span<const facts::Parameter> parameters) {
  for (const facts::Parameter& parameter : parameters) {
    rows.push_back({std::string(label), std::string(parameter.name), type_of(parameter), arity(parameter)});
    label = "";
  }
}

// The type variables and what they stand for, each once.
std::vector<std::pair<std::string, std::string>> variables(const facts::Operator& version) {
  std::vector<std::pair<std::string, std::string>> found;
  for (auto parameters : {version.inputs, version.outputs})
    for (const facts::Parameter& parameter : parameters) {
      const std::string name(parameter.variable);
      if (!name.empty() && std::ranges::find(found, name, &decltype(found)::value_type::first) == found.end())
        found.emplace_back(name, element_names(*parameter.types));
    }
  return found;
}

std::string to_text(const facts::Operator& version) {
  std::string text = fmt::format("\n{}-{}\n", version.name, version.since);
  if (version.deprecated) return text + "  deprecated\n";
  Rows rows;
  add_parameters(rows, "inputs", version.inputs);
  add_parameters(rows, "outputs", version.outputs);
  std::string label = "attributes";
  for (const facts::Attribute& attribute : version.attributes) {
    rows.push_back({label, std::string(attribute.name), std::string(name(attribute.kind)),
                    attribute.required      ? "required"
                    : attribute.has_default ? fmt::format("default {}", attribute.standard)
                                            : "may be left out"});
    label = "";
  }
  label = "types";
  for (const auto& [variable, elements] : variables(version)) {
    rows.push_back({label, variable, elements});
    label = "";
  }
  return text + operator_map::table(rows);
}

Json to_json(std::span<const facts::Parameter> parameters) {
  Json list = Json::array();
  for (const facts::Parameter& parameter : parameters)
    list.push_back({{"name", parameter.name},
                    {"type", type_of(parameter)},
                    {"optional", parameter.arity == facts::Arity::optional},
                    {"variadic", parameter.arity == facts::Arity::variadic}});
  return list;
}

Json to_json(const facts::Operator& version) {
  Json attributes = Json::array(), types = Json::object();
  for (const facts::Attribute& attribute : version.attributes) {
    Json& entry = attributes.emplace_back(
        Json{{"name", attribute.name}, {"type", name(attribute.kind)}, {"required", attribute.required}});
    if (attribute.has_default) entry["default"] = attribute.standard;
  }
  for (const auto& [variable, elements] : variables(version)) types[variable] = elements;
  return {{"since", version.since},
          {"deprecated", version.deprecated},
          {"inputs", to_json(version.inputs)},
          {"outputs", to_json(version.outputs)},
          {"attributes", std::move(attributes)},
          {"types", std::move(types)}};
}

// PyTorch's operators that become this one, as they are or in some variant.
std::vector<std::string> users(std::string_view onnx_operator, int opset) {
  std::vector<std::string> names;
  const auto emits = [&](const operator_map::Conversion& conversion) {
    const std::vector<std::string> operators = conversion.operators();
    return std::ranges::find(operators, onnx_operator) != operators.end();
  };
  for (const operator_map::Operator& op : operator_map::all_operators()) {
    std::string_view how;
    std::vector<operator_map::Variant> variants;
    if (!emits(op.convert(opset))) {
      variants = operator_map::try_variants(op, opset);
      const auto found =
          std::ranges::find_if(variants, [&](const operator_map::Variant& v) { return emits(v.conversion); });
      if (found == variants.end()) continue;
      how = found->text;
    }
    names.push_back(how.empty() ? op.title() : fmt::format("{} ({})", op.title(), how));
  }
  return names;
}

[[noreturn]] void unknown(const std::string& name) {
  std::vector<std::string> names;
  for (const facts::Operator& each : facts::operators()) names.emplace_back(each.name);
  Diagnostic d{.code = Code::no_such_operator};
  d.message = fmt::format("ONNX has no operator '{}'", printable(name));
  if (const std::string meant = nearest(name, names); !meant.empty())
    d.hint = fmt::format("did you mean {}?", meant);
  throw Error(std::move(d));
}

// The name may have a domain: "ai.onnx.ml::Scaler".
std::span<const facts::Operator> versions_of(const std::string& text) {
  const std::size_t colons = text.find("::");
  if (colons != text.npos) return facts::versions(text.substr(0, colons), text.substr(colons + 2));
  for (const facts::Domain& domain : facts::domains())
    if (const auto found = facts::versions(domain.name, text); !found.empty()) return found;
  return {};
}

std::string not_yet(const facts::Operator& first, int opset) {
  return fmt::format("\nnot in opset {}: it came with {}\n", opset, first.since);
}

}  // namespace

std::string describe_onnx_operators(const std::vector<std::string>& names, const OpsOptions& options,
                                    const OpsFormat& format) {
  std::string text;
  Json json = Json::array();
  for (const std::string& name : names) {
    const std::span<const facts::Operator> versions = versions_of(name);
    if (versions.empty()) unknown(name);
    std::vector<int> since;
    for (const facts::Operator& version : versions) since.push_back(version.since);
    const facts::Operator& newest = versions.back();
    const int opset = std::clamp(options.opset.value_or(kMaxOpset), kMinOpset, kMaxOpset);
    const bool standard = newest.domain == "ai.onnx";
    const std::vector<std::string> by = standard ? users(newest.name, opset) : std::vector<std::string>();
    if (format.json) {
      Json list = Json::array();
      for (const facts::Operator& version : versions) list.push_back(to_json(version));
      json.push_back(
          {{"name", newest.name}, {"domain", newest.domain}, {"versions", std::move(list)}, {"used_by", by}});
      continue;
    }
    if (!text.empty()) text += '\n';
    text += fmt::format("{}  {}, version{} {}\n", newest.name, newest.domain, since.size() == 1 ? "" : "s",
                        join(since, ", "));
    const facts::Operator* in_force =
        options.opset ? facts::find(newest.domain, newest.name, *options.opset) : nullptr;
    if (in_force)
      text += to_text(*in_force);
    else if (options.opset)
      text += not_yet(versions.front(), *options.opset);
    else
      for (std::size_t i = versions.size(); i-- > 0;) text += to_text(versions[i]);
    if (!by.empty()) {
      text += "\nPyTorch's operators that become it\n";
      for (const std::string& user : by) text += "  " + user + "\n";
    }
  }
  return format.json ? json.text() : text;
}

}  // namespace cameo
