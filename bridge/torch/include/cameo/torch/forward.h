#pragma once
// Modules as something that can be run on values whose types are known only at run time.

#include <ATen/core/ivalue.h>
#include <torch/csrc/jit/api/module.h>
#include <torch/nn/module.h>
#include <torch/nn/modules/container/any.h>
#include <torch/nn/modules/container/sequential.h>
#include <torch/nn/pimpl.h>

#include <functional>
#include <initializer_list>
#include <memory>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace cameo::torch {

// The arguments of `forward`: tensors, numbers, tuples, lists and dicts; a tensor alone is the only argument.
class Inputs : public std::vector<c10::IValue> {
 public:
  using std::vector<c10::IValue>::vector;
  Inputs(at::Tensor tensor) : vector{c10::IValue(std::move(tensor))} {}
};

using Forward = std::function<c10::IValue(const Inputs&)>;

namespace detail {

template <class T>
inline constexpr bool kIsOptional = false;
template <class T>
inline constexpr bool kIsOptional<c10::optional<T>> = true;

[[noreturn]] void refuse_count(std::size_t given, std::size_t wanted);

template <class T>
T argument(const Inputs& inputs, std::size_t index, std::size_t count) {
  if (index < inputs.size()) return inputs[index].to<T>();
  if constexpr (kIsOptional<T>) return c10::nullopt;
  refuse_count(inputs.size(), count);
}

template <class... Parameters, class F>
Forward unpack(F function) {
  return [function](const Inputs& inputs) mutable {
    constexpr std::size_t kCount = sizeof...(Parameters);
    if (inputs.size() > kCount) refuse_count(inputs.size(), kCount);
    return [&]<std::size_t... i>(std::index_sequence<i...>) {
      return c10::IValue(function(argument<std::decay_t<Parameters>>(inputs, i, kCount)...));
    }
    (std::index_sequence_for<Parameters...>());
  };
}

template <class M, class Base, class Result, class... Parameters>
Forward member(M& module, Result (Base::*method)(Parameters...)) {
  return unpack<Parameters...>(
      [&module, method](auto&&... arguments) { return (module.*method)(std::move(arguments)...); });
}
template <class M, class Base, class Result, class... Parameters>
Forward member(M& module, Result (Base::*method)(Parameters...) const) {
  return unpack<Parameters...>(
      [&module, method](auto&&... arguments) { return (module.*method)(std::move(arguments)...); });
}

Forward sequence(::torch::nn::SequentialImpl& module);

template <class M>
Forward forward_of(M& module) {
  if constexpr (std::is_base_of_v<::torch::nn::SequentialImpl, M>) {
    return sequence(module);
  } else {
    static_assert(
        requires { &M::forward; },
        "forward is missing, overloaded or a template: pass a function that calls it, too");
    return member(module, &M::forward);
  }
}

template <class F, class Result, class... Parameters>
Forward callable(F function, Result (F::*)(Parameters...) const) {
  return unpack<Parameters...>(std::move(function));
}

template <class M>
concept Network = std::is_base_of_v<::torch::nn::Module, M>;

template <Network M>
M& module_in(M& module) {
  return module;
}
template <Network M>
M& module_in(const std::shared_ptr<M>& module) {
  return *module;
}
template <Network M>
M& module_in(const ::torch::nn::ModuleHolder<M>& module) {
  return *module.ptr();
}

}  // namespace detail

// A module and how to run it. Refers to the module, which must outlive it.
struct Traceable {
  template <class M>
  requires requires(M& m) { detail::module_in(m); }
  // NOLINTNEXTLINE(bugprone-forwarding-reference-overload): what it is made from is no Traceable
  Traceable(M&& holder)
      : module(detail::module_in(holder)), forward(detail::forward_of(detail::module_in(holder))) {}
  Traceable(const ::torch::nn::AnyModule& any);
  template <class M, class F>
  Traceable(const M& holder, F function)
      : module(detail::module_in(const_cast<M&>(holder))),
        forward(detail::callable(std::move(function), &F::operator())) {}

  ::torch::nn::Module& module;
  Forward forward;
};

}  // namespace cameo::torch
