#include "runtime/places.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>

namespace cameo::runtime {
namespace {

namespace fs = std::filesystem;

constexpr const char* kCachedFile = "onnxruntime/libonnxruntime.so.1";
constexpr int kFoldersAboveProgram = 5;
#ifdef __aarch64__
constexpr const char* kNodeMachine = "linux/arm64";
#else
constexpr const char* kNodeMachine = "linux/x64";
#endif

fs::path folder_in(const char* variable) {
  const char* value = std::getenv(variable);
  return value ? value : "";
}

fs::path program_folder() {
  std::error_code ignored;
  return fs::read_symlink("/proc/self/exe", ignored).parent_path();
}

// Entries of a folder whose names begin with `prefix`, the last in the alphabet first.
std::vector<fs::path> entries(const fs::path& folder, const std::string& prefix) {
  std::vector<fs::path> found;
  std::error_code fault;
  for (fs::directory_iterator entry(folder, fault), end; !fault && entry != end; entry.increment(fault))
    if (entry->path().filename().string().starts_with(prefix)) found.push_back(entry->path());
  std::ranges::sort(found, std::ranges::greater());
  return found;
}

void add_libraries(const fs::path& folder, std::vector<std::string>& files) {
  for (const fs::path& file : entries(folder, "libonnxruntime.so")) files.push_back(file.string());
}

// Below a prefix, Python's packages are in lib/python3.N/site-packages, and Debian's in lib/python3/dist-packages.
void add_of_pip(const fs::path& prefix, std::vector<std::string>& files) {
  if (!prefix.is_absolute()) return;
  for (const fs::path& python : entries(prefix / "lib", "python3"))
    for (const char* packages : {"site-packages", "dist-packages"})
      add_libraries(python / packages / "onnxruntime" / "capi", files);
}

void add_of_npm(const fs::path& modules, std::vector<std::string>& files) {
  for (const fs::path& version : entries(modules / "onnxruntime-node" / "bin", "napi-v"))
    add_libraries(version / kNodeMachine, files);
}

}  // namespace

std::vector<std::string> cached_places() {
  std::vector<std::string> files;
  fs::path folder = program_folder();
  for (int i = 0; i <= kFoldersAboveProgram && !folder.empty(); ++i) {
    files.push_back(folder / ".cache" / kCachedFile);
    if (folder == folder.root_path()) break;
    folder = folder.parent_path();
  }
  fs::path cache = folder_in("XDG_CACHE_HOME");
  if (const fs::path home = folder_in("HOME"); cache.empty() && !home.empty()) cache = home / ".cache";
  if (cache.is_absolute()) files.push_back(cache / "cameo" / kCachedFile);
  return files;
}

std::vector<std::string> installed_places() {
  std::vector<std::string> files;
  const fs::path program = program_folder();
  for (fs::path folder = program; folder != folder.root_path() && !folder.empty();
       folder = folder.parent_path())
    add_of_npm(folder.filename() == "node_modules" ? folder : folder / "node_modules", files);
  for (const fs::path& prefix : {program.parent_path(), folder_in("VIRTUAL_ENV"), folder_in("CONDA_PREFIX"),
                                 folder_in("HOME") / ".local", fs::path("/usr/local"), fs::path("/usr")}) {
    add_of_pip(prefix, files);
    if (prefix.is_absolute()) add_of_npm(prefix / "lib" / "node_modules", files);
  }
  return files;
}

}  // namespace cameo::runtime
