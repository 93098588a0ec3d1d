#include "exported/records.h"

#include <fmt/core.h>

#include <algorithm>

#include "base/text.h"

namespace cameo::exported {
namespace {

constexpr std::string_view kOldRecord = "serialized_exported_program.json";
constexpr std::string_view kModels = "models/", kJson = ".json";

// PyTorch 2.1 to 2.7. Up to 2.2 the archives of torch.save have names that end in .json.
Records old_records() {
  return {.program = std::string(kOldRecord),
          .weights = {"serialized_state_dict.pt", "serialized_state_dict.json"},
          .constants = {"serialized_constants.pt", "serialized_constants.json"},
          .weight_configs = {},
          .constant_configs = {},
          .sample_inputs = "serialized_example_inputs.pt",
          .extra = "extra_files/"};
}

// PyTorch 2.8 writes the weights with torch.save, later versions write one record for each storage.
Records new_records(std::string_view model) {
  return {.program = fmt::format("{}{}{}", kModels, model, kJson),
          .weights = {fmt::format("data/weights/{}.pt", model)},
          .constants = {fmt::format("data/constants/{}.pt", model)},
          .weight_configs = {fmt::format("data/weights/{}_weights_config.json", model),
                             fmt::format("data/weights/{}_model_param_config.json", model)},
          .constant_configs = {fmt::format("data/constants/{}_constants_config.json", model),
                               fmt::format("data/constants/{}_model_constants_config.json", model)},
          .sample_inputs = fmt::format("data/sample_inputs/{}.pt", model),
          .extra = "extra/"};
}

std::vector<std::string_view> models_in(const archive::Archive& archive) {
  std::vector<std::string_view> models;
  for (std::string_view name : archive.names(kModels)) {
    if (!name.ends_with(kJson)) continue;
    name.remove_prefix(kModels.size());
    models.push_back(name.substr(0, name.size() - kJson.size()));
  }
  return models;
}

std::string_view choose(const archive::Archive& archive, std::string_view wanted) {
  const std::vector<std::string_view> models = models_in(archive);
  if (models.empty()) {
    fail_archive(archive, Code::not_a_program, "the archive has no torch.export program",
                 "torch.export.save wrote no program: export the model again and read the messages of "
                 "torch.export.save");
  }
  if (wanted.empty() && models.size() == 1) return models.front();
  const std::string_view name = wanted.empty() ? "model" : wanted;
  if (std::ranges::find(models, name) != models.end()) return name;
  const std::string message =
      wanted.empty() ? fmt::format("the archive has {} programs: {}", models.size(), join(models, ", "))
                     : fmt::format("the archive has no program '{}', only {}", wanted, join(models, ", "));
  fail_archive(archive, Code::several_programs, message,
               "save the program that you need alone, with torch.export.save");
}

void check_archive_version(const archive::Archive& archive) {
  if (!archive.has("archive_version")) return;
  std::string_view version = archive.text("archive_version");
  while (!version.empty() && (version.back() == '\n' || version.back() == '\r')) version.remove_suffix(1);
  if (version == "0") return;
  fail_archive(archive, Code::too_new,
               fmt::format("the archive has format version {}; only version 0 can be read", version),
               "save the program with an older PyTorch, or use a newer version of this program");
}

}  // namespace

Records find_records(const archive::Archive& archive, std::string_view model) {
  if (archive.has(kOldRecord)) return old_records();
  check_archive_version(archive);
  return new_records(choose(archive, model));
}

void fail_archive(const archive::Archive& archive, Code code, std::string message, std::string hint) {
  throw Error(Diagnostic{
      .code = code, .message = std::move(message), .file = archive.file().name(), .hint = std::move(hint)});
}

}  // namespace cameo::exported
