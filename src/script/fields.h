#pragma once
// The parts of every syntax node, in order and without ranges, so that comparing and walking trees are
// written once.

#include <tuple>

#include "script/ast.h"

namespace cameo::script {

inline auto fields(const NoneLiteral&) { return std::tie(); }
inline auto fields(const BoolLiteral& n) { return std::tie(n.value); }
inline auto fields(const IntLiteral& n) { return std::tie(n.value); }
inline auto fields(const FloatLiteral& n) { return std::tie(n.value); }
inline auto fields(const ImaginaryLiteral& n) { return std::tie(n.value); }
inline auto fields(const StringLiteral& n) { return std::tie(n.value); }
inline auto fields(const EllipsisLiteral&) { return std::tie(); }
inline auto fields(const Name& n) { return std::tie(n.id); }
inline auto fields(const Attribute& n) { return std::tie(n.object, n.name); }
inline auto fields(const Keyword& n) { return std::tie(n.name, n.value); }
inline auto fields(const CallExpr& n) { return std::tie(n.callee, n.args, n.keywords); }
inline auto fields(const SliceExpr& n) { return std::tie(n.start, n.stop, n.step); }
inline auto fields(const Subscript& n) { return std::tie(n.object, n.indices); }
inline auto fields(const TupleExpr& n) { return std::tie(n.items); }
inline auto fields(const ListExpr& n) { return std::tie(n.items); }
inline auto fields(const DictExpr& n) { return std::tie(n.items); }
inline auto fields(const ListComprehension& n) { return std::tie(n.element, n.target, n.iterable); }
inline auto fields(const Starred& n) { return std::tie(n.value); }
inline auto fields(const Unary& n) { return std::tie(n.op, n.operand); }
inline auto fields(const Binary& n) { return std::tie(n.op, n.left, n.right); }
inline auto fields(const Conditional& n) { return std::tie(n.condition, n.then_value, n.else_value); }

inline auto fields(const ExprStmt& n) { return std::tie(n.value); }
inline auto fields(const Assign& n) { return std::tie(n.targets, n.unpack, n.type, n.value); }
inline auto fields(const AugAssign& n) { return std::tie(n.target, n.op, n.value); }
inline auto fields(const If& n) { return std::tie(n.condition, n.then_body, n.else_body); }
inline auto fields(const For& n) { return std::tie(n.target, n.iterable, n.body); }
inline auto fields(const While& n) { return std::tie(n.condition, n.body); }
inline auto fields(const WithItem& n) { return std::tie(n.context, n.target); }
inline auto fields(const With& n) { return std::tie(n.items, n.body); }
inline auto fields(const Return& n) { return std::tie(n.value); }
inline auto fields(const Raise& n) { return std::tie(n.value); }
inline auto fields(const Assert& n) { return std::tie(n.condition, n.message); }
inline auto fields(const Delete& n) { return std::tie(n.targets); }
inline auto fields(const Pass&) { return std::tie(); }
inline auto fields(const Break&) { return std::tie(); }
inline auto fields(const Continue&) { return std::tie(); }
inline auto fields(const Param& n) { return std::tie(n.name, n.type, n.default_value, n.keyword_only); }
inline auto fields(const FunctionDef& n) { return std::tie(n.name, n.params, n.returns, n.body); }

inline auto fields(const Field& n) { return std::tie(n.name, n.type, n.value, n.final); }
inline auto fields(const ClassDef& n) {
  return std::tie(n.name, n.kind, n.parameters, n.buffers, n.forward_pre_hooks, n.forward_hooks, n.fields,
                  n.methods);
}
inline auto fields(const SourceFile& n) { return std::tie(n.op_version_set, n.classes, n.functions); }

template <class Node>
concept HasFields = requires(const Node& node) {
  fields(node);
};

}  // namespace cameo::script
