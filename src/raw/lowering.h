#pragma once
// One function after the other becomes nodes; the state that they share.

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "eval/evaluator.h"

namespace cameo::raw {

// The value of a variable: a value of the graph, or a value that exists only during inlining.
using Item = std::variant<onnx::Value*, eval::ObjectPtr, eval::FunctionRef, eval::ClassRef>;
using Environment = std::map<std::string_view, Item>;

struct Arguments {
  std::vector<Item> positional = {};
  std::vector<std::pair<std::string_view, Item>> keywords = {};
};

class Lowering {
 public:
  explicit Lowering(eval::Evaluator& ev) : ev_(ev), model_(ev.emit().model()), graph_(&model_.main()) {}

  Item import(const eval::Value& value);
  Item call_method(const eval::ObjectPtr& object, std::string_view name, const Arguments& arguments);
  onnx::Value* value(const Item& item);
  void put_constants_first();

 private:
  // statement.cpp
  void run(const script::Block& block);
  void run(const script::Stmt& stmt);
  void run_assign(const script::Assign& stmt);
  void bind(const script::Expr& target, const Item& item);
  void run_if(const script::If& stmt);
  void run_loop(onnx::Value* count, const script::Expr* condition, std::string_view counter,
                const script::Block& body);

  // expression.cpp
  Item evaluate(const script::Expr& expr);
  onnx::Value* operand(const script::Expr& expr) { return value(evaluate(expr)); }
  std::vector<onnx::Value*> operands(const std::vector<script::ExprPtr>& items);
  Item attribute(const script::Attribute& node);
  Item attribute_of(const eval::ObjectPtr& object, std::string_view name);
  std::optional<std::string> qualified_name(const script::Attribute& node) const;
  Item resolve(const std::string& name);
  Item subscript(const script::Subscript& node);
  Item conditional(const script::Conditional& node);

  // call.cpp
  Item call(const script::CallExpr& node);
  Item call_name(std::string_view name, const script::CallExpr& node);
  Item call_item(const Item& callee, const Arguments& arguments);
  Item call_operator(const std::string& kind, const script::CallExpr& node);
  Arguments arguments(const script::CallExpr& node);
  Item inline_function(const script::FunctionDef& def, const Arguments& arguments);

  // lowering.cpp
  std::vector<onnx::Value*> node(std::string_view kind, std::vector<onnx::Value*> inputs,
                                 onnx::Attributes attributes, std::size_t outputs);
  onnx::Value* node(std::string_view kind, std::vector<onnx::Value*> inputs,
                    onnx::Attributes attributes = {}) {
    return node(kind, std::move(inputs), std::move(attributes), 1).front();
  }
  onnx::Value* constant(const std::string& key, onnx::Attributes attributes);
  onnx::Value* none() { return constant("None", {}); }
  onnx::Value* integer(std::int64_t number);
  onnx::Value* boolean(bool flag);
  onnx::Value* real(double number);
  onnx::Value* text(const std::string& text);
  onnx::Value* import_list(const std::vector<eval::Value>& items);
  const std::set<std::string_view>& assigned_attributes(const script::ClassDef& cls);
  [[noreturn]] void refuse(std::string_view what) const;

  eval::Evaluator& ev_;
  onnx::Model& model_;
  onnx::Graph* graph_;
  Environment* variables_ = nullptr;             // of the function that is being inlined
  std::optional<Item> result_;                   // the returned value
  const onnx::Graph* function_graph_ = nullptr;  // the beginning of its body
  std::size_t depth_ = 0;
  std::map<std::string, onnx::Value*> constants_;
  std::vector<onnx::Node*> constant_nodes_;
  std::set<const onnx::Value*> lists_;  // values that are lists, where they are taken apart
  std::size_t targets_ = 1;             // of the call that is being assigned
  std::map<const script::ClassDef*, std::set<std::string_view>> assigned_;
};

}  // namespace cameo::raw
