#pragma once
// The ONNX graph while it is made: values, nodes, subgraphs. A Model owns everything in arenas; plain
// pointers refer.

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "cameo/diagnostic.h"
#include "onnx/graph/data.h"
#include "onnx/graph/type.h"
#include "onnx/graph/versions.h"

namespace cameo::onnx {

struct Node;
struct Graph;

// The origin of a node.
struct Places {
  std::optional<Position> script;
  std::vector<Position> python;  // innermost first
};
struct Origin {
  std::string module_path;  // "layer1.0.conv1"
  std::string op;           // "aten::conv2d"
  // The lines. They are looked up at each call, since few nodes need them. The source map that it reads must
  // outlive the model.
  std::function<Places()> locate;

  Places places() const { return locate ? locate() : Places{}; }
};

// A value is one of
//   computed – output of `producer`, or an input of `graph`; constant – `data` is set, producer and graph are
//   null: visible everywhere, becomes an initialiser; symbolic – `elements` is set, nothing else: an integer
//   tensor whose elements are formulas; the emitter makes
//                into nodes where a node needs it.
// A computed value may carry `elements` too, where they are known.
struct Value {
  Type type;
  std::string name;  // the wanted name; after naming (finish.h) unique in the model
  Node* producer = nullptr;
  Graph* graph = nullptr;
  DataPtr data;
  std::optional<std::vector<Dim>> elements;  // of a tensor whose shape is known, row-major

  bool constant() const { return data != nullptr; }
  bool symbolic() const { return elements && !producer && !graph && !data; }
  DType dtype() const { return type.dtype; }
  bool has_rank() const { return type.shape.has_value(); }
  std::int64_t rank() const { return type.shape->rank(); }
};

using AttributeValue =
    std::variant<std::int64_t, float, std::string, DataPtr, Graph*, std::vector<std::int64_t>,
                 std::vector<float>, std::vector<std::string>, std::vector<Graph*>>;
// The graphs that an attribute holds; empty if it holds something else.
std::span<Graph* const> subgraphs(const AttributeValue& value);

struct Attribute {
  std::string name;
  AttributeValue value;
};
using Attributes = std::vector<Attribute>;

struct Node {
  std::string op;
  std::string domain;          // "" is ai.onnx
  std::vector<Value*> inputs;  // null: an optional input left out
  std::vector<Value*> outputs;
  Attributes attributes;
  std::string name;
  const Origin* origin = nullptr;
  Graph* graph = nullptr;

  const AttributeValue* attribute(std::string_view name) const;
  template <class T>
  const T* attribute_if(std::string_view key) const {
    const AttributeValue* found = attribute(key);
    return found ? std::get_if<T>(found) : nullptr;
  }
};

struct Graph {
  Graph* parent = nullptr;  // null for the main graph
  std::string name;
  std::vector<Value*> inputs;
  std::vector<Node*> nodes;  // in topological order
  std::vector<Value*> outputs;
};

class Model {
 public:
  Model();
  ~Model();
  Model(const Model&) = delete;
  Model& operator=(const Model&) = delete;

  Graph& main() { return *main_; }
  const Graph& main() const { return *main_; }
  sym::Context& symbols() { return *symbols_; }

  Value* add_value(Type type, std::string name = {});
  Node* add_node(Node node);  // into the arena only; the caller puts it into a graph
  Graph* add_graph(Graph* parent, std::string name);
  const Origin* add_origin(Origin origin);

  int opset = kDefaultOpset;
  std::string producer_version;
  std::vector<std::pair<std::string, int>> custom_opsets;
  std::vector<std::pair<std::string, std::string>> metadata;

 private:
  std::unique_ptr<sym::Context> symbols_;
  std::deque<Value> values_;
  std::deque<Node> nodes_;
  std::deque<Graph> graphs_;
  std::deque<Origin> origins_;
  Graph* main_;
};

}  // namespace cameo::onnx
