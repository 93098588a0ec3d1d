#include "runtime/library.h"

#include <dlfcn.h>
#include <fmt/core.h>
#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/lsan_interface.h>
#endif

#include <cstdlib>
#include <filesystem>
#include <optional>
#include <vector>

#include "cameo/diagnostic.h"
#include "runtime/places.h"

namespace cameo::runtime {
namespace {

namespace fs = std::filesystem;

constexpr const char* kVariable = "CAMEO_ONNXRUNTIME";
constexpr const char* kHint =
    "install ONNX Runtime (pip install onnxruntime, npm install onnxruntime-node, or `make setup` in the "
    "folder of "
    "Cameo's sources), or set CAMEO_ONNXRUNTIME to the path of a libonnxruntime.so of version 1.16 or newer";

struct ApiBase {
  const void* (*get_api)(std::uint32_t version);
  const char* (*get_version)();
};

Diagnostic failure(Code code, std::string message) {
  return {.code = code, .message = std::move(message), .hint = kHint};
}

std::string environment(const char* variable) {
  const char* value = std::getenv(variable);
  return value ? value : "";
}

// The library is never unloaded: it has threads and thread-local state of its own.
void* open(const std::string& path) { return dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE); }

std::string loader_error() {
  const char* error = dlerror();
  return error ? error : "unknown error";
}

[[noreturn]] void fail_to_load(const std::string& path, const std::string& origin) {
  Diagnostic diagnostic =
      failure(Code::onnxruntime_not_loadable,
              fmt::format("ONNX Runtime's shared library `{}`{} cannot be loaded", path, origin));
  diagnostic.notes.push_back(loader_error());
  throw Error(std::move(diagnostic));
}

// ONNX Runtime loses a few bytes when its first environment is made, which the leak checker need not tell.
#ifdef __SANITIZE_ADDRESS__
using LeaksIgnored = __lsan::ScopedDisabler;
#else
struct LeaksIgnored {
  LeaksIgnored() {}  // NOLINT(modernize-use-equals-default): a variable of it must not seem unused
};
#endif

struct Found {
  void* handle;
  std::string path;
};

Found find(const std::string& path) {
  if (!path.empty()) {
    if (void* handle = open(path)) return {handle, path};
    fail_to_load(path, "");
  }
  if (const std::string named = environment(kVariable); !named.empty()) {
    if (void* handle = open(named)) return {handle, named};
    fail_to_load(named, fmt::format(", which {} names,", kVariable));
  }
  Diagnostic missing = failure(Code::onnxruntime_missing, "ONNX Runtime's shared library was not found");
  for (const std::string& file : cached_places()) {
    std::error_code ignored;
    if (!fs::exists(file, ignored)) {
      missing.notes.push_back(fmt::format("no file {}", file));
    } else if (void* handle = open(file)) {
      return {handle, file};
    } else {
      fail_to_load(file, "");
    }
  }
  for (const char* name : {"libonnxruntime.so.1", "libonnxruntime.so"}) {
    if (void* handle = open(name)) return {handle, name};
    missing.notes.push_back(fmt::format("the system's loader: {}", loader_error()));
  }
  for (const std::string& file : installed_places())
    if (void* handle = open(file)) return {handle, file};
  missing.notes.emplace_back("no libonnxruntime.so where pip and npm install it");
  throw Error(std::move(missing));
}

}  // namespace

std::shared_ptr<const Library> Library::load(const std::string& path) {
  const Found found = find(path);
  return std::shared_ptr<const Library>(new Library(found.handle, found.path));
}

Library::Library(void* handle, const std::string& path) : path_(path) {
  const auto get_base = reinterpret_cast<const ApiBase* (*)()>(dlsym(handle, "OrtGetApiBase"));
  const ApiBase* base = get_base ? get_base() : nullptr;
  if (!base) {
    throw Error(failure(Code::onnxruntime_not_loadable,
                        fmt::format("`{}` is not ONNX Runtime: it has no OrtGetApiBase", path)));
  }
  version_ = base->get_version();
  // A version that the library does not have makes it complain on standard error, hence the look at its name.
  const std::size_t dot = version_.find('.');
  const int minor = dot == std::string::npos ? 0 : std::atoi(version_.c_str() + dot + 1);
  tells_shapes_ = minor >= static_cast<int>(ort::kApiVersionWithHasShape);
  const void* table = base->get_api(tells_shapes_ ? ort::kApiVersionWithHasShape : ort::kApiVersion);
  if (!table) {
    throw Error(failure(Code::onnxruntime_too_old,
                        fmt::format("ONNX Runtime {} in `{}` is too old, version 1.{} or newer is needed",
                                    version_, path, ort::kApiVersion)));
  }
  api_ = ort::Api(table);
  // Else releases that report to their makers do so, and leave files in the temporary folder.
  setenv("ORT_DISABLE_TELEMETRY", "1", /*replace=*/0);
  constexpr int kFatal = 4;
  {
    const LeaksIgnored scope;
    env_ = api_.make<ort::Env>(ort::kCreateEnv, kFatal, "cameo");
  }
  constexpr int kArenaAllocator = 1;
  constexpr int kDefaultMemory = 0;
  cpu_ = api_.make<ort::MemoryInfo>(ort::kCreateCpuMemoryInfo, kArenaAllocator, kDefaultMemory);
  allocator_ = api_.get<ort::Allocator*>(ort::kDefaultAllocator);
}

bool Library::has_shape(const ort::TensorInfo* info, std::size_t rank) const {
  constexpr int kHasShapeSlot = 390;
  if (!tells_shapes_) return rank > 0;
  return api_.function<bool(const ort::TensorInfo*)>(kHasShapeSlot)(info);
}

}  // namespace cameo::runtime
