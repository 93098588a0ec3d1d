#pragma once

namespace cameo {

// Lambdas as one function object, for std::visit.
template <class... F>
struct Overload : F... {
  using F::operator()...;
};
template <class... F>
Overload(F...) -> Overload<F...>;

}  // namespace cameo
