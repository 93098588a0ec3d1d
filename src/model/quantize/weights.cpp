#include "model/quantize/weights.h"

#include <algorithm>
#include <deque>
#include <optional>
#include <unordered_map>
#include <unordered_set>

#include "model/rewrite/tensors.h"
#include "onnx/check/context.h"
#include "onnx/proto/visit.h"

namespace cameo::model {
namespace {

namespace proto = onnx::proto;

struct Axes {
  std::int64_t channel, summed;
};

bool is_standard(const proto::Node& node) { return node.domain.empty() || node.domain == "ai.onnx"; }

std::int64_t integer(const proto::Node& node, std::string_view name, std::int64_t otherwise) {
  const proto::Attribute* found = onnx::find_attribute(node, name);
  return found && found->i ? *found->i : otherwise;
}

// The axes of a weight that is the input `index` of the node; absent if the node is not of a kind that is
// quantised.
std::optional<Axes> axes_of(const proto::Node& node, std::size_t index, std::int64_t rank) {
  if (!is_standard(node) || rank < 2) return std::nullopt;
  const std::string_view op = node.op_type;
  if (op == "MatMul") return index == 1 ? Axes{rank - 1, rank - 2} : Axes{rank - 2, rank - 1};
  if (op == "Gemm" && index < 2 && rank == 2) {
    const bool turned = integer(node, index == 1 ? "transB" : "transA", 0) != 0;
    return turned == (index == 1) ? Axes{0, 1} : Axes{1, 0};
  }
  if (op == "Conv" && index == 1) return Axes{0, 1};
  if (op == "ConvTranspose" && index == 1) return Axes{1, 0};
  if (op == "Gather" && index == 0) return Axes{0, rank - 1};
  if ((op == "LSTM" || op == "GRU" || op == "RNN") && (index == 1 || index == 2) && rank == 3)
    return Axes{1, 2};
  return std::nullopt;
}

// Large constants of nodes become initialisers, which are quantised like all others.
void hoist(proto::Graph& graph, std::int64_t smallest, Lift& lift) {
  std::erase_if(graph.nodes, [&](proto::Node& node) {
    proto::each_subgraph(node, [&](proto::Graph& inner) { hoist(inner, smallest, lift); });
    if (!is_standard(node) || node.op_type != "Constant" || node.outputs.size() != 1) return false;
    const auto value = std::ranges::find(node.attributes, "value", &proto::Attribute::name);
    if (value == node.attributes.end() || !value->t || !is_floating(lift.type(*value->t).dtype)) return false;
    std::int64_t count = 1;
    for (const std::int64_t dim : value->t->dims) count *= dim;
    if (count < smallest) return false;
    proto::Tensor& tensor = graph.initializers.emplace_back(std::move(*value->t));
    tensor.name = node.outputs[0];
    return true;
  });
}

struct Reader {
  proto::Node* node;
  std::size_t input;
};

// A value that may be a weight, or a transposed one.
struct Entry {
  proto::Graph* graph = nullptr;
  std::optional<std::size_t> tensor;
  std::vector<Reader> readers;
  bool read_otherwise = false;  // by an output of a graph
  std::optional<std::size_t> first;
};

class Finder {
 public:
  Finder(Opened& opened, const QuantizeOptions& options, Kept& keep, Lift& lift)
      : opened_(opened), options_(options), keep_(keep), lift_(lift) {}

  std::vector<Weight> run() {
    proto::Graph& main = *opened_.model.graph;
    hoist(main, options_.smallest, lift_);
    graph(main, nullptr);
    std::vector<Weight> found;
    for (Entry& entry : entries_)
      if (auto weight = take(entry)) found.push_back(std::move(*weight));
    return found;
  }

 private:
  struct Scope {
    Scope* outer;
    std::size_t current = 0;  // the node that is visited
    std::unordered_map<std::string_view, Entry*> values = {};
  };

  void graph(proto::Graph& graph, Scope* outer) {
    Scope scope{.outer = outer};
    declare(graph, scope);
    for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
      proto::Node& node = graph.nodes[i];
      scope.current = i;
      for (std::size_t k = 0; k < node.inputs.size(); ++k) read(node.inputs[k], &scope, Reader{&node, k});
      proto::each_subgraph(node, [&](proto::Graph& inner) { this->graph(inner, &scope); });
    }
    for (const proto::ValueInfo& output : graph.outputs) read(output.name, &scope, std::nullopt);
  }

