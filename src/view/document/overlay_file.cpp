#include "view/document/overlay_file.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <unordered_map>

#include <fmt/core.h>

#include "base/mapped_file.h"
#include "cameo/diagnostic.h"
#include "exported/json_reader.h"

namespace cameo::view {
namespace {

using exported::JsonReader;

constexpr std::string_view kKernel = "_kernel_time";

// An event of a profile: a kernel of a node, or a run of the model.
struct Event {
  std::string_view category, name;
  double duration = 0;
};

Event read_event(JsonReader& reader) {
  Event event;
  reader.object([&](std::string_view key) {
    if (key == "cat")
      event.category = reader.string();
    else if (key == "name")
      event.name = reader.string();
    else if (key == "dur")
      event.duration = reader.real();
    else
      reader.raw();
  });
  return event;
}

ViewOverlay read_profile(JsonReader& reader) {
  ViewOverlay table{.id = "time", .name = "time in ONNX Runtime", .unit = "µs", .values = {}, .limit = {}, .sum = true};
  double runs = 0;
  reader.array([&] {
    const Event event = read_event(reader);
    if (event.category == "Session" && event.name == "model_run") ++runs;
    if (event.category == "Node" && event.name.ends_with(kKernel))
      table.values[std::string(event.name.substr(0, event.name.size() - kKernel.size()))] += event.duration;
  });
  for (auto& [name, sum] : table.values) sum /= std::max(runs, 1.0);
  return table;
}

ViewOverlay read_values(JsonReader& reader, const std::string& path) {
  const std::string id = std::filesystem::path(path).stem().string();
  ViewOverlay table{.id = id, .name = id, .unit = {}, .values = {}, .limit = {}};
  reader.object([&](std::string_view key) {
    if (key == "name")
      table.name = reader.string();
    else if (key == "unit")
      table.unit = reader.string();
    else if (key == "values")
      reader.object([&](std::string_view name) { table.values[std::string(name)] = reader.real(); });
    else
      reader.raw();
  });
  return table;
}

std::unordered_map<std::string_view, std::size_t> nodes_by_name(const FlatGraph& flat) {
  std::unordered_map<std::string_view, std::size_t> nodes;
  for (std::size_t i = 0; i < flat.nodes.size(); ++i)
    if (!flat.nodes[i].source->name.empty()) nodes.emplace(flat.nodes[i].source->name, i);
  for (std::size_t i = 0; i < flat.nodes.size(); ++i)
    for (const std::string_view output : flat.nodes[i].source->outputs) nodes.emplace(output, i);
  return nodes;
}

Error misfit(const std::string& path, std::string message) {
  return Error(Diagnostic{.code = Code::bad_overlay,
                          .message = std::move(message),
                          .file = path,
                          .hint = "give a profile of ONNX Runtime, or {\"values\": {\"NODE\": 1.5}} with names of nodes or values"});
}

void add_checked(Built& built, const ViewOverlay& numbers, const std::string& path) {
  const std::size_t fitting = add_overlay(built, numbers);
  if (fitting == 0)
    throw misfit(path, fmt::format("of the {} names in the file, the model has none", numbers.values.size()));
  if (fitting < numbers.values.size())
    built.document.facts.push_back(
        {shown(numbers.name), fmt::format("{} of {} names are in the model", fitting, numbers.values.size())});
}

}  // namespace

std::size_t add_overlay(Built& built, const ViewOverlay& numbers) {
  const auto nodes = nodes_by_name(built.flat);
  Overlay overlay{.id = shown(numbers.id),
                  .name = shown(numbers.name),
                  .unit = shown(numbers.unit),
                  .scale = "log",
                  .good = "low",
                  .combine = numbers.sum ? "sum" : "max",
                  .limit = numbers.limit};
  overlay.node.assign(built.flat.nodes.size(), NAN);
  overlay.node_text.assign(built.flat.nodes.size(), 0);
  std::size_t fitting = 0;
  for (const auto& [name, number] : numbers.values) {
    const auto found = nodes.find(name);
    if (found == nodes.end()) continue;
    ++fitting;
    double& place = overlay.node[found->second];
    place = std::isnan(place) ? number : numbers.sum ? place + number : std::max(place, number);
    if (number < 0) overlay.scale = "linear";
  }
  close_overlay(overlay, built);
  built.document.shown_overlay = overlay.id;
  built.document.overlays.push_back(std::move(overlay));
  return fitting;
}

void add_overlay_file(Built& built, const std::string& path) {
  const auto file = MappedFile::open(path);
  const Bytes bytes = file->bytes();
  exported::Texts texts;
  JsonReader reader({reinterpret_cast<const char*>(bytes.data()), bytes.size()}, texts, {.file = path, .record = {}, .offset = {}});
  switch (reader.type()) {
    case JsonReader::Type::array: return add_checked(built, read_profile(reader), path);
    case JsonReader::Type::object: return add_checked(built, read_values(reader, path), path);
    default: throw misfit(path, "the file holds neither a list nor an object");
  }
}

}  // namespace cameo::view
