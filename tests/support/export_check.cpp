// export_check MANIFEST.json | --operators
//
// --operators: prints the name of each operator that is declared, "aten::relu", one a line.
//
// For each case of the manifest: exports the program, runs the model in ONNX Runtime on given inputs and
// compares the outputs with given ones; with "check", what was saved must pass Cameo's own checker; with
// "print", a file to save it in, "printed" is its graph as text, null if that is large; ONNX Runtime saves
// the graph that it runs in the file "optimized". Prints one JSON object a line and case: {"name", "ok",
// "message", "operators", "inputs", …}.

#include <fmt/format.h>

#include <cmath>
#include <fstream>
#include <iostream>
#include <nlohmann/json.hpp>

#include "aten/registry.h"
#include "base/npy.h"
#include "cameo/export.h"
#include "cameo/format.h"
#include "cameo/model.h"
#include "cameo/session.h"

namespace {

using cameo::Array;
using nlohmann::json;

std::string shape_text(const std::vector<std::int64_t>& shape) {
  return fmt::format("[{}]", fmt::join(shape, ","));
}

// How far an element may be off: relative to itself, or to the largest of its output, which is what rounding
// within a deep network is relative to. A share of the elements may be off by `step`: a number between two
// quantised values may be rounded to either.
struct Tolerance {
  double rtol = 1e-5, atol = 1e-6;
  bool of_largest = false;
  double step = 0, share = 0;
  double outliers = 0;  // the share of the elements of a float output that may be off further
};

// Why two arrays differ, or nothing.
std::string difference(const Array& got, const Array& expected, const Tolerance& tolerance) {
  if (got.type() != expected.type())
    return fmt::format("has elements of {} instead of {}", name(got.type()), name(expected.type()));
  if (got.shape() != expected.shape())
    return fmt::format("has shape {} instead of {}", shape_text(got.shape()), shape_text(expected.shape()));
  const std::vector<double> a = got.to_doubles(), b = expected.to_doubles();
  double largest = 0;
  for (double value : b)
    if (std::isfinite(value)) largest = std::max(largest, std::abs(value));
  double worst = 0;
  std::size_t at = 0, steps = 0, outliers = 0;
  const auto most_steps =
      static_cast<std::size_t>(std::ceil(tolerance.share * static_cast<double>(a.size())));
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (a[i] == b[i] || (std::isnan(a[i]) && std::isnan(b[i]))) continue;
    const double scale = tolerance.of_largest ? largest : std::abs(b[i]);
    const double allowed = tolerance.atol + tolerance.rtol * scale, off = std::abs(a[i] - b[i]);
    if (off > allowed && off <= tolerance.step + allowed && ++steps <= most_steps) continue;
    const double excess = off - allowed;
    if (!(excess <= 0)) ++outliers;
    if (excess > worst || std::isnan(excess) || std::isinf(excess)) {
      worst = std::isnan(excess) ? INFINITY : excess;
      at = i;
    }
  }
  const bool few = static_cast<double>(outliers) <= tolerance.outliers * static_cast<double>(a.size());
  if (worst == 0 || (few && got.type() == cameo::ElementType::f32 && std::isfinite(worst))) return {};
  return fmt::format("differs: element {} is {} instead of {}", at, a[at], b[at]);
}

cameo::ExportOptions options_of(const json& entry) {
  cameo::ExportOptions options;
  options.inputs = cameo::parse_inputs(entry.value("inputs", std::vector<std::string>()));
  options.method = entry.value("method", "forward");
  options.input_names = entry.value("input_names", std::vector<std::string>());
  options.output_names = entry.value("output_names", std::vector<std::string>());
  options.unroll_loops = entry.value("unroll_loops", std::int64_t{0});
  options.opset = entry.value("opset", 17);
  options.dynamic_axes = entry.value("dynamic_axes", "");
  options.static_shapes = entry.value("static_shapes", false);
  options.fold_constants = entry.value("fold_constants", true);
  if (entry.value("quantized_weights", std::string("int8")) == "qdq")
    options.quantized_weights = cameo::QuantizedWeights::qdq;
  options.float64_as_float32 = entry.value("float64_as_float32", false);
  options.dynamic_quantization =
      static_cast<cameo::DynamicQuantization>(entry.value("dynamic_quantization", 0));
  options.training = static_cast<cameo::TrainingMode>(entry.value("training", 0));
  options.operators = static_cast<cameo::OperatorExport>(entry.value("operators_as", 0));
  const json domains = entry.value("custom_opsets", json::object());
  for (const auto& [domain, version] : domains.items())
    options.custom_opsets.emplace_back(domain, version.get<int>());
  return options;
}

cameo::SessionOptions session_options(const json& entry) {
  cameo::SessionOptions options;
  options.threads = 1;
  if (entry.value("unoptimized", false)) options.optimization = cameo::SessionOptions::Optimization::none;
  options.optimized_model = entry.value("optimized_model", "");
  return options;
}

