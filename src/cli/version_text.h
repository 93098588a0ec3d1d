#pragma once
#include <string>

namespace cameo::cli {

// The text of `cameo --version`: version, commit, opsets, and the ONNX Runtime and the bridge to libtorch that are
// found.
std::string version_text();

}  // namespace cameo::cli
