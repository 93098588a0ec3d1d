#include "model/split/parts.h"

#include <algorithm>
#include <set>

#include "model/extract/prune.h"
#include "model/graph/value_infos.h"
#include "onnx/proto/visit.h"

namespace cameo::model {
namespace {

using namespace onnx::proto;  // NOLINT(google-build-using-namespace): the messages are what this is about
using onnx::proto::ValueInfo;

using Names = std::unordered_set<std::string_view>;

// The values of a part, each once, in the order in which they are added.
class Listed {
 public:
  bool add(std::string_view value) {
    const bool fresh = known_.insert(value).second;
    if (fresh) values_.push_back(value);
    return fresh;
  }
  bool has(std::string_view value) const { return known_.contains(value); }
  const ValueNames& values() const { return values_; }

 private:
  ValueNames values_;
  Names known_;
};

struct Ends {
  Listed inputs, outputs, constants;
  std::set<std::size_t> nodes;
};

class Partition {
 public:
  Partition(const Opened& whole, const Links& links, const Grouping& grouping)
      : whole_(whole),
        graph_(whole.graph()),
        links_(links),
        grouping_(grouping),
        ends_(grouping.parts.size()) {
    for (std::size_t i = 0; i < graph_.nodes.size(); ++i)
      if (!is_constant(i)) node(i, grouping_.part_of[i]);
    for (const ValueInfo& output : graph_.outputs) result(output.name);
    for (const ValueInfo& input : graph_.inputs)
      if (links_.open_inputs.contains(input.name) &&
          std::ranges::none_of(ends_, [&](const Ends& each) { return each.inputs.has(input.name); }))
        ends_.front().inputs.add(input.name);
  }

  std::vector<Part> make() const {
    const ValueInfos infos(graph_);
    std::vector<Part> parts;
    for (std::size_t i = 0; i < ends_.size(); ++i) parts.push_back(part(i, infos));
    for (const ValueInfo& info : graph_.value_infos) add_type(info, parts);
    return parts;
  }

 private:
  // Each part has its own constants.
  bool is_constant(std::size_t node) const {
    return graph_.nodes[node].op_type == "Constant" && graph_.nodes[node].domain.empty();
  }

  void node(std::size_t node, std::size_t part) {
    ends_[part].nodes.insert(node);
    for (const std::string_view value : links_.reads[node]) read(value, part);
  }

  void read(std::string_view value, std::size_t part) {
    const auto maker = links_.maker.find(value);
    if (maker == links_.maker.end()) {
      (links_.constants.contains(value) ? ends_[part].constants : ends_[part].inputs).add(value);
    } else if (is_constant(maker->second)) {
      ends_[part].nodes.insert(maker->second);
    } else if (const std::size_t from = grouping_.part_of[maker->second]; from != part) {
      ends_[part].inputs.add(value);
      ends_[from].outputs.add(value);
    }
  }

  // An output of the whole model. One that is an input of the model needs no part.
  void result(std::string_view value) {
    const auto maker = links_.maker.find(value);
    const std::size_t last = ends_.size() - 1;
    if (maker != links_.maker.end()) {
      const bool constant = is_constant(maker->second);
      if (constant) ends_[last].nodes.insert(maker->second);
      ends_[constant ? last : grouping_.part_of[maker->second]].outputs.add(value);
    } else if (links_.constants.contains(value)) {
      ends_[last].constants.add(value);
      ends_[last].outputs.add(value);
    }
  }

  Part part(std::size_t number, const ValueInfos& infos) const {
    const Ends& ends = ends_[number];
    auto opened = std::make_shared<Opened>(whole_.file, header());
    opened->kept = whole_.kept;
    onnx::proto::Graph& graph = *opened->model.graph;
    Part made{.opened = opened, .from = {}};
    for (const std::size_t node : ends.nodes) graph.nodes.push_back(graph_.nodes[node]);
    for (const std::string_view value : ends.inputs.values()) {
      graph.inputs.push_back(infos.describe(value));
      const auto maker = links_.maker.find(value);
      made.from.push_back(maker == links_.maker.end() ? kModelInput : grouping_.part_of[maker->second]);
    }
    for (const ValueInfo& input : graph_.inputs)  // with a default
      if (ends.constants.has(input.name)) graph.inputs.push_back(input);
    for (const std::string_view value : ends.outputs.values()) graph.outputs.push_back(infos.describe(value));
    add_constants(ends, graph);
    opened->model.functions = whole_.model.functions;
    prune_functions(opened->model);
    keep_imports(opened->model);
    keep_marks(opened->model);
    return made;
  }

