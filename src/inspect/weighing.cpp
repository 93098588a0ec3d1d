#include "inspect/weighing.h"

#include <optional>
#include <vector>

#include "archive/packed_params.h"
#include "base/index.h"

namespace cameo::inspect {
namespace {

struct Pending {
  archive::Ref value;
  Role role;
};

bool is_native(const archive::Object& object) {
  return qualified_name(object.cls).starts_with("__torch__.torch.classes.");
}

std::optional<archive::PackedParams> decode(const archive::Value& value) {
  const auto* object = value.get_if<archive::Object>();
  return object == nullptr ? std::nullopt : archive::decode_packed_params(*object);
}

struct PackedTensors {
  std::vector<archive::TensorPtr> tensors;
  void operator()(const archive::PackedEmbedding& packed) { tensors.push_back(packed.weight); }
  void operator()(const archive::PackedCell& packed) {
    tensors.insert(tensors.end(), packed.tensors.begin(), packed.tensors.end());
    for (const archive::PackedLinear& linear : packed.linears) (*this)(linear);
  }
  template <class WithBias>
  void operator()(const WithBias& packed) {
    tensors.push_back(packed.weight);
    tensors.push_back(packed.bias);
  }
};

// Puts what `value` holds onto `pending`; its tensor, if it is one, is for the caller.
void push_items(const archive::Value& value, Role role, std::vector<Pending>& pending) {
  const auto push = [&](archive::Ref item, Role as) {
    if (item != nullptr) pending.push_back({item, as});
  };
  if (const auto* list = value.get_if<archive::List>()) {
    for (const archive::Ref item : list->items) push(item, role);
  } else if (const auto* tuple = value.get_if<archive::Tuple>()) {
    for (const archive::Ref item : tuple->items) push(item, role);
  } else if (const auto* dict = value.get_if<archive::Dict>()) {
    for (const auto& [key, item] : dict->items) push(item, role);
  } else if (const auto* object = value.get_if<archive::Object>()) {
    push(object->state, is_native(*object) ? Role::packed : role);
  }
}

}  // namespace

void Weighing::add_storage(const archive::Tensor& tensor, Role role, Weights& weights) {
  if (tensor.storage == nullptr || !storages_.insert(tensor.storage.get()).second) return;
  std::int64_t& bytes = element_at(weights.bytes, role);
  bytes = saturating_add(bytes, std::ssize(tensor.storage->bytes));
}

// Tied weights come back as other tensors over the same part of a storage.
bool Weighing::count(const archive::Tensor& tensor, Role role, Weights& weights) {
  const std::int64_t numel = tensor.numel();
  if (!seen_.insert({tensor.storage.get(), tensor.offset, numel}).second) return false;
  std::int64_t& elements = element_at(weights.elements, role);
  elements = saturating_add(elements, numel);
  elements_[tensor.dtype] = saturating_add(elements_[tensor.dtype], numel);
  add_storage(tensor, role, weights);
  return true;
}

bool Weighing::add(const archive::Tensor& tensor, Role role, Weights& weights) {
  bool fresh = tensor.parts.empty() && count(tensor, role, weights);
  for (const archive::TensorPtr& part : tensor.parts) fresh |= count(*part, role, weights);
  std::int64_t& tensors = element_at(weights.tensors, role);
  if (fresh) tensors = saturating_add(tensors, 1);
  if (const auto* channels = std::get_if<archive::PerChannel>(&tensor.quantization)) {
    if (channels->scales) add_storage(*channels->scales, role, weights);
    if (channels->zero_points) add_storage(*channels->zero_points, role, weights);
  }
  return fresh;
}

void Weighing::add_all(archive::Ref value, Role role, Weights& weights) {
  std::vector<Pending> pending = {{value, role}};
  while (!pending.empty()) {
    const Pending next = pending.back();
    pending.pop_back();
    if (const auto* tensor = next.value->get_if<archive::TensorPtr>()) {
      add(**tensor, next.role, weights);
    } else if (!values_.insert(next.value).second) {
      continue;
    } else if (const auto packed = decode(*next.value)) {
      PackedTensors found;
      std::visit(found, *packed);
      for (const archive::TensorPtr& each : found.tensors) {
        if (each != nullptr) add(*each, Role::packed, weights);
      }
    } else {
      push_items(*next.value, next.role, pending);
    }
  }
}

}  // namespace cameo::inspect
