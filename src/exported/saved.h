#pragma once
#include <memory>
#include <string>
#include <string_view>

#include "archive/archive.h"

namespace cameo::exported {

// The contents of a file of torch.save: an archive inside a record of the program's archive.
class Saved {
 public:
  // The record `name` of `outer`, which must outlive the result. Throws Error if it cannot be read.
  Saved(const archive::Archive& outer, std::string_view name);
  // `bytes` must outlive the result. `file` and `record` are for diagnostics.
  Saved(Bytes bytes, const std::string& file, std::string_view record);

  archive::Ref root() const { return pickle_->root(); }

 private:
  void open(Bytes bytes, const MappedFile* whole, const std::string& file, std::string_view record);
  std::unique_ptr<const archive::Archive> archive_;
  std::shared_ptr<const archive::Pickle> pickle_;
};

}  // namespace cameo::exported
