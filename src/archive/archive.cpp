#include "archive/archive.h"

#include <fmt/core.h>

#include <charconv>

#include "archive/byte_reader.h"
#include "base/checked.h"
#include "cameo/diagnostic.h"

namespace cameo::archive {
namespace {

// Only the first .pt2 files have no root folder: they hold records outside of any folder.
std::string_view root_of(const std::vector<Record>& records) {
  if (records.empty()) return {};
  for (const Record& record : records) {
    if (record.name.find('/') == std::string_view::npos) return {};
  }
  const std::string_view first = records.front().name;
  return first.substr(0, first.find('/'));
}

int number_in(std::string_view text) {
  int number = 0;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return std::max(number, 0);
}

[[noreturn]] void fail(const MappedFile& file, Code code, std::string message, std::string record) {
  throw Error(Diagnostic{.code = code,
                         .message = std::move(message),
                         .file = file.name(),
                         .record = std::move(record),
                         .hint = "the file is damaged or incomplete: save it again"});
}

}  // namespace

Archive::Archive(std::shared_ptr<const MappedFile> file, std::vector<Borrowed> borrowed)
    : zip_(std::move(file)), whole_(&zip_.file()), root_(root_of(zip_.records())) {
  for (const Borrowed& storage : borrowed) borrowed_.emplace(as_text(storage.mark), storage.bytes);
  for (const char* name : {".data/version", "version"}) {
    if (!has(name)) continue;
    version_ = number_in(text(name));
    break;
  }
  big_endian_ = has("byteorder") && text("byteorder").starts_with("big");
}

Archive Archive::nested(std::shared_ptr<const MappedFile> part, const MappedFile* whole) {
  Archive archive(std::move(part));
  archive.whole_ = whole;
  if (whole != nullptr) {
    archive.offset_ = static_cast<std::uint64_t>(archive.file().bytes().data() - whole->bytes().data());
  }
  return archive;
}

std::string Archive::full_name(std::string_view name) const {
  return root_.empty() ? std::string(name) : fmt::format("{}/{}", root_, name);
}

const Record* Archive::record(std::string_view name) const { return zip_.find(full_name(name)); }

Bytes Archive::read(std::string_view name) const {
  const Record* found = record(name);
  if (found == nullptr) {
    fail(file(), Code::missing_record, fmt::format("the archive has no record '{}'", name), full_name(name));
  }
  return zip_.read(*found);
}

std::string_view Archive::text(std::string_view name) const { return as_text(read(name)); }

std::vector<std::string_view> Archive::names(std::string_view prefix) const {
  std::vector<std::string_view> names;
  for (const Record& record : zip_.records()) {
    std::string_view name = record.name;
    if (!root_.empty()) {
      if (!name.starts_with(root_) || name.size() <= root_.size() || name[root_.size()] != '/') continue;
      name.remove_prefix(root_.size() + 1);
    }
    const bool folder = name.empty() || name.ends_with('/');
    if (!folder && name.starts_with(prefix)) names.push_back(name);
  }
  return names;
}

std::shared_ptr<const Pickle> Archive::pickle(std::string_view name) const {
  if (const auto kept = pickles_.find(name); kept != pickles_.end()) return kept->second;
  const std::string record = fmt::format("{}.pkl", name);
  PickleSource source;
  source.name = full_name(record);
  source.storage = [&](DType dtype, std::string_view key, std::string_view location, std::int64_t numel) {
    return storage(name, dtype, key, location, numel);
  };
  try {
    auto pickle = std::make_shared<const Pickle>(read(record), source);
    return pickles_.emplace(name, std::move(pickle)).first->second;
  } catch (Error& error) {
    for (Diagnostic& diagnostic : error.diagnostics()) diagnostic.file = file().name();
    throw;
  }
}

std::optional<Bytes> Archive::borrowed(const Record& record) const {
  if (borrowed_.empty() || record.size != borrowed_.begin()->first.size()) return std::nullopt;
  const auto found = borrowed_.find(as_text(zip_.read(record)));
  return found == borrowed_.end() ? std::nullopt : std::optional(found->second);
}

std::shared_ptr<const Storage> Archive::storage(std::string_view folder, DType dtype, std::string_view key,
                                                std::string_view location, std::int64_t numel) const {
  std::string record_name = full_name(fmt::format("{}/{}", folder, key));
  if (folder == "bytecode" && zip_.find(record_name) == nullptr) {
    record_name = full_name(fmt::format("constants/{}", key));
  }
  std::shared_ptr<const Storage>& shared = storages_[fmt::format("{}:{}", name(dtype), record_name)];
  if (shared != nullptr) return shared;
  auto storage = std::make_shared<Storage>();
  storage->dtype = dtype;
  storage->key = key;
  storage->record = record_name;
  storage->location = location;
  storage->numel = numel;
  storage->big_endian = big_endian_;
  const Record* record = zip_.find(record_name);
  if (record == nullptr && numel != 0 && location != "meta") {
    fail(file(), Code::missing_record, fmt::format("the archive has no record for the storage '{}'", key),
         record_name);
  }
  // A traced program keeps its example inputs, and a meta tensor anything, without the contents.
  const bool hollow = record == nullptr || record->size == 0;
  if (const std::optional<Bytes> elsewhere = hollow ? std::nullopt : borrowed(*record)) {
    storage->has_data = true;
    storage->numel = static_cast<std::int64_t>(elsewhere->size() / size_of(dtype));
    storage->bytes = *elsewhere;
    return shared = std::move(storage);
  }
  storage->has_data = numel == 0 || !hollow;
  if (numel != 0 && !hollow) {
    const auto size = checked_mul(static_cast<std::uint64_t>(numel), std::uint64_t{size_of(dtype)});
    if (!size || *size > record->size) {
      fail(file(), Code::short_storage,
           fmt::format("the storage '{}' declares {} elements of {} but holds {} bytes", key, numel,
                       name(dtype), record->size),
           record_name);
    }
    storage->bytes = zip_.read(*record).first(*size);
    if (record->stored() && whole_ != nullptr) {
      storage->file_offset = offset_ + zip_.data_offset(*record);
      storage->file = whole_;
    }
  }
  return shared = std::move(storage);
}

}  // namespace cameo::archive
