#pragma once
#include <cstddef>
#include <memory>
#include <span>
#include <string>

namespace cameo {

using Bytes = std::span<const std::byte>;

// A file's bytes, mapped read-only, or bytes that the caller keeps. Shared by everything that points into it.
class MappedFile {
 public:
  // Throws Error (stage read) with the cause and what to do: no such file, a directory, no permission, empty.
  static std::shared_ptr<const MappedFile> open(const std::string& path);
  // `bytes` must outlive the result; `name` stands for the path in diagnostics.
  static std::shared_ptr<const MappedFile> wrap(Bytes bytes, std::string name);

  ~MappedFile();
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;

  Bytes bytes() const { return bytes_; }
  const std::string& name() const { return name_; }
  // The open file; -1 for bytes that the caller keeps.
  int descriptor() const { return descriptor_; }
  // Copies the bytes at `offset` without mapping their pages: nothing has to be released. Throws Error (stage
  // read) where the file has become shorter or its disk fails.
  void read(std::size_t offset, std::span<std::byte> to) const;
  // Lets the system drop the pages of `part`, which must lie within bytes(); its contents stay readable.
  void release(Bytes part) const;

 private:
  MappedFile(Bytes bytes, std::string name, int descriptor)
      : bytes_(bytes), name_(std::move(name)), descriptor_(descriptor) {}
  Bytes bytes_;
  std::string name_;
  int descriptor_;
};

}  // namespace cameo
