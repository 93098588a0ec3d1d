#pragma once
#include <filesystem>
#include <string>

namespace cameo {

// A folder of its own, gone with everything in it when this ends.
class TemporaryFolder {
 public:
  // Throws Error (stage write) if none can be made.
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
