#include "write/link.h"

#include <filesystem>

#include <fmt/core.h>

#include "cameo/diagnostic.h"

namespace cameo {
namespace {

namespace fs = std::filesystem;

constexpr const char* kBeside = "write the weights beside the model instead: --external-data always";

[[noreturn]] void cannot_link(const std::string& file, const std::string& record, std::string why,
                              std::string hint) {
  throw Error(Diagnostic{.code = Code::cannot_link,
                         .message = "the model cannot point into the archive: " + std::move(why),
                         .file = file,
                         .record = record,
                         .hint = std::move(hint)});
}

}  // namespace

const std::string& ArchiveLinks::name_of(const MappedFile& archive) {
  if (!name_.empty()) return name_;
  if (archive.descriptor() < 0) cannot_link(archive.name(), {}, "it is in memory, not in a file", kBeside);
  std::error_code fault;
  const fs::path folder = fs::weakly_canonical(fs::absolute(model_), fault).parent_path();
  const fs::path file = fs::weakly_canonical(fs::absolute(archive.name()), fault);
  const fs::path relative = file.lexically_relative(folder);
  // Runtimes refuse a place outside of the model's own folder.
  if (fault || relative.empty() || *relative.begin() == "..")
    cannot_link(archive.name(), {}, fmt::format("it does not lie in the model's folder, {}", folder.string()),
                fmt::format("write the model beside it: -o {}",
                            (file.parent_path() / fs::path(model_).filename()).string()));
  return name_ = relative.generic_string();
}

std::optional<onnx::proto::ExternalEntries> ArchiveLinks::place(const onnx::Data& data) {
  const archive::TensorPtr& tensor = data.tensor();
  if (!tensor || !tensor->storage || !tensor->storage->has_data) return std::nullopt;
  const archive::Storage& storage = *tensor->storage;
  if (!storage.file)
    cannot_link({}, storage.record, "its weights are compressed",
                std::string("save it again with torch.jit.save, which does not compress, or ") + kBeside);
  const std::string& file = storage.file->name();
  if (storage.big_endian && info(tensor->dtype).swap() > 1)
    cannot_link(file, storage.record, "its weights are in big-endian byte order", kBeside);
  if (!tensor->plain()) return std::nullopt;
  const std::uint64_t offset =
      *storage.file_offset + static_cast<std::uint64_t>(tensor->offset) * size_of(tensor->dtype);
  if (offset % info(tensor->dtype).swap() != 0)
    cannot_link(
        file, storage.record,
        fmt::format("its weights are not aligned (one of {} begins at byte {})", name(tensor->dtype), offset),
        std::string("save it again with torch.jit.save, which aligns them, or ") + kBeside);
  return onnx::proto::external_entries(name_of(*storage.file), offset, data.byte_size());
}

}  // namespace cameo
