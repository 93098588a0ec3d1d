#pragma once
// A PyTorch archive: a zip with one root folder, pickles, and their storages.

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "archive/pickle.h"
#include "archive/zip.h"

namespace cameo::archive {

// A storage that was left out of the archive: its record holds `mark` instead. Both must outlive the archive.
struct Borrowed {
  Bytes mark;
  Bytes bytes;
};

// Not thread-safe: functions that read keep their results.
class Archive {
 public:
  explicit Archive(std::shared_ptr<const MappedFile> file, std::vector<Borrowed> borrowed = {});

  // The archive in a record of another one, as torch.export nests what torch.save wrote. `whole` is the file that the
  // bytes of `part` lie in and outlives the archive: storages have their place in it. Null: they have none.
  static Archive nested(std::shared_ptr<const MappedFile> part, const MappedFile* whole);

  const Zip& zip() const { return zip_; }
  const MappedFile& file() const { return zip_.file(); }
  // The folder's name without the slash; empty if there is none.
  std::string_view root() const { return root_; }

  // Names are relative to the root folder.
  bool has(std::string_view name) const { return record(name) != nullptr; }
  const Record* record(std::string_view name) const;  // null if absent
  Bytes read(std::string_view name) const;            // throws Error if absent
  std::string_view text(std::string_view name) const;
  // All records below the root folder whose relative name begins so, in the file's order, as relative names.
  // Entries for folders are left out.
  std::vector<std::string_view> names(std::string_view prefix = {}) const;

  // The contents of a storage that was left out of the archive, if `record` holds a mark.
  std::optional<Bytes> borrowed(const Record& record) const;

  // The file-format version, 0 if the file does not say. It is not checked here: readers of programs check
  // it.
  int version() const { return version_; }
  bool big_endian() const { return big_endian_; }

  // Reads "<name>.pkl" with its storages at "<name>/<key>" (bytecode.pkl's are the constants'). A storage is
  // one object for all pickles that name its record with the same dtype. The result is kept and shared.
  std::shared_ptr<const Pickle> pickle(std::string_view name) const;

 private:
  std::string full_name(std::string_view name) const;
  std::shared_ptr<const Storage> storage(std::string_view folder, DType dtype, std::string_view key,
                                         std::string_view location, std::int64_t numel) const;
  Zip zip_;
  const MappedFile* whole_;
  std::uint64_t offset_ = 0;                    // of the archive in `whole_`
  std::map<std::string_view, Bytes> borrowed_;  // by their marks
  std::string_view root_;
  int version_ = 0;
  bool big_endian_ = false;
  mutable std::map<std::string, std::shared_ptr<const Pickle>, std::less<>> pickles_;
  mutable std::map<std::string, std::shared_ptr<const Storage>, std::less<>> storages_;
};

}  // namespace cameo::archive
