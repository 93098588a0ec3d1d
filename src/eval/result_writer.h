#pragma once
#include <string_view>

#include "eval/state/evaluation.h"

namespace cameo::eval {

// Where the result of an operator is stored, if it is not a new tensor.
struct Target {
  std::string_view name;   // of the operator, in its functional form
  CellPtr cell = nullptr;  // of an in-place operator or of `out=`
  bool out = false;
};

// Stores the results of a converted operator: in new tensors, in views of its arguments, or in place.
class ResultWriter {
 public:
  explicit ResultWriter(Evaluation& evaluation) : ev_(evaluation) {}

  // Writes to target.cell. An in-place operator keeps the dtype and the shape of the tensor that it writes;
  // `out=` takes the shape of the result. Throws aten::Unsupported if the first result is not a tensor.
  Value write(const Target& target, const aten::Returns& results);
  // The values of a call, with aliases as the schema declares them.
  Value store(const aten::Bound& bound, const aten::Returns& results, const Arguments& arguments);

 private:
  Value store_tensor(const aten::Bound& bound, const aten::Tensor& result, std::size_t index,
                     std::size_t item, const Arguments& arguments);
  Value store_value(const aten::Bound& bound, const aten::Returns& results, std::size_t index,
                    const Arguments& arguments);
  Evaluation& ev_;
};

}  // namespace cameo::eval
