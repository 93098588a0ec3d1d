#pragma once
#include <vector>

#include "cameo/model.h"
#include "model/file/open.h"

namespace cameo::model {

struct QuantizeCounts {
  std::vector<QuantizedWeight> weights;
  std::size_t activations = 0;
};

// Changes the messages of a model as Model::quantize() says.
QuantizeCounts quantize(Opened& opened, const QuantizeOptions& options);

}  // namespace cameo::model
