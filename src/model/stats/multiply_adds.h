#pragma once
#include <string>

#include "model/graph/value_infos.h"
#include "model/stats/polynomial.h"

namespace cameo::model {

// How many multiplications of matrix elements a node does, each with its addition.
struct MultiplyAdds {
  std::optional<Polynomial> count;
  std::string why;  // there is no count
};
// Operators that multiply no matrices have none.
MultiplyAdds multiply_adds(const onnx::proto::Node& node, const ValueInfos& infos);

}  // namespace cameo::model