  void declare(proto::Graph& graph, Scope& scope) {
    const auto add = [&](std::string_view name) -> Entry& {
      Entry& entry = entries_.emplace_back();
      entry.graph = &graph;
      return *(scope.values[name] = &entry);
    };
    std::unordered_set<std::string_view> inputs;
    for (const proto::ValueInfo& input : graph.inputs) inputs.insert(input.name);
    for (const proto::ValueInfo& input : graph.inputs) add(input.name);
    for (std::size_t i = 0; i < graph.initializers.size(); ++i)
      if (opened_.all_initializers_are_inputs() || !inputs.contains(graph.initializers[i].name))
        add(graph.initializers[i].name).tensor = i;
    for (proto::Node& node : graph.nodes)
      for (const proto::Text output : node.outputs)
        if (Entry& entry = add(output); is_standard(node) && node.op_type == "Transpose")
          transposed_[&node] = &entry;
  }

  void read(std::string_view name, Scope* scope, const std::optional<Reader>& reader) {
    for (; scope; scope = scope->outer) {
      const auto found = scope->values.find(name);
      if (found == scope->values.end()) continue;
      Entry& entry = *found->second;
      if (!entry.first) entry.first = scope->current;
      if (reader)
        entry.readers.push_back(*reader);
      else
        entry.read_otherwise = true;
      return;
    }
  }

  std::optional<Axes> axes(const Entry& entry, std::int64_t rank, std::string_view name) {
    if (entry.read_otherwise || entry.readers.empty()) return std::nullopt;
    std::optional<Axes> result;
    for (const Reader& reader : entry.readers) {
      if (keep_(*reader.node, name)) return std::nullopt;
      const auto turned = transposed_.find(reader.node);
      const auto found = turned == transposed_.end() ? axes_of(*reader.node, reader.input, rank)
                                                     : through(*reader.node, *turned->second, rank, name);
      if (!found) return std::nullopt;
      if (!result) result = found;
    }
    return result;
  }

  // The axes before a Transpose.
  std::optional<Axes> through(const proto::Node& transpose, const Entry& result, std::int64_t rank,
                              std::string_view name) {
    const auto after = axes(result, rank, name);
    if (!after) return std::nullopt;
    const proto::Attribute* order = onnx::find_attribute(transpose, "perm");
    const auto before = [&](std::int64_t axis) {
      return order && std::ssize(order->ints) == rank ? element_at(order->ints, axis) : rank - 1 - axis;
    };
    return Axes{before(after->channel), before(after->summed)};
  }

  std::optional<Weight> take(Entry& entry) {
    if (!entry.tensor) return std::nullopt;
    const proto::Tensor& tensor = entry.graph->initializers[*entry.tensor];
    const onnx::Type type = lift_.type(tensor);
    if (type.dtype != DType::f32 && type.dtype != DType::f16 && type.dtype != DType::bf16)
      return std::nullopt;
    const auto found = axes(entry, std::ssize(tensor.dims), tensor.name);
    if (!found) return std::nullopt;
    Weight weight{.graph = entry.graph,
                  .tensor = *entry.tensor,
                  .first = entry.first.value_or(0),
                  .channel = found->channel,
                  .summed = found->summed,
                  .data = elements_of(tensor, lift_)};
    if (weight.data->numel() < std::max<std::int64_t>(options_.smallest, 1)) return std::nullopt;
    for (const Reader& reader : entry.readers) {
      weight.readers.push_back(reader.node);
      weight.inputs.push_back(reader.input);
    }
    return weight;
  }

  Opened& opened_;
  const QuantizeOptions& options_;
  Kept& keep_;
  Lift& lift_;
  std::deque<Entry> entries_;
  std::unordered_map<const proto::Node*, Entry*> transposed_;
};

}  // namespace

std::vector<Weight> find_weights(Opened& opened, const QuantizeOptions& options, Kept& keep, Lift& lift) {
  return Finder(opened, options, keep, lift).run();
}

}  // namespace cameo::model
