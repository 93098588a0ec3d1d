#pragma once
#include <filesystem>
#include <string>

namespace cameo {

// A new folder. The destructor removes it with everything in it.
class TemporaryFolder {
 public:
  // Throws Error (stage write) if it cannot be created.
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  const std::filesystem::path& path() const { return path_; }
  std::string file(const char* name) const { return (path_ / name).string(); }

 private:
  std::filesystem::path path_;
};

}  // namespace cameo
