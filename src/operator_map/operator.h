#pragma once
// An operator and a call of it that converts. Each fact about the operator is found at its first use, by
// converting this call or a variant of it.

#include <string>
#include <string_view>
#include <vector>

#include "cameo/ops.h"
#include "operator_map/convert.h"

namespace cameo::operator_map {

enum class Sizes { fixed, dynamic };

class Operator {
 public:
  // `options` may change the call, so that it converts no more.
  explicit Operator(const aten::Op& op, const OpsOptions& options = {});

  const aten::Schema& schema() const { return op_->schema; }
  const aten::Op& op() const { return *op_; }
  std::string_view family() const { return op_->family; }
  std::string title() const;  // "aten::add.Tensor"

  const Sample& sample(Sizes sizes = Sizes::fixed) const { return sizes == Sizes::fixed ? fixed_ : dynamic_; }
  Conversion convert(int opset, Sizes sizes = Sizes::fixed) const;
  int first_opset(Sizes sizes = Sizes::fixed) const;  // 0: none
  std::vector<OperatorForm> forms(Sizes sizes) const;

 private:
  const aten::Op* op_;
  Sample fixed_, dynamic_;
};

// All that are declared, family by family.
std::vector<Operator> all_operators(const OpsOptions& options = {});

// "Add, Mul (2)"; "no node" if there are none.
std::string node_list(const std::vector<std::string>& nodes);

}  // namespace cameo::operator_map
