#include <algorithm>
#include <cstring>

#include "model/simplify/rebuild.h"
#include "onnx/emit/tables.h"
#include "onnx/fold/fold.h"

namespace cameo::model {
namespace {

namespace proto = onnx::proto;
using onnx::DataPtr;
using onnx::Inferred;
using onnx::Value;

// Results of at most this many bytes are always folded.
constexpr std::size_t kSmallResult = std::size_t{64} << 10;
// Constants of so many bytes are compared as a whole, and of larger ones so many first.
constexpr std::size_t kSmallConstant = 4096;

bool quantizes(const onnx::Node& node) {
  return node.op == "QuantizeLinear" || node.op == "DequantizeLinear";
}

std::size_t bytes_read(const onnx::Node& node) {
  std::size_t total = 0;
  for (const Value* input : node.inputs)
    if (input) total += input->data->byte_size();
  return total;
}

// Known to be larger than what it is made of by much.
bool grows(const onnx::Node& node, const std::vector<Inferred>& results) {
  const std::size_t limit = std::max(kSmallResult, bytes_read(node));
  return std::ranges::any_of(results, [limit](const Inferred& result) {
    if (!result.type.shape) return false;
    const auto count = onnx::product(*result.type.shape);
    return count &&
           static_cast<std::size_t>(*count) > limit / std::max<std::size_t>(1, size_of(result.type.dtype));
  });
}

bool all_known(const std::vector<onnx::Dim>& dims) {
  return std::ranges::all_of(dims, [](const onnx::Dim& dim) { return onnx::known(dim).has_value(); });
}

template <class T>
DataPtr list_of(DType dtype, const std::vector<T>& numbers) {
  return onnx::Data::of<T>(dtype, {std::ssize(numbers)}, std::span<const T>(numbers));
}

DataPtr held_by(const onnx::Node& constant) {
  if (const auto* data = constant.attribute_if<DataPtr>("value")) return *data;
  if (const auto* number = constant.attribute_if<std::int64_t>("value_int"))
    return onnx::Data::of<std::int64_t>(DType::i64, {}, std::span(number, 1));
  if (const auto* number = constant.attribute_if<float>("value_float"))
    return onnx::Data::of<float>(DType::f32, {}, std::span(number, 1));
  if (const auto* list = constant.attribute_if<std::vector<std::int64_t>>("value_ints"))
    return list_of(DType::i64, *list);
  if (const auto* list = constant.attribute_if<std::vector<float>>("value_floats"))
    return list_of(DType::f32, *list);
  return nullptr;
}

onnx::Type type_of(const onnx::Data& data) {
  return {.dtype = data.dtype(), .shape = onnx::Shape(data.shape().begin(), data.shape().end())};
}

std::string look_of(const onnx::Data& data) {
  std::string key;
  auto put = [&key](auto number) { key.append(reinterpret_cast<const char*>(&number), sizeof number); };
  put(data.dtype());
  for (const std::int64_t dim : data.shape()) put(dim);
  const Bytes start = data.bytes().first(kSmallConstant);
  key.append(reinterpret_cast<const char*>(start.data()), start.size());
  return key;
}

bool equal(Bytes a, Bytes b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size()) == 0;
}

}  // namespace

Values Rebuild::simplified(const ImportedNode& node) {
  const onnx::Node& newest = node.newest;
  const Results& results = node.results;
  if (newest.op == "Constant") return extracted(node);
  const bool given_out = !node.source.outputs.empty() && output_names_.contains(node.source.outputs.front());
  if (newest.op == "Identity" && given_out) return {};
  const auto take = [this](Step step, Values values) {
    if (!values.empty()) steps_.took(step);
    return values;
  };
  // Those that read all sizes of a value read them from the node that gives them.
  const bool whole = newest.op == "Shape" && newest.attributes.empty() && results.front().elements &&
                     !all_known(*results.front().elements);
  if (steps_.may(Step::fold_sizes) && !whole)
    if (Values values = take(Step::fold_sizes, as_sizes(results)); !values.empty()) return values;
  if (steps_.may(Step::fold_constants))
    if (Values values = take(Step::fold_constants, folded(node)); !values.empty()) return values;
  if (steps_.may(Step::share_nodes) && !quantizes(newest))
    if (Values values = take(Step::share_nodes, shared(onnx::reuse_key(newest, results.size())));
        !values.empty())
      return values;
  if (formulas_ && steps_.may(Step::fold_sizes)) return reshaped(node);
  return {};
}