// Runs one set of inputs; the result is what is wrong, or nothing.
std::string run_once(const cameo::Session& session, const json& run, const Tolerance& tolerance) {
  std::vector<cameo::Session::Feed> feeds;
  const auto& files = run.at("inputs");
  if (files.size() != session.inputs().size())
    return fmt::format("the model has {} inputs instead of {}", session.inputs().size(), files.size());
  for (std::size_t i = 0; i < files.size(); ++i)
    feeds.emplace_back(session.inputs()[i].name, cameo::load_npy(files[i].get<std::string>()));
  const std::vector<cameo::Datum> results = session.run(feeds);
  std::vector<Array> arrays;
  for (const cameo::Datum& datum : results) {
    if (datum.is_sequence())
      arrays.insert(arrays.end(), datum.sequence().begin(), datum.sequence().end());
    else
      arrays.push_back(datum.tensor());
  }
  const auto& expected = run.at("outputs");
  if (arrays.size() != expected.size())
    return fmt::format("there are {} outputs instead of {}", arrays.size(), expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const std::string why = difference(arrays[i], cameo::load_npy(expected[i].get<std::string>()), tolerance);
    if (!why.empty()) return fmt::format("run {}: output {} {}", run.value("label", ""), i, why);
  }
  return {};
}

json check(const json& entry) {
  json result = {{"name", entry.at("name")}, {"ok", false}, {"message", ""}};
  auto [bytes, report] = cameo::export_to_memory(entry.at("model"), options_of(entry));
  json operators = json::object();
  for (const auto& [op, count] : report.operators) operators[op] = count;
  result["operators"] = operators;
  result["nodes"] = report.nodes;
  result["bytes"] = bytes.size();
  result["assumptions"] = report.assumptions;
  result["changed_buffers"] = report.changed_buffers;
  result["warnings"] = json::array();
  for (const auto& warning : report.warnings) result["warnings"].push_back(warning.message);
  json inputs = json::array(), outputs = json::array();
  for (const auto& value : report.inputs) inputs.push_back({value.name, type_text(value)});
  for (const auto& value : report.outputs) outputs.push_back({value.name, type_text(value)});
  result["graph_inputs"] = inputs;
  result["graph_outputs"] = outputs;
  if (entry.contains("save")) {
    std::ofstream file(entry.at("save").get<std::string>(), std::ios::binary);
    file << bytes;
  }
  // Files beyond this would take longer to read back than to export.
  constexpr std::size_t kMostToPrint = std::size_t{64} << 20;
  if (entry.contains("print")) {
    const std::string path = entry.at("print");
    result["printed"] = nullptr;
    if (bytes.size() <= kMostToPrint) {
      std::ofstream(path, std::ios::binary) << bytes;
      result["printed"] = cameo::Model(path).print();
    }
  }
  if (entry.value("only_save", false)) {
    result["ok"] = true;
    return result;
  }
  if (entry.value("check", false)) {
    const std::vector<cameo::Diagnostic> faults = cameo::Model(entry.at("save").get<std::string>()).check();
    if (!faults.empty()) {
      result["message"] = "is not valid: " + cameo::format(faults);
      return result;
    }
  }
  const cameo::Session session(std::as_bytes(std::span(bytes)), session_options(entry));
  const Tolerance tolerance{entry.value("rtol", 1e-5),        entry.value("atol", 1e-6),
                            entry.value("of_largest", false), entry.value("step", 0.0),
                            entry.value("share", 0.0),        entry.value("outliers", 0.0)};
  for (const json& run : entry.at("runs")) {
    const std::string why = run_once(session, run, tolerance);
    if (!why.empty()) {
      result["message"] = why;
      return result;
    }
  }
  result["ok"] = true;
  return result;
}

json check_safely(const json& entry) {
  json result = {{"name", entry.at("name")}, {"ok", false}};
  try {
    return check(entry);
  } catch (const cameo::Error& error) {
    result["error"] = cameo::format(error.diagnostics());
    result["message"] = result["error"];
    json codes = json::array();
    for (const auto& d : error.diagnostics()) codes.push_back(cameo::name(d.code));
    result["codes"] = codes;
  } catch (const std::exception& error) {
    result["message"] = std::string("unexpected: ") + error.what();
  }
  return result;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::cerr << "usage: export_check MANIFEST.json | --operators\n";
    return 2;
  }
  if (argv[1] == std::string_view("--operators")) {
    for (const cameo::aten::Op* op : cameo::aten::Registry::builtin().all())
      std::cout << op->schema.name << '\n';
    return 0;
  }
  std::ifstream file(argv[1]);
  for (const json& entry : json::parse(file)) std::cout << check_safely(entry).dump() << std::endl;
  return 0;
}
