#pragma once
// Shared by the parts of the checker.

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <tuple>

#include "onnx/check/check.h"
#include "onnx/check/report.h"
#include "onnx/check/types.h"

namespace cameo::onnx {

// The version that is imported of each domain; "" and "ai.onnx" are one.
class Imports {
 public:
  void add(std::string_view domain, std::int64_t version) {
    versions_.insert_or_assign(key(domain), version);
  }
  std::optional<std::int64_t> version(std::string_view domain) const {
    const auto found = versions_.find(key(domain));
    return found == versions_.end() ? std::nullopt : std::optional(found->second);
  }
  const std::map<std::string_view, std::int64_t>& all() const { return versions_; }
  static std::string_view key(std::string_view domain) { return domain.empty() ? "ai.onnx" : domain; }

 private:
  std::map<std::string_view, std::int64_t> versions_;
};

using FunctionKey =
    std::tuple<std::string_view, std::string_view, std::string_view>;  // domain, name, overload
using Functions = std::map<FunctionKey, const proto::Function*>;

struct Context {
  const CheckOptions& options;
  Report& report;
  std::int64_t ir_version = 0;
  const Functions& functions;
  std::set<std::string_view>& unchecked;  // domains that were reported as unknown
  const Imports* imports = nullptr;
  const Imports* model_imports = nullptr;     // differ from `imports` inside a function
  const proto::Function* function = nullptr;  // whose body is being checked
  bool main = true;                           // not in a subgraph nor in a function
};

// Reads opset imports and reports their faults.
Imports read_imports(const std::vector<proto::OpsetImport>& imports, Report& report);

void check_graph(const Context& context, const proto::Graph& graph, Scope& scope);
// Checks names, order and operators of a list of nodes, and adds their results to the scope. `declared` are
// the types of value infos.
using Declared = std::unordered_map<std::string_view, ValueType>;
void check_nodes(const Context& context, const std::vector<proto::Node>& nodes, Scope& scope,
                 const Declared& declared);
void check_value_info(const Context& context, const proto::ValueInfo& info, std::string_view what);

// Checks a node alone and against its operator. Returns the types of its outputs as far as they are known.
std::vector<std::optional<ValueType>> check_node(const Context& context, const proto::Node& node,
                                                 const Scope& scope);
// Checks each attribute alone: fields, tensors, subgraphs.
void check_attributes(const Context& context, const proto::Node& node, const Scope& scope);
// Checks the numbers of inputs and outputs of the subgraphs of If, Loop, Scan and SequenceMap.
void check_control(const Context& context, const proto::Node& node, std::int64_t opset);
void check_call(const Context& context, const proto::Node& node, const proto::Function& function);
void check_functions(const Context& context, const proto::Model& model);

// `name` stands for the tensor in messages: "the initialiser 'w'".
void check_tensor(const Context& context, const proto::Tensor& tensor, std::string_view name);
void check_sparse(const Context& context, const proto::SparseTensor& tensor, std::string_view name);
void check_external(const Context& context, const proto::Tensor& tensor, std::string_view name,
                    std::optional<std::uint64_t> size);

// Checks the element types of operators against the known types of inputs.
std::vector<std::optional<ValueType>> check_types(const Context& context, const proto::Node& node,
                                                  const facts::Operator& op, const Scope& scope);

const proto::Attribute* find_attribute(const proto::Node& node, std::string_view name);

}  // namespace cameo::onnx
