// Infers and simplifies any bytes as an ONNX model: a result or an Error, never anything else. A model that
// nothing can be said against stays such a model.
#include <cstdlib>
#include <fstream>

#include "base/temporary_folder.h"
#include "cameo/format.h"
#include "cameo/model.h"

namespace {

bool valid(const std::string& path) {
  for (const cameo::Diagnostic& fault : cameo::check_model(path))
    if (fault.severity == cameo::Severity::error) return false;
  return true;
}

template <class Work>
bool attempt(const Work& work) try {
  work();
  return true;
} catch (const cameo::Error& error) {
  cameo::format(error.diagnostics());
  return false;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const cameo::TemporaryFolder folder;
  const std::string path = folder.file("fuzzed.onnx"), inferred = folder.file("inferred.onnx"),
                    simplified = folder.file("simplified.onnx");
  std::ofstream(path, std::ios::binary)
      .write(reinterpret_cast<const char*>(data), static_cast<std::streamsize>(size));
  bool sound = false;
  attempt([&] { sound = cameo::infer_model(path, {.output = inferred}).diagnostics.empty() && valid(path); });
  if (sound && !valid(inferred)) std::abort();
  if (attempt([&] { cameo::simplify_model(path, simplified); }) && sound && !valid(simplified)) std::abort();
  return 0;
}
