#include "view/document/tables.h"

#include <algorithm>
#include <limits>
#include <map>
#include <optional>

#include <fmt/core.h>

#include "base/index.h"
#include "model/diff/findings.h"
#include "model/graph/describe.h"
#include "model/import/lift.h"
#include "onnx/check/elements.h"
#include "onnx/facts/facts.h"
#include "view/document/base64.h"
#include "view/document/captions.h"
#include "view/document/weights.h"

namespace cameo::view {
namespace {

using onnx::proto::Attribute;
using onnx::proto::Node;
using onnx::proto::Tensor;

constexpr std::size_t kMostElements = 64;    // of a constant that is shown in full
constexpr std::size_t kLeastPictured = 256;  // elements of a weight with a picture
constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

std::string link_of(std::string_view domain, std::string_view op) {
  const bool word =
      std::ranges::all_of(op, [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0; });
  if (!word) return {};
  if (domain.empty() || domain == "ai.onnx")
    return onnx::facts::versions("ai.onnx", op).empty()
               ? ""
               : fmt::format("https://onnx.ai/onnx/operators/onnx__{}.html", op);
  if (domain == "ai.onnx.ml") return fmt::format("https://onnx.ai/onnx/operators/onnx_aionnxml_{}.html", op);
  if (domain == "com.microsoft")
    return fmt::format(
        "https://github.com/microsoft/onnxruntime/blob/main/docs/ContribOperators.md#com.microsoft.{}", op);
  return {};
}

class OperatorTable {
 public:
  explicit OperatorTable(Document& document) : document_(document) {}

  int row(const Node& node) {
    const auto [found, added] =
        rows_.emplace(std::pair(node.domain, node.op_type), static_cast<int>(rows_.size()));
    if (added) add(node);
    return found->second;
  }

 private:
  void add(const Node& node) {
    Operators& operators = document_.operators;
    operators.domain.push_back(document_.strings.add(node.domain == "ai.onnx" ? "" : node.domain));
    operators.name.push_back(document_.strings.add(node.op_type));
    operators.category.push_back(category_of(node.domain, node.op_type));
    operators.link.push_back(document_.strings.add(link_of(node.domain, node.op_type)));
    operators.doc.push_back(0);
    const auto versions = onnx::facts::versions(node.domain, node.op_type);
    const auto add_names = [&](Lists& to, auto parameters) {
      if (!versions.empty())
        for (const onnx::facts::Parameter& each : versions.back().*parameters)
          to.items.push_back(document_.strings.add(each.name));
      to.close();
    };
    add_names(operators.inputs, &onnx::facts::Operator::inputs);
    add_names(operators.outputs, &onnx::facts::Operator::outputs);
  }

