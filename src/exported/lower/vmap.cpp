// torch.vmap in programs that were not decomposed. The file has the nodes of the mapped function between
// _vmap_increment_nesting and _vmap_decrement_nesting; _add_batch_dim hides the mapped axis of a tensor, and
// _remove_batch_dim shows it again. This becomes a loop over the items, whose results are stacked.

#include <fmt/core.h>

#include <algorithm>

#include "base/text.h"
#include "exported/lower/expressions.h"
#include "exported/lower/method_writer.h"

namespace cameo::exported {
namespace {

constexpr std::string_view kPrefix = "torch._functorch.predispatch.";

std::string_view vmap_call(const Node& node) {
  return node.target.starts_with(kPrefix) ? node.target.substr(kPrefix.size()) : std::string_view();
}

}  // namespace

bool MethodWriter::write_vmap(const Node& node) {
  const std::string_view name = vmap_call(node);
  if (name == "lazy_load_decompositions") return true;
  if (name == "_vmap_increment_nesting") return begin_vmap(node), true;
  if (vmaps_.empty()) return false;
  if (name == "_vmap_decrement_nesting") return end_vmap(), true;
  if (vmaps_.back().empty) return true;
  if (name == "_add_batch_dim" && node.inputs.size() > 1) {
    assign(node, fmt::format("torch.select({}, {}, {})", expression(node.inputs[0].value, variables_),
                             expression(node.inputs[1].value, variables_), vmaps_.back().index));
    return true;
  }
  if (name == "_remove_batch_dim" && !node.inputs.empty()) {
    const Vmap& vmap = vmaps_.back();
    for (std::size_t i = 0; i < vmap.results.size(); ++i)
      if (vmap.results[i] == &node) append({vmap.lists[i]}, {expression(node.inputs[0].value, variables_)});
    return true;
  }
  return false;
}

void MethodWriter::begin_vmap(const Node& node) {
  leave_module();
  Vmap vmap{.index = variables_.fresh("index"), .results = {}};
  const Node* const end = task_.graph->nodes.data() + task_.graph->nodes.size();
  int depth = 1;
  for (const Node* next = &node + 1; next != end && depth > 0; ++next) {
    const std::string_view name = vmap_call(*next);
    if (name == "_vmap_increment_nesting") ++depth;
    if (name == "_vmap_decrement_nesting") --depth;
    if (name == "_remove_batch_dim" && depth == 1) vmap.results.push_back(next);
  }
  vmap.empty = vmaps_.empty() ? has_no_items(node, vmap) : vmaps_.back().empty || has_no_items(node, vmap);
  if (vmap.empty) return vmaps_.push_back(std::move(vmap));
  vmap.lists = empty_lists(vmap.results.size());
  line(fmt::format("for {} in range({}):", vmap.index, expression(argument(node, 0), variables_)));
  ++depth_;
  vmaps_.push_back(std::move(vmap));
}

// Whether the file fixes an empty batch, and the sizes of the results.
bool MethodWriter::has_no_items(const Node& node, const Vmap& vmap) const {
  const std::int64_t* count = argument(node, 0).get_if<std::int64_t>();
  return count && *count == 0 &&
         std::ranges::all_of(vmap.results, [&](const Node* result) { return !zeros(*result).empty(); });
}

// A tensor of zeros with the type and the sizes of the node's result; empty if they are not numbers.
std::string MethodWriter::zeros(const Node& node) const {
  const TensorName* name = node.outputs.size() == 1 ? node.outputs[0].get_if<TensorName>() : nullptr;
  const TensorMeta* meta = name ? task_.graph->tensor(name->name) : nullptr;
  if (!meta) return {};
  std::vector<std::int64_t> sizes;
  for (const SymInt& size : meta->sizes) {
    if (size.expression) return {};
    sizes.push_back(size.value);
  }
  return fmt::format("torch.zeros([{}], dtype={})", join(sizes, ", "), torch_number(meta->dtype));
}

void MethodWriter::end_vmap() {
  leave_module();
  const Vmap vmap = std::move(vmaps_.back());
  vmaps_.pop_back();
  if (vmap.empty) {
    const bool written = vmaps_.empty() || !vmaps_.back().empty;
    for (const Node* node : vmap.results)
      if (written) assign(*node, zeros(*node));
    return;
  }
  --depth_;
  for (std::size_t i = 0; i < vmap.results.size(); ++i) {
    const Node& node = *vmap.results[i];
    const std::string axis = node.inputs.size() > 3 ? expression(node.inputs[3].value, variables_) : "0";
    assign(node, fmt::format("torch.stack({}, {})", vmap.lists[i], axis));
  }
}

}  // namespace cameo::exported
