#include <algorithm>
#include <filesystem>
#include <set>

#include <fmt/core.h>

#include "base/new_file.h"
#include "base/text.h"
#include "model/extract/end_types.h"
#include "model/split/parts.h"
#include "model/split/plan.h"

namespace cameo {
namespace {

using model::Grouping;

// The bytes of the file beside those of its large weights: more than the structure of any part takes.
std::uint64_t structure_bytes(const model::Opened& opened) {
  std::uint64_t weights = 0;
  for (const onnx::proto::Tensor& tensor : opened.graph().initializers)
    if (tensor.raw_data) weights += tensor.raw_data->size();
  return opened.file->bytes().size() - weights;
}

Grouping group(const model::Opened& opened, const model::SplitSource& source, const SplitOptions& options) {
  if (!options.cuts.empty()) return group_by_cuts(source, options.cuts);
  if (!options.assign.empty()) return group_by_targets(source, options.assign);
  if (options.parts > 0) return group_evenly(source, options.parts);
  const std::uint64_t structure = structure_bytes(opened);
  if (structure >= options.max_size)
    throw Error(
        Diagnostic{.code = Code::part_too_large,
                   .message = fmt::format("the structure of the model takes {} bytes, and a part may take {}",
                                          structure, options.max_size),
                   .file = source.file,
                   .hint = "choose a larger --max-size"});
  return group_by_size(source, options.max_size - structure);
}

// Letters that every file system takes.
std::string file_name(std::string name) {
  for (char& c : name)
    if (!std::isalnum(static_cast<unsigned char>(c)) && c != '.' && c != '-' && c != '_') c = '_';
  return name;
}

// Names of the module or the target, or numbers; each once.
void name_parts(Grouping& grouping) {
  std::set<std::string> taken{""};
  for (std::size_t i = 0; i < grouping.parts.size(); ++i) {
    const std::string wanted =
        grouping.parts[i].name.empty() ? fmt::format("part{}", i + 1) : file_name(grouping.parts[i].name);
    std::string name = wanted;
    for (int n = 2; !taken.insert(name).second; ++n) name = fmt::format("{}_{}", wanted, n);
    grouping.parts[i].name = name;
  }
}

std::vector<SplitFeed> feeds(const model::Part& part, const Grouping& grouping) {
  std::vector<SplitFeed> feeds;
  for (std::size_t i = 0; i < part.from.size(); ++i)
    feeds.push_back({.name = std::string(part.opened->graph().inputs[i].name),
                     .from = part.from[i] == model::kModelInput ? "" : grouping.parts[part.from[i]].name});
  return feeds;
}

std::vector<std::string> names(const std::vector<onnx::proto::ValueInfo>& infos) {
  std::vector<std::string> names;
  for (const auto& info : infos) names.emplace_back(info.name);
  return names;
}

}  // namespace

Split Model::split(const SplitOptions& options) const {
  std::vector<Diagnostic> warnings;
  const std::shared_ptr<model::Opened> whole = sorted_copy(warnings);
  const std::vector<model::Mark> marks = model::marks(whole->model);
  const bool marked = model::replace_marks(*whole->model.graph) > 0;
  const model::Links links(whole->graph());
  const std::string& path = whole->file->name();
  Grouping grouping =
      group(*whole, {.graph = whole->graph(), .links = links, .marks = marks, .file = path}, options);
  name_parts(grouping);
  Split split{.parts = {}, .whole = Model(whole), .marked = marked, .warnings = std::move(warnings)};
  const std::vector<model::Part> parts = make_parts(*whole, links, grouping);
  std::vector<std::shared_ptr<model::Opened>> files;
  for (const model::Part& part : parts) files.push_back(part.opened);
  model::add_types(files, *whole);
  for (std::size_t i = 0; i < parts.size(); ++i) {
    std::ranges::move(model::check_types(parts[i].opened->graph(), path), std::back_inserter(split.warnings));
    split.parts.push_back({.name = grouping.parts[i].name,
                           .target = grouping.parts[i].target,
                           .model = Model(parts[i].opened),
                           .nodes = parts[i].opened->graph().nodes.size(),
                           .inputs = feeds(parts[i], grouping),
                           .outputs = names(parts[i].opened->graph().outputs)});
  }
  return split;
}

std::vector<SavedModel> Split::save(const std::string& folder, const SaveOptions& options) const {
  std::error_code fault;
  std::filesystem::create_directories(folder, fault);  // NewFile says what is wrong
  model::Plan plan{.model = whole.path(), .inputs = {}, .outputs = {}, .parts = {}};
  const ModelIo io = whole.io();
  for (const cameo::ValueInfo& input : io.inputs) plan.inputs.push_back(input.name);
  for (const cameo::ValueInfo& output : io.outputs) plan.outputs.push_back(output.name);
  std::vector<SavedModel> saved;
  for (const SplitPart& part : parts) {
    const std::string file = part.name + ".onnx";
    plan.parts.push_back({.name = part.name,
                          .target = part.target,
                          .file = file,
                          .inputs = part.inputs,
                          .outputs = part.outputs});
    saved.push_back(part.model.save((std::filesystem::path(folder) / file).string(), options));
  }
  NewFile out((std::filesystem::path(folder) / "plan.json").string(), options.sync);
  out.append(model::text_of(plan));
  out.commit();
  return saved;
}

}  // namespace cameo
