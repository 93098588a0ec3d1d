#include <fmt/core.h>

#include "cameo/model.h"
#include "model/linger/converter.h"

namespace cameo {

Lingered Model::linger(const LingerOptions& options) const {
  std::vector<Diagnostic> notes;
  const std::shared_ptr<model::Opened> opened = sorted_copy(notes);
  const model::linger::Generation generation = model::linger::generation_of(opened->graph());
  if (generation == model::linger::Generation::none)
    throw Error(Diagnostic{.code = Code::nothing_to_quantize,
                           .message = "the model has no operators of linger (domains linger and thinker)",
                           .file = opened->file->name(),
                           .hint = "export a model that linger.init has changed"});
  const model::linger::Counts counts = model::linger::Converter(*opened, generation, options).run();
  return {.model = Model(opened), .weights = counts.weights, .dequants = counts.dequants};
}

}  // namespace cameo
