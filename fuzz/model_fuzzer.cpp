// Infers and simplifies any bytes as an ONNX model: a result or an Error, never anything else. A model that
// nothing can be said against stays such a model.
#include <cstdlib>

#include "base/temporary_folder.h"
#include "cameo/format.h"
#include "cameo/model.h"

namespace {

bool valid(const cameo::Model& model) {
  for (const cameo::Diagnostic& fault : model.check())
    if (fault.severity == cameo::Severity::error) return false;
  return true;
}

// Reads the written file again: the model in memory may be better than its bytes.
bool valid_when_saved(const cameo::Model& model) {
  static const cameo::TemporaryFolder folder;
  const std::string path = folder.file("saved.onnx");
  model.save(path, {.sync = false});
  return valid(cameo::Model(path));
}

template <class Work>
void attempt(const Work& work) try {
  work();
} catch (const cameo::Error& error) {
  cameo::format(error.diagnostics());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  attempt([&] {
    const cameo::Model model(std::as_bytes(std::span(data, size)));
    bool sound = false;
    attempt([&] {
      const cameo::Inferred inferred = model.infer();
      sound = inferred.warnings.empty() && valid(model);
      if (sound && !valid_when_saved(inferred.model)) std::abort();
    });
    const cameo::Model simplified = model.simplify().model;
    if (!valid_when_saved(simplified) && sound) std::abort();
  });
  return 0;
}
