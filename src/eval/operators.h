#pragma once
#include <optional>
#include <string_view>

#include "eval/tensor_operators.h"

namespace cameo::eval {

class Rewriter;

// Calls of operators by name. In this order: a rewriting rule, a converter of the user, the meaning in older format versions,
// an operator of the language, a tensor operator. An operand that is Unknown makes the result Unknown.
class Operators {
 public:
  // `version` is the format version of the file.
  Operators(Evaluation& evaluation, const Options& options, int version, Rewriter& rewriter)
      : ev_(evaluation), version_(version), tensors_(evaluation, options), rewriter_(rewriter) {}

  void set_watch(Watch watch) { tensors_.set_watch(std::move(watch)); }
  // See Caller::call_operator.
  Value call(std::string_view name, const Arguments& arguments);

 private:
  Value call_as_it_is(std::string_view name, const Arguments& arguments);
  std::optional<Arguments> literal_as_number(std::string_view name, const Arguments& arguments);

  Evaluation& ev_;
  int version_;
  TensorOperators tensors_;
  Rewriter& rewriter_;
};

}  // namespace cameo::eval
