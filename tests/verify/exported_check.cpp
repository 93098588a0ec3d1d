// exported_check BRIDGE FOLDER [WORD...]
//
// Runs the programs of a folder (tests/exported/make_programs.py) in libtorch, through the bridge, and compares the
// results with those that PyTorch 2 recorded. With words, runs the cases whose names contain one of them. Prints one line
// per program: "ok FILE", "lacks FILE: OPERATORS" if libtorch has not all operators, or "FAIL FILE: WHY".

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>

#include "archive/npz.h"
#include "cameo/format.h"
#include "verify/bridge.h"
#include "verify/compare.h"

namespace {

using cameo::Array;
using cameo::ElementType;
using nlohmann::json;
using Arrays = std::map<std::string, Array>;

// The files have elements of bfloat16 as u16.
Array typed(const Array& array, const std::string& type) {
  if (type != "bfloat16") return array;
  return Array::view(ElementType::bf16, array.shape(), array.bytes(), std::make_shared<Array>(array));
}

std::string compare(const Array& expected, const Array& got, double factor) {
  const std::string wanted = to_string(expected.type(), expected.shape());
  const std::string found = to_string(got.type(), got.shape());
  if (wanted != found) return fmt::format("{} instead of {}", found, wanted);
  const double allowed = factor * cameo::verify::tolerance(expected.type(), {});
  const auto error = cameo::verify::difference(expected, got);
  return error.relative <= allowed || error.absolute <= allowed
             ? ""
             : fmt::format("off by {:.3g}", error.relative);
}

std::string check_run(const cameo::verify::Program& program, const json& entry, const Arrays& arrays,
                      int run) {
  std::vector<Array> inputs;
  for (const json& input : entry["inputs"])
    if (!input.contains("constant"))
      inputs.push_back(typed(arrays.at(fmt::format("{}.in.{}", run, inputs.size())), input["type"]));
  std::vector<cameo::verify::Operation> operations;
  const std::vector<Array> got = program.run("forward", {}, inputs, run == 0 ? &operations : nullptr);
  const json& types = entry["outputs"];
  if (got.size() != types.size()) return fmt::format("{} results instead of {}", got.size(), types.size());
  for (std::size_t k = 0; k < got.size(); ++k) {
    if (entry.contains("meaningful") && !entry["meaningful"][k]) continue;
    const Array expected = typed(arrays.at(fmt::format("{}.out.{}", run, k)), types[k]);
    const double factor = entry.contains("tolerance") ? entry["tolerance"].get<double>() / 1e-5 : 1;
    if (const std::string why = compare(expected, got[k], factor); !why.empty())
      return fmt::format("run {}, result {}: {}", run, k, why);
  }
  return {};
}

std::string check(const cameo::verify::Bridge& bridge, const std::string& path, const json& entry,
                  const Arrays& arrays) {
  const auto program = bridge.load(path, cameo::TrainingMode::eval);
  for (int run = 0; run < entry["runs"].get<int>(); ++run)
    if (std::string why = check_run(*program, entry, arrays, run); !why.empty()) return why;
  return {};
}

std::string line(const cameo::verify::Bridge& bridge, const std::string& folder, const std::string& file,
                 const json& entry, const Arrays& arrays) {
  try {
    const std::string why = check(bridge, folder + "/" + file, entry, arrays);
    return why.empty() ? fmt::format("ok {}", file) : fmt::format("FAIL {}: {}", file, why);
  } catch (const cameo::Error& error) {
    const std::string words = error.what();
    const std::string mark = "lacks these operators: ";
    const std::size_t at = words.find(mark);
    if (at != words.npos) return fmt::format("lacks {}: {}", file, words.substr(at + mark.size()));
    return fmt::format("FAIL {}: {}", file, cameo::format(error.diagnostics()));
  }
}

}  // namespace

int main(int count, char** arguments) try {
  const auto& bridge = cameo::verify::load_bridge(arguments[1]);
  const std::string folder = arguments[2];
  const std::vector<std::string> words(arguments + 3, arguments + count);
  const json manifest = json::parse(std::ifstream(folder + "/manifest.json"));
  for (const json& entry : manifest["cases"]) {
    const std::string name = entry["case"];
    if (!words.empty() &&
        std::ranges::none_of(words, [&](const auto& word) { return name.find(word) != name.npos; }))
      continue;
    Arrays arrays;
    for (auto& [key, array] : cameo::load_npz(fmt::format("{}/{}.npz", folder, name)))
      arrays.emplace(key, array);
    for (const json& file : entry["files"])
      fmt::print("{}\n", line(bridge, folder, file.get<std::string>(), entry, arrays));
  }
} catch (const cameo::Error& error) {
  fmt::print("FAIL: {}\n", cameo::format(error.diagnostics()));
  return 1;
}
