#include <algorithm>
#include <bit>

#include "script/fields.h"

namespace cameo::script {
namespace {

// Members of a struct, so that each overload sees the others.
struct Same {
  template <class Node>
  bool operator()(const std::unique_ptr<Node>& a, const std::unique_ptr<Node>& b) const {
    if (!a || !b) return !a && !b;
    if (a->node.index() != b->node.index()) return false;
    return std::visit(
        [&](const auto& node) { return (*this)(node, std::get<std::decay_t<decltype(node)>>(b->node)); },
        a->node);
  }
  template <class T>
  bool operator()(const std::vector<T>& a, const std::vector<T>& b) const {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), *this);
  }
  template <class A, class B>
  bool operator()(const std::pair<A, B>& a, const std::pair<A, B>& b) const {
    return (*this)(a.first, b.first) && (*this)(a.second, b.second);
  }
  bool operator()(double a, double b) const {
    return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b);
  }
  template <class T>
  bool operator()(const T& a, const T& b) const {
    if constexpr (HasFields<T>) {
      return (*this)(fields(a), fields(b),
                     std::make_index_sequence<std::tuple_size_v<decltype(fields(a))>>{});
    } else {
      return a == b;
    }
  }
  template <class Fields, std::size_t... I>
  bool operator()(const Fields& a, const Fields& b, std::index_sequence<I...>) const {
    return ((*this)(std::get<I>(a), std::get<I>(b)) && ...);
  }
};

}  // namespace

bool equal(const SourceFile& a, const SourceFile& b) { return Same{}(a, b); }

}  // namespace cameo::script
