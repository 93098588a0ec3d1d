#pragma once
#include <functional>
#include <optional>
#include <span>
#include <string_view>

#include "aten/custom/ops.h"
#include "eval/kept_operators.h"
#include "eval/options.h"
#include "eval/result_writer.h"
#include "eval/state/evaluation.h"

namespace cameo::eval {

// Called before each tensor operator is converted.
using Watch = std::function<void(std::string_view op, const Arguments& arguments)>;

// Calls of tensor operators: finds the overload, converts it to nodes, and stores the results. In-place forms
// ("aten::add_") and `out=` are converted in their functional form and then written.
class TensorOperators {
 public:
  TensorOperators(Evaluation& evaluation, const Options& options);

  void set_watch(Watch watch) { watch_ = std::move(watch); }
  // Whether there is a converter for an operator of this name.
  bool convertible(std::string_view name) const;

  // Nothing if no converter of the user takes these arguments.
  std::optional<Value> call_custom(std::string_view name, const Arguments& arguments);
  // The overload of the operator that takes these arguments, Cameo's own or one of the user.
  std::optional<aten::Bound> bind(std::string_view name, const Arguments& arguments);
  // The same among `overloads`.
  std::optional<aten::Bound> bind(std::span<const aten::Op* const> overloads, std::string_view name,
                                  const Arguments& arguments);
  // Converts a call of the operator `name` by one of `overloads`.
  Value call_with(std::span<const aten::Op* const> overloads, std::string_view name,
                  const Arguments& arguments);
  // The same by the user's converter of the operator `other`. Nothing if there is none for these arguments.
  std::optional<Value> call_as(std::string_view other, std::string_view name, const Arguments& arguments);
  // Reports an operator that is not supported and returns Unknown for it.
  Value call(std::string_view name, const Arguments& arguments);

 private:
  // A call: its arguments without `out=`, and the overloads that may convert it.
  struct Call {
    std::string_view name;
    Target target;
    Arguments arguments;
    std::span<const aten::Op* const> overloads;
  };
  using Find = std::function<std::span<const aten::Op* const>(std::string_view)>;
  static Call make_call(std::string_view name, const Arguments& arguments, const Find& find);
  Call custom_call(std::string_view name, const Arguments& arguments) const;
  aten::Call bound_arguments(const Arguments& arguments);
  std::optional<aten::Bound> bind(const Call& call);
  Value convert(const Call& call);
  Value convert_or_keep(const Call& call);
  Value convert_bound(const Call& call, const aten::Bound& bound);
  void track(const aten::Bound& bound, aten::Returns& results);
  Value keep(const Target& target, const Arguments& arguments);
  Value refuse(std::string_view name, const Diagnostic& cause);
  void check_mode(const aten::Bound& bound);

  Evaluation& ev_;
  TrainingMode training_;
  aten::CustomOps custom_;
  KeptOperators kept_;
  ResultWriter results_;
  Watch watch_;
};

}  // namespace cameo::eval
