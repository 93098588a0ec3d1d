#pragma once
#include <utility>
#include <variant>
#include <vector>

#include "script/fields.h"

namespace cameo::script {

namespace detail {

template <class Visitor>
struct Walk {
  Visitor& visitor;

  void operator()(const ExprPtr& expr) const {
    if (expr) visitor(*expr);
  }
  void operator()(const StmtPtr& stmt) const {
    if (stmt) visitor(*stmt);
  }
  template <class T>
  void operator()(const std::vector<T>& items) const {
    for (const T& item : items) (*this)(item);
  }
  template <class A, class B>
  void operator()(const std::pair<A, B>& pair) const {
    (*this)(pair.first);
    (*this)(pair.second);
  }
  template <class T>
  void operator()(const T& field) const {
    if constexpr (HasFields<T>)
      std::apply([&](const auto&... parts) { ((*this)(parts), ...); }, fields(field));
  }
};

}  // namespace detail

// Calls `visitor` with each Expr and each Stmt directly below a node, in the order of the text but for the
// condition of a Conditional, which comes first.
template <class Visitor>
void for_each_child(const Expr& expr, Visitor&& visitor) {
  std::visit(detail::Walk<std::remove_reference_t<Visitor>>{visitor}, expr.node);
}
template <class Visitor>
void for_each_child(const Stmt& stmt, Visitor&& visitor) {
  std::visit(detail::Walk<std::remove_reference_t<Visitor>>{visitor}, stmt.node);
}
template <class Visitor>
void for_each_child(const FunctionDef& function, Visitor&& visitor) {
  detail::Walk<std::remove_reference_t<Visitor>>{visitor}(function);
}

}  // namespace cameo::script
