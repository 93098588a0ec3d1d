#include "model/quantize/weight_quantizer.h"

#include <algorithm>
#include <cmath>

#include <fmt/core.h>

#include "base/side_by_side.h"
#include "base/style.h"
#include "base/text.h"
#include "model/quantize/nodes.h"
#include "model/rewrite/tensors.h"
#include "onnx/check/context.h"
#include "onnx/proto/value_info.h"
#include "onnx/proto/visit.h"

namespace cameo::model {
namespace {

namespace proto = onnx::proto;
using proto::Text;
using Form = QuantizeOptions::Form;

constexpr std::int64_t kPerAxis = 13, kOtherFloats = 19, kBlocks = 21;  // opsets of DequantizeLinear

bool is_signed(ElementType type) { return type == ElementType::i8 || type == ElementType::i4; }

Integers integers_of(const QuantizeOptions& options) {
  Integers integers{.type = onnx::from_onnx(static_cast<int>(options.weights)).value_or(DType::undefined),
                    .symmetric = options.symmetric.value_or(is_signed(options.weights)),
                    .search = options.search,
                    .reduced = !options.ranges.empty() && !options.full_range};
  if (options.form == Form::matmul_nbits) integers.type = DType::u4;  // a symmetric zero point is 8
  return integers;
}

}  // namespace

void fail_quantizing(const Opened& opened, Code code, std::string message, std::string hint) {
  throw Error(Diagnostic{
      .code = code, .message = std::move(message), .file = opened.file->name(), .hint = std::move(hint)});
}

WeightQuantizer::WeightQuantizer(Opened& opened, const QuantizeOptions& options, Names& names)
    : opened_(opened),
      options_(options),
      names_(names),
      lift_(opened, symbols_.symbols()),
      integers_(integers_of(options)) {}

std::vector<QuantizedWeight> WeightQuantizer::run() {
  Kept keep(options_.keep);
  for (Weight& weight : find_weights(opened_, options_, keep, lift_)) {
    if (options_.form == Form::matmul_nbits && !fits_product(weight)) continue;
    if (takes && !takes(weight)) continue;
    std::string name(weight.graph->initializers[weight.tensor].name);
    jobs_.push_back({.weight = std::move(weight), .name = std::move(name)});
  }
  keep.require_matches(opened_.file->name());
  if (jobs_.empty())
    fail_quantizing(
        opened_, Code::nothing_to_quantize, "the model has no weight that can be quantised",
        "weights of MatMul, Gemm, Conv, Gather and LSTM are quantised; cameo simplify --fold-inputs "
        "makes constants of inputs with a default");
  require_opset();
  for (Job& job : jobs_)
    job.grouping = {.dims = job.weight.data->shape(),
                    .axis = options_.block > 0 ? job.weight.summed : job.weight.channel,
                    .block = options_.block};
  require_whole_blocks();
  fit_all();
  std::vector<QuantizedWeight> done;
  for (const Job& job : jobs_) {
    done.push_back(described(job));
    if (options_.form == Form::matmul_nbits)
      write_product(job);
    else
      write_dequantize(job);
  }
  rewrite(*opened_.model.graph);
  for (const auto& [graph, names] : removed_) replace_initializers(*graph);
  return done;
}

const Fit* WeightQuantizer::fit_of(std::string_view weight) const {
  const auto found = std::ranges::find(jobs_, weight, &Job::name);
  return found == jobs_.end() ? nullptr : found->fit.get();
}

// MatMulNBits is a product with a constant matrix.
bool WeightQuantizer::fits_product(const Weight& weight) {
  if (weight.data->shape().size() != 2 || weight.data->dtype() == DType::bf16) return false;
  for (std::size_t i = 0; i < weight.readers.size(); ++i) {
    const proto::Node& node = *weight.readers[i];
    if (weight.inputs[i] != 1) return false;
    if (node.op_type == "MatMul") continue;
    const auto is_one = [&](std::string_view name) {
      const proto::Attribute* found = onnx::find_attribute(node, name);
      return !found || found->f.value_or(1) == 1;
    };
    const proto::Attribute* turned = onnx::find_attribute(node, "transA");
    if (node.op_type != "Gemm" || !is_one("alpha") || !is_one("beta") ||
        (turned && turned->i.value_or(0) != 0))
      return false;
  }
  return true;
}

void WeightQuantizer::require_opset() const {
  std::int64_t needed = kPerAxis;
  for (const Job& job : jobs_)
    if (job.weight.data->dtype() != DType::f32) needed = kOtherFloats;
  if (options_.block > 0 || info(integers_.type).bits == 4) needed = kBlocks;
  if (options_.form == Form::matmul_nbits) needed = 0;
  if (opened_.opset() < needed)
    fail_quantizing(
        opened_, Code::needs_opset,
        fmt::format("these weights need opset {}, and the model has opset {}", needed, opened_.opset()),
        fmt::format("raise the model with --opset {}", needed));
}

// An axis that is shorter than a block is one block.
void WeightQuantizer::require_whole_blocks() const {
  if (options_.block == 0 || options_.partial_blocks) return;
  std::vector<std::string> notes;
  for (const Job& job : jobs_)
    if (const std::int64_t extent = job.grouping.extent();
        extent > options_.block && extent % options_.block != 0)
      notes.push_back(
          fmt::format("axis {} of '{}' has {} elements", job.grouping.axis, printable(job.name), extent));
  if (notes.empty()) return;
  throw Error(Diagnostic{.code = Code::bad_block_size,
                         .message = fmt::format("blocks of {} elements do not divide {}", options_.block,
                                                plural(std::ssize(notes), "weight")),
                         .file = opened_.file->name(),
                         .notes = std::move(notes),
                         .hint =
                             "choose another block size; cameo quantize can also leave weights as they are "
                             "(--keep) or end an axis with a shorter block (--partial-blocks)"});
}

void WeightQuantizer::fit_all() {
  side_by_side(jobs_.size(), [this](std::size_t i, std::size_t) {
    jobs_[i].fit = std::make_shared<Fit>(fit(jobs_[i].weight.data, jobs_[i].grouping, integers_));
  });
  for (const Job& job : jobs_)
    if (!job.fit->finite)
      fail_quantizing(opened_, Code::weight_not_finite,
                      fmt::format("the weight '{}' holds NaN or an infinity", printable(job.name)),
                      "leave it as it is with --keep");
}

QuantizedWeight WeightQuantizer::described(const Job& job) const {
  const FitErrors& errors = job.fit->errors;
  const auto groups = static_cast<std::uint64_t>(job.grouping.groups());
  const std::uint64_t zeros = has_zero_points() ? (groups * info(integers_.type).bits + 7) / 8 : 0;
  const auto elements = static_cast<std::uint64_t>(job.weight.data->numel());
  const DType from = job.weight.data->dtype();
  return {.name = std::string(job.name),
          .node = std::string(job.weight.readers.front()->name),
          .op = std::string(job.weight.readers.front()->op_type),
          .shape = job.weight.data->shape(),
          .from = info(from).onnx,
          .to = options_.weights,
          .bytes_before = job.weight.data->byte_size(),
          .bytes_after = (elements * info(integers_.type).bits + 7) / 8 + groups * size_of(from) + zeros,
          .largest = errors.largest,
          .mean = errors.sum / static_cast<double>(errors.count),
          .relative = errors.weight_squares > 0 ? std::sqrt(errors.squares / errors.weight_squares) : 0};
}

bool WeightQuantizer::has_zero_points() const {
  if (always_zero_points) return true;
  const bool implied = options_.form == Form::matmul_nbits ? true : is_signed(options_.weights);
  return !(integers_.symmetric && implied);
}

proto::Text WeightQuantizer::add_initializer(const Job& job, std::string_view suffix, onnx::DataPtr data) {
  const Text name = names_.fresh(fmt::format("{}_{}", job.name, suffix));
  added_[job.weight.graph].push_back(tensor_of(name, std::move(data)));
  return name;
}

// The result of the new node has the name of the weight, so that nothing else changes.
void WeightQuantizer::write_dequantize(const Job& job) {
  const Text weight = names_.keep(job.name);
  const DType stored = job.weight.data->dtype();
  std::vector<Text> inputs{
      add_initializer(job, "quantized", quantized(job.weight.data, job.grouping, integers_, job.fit)),
      add_initializer(job, "scale", scales_data(job.fit, stored, job.grouping.scale_shape()))};
  if (has_zero_points())
    inputs.push_back(add_initializer(job, "zero_point",
                                     zero_points_data(job.fit, integers_.type, job.grouping.scale_shape())));
  proto::Node node = make_node("DequantizeLinear", names_.fresh(fmt::format("{}_DequantizeLinear", weight)),
                               std::move(inputs), weight, {{"axis", job.grouping.axis}});
  if (options_.block > 0)
    node.attributes.push_back(make_node({}, {}, {}, {}, {{"block_size", options_.block}}).attributes[0]);
  before_[job.weight.graph].emplace(job.weight.first, std::move(node));
  removed_[job.weight.graph].insert(names_.keep(job.name));
}

void WeightQuantizer::write_product(const Job& job) {
  const std::int64_t blocks = job.grouping.blocks(), columns = job.grouping.groups() / blocks;
  std::vector<Text> more{
      add_initializer(job, "quantized", quantized_columns(job.weight.data, job.grouping, integers_, job.fit)),
      add_initializer(job, "scale", scales_by_column(job, columns * blocks))};
  if (has_zero_points())
    more.push_back(add_initializer(job, "zero_point", zeros_by_column(job, columns, blocks)));
  for (proto::Node* node : job.weight.readers) {
    std::vector<Text> inputs{node->inputs[0]};
    inputs.insert(inputs.end(), more.begin(), more.end());
    products_.emplace(node, make_product(*node, std::move(inputs), job, columns));
  }
  removed_[job.weight.graph].insert(names_.keep(job.name));
  const auto imported = [](const proto::OpsetImport& import) { return import.domain == "com.microsoft"; };
  if (std::ranges::none_of(opened_.model.opset_imports, imported))
    opened_.model.opset_imports.push_back({.domain = "com.microsoft", .version = 1, .unknown = {}});
}

// The addend of a Gemm is added by a node of its own.
std::vector<proto::Node> WeightQuantizer::make_product(const proto::Node& source, std::vector<Text> inputs,
                                                       const Job& job, std::int64_t columns) {
  const bool adds = source.op_type == "Gemm" && source.inputs.size() > 2 && !source.inputs[2].empty();
  const Text result = adds ? names_.fresh(fmt::format("{}_product", source.outputs[0])) : source.outputs[0];
  std::vector<proto::Node> nodes;
  nodes.push_back(
      make_node("MatMulNBits", source.name, std::move(inputs), result,
                {{"K", job.grouping.extent()}, {"N", columns}, {"bits", 4}, {"block_size", options_.block}}));
  nodes[0].domain = "com.microsoft";
  nodes[0].doc_string = source.doc_string;
  nodes[0].metadata = source.metadata;
  if (adds)
    nodes.push_back(make_node("Add", names_.fresh(fmt::format("{}_Add", source.name)),
                              {result, source.inputs[2]}, source.outputs[0]));
  return nodes;
}

onnx::DataPtr WeightQuantizer::scales_by_column(const Job& job, std::int64_t count) {
  const auto turned = std::make_shared<Fit>();
  for (std::int64_t i = 0; i < count; ++i)
    turned->scales.push_back(job.fit->scales[as_size(job.grouping.place(i))]);
  return scales_data(turned, job.weight.data->dtype(), {count});
}

onnx::DataPtr WeightQuantizer::zeros_by_column(const Job& job, std::int64_t columns, std::int64_t blocks) {
  std::vector<std::byte> bytes;
  for (std::int64_t column = 0; column < columns; ++column) {
    std::vector<std::int16_t> zeros;
    for (std::int64_t i = 0; i < blocks; ++i)
      zeros.push_back(job.fit->zero_points[as_size(job.grouping.place(column * blocks + i))]);
    std::ranges::copy(packed(zeros), std::back_inserter(bytes));
  }
  return std::make_shared<onnx::Data>(DType::u8, std::vector{std::ssize(bytes)}, bytes);
}

void WeightQuantizer::rewrite(proto::Graph& graph) {
  const auto before = before_.find(&graph);
  std::vector<proto::Node> nodes;
  for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
    proto::Node& node = graph.nodes[i];
    proto::each_subgraph(node, [this](proto::Graph& inner) { rewrite(inner); });
    if (before != before_.end())
      for (auto [at, end] = before->second.equal_range(i); at != end; ++at)
        nodes.push_back(std::move(at->second));
    if (const auto product = products_.find(&node); product != products_.end())
      std::ranges::move(product->second, std::back_inserter(nodes));
    else
      nodes.push_back(std::move(node));
  }
  graph.nodes = std::move(nodes);
}

void WeightQuantizer::replace_initializers(proto::Graph& graph) {
  const std::set<std::string_view>& names = removed_[&graph];
  const auto gone = [&](const auto& each) { return names.contains(each.name); };
  if (opened_.all_initializers_are_inputs())
    for (const proto::Tensor& tensor : added_[&graph]) graph.inputs.push_back(proto::value_info(tensor));
  std::erase_if(graph.inputs, gone);
  std::erase_if(graph.initializers, gone);
  std::ranges::move(added_[&graph], std::back_inserter(graph.initializers));
}

}  // namespace cameo::model
