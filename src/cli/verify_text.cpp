#include "cli/verify_text.h"

#include <charconv>

#include <fmt/core.h>
#include "base/json.h"
#include "base/text.h"

namespace cameo::cli {
namespace {

std::string sizes_text(const SizeValues& sizes) {
  std::vector<std::string> texts;
  for (const auto& [name, size] : sizes) texts.push_back(fmt::format("{} = {}", printable(name), size));
  return texts.empty() ? "as exported" : join(texts, ", ");
}

std::string output_text(const VerifiedOutput& output, const Style& style) {
  const std::string verdict = output.agrees ? style(Ink::plain, "agrees") : style(Ink::warning, "differs");
  if (!output.fault.empty())
    return fmt::format("    {}  {}: {}\n", style(Ink::name, printable(output.name)), verdict, output.fault);
  return fmt::format("    {}: {}  {}, largest error {:.3g}, relative {:.3g}\n",
                     style(Ink::name, printable(output.name)), style(Ink::type, output.type), verdict,
                     output.absolute, output.relative);
}

// "net.py:12"
Position position(const std::string& place) {
  const std::size_t colon = place.rfind(':');
  Position out{.file = place.substr(0, colon)};
  if (colon != place.npos) std::from_chars(place.data() + colon + 1, place.data() + place.size(), out.line);
  return out;
}

std::string worst(const VerifyReport& report) {
  for (const VerifiedRun& run : report.runs) {
    const std::string where = run.sizes.empty() ? "" : fmt::format(" at {}", sizes_text(run.sizes));
    if (!run.fault.empty())
      return fmt::format("ONNX Runtime refuses what PyTorch takes{}: {}", where, run.fault);
    for (const VerifiedOutput& output : run.outputs) {
      if (output.agrees) continue;
      if (!output.fault.empty()) return fmt::format("output '{}'{}: {}", output.name, where, output.fault);
      return fmt::format("output '{}'{} has an error of {:.3g}, relative {:.3g}", output.name, where,
                         output.absolute, output.relative);
    }
  }
  return {};
}

void tell(const Departure& departure, Diagnostic& diagnostic) {
  std::string note =
      fmt::format("the first node that differs is '{}', a {}", departure.node, departure.op_type);
  if (!departure.op.empty()) note += fmt::format(", from {}", departure.op);
  if (departure.relative)
    note += fmt::format("; its error is {:.3g}, relative {:.3g}", *departure.absolute, *departure.relative);
  diagnostic.notes.push_back(std::move(note));
  if (departure.nodes.size() > 1)
    diagnostic.notes.push_back(fmt::format("all nodes of that operator: {}", join(departure.nodes, ", ")));
  diagnostic.module_path = departure.module_path;
  if (!departure.python.empty()) diagnostic.python.push_back(position(departure.python));
}

Json json_of(const VerifiedRun& run) {
  Json sizes = Json::object();
  for (const auto& [name, size] : run.sizes) sizes[name] = size;
  Json outputs = Json::array();
  for (const VerifiedOutput& output : run.outputs) {
    Json entry = {{"name", output.name},
                  {"type", output.type},
                  {"agrees", output.agrees},
                  {"absolute", output.absolute},
                  {"relative", output.relative}};
    if (!output.fault.empty()) entry["fault"] = output.fault;
    outputs.push_back(std::move(entry));
  }
  Json out = {{"sizes", std::move(sizes)}, {"agrees", run.agrees()}, {"outputs", std::move(outputs)}};
  if (run.samples) out["samples"] = true;
  if (!run.fault.empty()) out["fault"] = run.fault;
  return out;
}

}  // namespace

std::string outputs_text(const std::vector<VerifiedOutput>& outputs, const Style& style) {
  std::string out;
  for (const VerifiedOutput& output : outputs) out += output_text(output, style);
  return out;
}

std::string verify_text(const VerifyReport& report, const Style& style) {
  std::string out = fmt::format("{}  PyTorch {} against ONNX Runtime {}\n", style(Ink::title, "Verified"),
                                report.torch_version, report.runtime_version);
  for (const VerifiedRun& run : report.runs) {
    out += fmt::format("  {}{}\n", sizes_text(run.sizes), run.samples ? ", on the inputs of the file" : "");
    if (!run.fault.empty()) out += fmt::format("    {}\n", style(Ink::warning, printable(run.fault)));
    out += outputs_text(run.outputs, style);
  }
  return out;
}

std::string verify_json(const VerifyReport& report) {
  Json out = {{"agrees", report.agrees()},
              {"torch", report.torch_version},
              {"onnxruntime", report.runtime_version},
              {"runs", Json::array()}};
  for (const VerifiedRun& run : report.runs) out["runs"].push_back(json_of(run));
  if (!report.layers.empty()) out["layers"] = Json::array();
  for (const VerifiedValue& each : report.layers)
    out["layers"].push_back({{"node", each.node}, {"value", each.value}, {"absolute", each.absolute}, {"relative", each.relative}});
  if (const auto& found = report.departure) {
    out["departure"] = {{"node", found->node},   {"op_type", found->op_type},    {"value", found->value},
                        {"operator", found->op}, {"module", found->module_path}, {"python", found->python},
                        {"nodes", found->nodes}};
    if (found->relative) {
      out["departure"]["absolute"] = *found->absolute;
      out["departure"]["relative"] = *found->relative;
    }
  }
  return out.text();
}

void require_agreement(const VerifyReport& report, const std::string& model) {
  if (report.agrees()) return;
  Diagnostic diagnostic{
      .code = Code::departs,
      .message = "the ONNX model does not compute what the PyTorch program does: " + worst(report),
      .file = model};
  if (report.departure)
    tell(*report.departure, diagnostic);
  else
    diagnostic.hint = "find the node with cameo verify --per-layer, or allow more with --tolerance";
  throw Error(std::move(diagnostic));
}

}  // namespace cameo::cli