  // The fields that all parts have.
  onnx::proto::Model header() const {
    const onnx::proto::Model& from = whole_.model;
    onnx::proto::Model model;
    model.ir_version = from.ir_version;
    model.model_version = from.model_version;
    model.producer_name = from.producer_name;
    model.producer_version = from.producer_version;
    model.domain = from.domain;
    model.doc_string = from.doc_string;
    model.opset_imports = from.opset_imports;
    model.metadata = from.metadata;
    model.configurations = from.configurations;
    model.unknown = from.unknown;
    model.graph.emplace();
    model.graph->name = graph_.name;
    model.graph->doc_string = graph_.doc_string;
    model.graph->metadata = graph_.metadata;
    model.graph->unknown = graph_.unknown;
    return model;
  }

  void add_constants(const Ends& ends, onnx::proto::Graph& graph) const {
    for (const Tensor& tensor : graph_.initializers)
      if (ends.constants.has(tensor.name)) graph.initializers.push_back(tensor);
    for (const SparseTensor& tensor : graph_.sparse_initializers)
      if (ends.constants.has(name_of(tensor))) graph.sparse_initializers.push_back(tensor);
    Names values(ends.constants.values().begin(), ends.constants.values().end());
    values.insert(ends.inputs.values().begin(), ends.inputs.values().end());
    for (const Node& node : graph.nodes) values.insert(node.outputs.begin(), node.outputs.end());
    for (const Annotation& each : graph_.annotations)
      if (values.contains(each.tensor_name)) graph.annotations.push_back(each);
  }

  // The type of a value goes to the parts that have it and do not declare it as an input or an output.
  void add_type(const ValueInfo& info, std::vector<Part>& parts) const {
    const auto maker = links_.maker.find(info.name);
    for (std::size_t i = 0; i < parts.size(); ++i) {
      const bool made = maker != links_.maker.end() && ends_[i].nodes.contains(maker->second);
      const bool listed = ends_[i].inputs.has(info.name) || ends_[i].outputs.has(info.name);
      if (!listed && (made || ends_[i].constants.has(info.name)))
        parts[i].opened->model.graph->value_infos.push_back(info);
    }
  }

  // Removes the imports of domains that the part has no node of.
  static void keep_imports(onnx::proto::Model& model) {
    Names domains{"", "ai.onnx"};
    each_node(model.graph->nodes, [&](const Node& node) { domains.insert(node.domain); });
    for (const Function& function : model.functions) {
      domains.insert(function.domain);
      each_node(function.nodes, [&](const Node& node) { domains.insert(node.domain); });
    }
    std::erase_if(model.opset_imports,
                  [&](const OpsetImport& each) { return !domains.contains(each.domain); });
  }

  // Removes the marks of values that the part does not have.
  static void keep_marks(onnx::proto::Model& model) {
    Names values;
    for (const ValueInfo& input : model.graph->inputs) values.insert(input.name);
    for (const Node& node : model.graph->nodes) values.insert(node.outputs.begin(), node.outputs.end());
    std::erase_if(model.metadata, [&](const Entry& entry) {
      return entry.key.starts_with(kMarkKey) && !values.contains(entry.value);
    });
  }

  const Opened& whole_;
  const onnx::proto::Graph& graph_;
  const Links& links_;
  const Grouping& grouping_;
  std::vector<Ends> ends_;
};

}  // namespace

std::vector<Part> make_parts(const Opened& whole, const Links& links, const Grouping& grouping) {
  return Partition(whole, links, grouping).make();
}

}  // namespace cameo::model
