#include "script/archive_source.h"

#include <fmt/format.h>

namespace cameo::script {
namespace {

constexpr int kNewestVersion = 10;

[[noreturn]] void fail(const archive::Archive& archive, Code code, std::string message, std::string hint,
                       std::string record = {}) {
  Diagnostic diagnostic{.code = code};
  diagnostic.message = std::move(message);
  diagnostic.file = archive.file().name();
  diagnostic.record = std::move(record);
  diagnostic.hint = std::move(hint);
  throw Error(std::move(diagnostic));
}

std::shared_ptr<const archive::Pickle> read_table(const archive::Archive& archive, const std::string& name) {
  return std::make_shared<archive::Pickle>(
      archive.read(name), archive::PickleSource{.name = name, .storage = [](auto&&...) { return nullptr; }});
}

}  // namespace

ArchiveSource::ArchiveSource(std::shared_ptr<const archive::Archive> archive) : archive_(std::move(archive)) {
  if (archive_->version() > kNewestVersion) {
    fail(*archive_, Code::too_new,
         fmt::format("the file has format version {}, which is too new; {} is the newest known",
                     archive_->version(), kNewestVersion),
         "save the model with an older PyTorch, or use a newer version of this program");
  }
  if (!archive_->has("data.pkl") || !archive_->has("constants.pkl") || archive_->names("code/").empty()) {
    fail(*archive_, Code::not_a_program, "the archive has no TorchScript program",
         "save the model with torch.jit.save");
  }
  data_ = archive_->pickle("data");
  if (!data_->root()->get_if<archive::Object>()) {
    fail(*archive_, Code::not_a_program, "data.pkl does not hold a module",
         "save the model with torch.jit.save", "data.pkl");
  }
  constant_table_ = archive_->pickle("constants");
  const auto* constants = constant_table_->root()->get_if<archive::Tuple>();
  if (!constants) {
    fail(*archive_, Code::bad_constants, "constants.pkl does not hold a tuple",
         "save the model again with torch.jit.save", "constants.pkl");
  }
  constants_ = constants->items;
  if (archive_->has("traced_inputs.pkl")) traced_inputs_ = archive_->pickle("traced_inputs");
}

const archive::Value* ArchiveSource::traced_inputs() const {
  return traced_inputs_ ? traced_inputs_->root() : nullptr;
}

std::vector<std::string_view> ArchiveSource::code_files() const {
  std::vector<std::string_view> names = archive_->names("code/");
  std::erase_if(names, [](std::string_view name) { return !name.ends_with(".py"); });
  return names;
}

std::optional<std::string_view> ArchiveSource::code(std::string_view name) const {
  return archive_->has(name) ? std::optional(archive_->text(name)) : std::nullopt;
}

std::unique_ptr<SourceMap> ArchiveSource::source_map(std::string_view name) const {
  std::string table = fmt::format("{}.debug_pkl", name);
  if (!archive_->has(table)) return std::make_unique<SourceMap>();
  return std::make_unique<PickledSourceMap>(read_table(*archive_, table), table);
}

}  // namespace cameo::script
