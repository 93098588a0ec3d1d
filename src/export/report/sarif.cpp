#include <set>

#include "base/json.h"
#include "export/report/report.h"

namespace cameo {
namespace {

const char* level(Severity severity) {
  switch (severity) {
    case Severity::note: return "note";
    case Severity::warning: return "warning";
    case Severity::error: return "error";
  }
  throw InternalError("a severity without a level");
}

Json place(const Position& position) {
  Json region = Json::object();
  if (position.line > 0) region["startLine"] = position.line;
  if (position.column > 0) region["startColumn"] = position.column;
  if (!position.text.empty()) region["snippet"] = {{"text", position.text}};
  Json out = {{"artifactLocation", {{"uri", position.file}}}};
  if (!region.empty() && position.line > 0) out["region"] = std::move(region);
  return out;
}

// The user's own line, else the serialized one, else the file.
Json location(const Diagnostic& d, const std::string& model) {
  Json out = Json::object();
  if (!d.python.empty())
    out["physicalLocation"] = place(d.python.front());
  else if (d.script)
    out["physicalLocation"] = place(*d.script);
  else
    out["physicalLocation"] = {{"artifactLocation", {{"uri", d.file.empty() ? model : d.file}}}};
  if (!d.module_path.empty())
    out["logicalLocations"] = Json::array({{{"fullyQualifiedName", d.module_path}, {"kind", "module"}}});
  return out;
}

Json result(const Diagnostic& d, const std::string& model) {
  std::string text = d.message;
  for (const std::string& note : d.notes) text += "\nnote: " + note;
  if (!d.hint.empty()) text += "\nhint: " + d.hint;
  return {{"ruleId", name(d.code)},
          {"level", level(d.severity)},
          {"message", {{"text", text}}},
          {"locations", Json::array({location(d, model)})}};
}

}  // namespace

std::string report_sarif(const ReportFile& file) {
  Json rules = Json::array(), results = Json::array();
  std::set<Code> seen;
  for (const Diagnostic& d : file.all) {
    if (seen.insert(d.code).second) rules.push_back({{"id", name(d.code)}});
    results.push_back(result(d, file.model));
  }
  Json run = {
      {"tool", {{"driver", {{"name", "cameo"}, {"version", file.version}, {"rules", std::move(rules)}}}}},
      {"artifacts", Json::array({{{"location", {{"uri", file.model}}}}})},
      {"invocations", Json::array({{{"executionSuccessful", file.report != nullptr}}})},
      {"results", std::move(results)}};
  Json out = {{"$schema", "https://json.schemastore.org/sarif-2.1.0.json"},
              {"version", "2.1.0"},
              {"runs", Json::array({std::move(run)})}};
  return out.text();
}

}  // namespace cameo
