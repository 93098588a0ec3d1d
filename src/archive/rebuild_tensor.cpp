#include "archive/rebuild_tensor.h"

#include <fmt/core.h>

#include <algorithm>

#include "archive/tensor_check.h"

namespace cameo::archive {
namespace {

template <class T>
const T& expect(PickleArena& arena, Args args, std::size_t index, std::string_view what) {
  const T* value = index < args.size() ? args[index]->get_if<T>() : nullptr;
  if (value == nullptr) arena.fail(fmt::format("a tensor's {} is missing or of a wrong type", what));
  return *value;
}

bool flag(Args args, std::size_t index) {
  const bool* value = index < args.size() ? args[index]->get_if<bool>() : nullptr;
  return value != nullptr && *value;
}

Args items_in(Ref value) {
  if (const Tuple* tuple = value->get_if<Tuple>()) return tuple->items;
  if (const List* list = value->get_if<List>()) return list->items;
  return {};
}

std::vector<std::int64_t> dims(PickleArena& arena, Args args, std::size_t index, std::string_view what) {
  if (index >= args.size() || (!args[index]->get_if<Tuple>() && !args[index]->get_if<List>())) {
    arena.fail(fmt::format("a tensor's {} is missing or of a wrong type", what));
  }
  const Args items = items_in(args[index]);
  arena.charge(items.size());
  std::vector<std::int64_t> out;
  out.reserve(items.size());
  for (std::size_t i = 0; i < items.size(); ++i) {
    out.push_back(expect<std::int64_t>(arena, items, i, what));
    if (out.back() < 0) arena.fail(fmt::format("a tensor's {} is negative", what));
  }
  return out;
}

void check_size(const PickleArena& arena, const Tensor& tensor) {
  if (const std::optional<std::string> fault = find_size_fault(tensor)) arena.fail(*fault);
}

void check(const PickleArena& arena, const Tensor& tensor) {
  if (const std::optional<std::string> fault = find_fault(tensor)) arena.fail(*fault);
}

Tensor read_view(PickleArena& arena, Args args) {
  Tensor tensor;
  tensor.storage = expect<StorageRef>(arena, args, 0, "storage").storage;
  tensor.dtype = tensor.storage->dtype;
  tensor.offset = expect<std::int64_t>(arena, args, 1, "offset");
  tensor.shape = dims(arena, args, 2, "size");
  tensor.strides = dims(arena, args, 3, "stride");
  return tensor;
}

void read_metadata(PickleArena& arena, Tensor& tensor, Args args, std::size_t index) {
  const Dict* metadata = index < args.size() ? args[index]->get_if<Dict>() : nullptr;
  if (metadata == nullptr) return;
  arena.charge(metadata->items.size());
  const auto set = [&](std::string_view key) {
    const Value* value = find(*metadata, key);
    const bool* bit = value != nullptr ? value->get_if<bool>() : nullptr;
    return bit != nullptr && *bit;
  };
  tensor.conjugate = set("conj");
  tensor.negative = set("neg");
}

Value* finish(PickleArena& arena, Tensor tensor) {
  check(arena, tensor);
  return arena.make(TensorPtr(std::make_shared<Tensor>(std::move(tensor))));
}

// A tensor that others are made of. It is plain itself: no chain of tensors can grow.
TensorPtr part(PickleArena& arena, Args args, std::size_t index, std::string_view what) {
  const TensorPtr& tensor = expect<TensorPtr>(arena, args, index, what);
  if (tensor->layout != Layout::strided || tensor->quantization.index() != 0) {
    arena.fail(fmt::format("a tensor's {} is not a plain tensor", what));
  }
  return tensor;
}

Quantization read_quantization(PickleArena& arena, const Tensor& tensor, Args args) {
  const std::string_view scheme = expect<Global>(arena, args, 0, "quantization scheme").name;
  if (scheme.starts_with("per_tensor_")) {
    return PerTensor{expect<double>(arena, args, 1, "scale"),
                     expect<std::int64_t>(arena, args, 2, "zero point")};
  }
  if (!scheme.starts_with("per_channel_")) {
    arena.fail(fmt::format("a tensor's quantization scheme '{}' is unknown", scheme));
  }
  PerChannel channels{.scales = part(arena, args, 1, "scales"),
                      .zero_points = part(arena, args, 2, "zero points"),
                      .axis = expect<std::int64_t>(arena, args, 3, "axis"),
                      .float_qparams = scheme == "per_channel_affine_float_qparams"};
  if (channels.axis < 0 || static_cast<std::size_t>(channels.axis) >= tensor.shape.size()) {
    arena.fail("a quantized tensor's axis lies outside of its shape");
  }
  const std::int64_t count = tensor.shape[static_cast<std::size_t>(channels.axis)];
  if (channels.scales->numel() != count || channels.zero_points->numel() != count) {
    arena.fail("a quantized tensor has not one scale and zero point a channel");
  }
  return channels;
}

// C++ writes c10's number of the layout, Python a call of
// torch.serialization._get_layout("torch.sparse_coo").
std::optional<Layout> read_layout(Ref value) {
  if (const auto* number = value->get_if<std::int64_t>()) {
    switch (*number) {
      case 1: return Layout::coo;
      case 2: return Layout::csr;
      case 4: return Layout::csc;
      case 5: return Layout::bsr;
      case 6: return Layout::bsc;
      default: return std::nullopt;
    }
  }
  const Call* call = value->get_if<Call>();
  const Args args = call != nullptr ? items_in(call->args) : Args{};
  const String* name = args.size() == 1 ? args[0]->get_if<String>() : nullptr;
  if (name == nullptr) return std::nullopt;
  if (name->text == "torch.sparse_coo") return Layout::coo;
  if (name->text == "torch.sparse_csr") return Layout::csr;
  if (name->text == "torch.sparse_csc") return Layout::csc;
  if (name->text == "torch.sparse_bsr") return Layout::bsr;
  if (name->text == "torch.sparse_bsc") return Layout::bsc;
  return std::nullopt;
}

void check_sparse(const PickleArena& arena, const Tensor& tensor) {
  const Tensor& values = *tensor.parts.back();
  const Tensor& indices = *tensor.parts[tensor.parts.size() - 2];
  if (values.shape.empty() || indices.shape.empty() || indices.shape.back() != values.shape[0]) {
    arena.fail("a sparse tensor has not one index a value");
  }
  const bool coo_rank =
      indices.shape.size() == 2 && static_cast<std::uint64_t>(indices.shape[0]) <= tensor.shape.size();
  if (tensor.layout == Layout::coo && !coo_rank) arena.fail("a sparse tensor's indices do not fit its size");
  for (std::size_t i = 0; i + 1 < tensor.parts.size(); ++i) {
    if (!is_integral(tensor.parts[i]->dtype)) arena.fail("a sparse tensor's indices are not integers");
  }
}

}  // namespace

Value* rebuild_tensor(PickleArena& arena, Args args) { return finish(arena, read_view(arena, args)); }

Value* rebuild_tensor_v2(PickleArena& arena, Args args) {
  Tensor tensor = read_view(arena, args);
  tensor.requires_grad = flag(args, 4);
  read_metadata(arena, tensor, args, 6);
  return finish(arena, std::move(tensor));
}

Value* rebuild_tensor_v3(PickleArena& arena, Args args) {
  Tensor tensor = read_view(arena, args);
  tensor.requires_grad = flag(args, 4);
  const Global& dtype = expect<Global>(arena, args, 6, "dtype");
  const auto known = dtype_from_name(dtype.name);
  if (!known) arena.fail(fmt::format("a tensor's dtype '{}' is unknown", qualified_name(dtype)));
  tensor.dtype = *known;
  read_metadata(arena, tensor, args, 7);
  return finish(arena, std::move(tensor));
}

Value* rebuild_qtensor(PickleArena& arena, Args args) {
  Tensor tensor = read_view(arena, args);
  if (!is_quantized(tensor.dtype)) arena.fail("a quantized tensor has a storage of plain numbers");
  const Args quantizer = expect<Tuple>(arena, args, 4, "quantization").items;
  if (quantizer.size() > 1 && quantizer[1]->get_if<List>() != nullptr) return nullptr;
  tensor.quantization = read_quantization(arena, tensor, quantizer);
  tensor.requires_grad = flag(args, 5);
  return finish(arena, std::move(tensor));
}

Value* rebuild_sparse_tensor(PickleArena& arena, Args args) {
  if (args.empty()) arena.fail("a sparse tensor's layout is missing");
  const auto layout = read_layout(args[0]);
  if (!layout) return nullptr;
  Tensor tensor;
  tensor.layout = *layout;
  const std::size_t count = *layout == Layout::coo ? 2 : 3;
  const bool python = args.size() == 2 && args[1]->get_if<Tuple>() != nullptr;
  const Args parts = python ? items_in(args[1]) : args.subspan(std::min<std::size_t>(3, args.size()));
  tensor.shape = python ? dims(arena, parts, count, "size") : dims(arena, args, 1, "size");
  tensor.requires_grad = !python && flag(args, 2);
  for (std::size_t i = 0; i < count; ++i) tensor.parts.push_back(part(arena, parts, i, "sparse part"));
  tensor.dtype = tensor.parts.back()->dtype;
  check_size(arena, tensor);
  check_sparse(arena, tensor);
  return arena.make(TensorPtr(std::make_shared<Tensor>(std::move(tensor))));
}

Value* rebuild_meta_tensor(PickleArena& arena, Args args) {
  const auto dtype = dtype_from_name(expect<Global>(arena, args, 0, "dtype").name);
  if (!dtype) return nullptr;
  Tensor tensor;
  tensor.dtype = *dtype;
  tensor.shape = dims(arena, args, 1, "size");
  tensor.strides = dims(arena, args, 2, "stride");
  tensor.requires_grad = flag(args, 3);
  auto storage = std::make_shared<Storage>();
  storage->dtype = *dtype;
  storage->location = "meta";
  tensor.storage = std::move(storage);
  return finish(arena, std::move(tensor));
}

Value* rebuild_parameter(PickleArena& arena, Args args) {
  const TensorPtr* data = args.empty() ? nullptr : args[0]->get_if<TensorPtr>();
  if (data == nullptr) return nullptr;
  arena.charge((*data)->shape.size());
  auto parameter = std::make_shared<Tensor>(**data);
  parameter->requires_grad = args.size() < 2 || flag(args, 1);
  return arena.make(TensorPtr(std::move(parameter)));
}

}  // namespace cameo::archive
