#include <algorithm>
#include <bit>

#include "script/fields.h"

namespace cameo::script {
namespace {

template <class T>
bool same(const T& a, const T& b);

template <class Node>
bool same(const std::unique_ptr<Node>& a, const std::unique_ptr<Node>& b) {
  if (!a || !b) return !a && !b;
  if (a->node.index() != b->node.index()) return false;
  return std::visit(
      [&](const auto& node) { return same(node, std::get<std::decay_t<decltype(node)>>(b->node)); }, a->node);
}
template <class T>
bool same(const std::vector<T>& a, const std::vector<T>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](const T& x, const T& y) { return same(x, y); });
}
template <class A, class B>
bool same(const std::pair<A, B>& a, const std::pair<A, B>& b) {
  return same(a.first, b.first) && same(a.second, b.second);
}
bool same(double a, double b) { return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b); }

template <class T>
bool same(const T& a, const T& b) {
  if constexpr (HasFields<T>) {
    const auto left = fields(a), right = fields(b);
    return [&]<std::size_t... I>(std::index_sequence<I...>) {
      return (same(std::get<I>(left), std::get<I>(right)) && ...);
    }
    (std::make_index_sequence<std::tuple_size_v<decltype(left)>>{});
  } else {
    return a == b;
  }
}

}  // namespace

bool equal(const SourceFile& a, const SourceFile& b) { return same(a, b); }

}  // namespace cameo::script
