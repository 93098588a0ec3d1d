#pragma once
// The syntax tree of serialized TorchScript: the subset of Python that PyTorch's printer emits, with the
// operators that hand-made and very old archives contain. A node knows the bytes of its file that it came
// from.

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace cameo::script {

// Half-open byte range within a code file.
struct Range {
  std::uint32_t begin = 0, end = 0;
};

struct Expr;
struct Stmt;
using ExprPtr = std::unique_ptr<Expr>;
using StmtPtr = std::unique_ptr<Stmt>;
using Block = std::vector<StmtPtr>;

// ---- expressions

struct NoneLiteral {};
struct BoolLiteral {
  bool value;
};
struct IntLiteral {
  std::int64_t value;
};  // literals beyond 64 bits become FloatLiteral
struct FloatLiteral {
  double value;
};
struct ImaginaryLiteral {
  double value;
};  // the imaginary part of `2.j`
struct StringLiteral {
  std::string value;
};  // unescaped
struct EllipsisLiteral {};
struct Name {
  std::string_view id;
};
struct Attribute {
  ExprPtr object;
  std::string_view name;
};  // object.name
struct Keyword {
  std::string_view name;
  ExprPtr value;
};
struct CallExpr {
  ExprPtr callee;
  std::vector<ExprPtr> args;
  std::vector<Keyword> keywords;
};
struct SliceExpr {
  ExprPtr start, stop, step;
};  // each may be null; only inside Subscript
struct Subscript {
  ExprPtr object;
  std::vector<ExprPtr> indices;
};
struct TupleExpr {
  std::vector<ExprPtr> items;
};
struct ListExpr {
  std::vector<ExprPtr> items;
};
struct DictExpr {
  std::vector<std::pair<ExprPtr, ExprPtr>> items;
};
struct ListComprehension {
  ExprPtr element, target, iterable;
};
struct Starred {
  ExprPtr value;
};
enum class UnaryOp { neg, pos, invert, logical_not };
struct Unary {
  UnaryOp op;
  ExprPtr operand;
};
enum class BinaryOp {
  add,
  sub,
  mul,
  div,
  floordiv,
  mod,
  pow,
  matmul,
  bit_and,
  bit_or,
  bit_xor,
  lshift,
  rshift,
  logical_and,
  logical_or,
  eq,
  ne,
  lt,
  le,
  gt,
  ge,
  is,
  is_not,
  in,
  not_in,
};
struct Binary {
  BinaryOp op;
  ExprPtr left, right;
};
struct Conditional {
  ExprPtr condition, then_value, else_value;
};  // then if condition else else

struct Expr {
  Range range;
  std::uint32_t height = 1;  // nodes on the longest path down; parse() bounds it, so recursion is safe
  std::variant<NoneLiteral, BoolLiteral, IntLiteral, FloatLiteral, ImaginaryLiteral, StringLiteral,
               EllipsisLiteral, Name, Attribute, CallExpr, SliceExpr, Subscript, TupleExpr, ListExpr,
               DictExpr, ListComprehension, Starred, Unary, Binary, Conditional>
      node;
  template <class T>
  const T* get_if() const {
    return std::get_if<T>(&node);
  }
};

// ---- statements

struct ExprStmt {
  ExprPtr value;
};
// One target, or several: `a, b = …`. `unpack` is the trailing comma of `a, b, = …` and `a, = …`: the right
// side is a tuple or list value to be taken apart. Without it several targets take the outputs of one call,
// or the items of a tuple written out on the right, all evaluated before the first assignment. A target is a
// Name, Attribute, Subscript, Starred, or a TupleExpr of these.
struct Assign {
  std::vector<ExprPtr> targets;
  bool unpack = false;
  ExprPtr type;
  ExprPtr value;
};  // type may be null
struct AugAssign {
  ExprPtr target;
  BinaryOp op;
  ExprPtr value;
};
struct If {
  ExprPtr condition;
  Block then_body, else_body;
};
struct For {
  ExprPtr target, iterable;
  Block body;
};
struct While {
  ExprPtr condition;
  Block body;
};
struct WithItem {
  ExprPtr context, target;
};  // target may be null
struct With {
  std::vector<WithItem> items;
  Block body;
};
struct Return {
  ExprPtr value;
};  // may be null
struct Raise {
  ExprPtr value;
};  // may be null
struct Assert {
  ExprPtr condition, message;
};  // message may be null
struct Delete {
  std::vector<ExprPtr> targets;
};
struct Pass {};
struct Break {};
struct Continue {};

struct Param {
  std::string_view name;
  ExprPtr type;           // null if absent
  ExprPtr default_value;  // null if absent
  bool keyword_only = false;
};
struct FunctionDef {
  Range range;
  std::string_view name;
  std::vector<Param> params;
  ExprPtr returns;  // null if absent
  Block body;
};

struct Stmt {
  Range range;
  std::variant<ExprStmt, Assign, AugAssign, If, For, While, With, Return, Raise, Assert, Delete, Pass, Break,
               Continue, FunctionDef>
      node;
  template <class T>
  const T* get_if() const {
    return std::get_if<T>(&node);
  }
};

// ---- definitions

enum class ClassKind { plain, module, named_tuple, enumeration, interface, module_interface };

// `name : type`, `name : Final[type] = value`, an enum's `NAME = value`, or `__annotations__["0"] = type`.
struct Field {
  Range range;
  std::string name;
  ExprPtr type;   // null for enum members
  ExprPtr value;  // null unless a constant, a default or an enum member
  bool final =
      false;  // Final[…]: a class constant, absent from the pickled state; `type` is what stands inside
};
struct ClassDef {
  Range range;
  std::string_view name;
  ClassKind kind = ClassKind::plain;
  std::vector<std::string> parameters;         // __parameters__
  std::vector<std::string> buffers;            // __buffers__
  std::vector<std::string> forward_pre_hooks;  // __forward_pre_hooks__
  std::vector<std::string> forward_hooks;      // __forward_hooks__
  std::vector<Field> fields;
  std::vector<FunctionDef> methods;
};

// One code file. Owns a copy of nothing: names point into `text`, which the archive keeps.
struct SourceFile {
  std::string_view name;  // "code/__torch__/a.py", relative to the archive's root
  std::string_view text;
  std::optional<std::int64_t> op_version_set;
  std::vector<ClassDef> classes;
  std::vector<FunctionDef> functions;
};

// Equal but for ranges.
bool equal(const SourceFile& a, const SourceFile& b);

}  // namespace cameo::script
