#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "aten/arg.h"
#include "aten/schema.h"
#include "cameo/model.h"
#include "model/file/open.h"
#include "model/graph/links.h"
#include "model/import/client.h"
#include "onnx/emit/emit.h"
#include "onnx/proto/texts.h"
#include "rewrite/log.h"
#include "target/target.h"

namespace cameo::model {

// Applies rewriting rules to an ONNX file. A place that is no single node, such as a module or a value, becomes a node of
// the domain kPlaces. The rule replaces this node, like any other node, when the graph is made anew.
class Rewriting {
 public:
  static constexpr std::string_view kPlaces = "cameo.rewrite";

  Rewriting(Opened& opened, const SimplifyOptions& options, onnx::proto::Texts& texts);

  // Adds the nodes of kPlaces. Throws Error for a rule that an ONNX file cannot have.
  void mark_places();
  // The values that replace the results of a node; empty: no rule applies to it.
  Values node(const ImportedNode& node, const Scope& scope, onnx::Emit& emit);
  // Adds the domains of new nodes to the imports of the model.
  void import_domains();

  rewrite::Log& log() { return log_; }
  std::vector<Diagnostic>& warnings() { return warnings_; }

 private:
  using Rules = std::vector<const rewrite::Rule*>;
  // A node of kPlaces.
  struct Place {
    Rules rules;
    std::string what, module;
  };
  // The arguments of a rule for a node.
  struct Call {
    std::vector<std::string> names;
    std::vector<aten::Arg> args;
  };

  void check(const rewrite::Rule& rule) const;
  bool in_scope(const rewrite::Rule& rule, const onnx::proto::Node& node) const;
  void mark_modules(onnx::proto::Graph& graph);
  void mark_module(onnx::proto::Graph& graph, const std::string& path, const Rules& at, const Rules& after);
  void mark_values(onnx::proto::Graph& graph);
  void replace_module(onnx::proto::Graph& graph, const std::vector<std::size_t>& region,
                      const std::string& path, const rewrite::Rule& rule);
  void mark_after(onnx::proto::Graph& graph, const std::vector<std::size_t>& region,
                  const std::vector<onnx::proto::Text>& values, Place place);
  std::vector<onnx::proto::Text> given(const onnx::proto::Graph& graph, const Links& links,
                                       const std::vector<std::size_t>& region) const;
  onnx::proto::Node make_place(Place place, std::vector<onnx::proto::Text> inputs,
                               std::vector<onnx::proto::Text> outputs);

  Rules matching(const ImportedNode& node, std::string_view op) const;
  Values apply(const rewrite::Rule& rule, const ImportedNode& node, const Place& place, const Scope& scope,
               onnx::Emit& emit);
  Call call_of(const rewrite::Rule& rule, const ImportedNode& node, onnx::Emit& emit) const;
  void add_weights(const rewrite::Rule& rule, const Place& place, const Scope& scope, Call& call) const;
  void check_outputs(const rewrite::Rule& rule, const ImportedNode& node, const Values& values,
                     onnx::Emit& emit) const;
  [[noreturn]] void refuse(const rewrite::Rule& rule, std::string why, std::string hint = {}) const;

  Opened& opened_;
  onnx::proto::Texts& texts_;
  const rewrite::RuleSet* rules_;  // null: there are none
  const target::Target* target_;   // null: none was given
  rewrite::Log log_;
  std::vector<Diagnostic> warnings_;
  std::vector<Place> places_;
};

}  // namespace cameo::model
