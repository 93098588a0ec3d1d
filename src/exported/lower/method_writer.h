#pragma once
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "exported/lower/methods.h"
#include "exported/lower/names.h"

namespace cameo::exported {

// Writes one method. The statements of a module stand in a `with` block of this module, and those of a module inside it in a
// block in that one. The block of a second call of a module has a variable: `with self.head as head_1:`.
class MethodWriter {
 public:
  // The modules of the nodes are added to `modules`.
  MethodWriter(Methods& out, MethodQueue& queue, Modules& modules, const MethodTask& task)
      : out_(out), queue_(queue), modules_(modules), task_(task) {}

  Variables& variables() { return variables_; }
  // def name(self: T, parameters) -> returns:
  void begin(const std::string& root_class, const std::vector<std::string>& parameters,
             const std::string& returns);
  // All nodes of the graph.
  void write_nodes();
  void line(std::string_view statement);
  void leave_module();                // ends the `with` blocks
  void end(std::string_view result);  // return

  // The body of a subgraph: parameters, nodes, a tuple of the outputs.
  void write_subgraph(const std::string& root_class);

 private:
  struct Indented {
    explicit Indented(MethodWriter& of) : writer(of) { ++writer.depth_; }
    ~Indented() { --writer.depth_; }
    MethodWriter& writer;
  };
  void write(const Node& node);
  void enter_module(const Node& node);
  void open_block(const ModuleFrame& frame);
  void operator_call(const Node& node);
  bool reshapes_a_copy(const Node& node) const;
  bool drops_dimension(const Node& node) const;
  void number(const Node& node);
  static std::string callee(std::string_view target);

  // target, target = call. A list among the results is unpacked.
  void assign(const Node& node, const std::string& call);
  // Assigns the items of a tuple.
  void unpack(const std::vector<std::string>& targets, const std::string& call);
  std::vector<std::string> targets(const Node& node);
  std::string arguments(const Node& node, std::size_t first = 0);
  std::string autocast_argument(const Node& node, const Argument& argument);
  // The element type of the node's floating-point arguments under autocast; undefined: as they are.
  DType autocast_type(const Node& node) const;
  DType autocast_result(const Node& node) const;
  DType floating_type(const Argument& argument) const;
  DType widest_input(const Node& node) const;
  bool is_mixed_norm(const Node& node, DType result) const;

  // torch.vmap: a loop over the items. True if the node is a part of it.
  bool write_vmap(const Node& node);
  void begin_vmap(const Node& node);
  void end_vmap();

  // Higher-order operators: true if the operator is known.
  bool higher_order(const Node& node);
  void cond(const Node& node);
  void while_loop(const Node& node);
  void map(const Node& node);
  void scan(const Node& node);
  void associative_scan(const Node& node);
  void inlined(const Node& node, bool autocast);
  void with_effects(const Node& node);
  void auto_functionalized(const Node& node);
  void auto_functionalized_without_bases(const Node& node);
  bool combines_slices(const Node& node) const;
  static bool autocast_enabled(const Node& node);
  static bool is_operand(const NamedArgument& input);
  // The argument of a higher-order operator. Throws Error if the node has too few.
  static const Argument& argument(const Node& node, std::size_t index);
  // The method of a subgraph. Throws Error if the argument is not one.
  std::string method(const Argument& subgraph, bool autocast = false);
  // self.method(a, b)
  static std::string call(const std::string& method,
                          std::initializer_list<std::vector<std::string>> arguments);
  std::vector<std::string> list_argument(const Node& node, std::size_t index);
  std::vector<std::string> empty_lists(std::size_t count);
  void append(const std::vector<std::string>& lists, const std::vector<std::string>& values);
  void stack(const std::vector<std::string>& results, const std::vector<std::string>& lists,
             std::string_view op);

  struct Vmap;
  bool has_no_items(const Node& node, const Vmap& vmap) const;
  std::string zeros(const Node& node) const;

  // A vmap whose function is being written, the outermost first.
  struct Vmap {
    std::string index;                    // of the item
    std::vector<const Node*> results;     // nodes that return to the whole batch
    std::vector<std::string> lists = {};  // one for each result
    bool empty = false;                   // the batch has no items: the function is not written
  };

  Methods& out_;
  MethodQueue& queue_;
  Modules& modules_;
  const MethodTask& task_;
  Variables variables_;
  std::vector<Vmap> vmaps_;
  std::string stack_;               // the module stack of the last node
  std::vector<std::string> calls_;  // of the modules whose `with` blocks are open, outermost first
  std::unordered_map<std::string, std::string> call_variables_;
  int depth_ = 2;
};

}  // namespace cameo::exported
