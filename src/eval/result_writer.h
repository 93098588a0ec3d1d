#pragma once
#include <string_view>

#include "eval/state/evaluation.h"

namespace cameo::eval {

// Where the result of an operator is stored, if it is not a new tensor.
struct Target {
  std::string_view name;   // of the operator, in its functional form
  CellPtr cell = nullptr;  // of an in-place operator or of `out=`
  ListPtr list = nullptr;  // of an in-place operator that writes to each tensor of a list
  bool out = false;

  bool written() const { return cell || list; }
};

// Stores the results of a converted operator: in new tensors, in views of its arguments, or in place.
class ResultWriter {
 public:
  explicit ResultWriter(Evaluation& evaluation) : ev_(evaluation) {}

  // Writes to target.cell, or to the tensors of target.list. An in-place operator keeps the dtype and the shape of the tensor that it writes;
  // `out=` takes the shape of the result. Throws aten::Unsupported if the first result is not a tensor, or a list of tensors.
  Value write(const Target& target, const aten::Returns& results);
  // Gives the tensor the shape of the first result, which has its elements: unsqueeze_ and its like.
  Value change_layout(const CellPtr& cell, const aten::Bound& bound, const aten::Returns& results);
  // The values of a call, with aliases as the schema declares them.
  Value store(const aten::Bound& bound, const aten::Returns& results, const Arguments& arguments);

 private:
  void write_tensor(const CellPtr& cell, const aten::Arg& result, bool out);
  Value store_tensor(const aten::Bound& bound, const aten::Tensor& result, std::size_t index,
                     std::size_t item, const Arguments& arguments);
  Value store_value(const aten::Bound& bound, const aten::Returns& results, std::size_t index,
                    const Arguments& arguments);
  Evaluation& ev_;
};

}  // namespace cameo::eval
