#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "onnx/graph/finish.h"

namespace cameo::onnx {
namespace {

Graph* subgraph(const Node& node, std::string_view name) {
  Graph* const* graph = node.attribute_if<Graph*>(name);
  return graph ? *graph : nullptr;
}

// The graph of a node may leave out subgraphs that only the operators in them understand. Such a node stays as
// it is.
bool is_if(const Node& node) {
  return node.op == "If" && node.domain.empty() && subgraph(node, "then_branch");
}
bool is_loop(const Node& node) { return node.op == "Loop" && node.domain.empty() && subgraph(node, "body"); }

// Keeps the elements whose index, less `from`, is marked; those before `from` all.
template <class T>
void keep(std::vector<T>& items, std::size_t from, const std::vector<bool>& marked) {
  std::size_t next = from;
  for (std::size_t i = from; i < items.size(); ++i)
    if (i - from >= marked.size() || marked[i - from]) items[next++] = items[i];
  items.resize(next);
}

// Marks the values that an output depends on, then sweeps the rest: nodes, and the outputs of If and Loop
// that nobody reads, with what computes or carries them.
class Prune {
 public:
  void run(Graph& main) {
    for (const Value* output : main.outputs) need(output);
    while (!work_.empty()) {
      const Value* value = work_.back();
      work_.pop_back();
      if (value->producer)
        explain(*value->producer, value);
      else if (auto carried = carried_.find(value); carried != carried_.end())
        need_carried(*carried->second.loop, carried->second.index);
    }
    sweep(main);
  }

 private:
  struct Carried {
    const Node* loop;
    std::size_t index;
  };

  void need(const Value* value) {
    if (value && needed_.insert(value).second) work_.push_back(value);
  }

  static std::size_t index_of(const Node& node, const Value* output) {
    std::size_t i = 0;
    while (node.outputs[i] != output) ++i;
    return i;
  }

  void explain(const Node& node, const Value* output) {
    if (is_if(node)) {
      need(node.inputs[0]);
      const std::size_t i = index_of(node, output);
      need(subgraph(node, "then_branch")->outputs[i]);
      need(subgraph(node, "else_branch")->outputs[i]);
    } else if (is_loop(node)) {
      const Graph& body = *subgraph(node, "body");
      if (loops_.insert(&node).second) {
        for (std::size_t i = 0; i < 2 && i < node.inputs.size(); ++i) need(node.inputs[i]);
        need(body.outputs[0]);
        for (std::size_t i = 2; i < body.inputs.size(); ++i) {
          carried_.emplace(body.inputs[i], Carried{&node, i - 2});
          if (needed_.contains(body.inputs[i])) need_carried(node, i - 2);
        }
      }
      need_carried(node, index_of(node, output));
    } else {
      for (const Value* input : node.inputs) need(input);
      for (const Attribute& attribute : node.attributes)
        for (const Graph* graph : subgraphs(attribute.value))
          for (const Value* inner : graph->outputs) need(inner);
    }
  }

  // The i-th output of a Loop: carried from turn to turn, or, behind those, gathered from all turns.
  void need_carried(const Node& loop, std::size_t i) {
    const Graph& body = *subgraph(loop, "body");
    if (i + 2 < loop.inputs.size()) {
      need(loop.inputs[i + 2]);
      need(body.inputs[i + 2]);
      need(loop.outputs[i]);
    }
    need(body.outputs[i + 1]);
  }

  bool needed(const Node& node) const {
    for (const Value* output : node.outputs)
      if (needed_.contains(output)) return true;
    return false;
  }

  void sweep(Graph& main) {
    std::vector<Graph*> graphs{&main};
    while (!graphs.empty()) {
      Graph* graph = graphs.back();
      graphs.pop_back();
      std::erase_if(graph->nodes, [this](const Node* node) { return !needed(*node); });
      for (Node* node : graph->nodes) {
        shrink(*node);
        for (const Attribute& attribute : node->attributes)
          for (Graph* inner : subgraphs(attribute.value)) graphs.push_back(inner);
      }
    }
  }

  void shrink(Node& node) {
    if (!is_if(node) && !is_loop(node)) return;
    std::vector<bool> marked;
    for (const Value* output : node.outputs) marked.push_back(needed_.contains(output));
    keep(node.outputs, 0, marked);
    if (node.op == "If") {
      keep(subgraph(node, "then_branch")->outputs, 0, marked);
      keep(subgraph(node, "else_branch")->outputs, 0, marked);
    } else {
      Graph& body = *subgraph(node, "body");
      keep(body.outputs, 1, marked);
      const std::vector<bool> carried(marked.begin(),
                                      marked.begin() + static_cast<std::ptrdiff_t>(node.inputs.size() - 2));
      keep(body.inputs, 2, carried);
      keep(node.inputs, 2, carried);
    }
  }

  std::unordered_set<const Value*> needed_;
  std::unordered_map<const Value*, Carried> carried_;
  std::unordered_set<const Node*> loops_;
  std::vector<const Value*> work_;
};

}  // namespace

void prune(Model& model) { Prune().run(model.main()); }

}  // namespace cameo::onnx
