#include "cli/version_text.h"

#include <fmt/core.h>

#include "cameo/diagnostic.h"
#include "cameo/opset.h"
#include "cameo/version.h"
#include "runtime/library.h"
#include "verify/bridge.h"

namespace cameo::cli {
namespace {

std::string runtime_text() {
  try {
    const auto library = runtime::Library::load("");
    return library->version() + " in " + library->path();
  } catch (const Error& error) {
    return error.diagnostics().front().code == Code::onnxruntime_missing
               ? "not found; cameo run says where it was searched"
               : error.diagnostics().front().message;
  }
}

std::string bridge_text() {
  const std::string file = verify::bridge_file();
  return file.empty() ? "no bridge; cameo verify says where it was searched" : "through " + file;
}

}  // namespace

std::string version_text() {
  return fmt::format(
      "cameo {}\n"
      "commit        {}\n"
      "opsets        {} to {}, default {}\n"
      "ONNX Runtime  {}\n"
      "libtorch      {}\n",
      version(), commit().empty() ? "not known" : commit(), kMinOpset, kMaxOpset, kDefaultOpset,
      runtime_text(), bridge_text());
}

}  // namespace cameo::cli
