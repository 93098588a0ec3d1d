#include "archive/kind.h"

#include <algorithm>
#include <optional>

#include "archive/archive.h"
#include "archive/byte_reader.h"
#include "archive/checkpoint.h"
#include "archive/sniff.h"

namespace cameo::archive {
namespace {

constexpr std::string_view kLegacyMagic = "\x80\x02\x8a\x0a\x6c\xfc\x9c\x46\xf9\x20\x6a\xa8\x50\x19\x2e";

bool has_any(const Archive& archive, std::string_view prefix) { return !archive.names(prefix).empty(); }

bool has_model_json(const Archive& archive) {
  const auto names = archive.names("models/");
  return std::any_of(names.begin(), names.end(),
                     [](std::string_view name) { return name.ends_with(".json"); });
}

Kind kind_of_checkpoint(const Archive& archive) {
  switch (study_checkpoint(archive.pickle("data")->root()).content) {
    case Checkpoint::Content::state_dict: return Kind::state_dict;
    case Checkpoint::Content::object: return Kind::pickled_module;
    case Checkpoint::Content::tensors: return Kind::tensors;
  }
  return Kind::tensors;
}

// An archive of torch.export may hold programs, compiled code, or both.
std::optional<Kind> kind_of_pt2(const Archive& archive) {
  if (archive.has("serialized_exported_program.json")) return Kind::exported_program;
  const bool pt2 = archive.has("archive_format") && archive.text("archive_format").starts_with("pt2");
  if (pt2 && has_model_json(archive)) return Kind::exported_program;
  if (has_any(archive, "data/aotinductor/")) return Kind::aot_inductor;
  if (has_any(archive, "data/executorch/")) return Kind::executorch;
  return pt2 ? std::optional(Kind::exported_program) : std::nullopt;
}

Kind kind_of_archive(const Archive& archive) {
  if (const std::optional<Kind> kind = kind_of_pt2(archive)) return *kind;
  if (archive.has(".data/extern_modules") || has_any(archive, ".data/ts_code/")) return Kind::torch_package;
  if (archive.has("model.json")) return Kind::torchscript_old;
  const bool code = has_any(archive, "code/");
  if (archive.has("bytecode.pkl")) return code ? Kind::mobile : Kind::mobile_stripped;
  if (!archive.has("data.pkl")) return Kind::other_zip;
  if (code || archive.has("constants.pkl")) return Kind::torchscript;
  try {
    return kind_of_checkpoint(archive);
  } catch (const Error&) {
    return Kind::tensors;  // torch.save has written it, even if it is damaged inside
  }
}

Kind kind_of_zip(const std::shared_ptr<const MappedFile>& file) {
  try {
    return kind_of_archive(Archive(file));
  } catch (const TruncatedZip&) {
    return Kind::truncated_zip;
  } catch (const Error&) {
    return Kind::damaged_zip;
  }
}

}  // namespace

Kind kind_of(const std::shared_ptr<const MappedFile>& file) {
  const Bytes bytes = file->bytes();
  if (starts_with(bytes, "PK\x03\x04") || starts_with(bytes, "PK\x05\x06")) return kind_of_zip(file);
  if (starts_with(bytes, "PTMF", 4)) return Kind::flatbuffer;
  if (looks_like_executorch(bytes)) return Kind::executorch;
  if (starts_with(bytes, kLegacyMagic)) return Kind::legacy_pickle;
  if (starts_with(bytes, "PYTORCH1")) return Kind::preview_container;
  if (starts_with(bytes, "\x89HDF\r\n\x1a\n")) return Kind::hdf5;
  if (starts_with(bytes, "\x1f\x8b")) return Kind::gzip;
  if (starts_with(bytes, "version https://git-lfs")) return Kind::git_lfs;
  if (looks_like_tar(bytes)) return Kind::tar;
  if (bytes.size() > 2 && bytes[0] == std::byte{0x80} && bytes[1] <= std::byte{5}) return Kind::other_pickle;
  if (looks_like_safetensors(bytes)) return Kind::safetensors;
  if (looks_like_html(bytes)) return Kind::html;
  if (looks_like_python(bytes)) return Kind::python_text;
  if (looks_like_text(bytes)) return Kind::text;
  if (looks_like_onnx(bytes)) return Kind::onnx;
  return Kind::unknown;
}

bool holds_program(Kind kind) {
  return kind == Kind::torchscript || kind == Kind::torchscript_old || kind == Kind::mobile ||
         kind == Kind::exported_program;
}

}  // namespace cameo::archive
