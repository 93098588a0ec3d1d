#include <dlfcn.h>
#include <fmt/core.h>

#include <cstdlib>
#include <filesystem>

#include "cameo/diagnostic.h"
#include "verify/bridge.h"

namespace cameo::verify {
namespace {

namespace fs = std::filesystem;

constexpr const char* kFile = "libcameo_torch.so";
constexpr const char* kVariable = "CAMEO_TORCH";

[[noreturn]] void fail(Code code, std::string message, std::vector<std::string> notes) {
  throw Error(Diagnostic{
      .code = code,
      .message = std::move(message),
      .notes = std::move(notes),
      .hint =
          "install libtorch (Debian: apt install libtorch-dev) and build Cameo again with `make build`, or "
          "set CAMEO_TORCH to the path of libcameo_torch.so"});
}

std::string loader_error() {
  const char* error = dlerror();
  return error ? error : "unknown error";
}

// Never unloaded: libtorch has threads and thread-local state of its own.
void* open(const std::string& path) { return dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE); }

void* open_named(const std::string& path, std::string_view origin) {
  if (void* handle = open(path)) return handle;
  fail(Code::torch_bridge_not_loadable,
       fmt::format("the bridge to libtorch, `{}`{}, cannot be loaded", path, origin), {loader_error()});
}

std::vector<fs::path> places() {
  std::error_code ignored;
  const fs::path folder = fs::read_symlink("/proc/self/exe", ignored).parent_path();
  return {folder / kFile, folder.parent_path() / "lib" / kFile};
}

void* find(const std::string& path) {
  if (!path.empty()) return open_named(path, "");
  if (const char* named = std::getenv(kVariable); named && *named)
    return open_named(named, fmt::format(", which {} names", kVariable));
  std::vector<std::string> notes;
  std::error_code ignored;
  for (const fs::path& file : places()) {
    if (fs::exists(file, ignored)) return open_named(file, "");
    notes.push_back(fmt::format("no file {}", file.string()));
  }
  if (void* handle = open(kFile)) return handle;
  notes.push_back(fmt::format("the system's loader: {}", loader_error()));
  fail(Code::torch_bridge_missing, "the PyTorch program cannot be run: the bridge to libtorch was not found",
       std::move(notes));
}

}  // namespace

std::string bridge_file() {
  if (const char* named = std::getenv(kVariable); named && *named) return named;
  std::error_code ignored;
  for (const fs::path& file : places())
    if (fs::exists(file, ignored)) return file.string();
  return {};
}

const Bridge& load_bridge(const std::string& path) {
  void* handle = find(path);
  const auto get = reinterpret_cast<const Bridge* (*)()>(dlsym(handle, kBridgeSymbol));
  const Bridge* bridge = get ? get() : nullptr;
  if (!bridge || bridge->version != kBridgeVersion)
    fail(Code::torch_bridge_not_loadable, "the bridge to libtorch was built for another version of Cameo",
         {});
  return *bridge;
}

void load_operators(const std::vector<std::string>& libraries) {
  for (const std::string& path : libraries) {
    // Lazily: a library that is a Python module too needs Python's functions for that alone.
    if (dlopen(path.c_str(), RTLD_LAZY | RTLD_LOCAL | RTLD_NODELETE)) continue;
    throw Error(Diagnostic{.code = Code::library_not_loadable,
                           .message = fmt::format("the library `{}` cannot be loaded", path),
                           .notes = {loader_error()},
                           .hint = "give its whole path; it must be made for the libtorch that is used"});
  }
}

}  // namespace cameo::verify
