#pragma once
#include <deque>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "exported/graph.h"
#include "exported/json_reader.h"

namespace cameo::exported {

// Owns what the structures point to: decoded strings and symbolic expressions.
struct Arena {
  Texts texts;
  std::deque<SymbolicExpression> expressions;
};

// A constant of a graph of schema 1: base64 of what torch.save wrote.
struct InlineConstant {
  std::string_view name;
  std::string_view base64;
};

// Reads arguments, tensor metadata and graphs. Each function reads the next value of the JSON text and throws Error if
// it is not as the schema says.
class GraphReader {
 public:
  GraphReader(JsonReader& json, Arena& arena) : json_(json), arena_(arena) {}

  Argument argument();
  std::vector<Argument> arguments();
  CustomObject custom_object();
  std::string_view name();  // {"name": …}, or a bare string
  TensorMeta tensor_meta();
  Graph graph();

  // Of the outermost graph.
  const std::vector<InlineConstant>& constants() const { return constants_; }

 private:
  struct Alternative;
  static const Alternative kAlternatives[];

  // The alternatives of an argument: one value, a list of them, a list of lists.
  template <auto read>
  static void one(GraphReader& reader, Argument& argument);
  template <auto read>
  static void list(GraphReader& reader, Argument& argument);
  template <auto read>
  static void lists(GraphReader& reader, Argument& argument);
  // An enumerator. An unknown one leaves the argument as it is.
  template <auto read, auto unknown>
  static void enumerator(GraphReader& reader, Argument& argument);
  static void optional(GraphReader& reader, Argument& argument);
  static void dict(GraphReader& reader, Argument& argument);

  std::int64_t integer() { return json_.integer(); }
  double real() { return json_.real(); }
  bool boolean() { return json_.boolean(); }
  std::string_view string() { return json_.string(); }
  None none();
  TensorName tensor_name() { return {name()}; }
  std::optional<TensorName> optional_tensor();
  SymIntArgument sym_int_argument();
  SymFloatArgument sym_float_argument();
  SymBoolArgument sym_bool_argument();
  Complex complex();
  Device device();
  Operator operator_name() { return {json_.string()}; }
  Subgraph subgraph();

  template <class T, class F>
  std::variant<SymName, T> sym_argument(std::string_view tag, const F& read);
  template <class T, class F>
  Symbolic<T> symbolic(std::string_view tag, const F& read);
  SymInt sym_int();
  SymFloat sym_float();
  SymBool sym_bool();
  const SymbolicExpression* expression();
  void read_hint(SymbolicExpression& expression);
  std::vector<SymInt> sym_ints();

  void read_alternative(std::string_view tag, Argument& argument);
  NamedArgument named_argument();
  Node node();
  bool read_list_member(std::string_view key, Graph& graph);
  bool read_table_member(std::string_view key, Graph& graph);
  template <class T, class F>
  void read_table(std::unordered_map<std::string_view, T>& table, const F& read);
  void read_constants();

  JsonReader& json_;
  Arena& arena_;
  std::vector<InlineConstant> constants_;
  int graph_depth_ = 0;
};

}  // namespace cameo::exported
