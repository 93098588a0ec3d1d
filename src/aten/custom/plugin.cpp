#include <dlfcn.h>
#include <fmt/core.h>

#include <exception>
#include <filesystem>
#include <string_view>

#include "base/mapped_file.h"
#include "cameo/converter.h"
#include "cameo/diagnostic.h"

namespace cameo {
namespace {

[[noreturn]] void fail(const std::string& path, Code code, std::string message, std::string hint = {}) {
  throw Error(Diagnostic{.code = code, .message = std::move(message), .file = path, .hint = std::move(hint)});
}

// The message of the system, without the path.
std::string reason(const std::string& path) {
  std::string_view text = ::dlerror();
  if (text.starts_with(path + ": ")) text.remove_prefix(path.size() + 2);
  return std::string(text);
}

template <class Function>
Function* find(void* library, const std::string& path, const char* name) {
  if (void* symbol = ::dlsym(library, name)) return reinterpret_cast<Function*>(symbol);
  fail(path, Code::not_a_plugin, fmt::format("not a plug-in: it has no function {}", name),
       "cameo/converter.h says what a plug-in is");
}

}  // namespace

void load_plugin(const std::string& path, Registry& registry) {
  MappedFile::open(path);  // throws if the file itself cannot be read
  const std::string whole = std::filesystem::absolute(path).string();
  void* library = ::dlopen(whole.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!library)
    fail(path, Code::not_a_plugin, fmt::format("not a plug-in: {}", reason(whole)),
         "it must be a shared library");
  const std::string_view built_for = find<const char*()>(library, path, "cameo_plugin_abi")();
  if (built_for != kPluginAbi)
    fail(
        path, Code::plugin_version,
        fmt::format("the plug-in is built for interface {}, and this is interface {}", built_for, kPluginAbi),
        "build it again with the headers of this Cameo");
  auto* add = find<void(Registry&)>(library, path, "cameo_register");
  try {
    add(registry);
  } catch (Error& error) {
    for (Diagnostic& diagnostic : error.diagnostics()) diagnostic.file = path;
    throw;
  } catch (const std::exception& error) {
    fail(path, Code::plugin_failed, fmt::format("the plug-in failed: {}", error.what()));
  }
}

}  // namespace cameo
