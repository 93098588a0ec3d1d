#pragma once
#include <memory>
#include <vector>

#include "cameo/model.h"
#include "model/file/open.h"

namespace cameo::model {

struct CastCounts {
  std::size_t weights = 0, casts = 0, nodes = 0, total = 0;
  std::vector<Diagnostic> warnings;
};

// Changes the messages of a model as Model::cast() says.
CastCounts cast(Opened& opened, const CastOptions& options);

}  // namespace cameo::model
