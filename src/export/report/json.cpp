#include "base/json.h"
#include "base/diagnostic_json.h"
#include "cameo/format.h"
#include "export/report/report.h"
#include "rewrite/log.h"

namespace cameo {
namespace {

Json values(const std::vector<ValueInfo>& values) {
  Json out = Json::array();
  for (const ValueInfo& value : values) out.push_back({{"name", value.name}, {"type", type_text(value)}});
  return out;
}

template <class Number>
Json counts(const std::vector<std::pair<std::string, Number>>& pairs) {
  Json out = Json::object();
  for (const auto& [name, number] : pairs) out[name] = number;
  return out;
}

}  // namespace

std::string report_json(const ReportFile& file) {
  Json out = {{"version", file.version},
              {"model", file.model},
              {"output", file.output},
              {"exported", file.report != nullptr}};
  if (const ExportReport* report = file.report) {
    out["opset"] = report->opset;
    out["inputs"] = values(report->inputs);
    out["outputs"] = values(report->outputs);
    out["nodes"] = report->nodes;
    out["operators"] = counts(report->operators);
    out["parameters"] = report->parameters;
    out["bytes"] = report->bytes;
    out["seconds"] = report->seconds;
    out["timings"] = counts(report->timings);
    out["rules"] = counts(report->rules);
    if (!report->rewrites.empty()) out["rewrites"] = rewrite::to_json(report->rewrites);
    out["assumptions"] = report->assumptions;
    out["changed_buffers"] = report->changed_buffers;
  }
  out["diagnostics"] = to_json(file.all);
  return out.text();
}

}  // namespace cameo