Values Rebuild::extracted(const ImportedNode& node) {
  proto::Node& source = node.source;
  DataPtr held = steps_.may_extract() ? held_by(node.newest) : nullptr;
  if (!held) return {};
  const auto value = std::ranges::find(source.attributes, "value", &proto::Attribute::name);
  proto::Tensor* tensor = value == source.attributes.end() ? nullptr : value->t.get();
  return {constant_of(std::move(held), source.outputs.front(), tensor)};
}

Values Rebuild::as_sizes(const Results& results) {
  Values values;
  for (const Inferred& result : results) {
    if (!result.elements || !result.type.shape) return {};
    if (!formulas_ && !all_known(*result.elements)) return {};
  }
  for (const Inferred& result : results)
    values.push_back(emit_.elements(result.type.dtype, *result.type.shape, *result.elements));
  return values;
}

// A large weight that others read too would be there twice.
bool Rebuild::stays(const ImportedNode& node) const {
  const onnx::Node& newest = node.newest;
  const auto read_again = [this](std::string_view name) {
    const auto found = reads_.find(name);
    return found != reads_.end() && found->second > 1;
  };
  for (std::size_t i = 0; i < newest.inputs.size(); ++i) {
    const Value* input = newest.inputs[i];
    if (!input || input->data->byte_size() <= kSmallResult) continue;
    if (read_again(input->name) || (i < node.source.inputs.size() && read_again(node.source.inputs[i])))
      return true;
  }
  return false;
}

Values Rebuild::folded(const ImportedNode& node) {
  const onnx::Node& newest = node.newest;
  const Results& results = node.results;
  const bool known = std::ranges::all_of(newest.inputs, [](const Value* v) { return !v || v->constant(); });
  if (!known || newest.inputs.empty() || quantizes(newest) || grows(newest, results)) return {};
  if (newest.op == "Identity") return newest.inputs;
  if (stays(node)) return {};
  if (DataPtr changed = onnx::fold_layout(newest)) return {emit_.constant(std::move(changed))};
  std::vector<onnx::Type> types;
  for (const Inferred& result : results) types.push_back(result.type);
  Values values;
  for (DataPtr& data : onnx::fold(newest, types)) values.push_back(emit_.constant(std::move(data)));
  return values;
}

Values Rebuild::shared(const std::string& key) {
  if (key.empty()) return {};
  for (const onnx::Graph* graph = emit_.scope(); graph != nullptr; graph = graph->parent)
    if (const auto table = equal_.find(graph); table != equal_.end())
      if (const auto found = table->second.find(key); found != table->second.end()) return found->second;
  return {};
}

Values Rebuild::reshaped(const ImportedNode& node) {
  const onnx::Node& newest = node.newest;
  const bool reshape = newest.op == "Reshape";
  if ((!reshape && newest.op != "Expand") || newest.inputs.size() < 2 || newest.inputs[1]->constant() ||
      !newest.inputs[1]->elements)
    return {};
  const auto& shape = node.results.front().type.shape;
  if (!shape || !newest.inputs[0]->has_rank()) return {};
  Value* value = reshape ? emit_.reshape(newest.inputs[0], *shape) : emit_.expand(newest.inputs[0], *shape);
  steps_.took(Step::fold_sizes);
  const onnx::Node* made = value->producer;
  if (made && made->op == newest.op && value->name.empty() && !into_.nodes.contains(made))
    into_.nodes[made] = {&node.source, node.read.attributes};
  return {value};
}

Value* Rebuild::constant_of(DataPtr data, std::string_view name, proto::Tensor* tensor) {
  Value* value = nullptr;
  if (!steps_.may(Step::share_constants)) {
    value = into_.model.add_value(type_of(*data));
    value->data = data;
  } else if (data->byte_size() <= kSmallConstant) {
    const Bytes bytes = data->bytes();
    value = emit_.constant(std::make_shared<onnx::Data>(data->dtype(), data->shape(),
                                                        std::vector<std::byte>(bytes.begin(), bytes.end())));
  } else {
    Values& alike = large_[look_of(*data)];
    const auto same = std::ranges::find_if(
        alike, [&](const Value* each) { return equal(each->data->bytes(), data->bytes()); });
    value = same == alike.end() ? alike.emplace_back(emit_.constant(data)) : *same;
  }
  if (!value->name.empty()) {
    if (tensor) steps_.took(Step::share_constants);
    return value;
  }
  value->name = name;
  into_.constants.push_back(value);
  if (tensor) into_.tensors[value] = tensor;
  return value;
}

}  // namespace cameo::model
