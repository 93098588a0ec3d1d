#pragma once
#include <string>

#include "model/graph/value_infos.h"
#include "model/stats/polynomial.h"

namespace cameo::model {

// The number of multiplications of matrix elements in a node, each with its addition.
struct MultiplyAdds {
  std::optional<Polynomial> count;
  std::string why;  // there is no count
};
// Operators that multiply no matrices have none.
MultiplyAdds multiply_adds(const onnx::proto::Node& node, const ValueInfos& infos);

}  // namespace cameo::model
