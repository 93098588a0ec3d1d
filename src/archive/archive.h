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

class Archive {
 public:
  explicit Archive(std::shared_ptr<const MappedFile> file);

  const Zip& zip() const { return zip_; }
  const MappedFile& file() const { return zip_.file(); }
  std::string_view root() const {
    return root_;
  }  // the folder's name without the slash; empty if there is none

  bool has(std::string_view name) const;    // names are relative to the root folder
  Bytes read(std::string_view name) const;  // throws Error if absent
  std::string_view text(std::string_view name) const;
  // All records below the root folder whose relative name begins so, in the file's order, as relative names.
  std::vector<std::string_view> names(std::string_view prefix = {}) const;

  int version() const { return version_; }  // file-format version, 0 if the file does not say
  bool big_endian() const { return big_endian_; }

  // Reads "<name>.pkl" with its storages at "<name>/<key>". A storage is one object for all pickles that name
  // its record. The result is kept and shared.
  std::shared_ptr<const Pickle> pickle(std::string_view name) const;

 private:
  std::shared_ptr<const Storage> storage(std::string_view folder, DType dtype, std::string_view key,
                                         std::string_view location, std::int64_t numel) const;
  Zip zip_;
  std::string_view root_;
  int version_ = 0;
  bool big_endian_ = false;
  mutable std::map<std::string, std::shared_ptr<const Pickle>, std::less<>> pickles_;
  mutable std::map<std::string, std::shared_ptr<const Storage>, std::less<>> storages_;
};

}  // namespace cameo::archive
