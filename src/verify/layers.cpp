#include "verify/layers.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "verify/compare.h"
#include "verify/groups.h"

namespace cameo::verify {
namespace {

bool is_number(ElementType type) { return type != ElementType::string && bits_per_element(type) >= 8; }

// A tensor that the program computed.
struct Reference {
  std::string_view op;  // empty: a result of the whole program
  const Array* array;
  std::vector<double> elements;
  double scale = 0;
};

Reference reference(std::string_view op, const Array& array) {
  Reference out{op, &array, numbers(array)};
  for (const double element : out.elements)
    if (std::isfinite(element)) out.scale = std::max(out.scale, std::abs(element));
  return out;
}

class Layers {
 public:
  Layers(std::span<const Session::Feed> values, std::span<const Operation> operations,
         std::span<const Array> results, std::optional<double> tolerance)
      : tolerance_(tolerance) {
    for (const auto& [name, datum] : values)
      if (datum.is_tensor() && is_number(datum.tensor().type())) values_.emplace(name, &datum.tensor());
    for (const Operation& operation : operations)
      for (const Array& array : operation.results)
        if (is_number(array.type())) references_.push_back(reference(operation.op, array));
    for (const Array& array : results)
      if (is_number(array.type())) references_.push_back(reference({}, array));
  }

  std::optional<Departure> find(const std::vector<Group>& groups, const std::set<std::string_view>& outputs) {
    for (const Group& group : groups) {
      const bool reads_right =
          std::ranges::none_of(group.reads, [&](std::string_view name) { return wrong_.contains(name); });
      for (std::size_t i = 0; i < group.results.size(); ++i) {
        const std::string_view result = group.results[i];
        if (is_right(result, group, reads_right, outputs.contains(result))) continue;
        if (reads_right) return departure(group, i);
        wrong_.insert(result);
      }
    }
    return std::nullopt;
  }

  std::vector<VerifiedValue> compare(const std::vector<Group>& groups) const {
    std::vector<VerifiedValue> all;
    for (const Group& group : groups)
      for (std::size_t i = 0; i < group.results.size(); ++i) {
        const auto found = values_.find(group.results[i]);
        if (found == values_.end()) continue;
        std::optional<Difference> nearest;
        for (const Reference& reference : references_) {
          if (!is_counterpart(reference, *found->second, group.origin)) continue;
          const Difference error = difference(*reference.array, *found->second);
          if (!nearest || error.absolute < nearest->absolute) nearest = error;
        }
        if (nearest)
          all.push_back({.node = std::string(group.givers[i]->name),
                         .value = std::string(group.results[i]),
                         .absolute = nearest->absolute,
                         .relative = nearest->relative});
      }
    return all;
  }

 private:
  static bool alike(const Reference& reference, const Array& array) {
    return reference.array->type() == array.type() && reference.array->shape() == array.shape();
  }
  static bool is_counterpart(const Reference& reference, const Array& array, const Origin& origin) {
    return alike(reference, array) && (origin.op.empty() || reference.op == origin.op);
  }

  bool is_right(std::string_view name, const Group& group, bool reads_right, bool is_output) const {
    const auto found = values_.find(name);
    if (found == values_.end()) return reads_right;
    const Array& array = *found->second;
    if (was_computed(array)) return true;
    const bool expected = is_output || std::ranges::any_of(references_, [&](const Reference& reference) {
                            return is_counterpart(reference, array, group.origin);
                          });
    return !expected && reads_right;
  }

  bool was_computed(const Array& array) const {
    const std::vector<double> elements = numbers(array);
    const double share = verify::tolerance(array.type(), tolerance_);
    return std::ranges::any_of(references_, [&](const Reference& reference) {
      const auto close = [allowed = share * reference.scale](double a, double b) {
        return distance(a, b) <= allowed;
      };
      return alike(reference, array) && std::ranges::equal(elements, reference.elements, close);
    });
  }

  Departure departure(const Group& group, std::size_t index) const {
    const onnx::proto::Node& node = *group.givers[index];
    Departure out{.node = std::string(node.name),
                  .op_type = std::string(node.op_type),
                  .value = std::string(group.results[index]),
                  .op = group.origin.op,
                  .module_path = group.origin.module_path,
                  .python = group.origin.python};
    for (const onnx::proto::Node* each : group.nodes) out.nodes.emplace_back(each->name);
    const Array& array = *values_.at(out.value);
    for (const Reference& reference : references_) {
      if (!is_counterpart(reference, array, group.origin)) continue;
      const Difference error = difference(*reference.array, array);
      if (out.absolute && *out.absolute <= error.absolute) continue;
      out.absolute = error.absolute;
      out.relative = error.relative;
    }
    return out;
  }

  std::optional<double> tolerance_;
  std::map<std::string, const Array*, std::less<>> values_;
  std::vector<Reference> references_;
  std::set<std::string_view> wrong_;
};

}  // namespace

std::vector<std::string> inner_values(const onnx::proto::Graph& graph) {
  std::set<std::string_view> outputs;
  for (const onnx::proto::ValueInfo& output : graph.outputs) outputs.insert(output.name);
  std::vector<std::string> names;
  for (const onnx::proto::Node& node : graph.nodes)
    for (const std::string_view name : node.outputs)
      if (!name.empty() && !outputs.contains(name)) names.emplace_back(name);
  return names;
}

std::vector<VerifiedValue> compare_layers(const onnx::proto::Graph& graph, const Origins& origins,
                                          std::span<const Session::Feed> values,
                                          std::span<const Operation> operations, std::span<const Array> results) {
  return Layers(values, operations, results, {}).compare(groups_of(graph, origins));
}

std::optional<Departure> find_departure(const onnx::proto::Graph& graph, const Origins& origins,
                                        std::span<const Session::Feed> values,
                                        std::span<const Operation> operations, std::span<const Array> results,
                                        std::optional<double> tolerance) {
  std::set<std::string_view> outputs;
  for (const onnx::proto::ValueInfo& output : graph.outputs) outputs.insert(output.name);
  return Layers(values, operations, results, tolerance).find(groups_of(graph, origins), outputs);
}

}  // namespace cameo::verify
