#include "cameo/model.h"

#include <filesystem>

#include "base/mapped_file.h"
#include "onnx/check/check.h"
#include "onnx/proto/read.h"

namespace cameo {

std::vector<Diagnostic> check_model(const std::string& path) {
  const auto file = MappedFile::open(path);
  const onnx::proto::Model model = onnx::proto::read(file->bytes(), path);
  std::vector<Diagnostic> diagnostics;
  const std::string folder = std::filesystem::path(path).parent_path().string();
  for (onnx::Fault& fault : onnx::check(model, {.file = path, .folder = folder}))
    diagnostics.push_back(std::move(fault.diagnostic));
  return diagnostics;
}

}  // namespace cameo