  Document& document_;
  std::map<std::pair<std::string_view, std::string_view>, int> rows_;
};

std::string value_text(const Attribute& attribute) {
  if (attribute.t) {
    const std::string elements = elements_text(*attribute.t, kMostElements);
    return model::type_text(*attribute.t) + (elements.empty() ? "" : " " + elements);
  }
  return model::attribute_value(attribute, kLongestText);
}

void add_attributes(Document& document, const Node& node) {
  for (const Attribute& attribute : node.attributes) {
    document.nodes.attributes.items.push_back(document.strings.add(attribute.name));
    document.nodes.attributes.items.push_back(document.strings.add(value_text(attribute)));
  }
  if (!node.doc_string.empty()) {
    document.nodes.attributes.items.push_back(document.strings.add("doc"));
    document.nodes.attributes.items.push_back(document.strings.add_lines(node.doc_string));
  }
  document.nodes.attributes.close();
}

std::uint64_t bytes_of(const Tensor& tensor) {
  const auto count = onnx::element_count(tensor.dims);
  const onnx::Storage* storage = onnx::storage(tensor.data_type);
  const auto bytes = count && storage ? onnx::raw_size(*count, *storage) : std::nullopt;
  return bytes.value_or(0);
}

std::int64_t as_count(std::uint64_t number) {
  return static_cast<std::int64_t>(
      std::min<std::uint64_t>(number, std::numeric_limits<std::int64_t>::max() / 2));
}

// "weights.bin, offset 4096".
std::string place_of(const Tensor& tensor) {
  if (!tensor.external()) return {};
  std::string location, offset;
  for (const onnx::proto::Entry& entry : tensor.external_data) {
    if (entry.key == "location") location = entry.value;
    if (entry.key == "offset") offset = entry.value;
  }
  return offset.empty() ? location : fmt::format("{}, offset {}", location, offset);
}

void add_statistics(Weights& weights, Strings& strings, const WeightStatistics& found, bool pictured) {
  weights.min.push_back(found.min);
  weights.max.push_back(found.max);
  weights.mean.push_back(found.mean);
  weights.deviation.push_back(found.deviation);
  weights.zeros.push_back(static_cast<double>(found.zeros));
  weights.nans.push_back(static_cast<double>(found.not_finite));
  weights.histogram.add(found.histogram);
  const bool has = pictured && !found.pixels.empty();
  weights.picture_width.push_back(has ? found.columns : 0);
  weights.picture_height.push_back(has ? found.rows : 0);
  weights.picture_data.push_back(has ? strings.add(to_base64(std::as_bytes(std::span(found.pixels)))) : 0);
}

// The constants to read, null for the others, and the state of each.
struct Reading {
  std::vector<onnx::DataPtr> data;
  std::vector<WeightState> states;
};

Reading lift_weights(const Built& built, const BuildOptions& options) {
  Reading reading;
  onnx::Model holder;
  model::Lift newer(built.typed->opened(), holder.symbols());
  std::optional<model::Lift> older;
  if (built.older) older.emplace(built.older->opened(), holder.symbols());
  std::uint64_t total = 0;
  for (const FlatWeight& weight : built.flat.weights) {
    const std::uint64_t bytes = bytes_of(*weight.tensor);
    onnx::DataPtr data;
    WeightState state = WeightState::skipped;
    if (bytes <= options.weights && total <= options.weights - bytes) {
      total += bytes;
      try {
        data = (weight.older ? *older : newer).data(*weight.tensor);
        state = data && has_statistics(data->dtype()) ? WeightState::read : WeightState::no_numbers;
        if (!data && weight.tensor->external()) state = WeightState::missing;
        if (state != WeightState::read) data = nullptr;
      } catch (const Error&) {
        state = WeightState::missing;
      }
    }
    reading.data.push_back(std::move(data));
    reading.states.push_back(state);
  }
  return reading;
}

}  // namespace

void add_nodes(Built& built, const std::vector<Place>& places) {
  Document& document = built.document;
  OperatorTable operators(document);
  for (std::size_t i = 0; i < built.flat.nodes.size(); ++i) {
    const FlatNode& node = built.flat.nodes[i];
    Nodes& nodes = document.nodes;
    nodes.op.push_back(operators.row(*node.source));
    nodes.name.push_back(document.strings.add(node.source->name));
    nodes.module.push_back(document.strings.add(places[i].path()));
    nodes.group.push_back(built.grouping.of_node[i]);
    nodes.item.push_back(-1);
    nodes.bodies.push_back(built.grouping.control[i]);
    add_attributes(document, *node.source);
    nodes.inputs.add(node.inputs);
    nodes.outputs.add(node.outputs);
    std::string_view origin = built.origins[i] ? std::string_view(built.origins[i]->op) : std::string_view();
    if (origin.empty())
      for (const onnx::proto::Entry& entry : node.source->metadata)
        if (entry.key == "operator") origin = entry.value;
    nodes.origin.push_back(document.strings.add(origin));
  }
}

void add_values(Built& built) {
  Document& document = built.document;
  for (const FlatValue& value : built.flat.values) {
    std::string type;
    if (value.weight >= 0)
      type = model::type_text(*element_at(built.flat.weights, value.weight).tensor);
    else if (value.info && value.info->type)
      type = model::type_text(*value.info);
    document.values.name.push_back(document.strings.add(value.name));
    document.values.type.push_back(document.strings.add(type));
    document.values.kind.push_back(value.kind);
    document.values.producer.push_back(value.producer);
    document.values.weight.push_back(value.weight);
  }
}

void add_weights(Built& built, const BuildOptions& options) {
  const Reading reading = lift_weights(built, options);
  const std::vector<WeightStatistics> found = all_statistics(reading.data);
  Weights& weights = built.document.weights;
  Strings& strings = built.document.strings;
  for (std::size_t i = 0; i < built.flat.weights.size(); ++i) {
    const auto& [tensor, value, older] = built.flat.weights[i];
    const std::int64_t elements = as_count(onnx::element_count(tensor->dims).value_or(0));
    weights.value.push_back(value);
    weights.type.push_back(strings.add(model::type_text(*tensor)));
    weights.elements.push_back(elements);
    weights.bytes.push_back(as_count(bytes_of(*tensor)));
    weights.place.push_back(strings.add(place_of(*tensor)));
    weights.text.push_back(strings.add(elements_text(*tensor, kMostElements)));
    weights.state.push_back(reading.states[i]);
    const WeightStatistics none{.min = kNone, .max = kNone, .mean = kNone, .deviation = kNone};
    add_statistics(weights, strings, reading.data[i] ? found[i] : none,
                   elements >= static_cast<std::int64_t>(kLeastPictured));
    if (reading.data[i]) continue;
    weights.zeros.back() = weights.nans.back() = kNone;
  }
}

}  // namespace cameo::view
