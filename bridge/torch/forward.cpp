#include "cameo/torch/forward.h"

#include <fmt/format.h>

#include "cameo/diagnostic.h"
#include "scopes.h"

namespace cameo::torch {
namespace {

using at::Tensor;
using ::torch::nn::AnyModule;
using ::torch::nn::AnyValue;

[[noreturn]] void refuse(std::string message, std::string hint) {
  throw Error(
      Diagnostic{.code = Code::unfit_forward, .message = std::move(message), .hint = std::move(hint)});
}

AnyValue to_any(const c10::IValue& value) {
  if (value.isTensor()) return AnyValue(value.toTensor());
  if (value.isBool()) return AnyValue(value.toBool());
  if (value.isInt()) return AnyValue(value.toInt());
  if (value.isDouble()) return AnyValue(value.toDouble());
  if (value.isTensorList()) return AnyValue(value.toTensorVector());
  refuse(fmt::format("an AnyModule cannot be given a {}", value.tagKind()),
         "export the module itself, or pass a function that calls it");
}

template <class... T>
c10::IValue from_any(AnyValue value) {
  c10::IValue result;
  const auto take = [&](auto* found) {
    if (found) result = c10::IValue(*found);
    return found != nullptr;
  };
  if ((take(value.try_get<T>()) || ...)) return result;
  refuse(fmt::format("what the module returns, {}, cannot be taken apart here",
                     c10::demangle(value.type_info().name())),
         "export the module itself, or pass a function that calls it and returns tensors");
}

c10::IValue from_any(AnyValue value) {
  using Pair = std::tuple<Tensor, Tensor>;
  return from_any<Tensor, std::vector<Tensor>, Pair, std::tuple<Tensor, Tensor, Tensor>,
                  std::tuple<Tensor, Pair>>(std::move(value));
}

template <std::size_t... i>
AnyValue call(AnyModule& module, const Inputs& inputs, std::index_sequence<i...>) {
  return module.any_forward(to_any(inputs[i])...);
}

AnyValue call(AnyModule& module, const Inputs& inputs) {
  switch (inputs.size()) {
    case 1: return call(module, inputs, std::make_index_sequence<1>());
    case 2: return call(module, inputs, std::make_index_sequence<2>());
    case 3: return call(module, inputs, std::make_index_sequence<3>());
    case 4: return call(module, inputs, std::make_index_sequence<4>());
    default:
      refuse(fmt::format("an AnyModule cannot be given {} inputs here", inputs.size()),
             "export the module itself, or pass a function that calls it");
  }
}

// The nodes of a step belong to it, whether it has parameters or not.
template <class F>
AnyValue within(AnyModule& step, F run) {
  Scopes* scopes = Scopes::current();
  const bool entered = scopes && scopes->enter(*step.ptr());
  AnyValue result = run(step);
  if (entered) scopes->leave();
  return result;
}

}  // namespace

namespace detail {

void refuse_count(std::size_t given, std::size_t wanted) {
  refuse(fmt::format("forward takes {} argument{}, and {} {} given", wanted, wanted == 1 ? "" : "s", given,
                     given == 1 ? "is" : "are"),
         "arguments with defaults must be given, unless they are optional");
}

Forward sequence(::torch::nn::SequentialImpl& module) {
  return [&module](const Inputs& inputs) {
    if (module.is_empty()) refuse("the Sequential is empty", "add modules to it");
    AnyValue value = within(*module.begin(), [&](AnyModule& step) { return call(step, inputs); });
    for (auto step = module.begin() + 1; step != module.end(); ++step)
      value = within(*step, [&](AnyModule& next) { return next.any_forward(std::move(value)); });
    return from_any(std::move(value));
  };
}

}  // namespace detail

Traceable::Traceable(const AnyModule& any)
    : module(*any.ptr()), forward([copy = AnyModule(any)](const Inputs& inputs) mutable {
        return from_any(call(copy, inputs));
      }) {}

}  // namespace cameo::torch
