#include "verify/samples.h"

#include <algorithm>

#include "archive/value.h"
#include "base/overload.h"
#include "verify/exported_signature.h"

namespace cameo::verify {
namespace {

using archive::Ref;
using exported::TreeSpec;
using Kind = exported::InputSpec::Kind;

std::optional<std::vector<Ref>> children_of_dict(const archive::Dict& dict, const TreeSpec& spec) {
  if (dict.items.size() != spec.keys.size()) return std::nullopt;
  std::vector<Ref> out;
  for (const TreeSpec::Key& key : spec.keys) {
    const auto matches = [&](const std::pair<Ref, Ref>& item) {
      const auto* text = item.first->get_if<archive::String>();
      const auto* number = item.first->get_if<std::int64_t>();
      return std::visit(Overload{[&](std::string_view name) { return text && text->text == name; },
                                 [&](std::int64_t index) { return number && *number == index; },
                                 [](const TreeSpec::OtherKey&) { return false; }},
                        key);
    };
    const auto found = std::ranges::find_if(dict.items, matches);
    if (found == dict.items.end()) return std::nullopt;
    out.push_back(found->second);
  }
  return out;
}

// The fields of an object, as a named tuple and a dataclass are pickled.
std::optional<std::vector<Ref>> children_of_object(const archive::Object& object) {
  const auto* state = object.state ? object.state->get_if<archive::Dict>() : nullptr;
  const auto* args = object.args ? object.args->get_if<archive::Tuple>() : nullptr;
  if (!state) return args ? std::optional(args->items) : std::nullopt;
  std::vector<Ref> out;
  for (const auto& [key, value] : state->items) out.push_back(value);
  return out;
}

std::optional<std::vector<Ref>> children(const archive::Value& value, const TreeSpec& spec) {
  if (const auto* tuple = value.get_if<archive::Tuple>()) return tuple->items;
  if (const auto* list = value.get_if<archive::List>()) return list->items;
  if (const auto* dict = value.get_if<archive::Dict>()) return children_of_dict(*dict, spec);
  if (const auto* object = value.get_if<archive::Object>()) return children_of_object(*object);
  return std::nullopt;
}

bool add_leaves(const archive::Value& value, const TreeSpec& spec, std::vector<Ref>& leaves) {
  if (spec.kind == TreeSpec::Kind::leaf) {
    leaves.push_back(&value);
    return true;
  }
  const auto items = children(value, spec);
  if (!items || items->size() != spec.children.size()) return false;
  for (std::size_t i = 0; i < items->size(); ++i)
    if (!add_leaves(*(*items)[i], spec.children[i], leaves)) return false;
  return true;
}

std::optional<Array> array_of(const archive::Tensor& tensor) {
  const ElementType type = info(tensor.dtype).onnx;
  const bool has_data = tensor.numel() == 0 || (tensor.storage && tensor.storage->has_data);
  if (type == ElementType::undefined || is_quantized(tensor.dtype) || !has_data ||
      tensor.layout != archive::Layout::strided)
    return std::nullopt;
  return Array::owning(type, tensor.shape,
                       tensor.numel() == 0 ? std::vector<std::byte>() : tensor.to_vector());
}

std::optional<Array> array_of(const archive::Value& value) {
  if (const auto* tensor = value.get_if<archive::TensorPtr>()) return array_of(**tensor);
  if (const auto* truth = value.get_if<bool>()) return Array::scalar(*truth);
  if (const auto* integer = value.get_if<std::int64_t>()) return Array::scalar(*integer);
  if (const auto* real = value.get_if<double>()) return Array::scalar(*real);
  return std::nullopt;
}

}  // namespace

std::optional<std::vector<Array>> sample_inputs(const exported::Program& program) {
  const archive::Value* root = program.sample_inputs();
  const exported::ModuleCallSignature* call = program.root_call();
  std::vector<Ref> leaves;
  if (!root || !call || !add_leaves(*root, call->in_spec, leaves)) return std::nullopt;
  std::vector<Array> out;
  std::size_t leaf = 0;
  for (const exported::ForwardInput& input : exported::forward_inputs(program)) {
    const bool constant = input.constant || input.spec->kind == Kind::constant_input;
    if (!constant && input.spec->kind != Kind::user_input) continue;
    if (leaf >= leaves.size()) return std::nullopt;
    const archive::Value& value = *leaves[leaf++];
    if (constant) continue;
    const auto array = array_of(value);
    if (!array) return std::nullopt;
    out.push_back(*array);
  }
  if (leaf != leaves.size()) return std::nullopt;
  return out;
}

}  // namespace cameo::verify
