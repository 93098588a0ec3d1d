#include "archive/packed_params.h"

#include <fmt/core.h>

#include <span>

#include "archive/byte_reader.h"
#include "cameo/diagnostic.h"

namespace cameo::archive {
namespace {

constexpr std::int64_t kMaxConfig = 64;

// A tuple or list of the state, read item by item with the type that is expected there.
class State {
 public:
  State(const Value* value, const Global& cls) : cls_(cls) {
    if (value == nullptr) fail();
    if (const Tuple* tuple = value->get_if<Tuple>()) {
      items_ = tuple->items;
    } else if (const List* list = value->get_if<List>()) {
      items_ = list->items;
    } else {
      fail();
    }
  }

  [[noreturn]] void fail() const {
    throw Error(Diagnostic{
        .code = Code::bad_packed_params,
        .message =
            fmt::format("the packed parameters of class '{}' are in no known encoding", qualified_name(cls_)),
        .hint = "save the model again with a released version of PyTorch"});
  }

  std::size_t size() const { return items_.size(); }
  const Global& cls() const { return cls_; }

  Ref at(std::size_t index) const {
    if (index >= items_.size()) fail();
    return items_[index];
  }
  template <class T>
  const T& get(std::size_t index) const {
    const T* value = at(index)->get_if<T>();
    if (value == nullptr) fail();
    return *value;
  }
  State list(std::size_t index) const { return State(at(index), cls_); }
  const TensorPtr& tensor(std::size_t index) const { return get<TensorPtr>(index); }
  TensorPtr optional_tensor(std::size_t index) const {
    return index >= items_.size() || items_[index]->is_none() ? nullptr : tensor(index);
  }
  std::optional<double> optional_number(std::size_t index) const {
    const Ref value = at(index);
    if (value->is_none()) return std::nullopt;
    if (const auto* integer = value->get_if<std::int64_t>()) return static_cast<double>(*integer);
    return get<double>(index);
  }
  template <class T>
  std::vector<T> all() const {
    std::vector<T> values;
    for (std::size_t i = 0; i < size(); ++i) values.push_back(get<T>(i));
    return values;
  }

 private:
  const Global& cls_;
  std::span<const Ref> items_;
};

template <class T>
std::vector<std::int64_t> widened(Bytes bytes) {
  std::vector<std::int64_t> values;
  for (std::size_t at = 0; at < bytes.size(); at += sizeof(T)) values.push_back(load_le<T>(bytes, at));
  return values;
}

std::vector<std::int64_t> integers(const State& state, const Tensor& tensor) {
  if (tensor.layout != Layout::strided || tensor.numel() > kMaxConfig) state.fail();
  const std::vector<std::byte> bytes = tensor.to_vector();
  switch (tensor.dtype) {
    case DType::u8: return widened<std::uint8_t>(bytes);
    case DType::i8: return widened<std::int8_t>(bytes);
    case DType::i16: return widened<std::int16_t>(bytes);
    case DType::i32: return widened<std::int32_t>(bytes);
    case DType::i64: return widened<std::int64_t>(bytes);
    default: state.fail();
  }
}

// Every tensor of the list holds one integer.
std::vector<std::int64_t> single_integers(const State& list) {
  std::vector<std::int64_t> values;
  for (std::size_t i = 0; i < list.size(); ++i) {
    const std::vector<std::int64_t> one = integers(list, *list.tensor(i));
    if (one.size() != 1) list.fail();
    values.push_back(one.front());
  }
  return values;
}

// dim, stride×dim, padding×dim, dilation×dim, output_padding×dim, groups, flags (bit 0: transpose)
PackedConv read_config(const State& state, const std::vector<std::int64_t>& config) {
  if (config.empty() || config[0] < 1 || config[0] > 3) state.fail();
  const auto dims = static_cast<std::size_t>(config[0]);
  if (config.size() != 1 + 4 * dims + 2) state.fail();
  const auto part = [&](std::size_t index) {
    const auto begin = config.begin() + static_cast<std::ptrdiff_t>(1 + index * dims);
    return std::vector<std::int64_t>(begin, begin + static_cast<std::ptrdiff_t>(dims));
  };
  PackedConv conv;
  conv.stride = part(0);
  conv.padding = part(1);
  conv.dilation = part(2);
  conv.output_padding = part(3);
  conv.groups = config[1 + 4 * dims];
  conv.transpose = (config[2 + 4 * dims] & 1) != 0;
  return conv;
}

PackedConv decode_conv_v1(const State& state) {
  PackedConv conv;
  conv.weight = state.tensor(0);
  conv.bias = state.optional_tensor(1);
  conv.stride = single_integers(state.list(2));
  conv.padding = single_integers(state.list(3));
  conv.dilation = single_integers(state.list(4));
  conv.output_padding.assign(conv.stride.size(), 0);
  const std::vector<std::int64_t> groups = integers(state, *state.tensor(5));
  if (groups.size() != 1) state.fail();
  conv.groups = groups.front();
  return conv;
}

PackedConv decode_conv(const State& state) {
  const Ref version = state.at(0);
  if (version->get_if<TensorPtr>() != nullptr) return decode_conv_v1(state);
  if (const String* text = version->get_if<String>(); text != nullptr && text->text == "2") {
    const State tensors = state.list(1);
    PackedConv conv = read_config(state, integers(state, *tensors.tensor(0)));
    conv.weight = tensors.tensor(1);
    conv.bias = state.list(2).optional_tensor(0);
    return conv;
  }
  if (const auto* number = version->get_if<std::int64_t>(); number != nullptr && *number == 3) {
    PackedConv conv = read_config(state, state.list(1).all<std::int64_t>());
    const State tensors = state.list(2);
    conv.weight = tensors.tensor(1);
    conv.bias = tensors.optional_tensor(2);
    return conv;
  }
  state.fail();
}

PackedLinear decode_linear(const State& state) {
  return {.weight = state.tensor(0), .bias = state.optional_tensor(1), .clamp = {}};
}

PackedEmbedding decode_embedding(const State& state) {
  const std::vector<std::int64_t> rates = state.list(3).all<std::int64_t>();
  if (rates.empty()) state.fail();
  return {.weight = state.list(1).tensor(0), .bit_rate = rates.front()};
}

PackedCell decode_cell(const State& state) {
  PackedCell cell;
  cell.kind = state.get<String>(0).text;
  cell.tensors = state.list(1).all<TensorPtr>();
  cell.scales = state.list(2).all<double>();
  cell.integers = state.list(3).all<std::int64_t>();
  const State linears = state.list(4);
  for (std::size_t i = 0; i < linears.size(); ++i) {
    const Object& linear = linears.get<Object>(i);
    cell.linears.push_back(decode_linear(State(linear.state, linear.cls)));
  }
  return cell;
}

PackedLinear decode_clamped_linear(const State& state) {
  PackedLinear linear = decode_linear(state);
  linear.clamp = {state.optional_number(2), state.optional_number(3)};
  return linear;
}

PackedConv decode_clamped_conv(const State& state, bool transpose) {
  PackedConv conv;
  std::size_t next = 0;
  conv.weight = state.tensor(next++);
  conv.bias = state.optional_tensor(next++);
  conv.stride = state.list(next++).all<std::int64_t>();
  conv.padding = state.list(next++).all<std::int64_t>();
  conv.output_padding.assign(conv.stride.size(), 0);
  if (transpose) conv.output_padding = state.list(next++).all<std::int64_t>();
  conv.dilation = state.list(next++).all<std::int64_t>();
  conv.groups = state.get<std::int64_t>(next++);
  conv.clamp.min = state.optional_number(next++);
  conv.clamp.max = state.optional_number(next++);
  conv.transpose = transpose;
  return conv;
}

PackedConv decode_mkldnn_conv(const State& state) {
  PackedConv conv;
  conv.weight = state.tensor(0);
  conv.bias = state.optional_tensor(1);
  conv.stride = state.list(2).all<std::int64_t>();
  conv.padding = state.list(3).all<std::int64_t>();
  conv.dilation = state.list(4).all<std::int64_t>();
  conv.output_padding.assign(conv.stride.size(), 0);
  conv.groups = state.get<std::int64_t>(5);
  conv.activation = state.get<String>(7).text;
  return conv;
}

}  // namespace

std::optional<PackedParams> decode_packed_params(const Object& object) {
  const std::string cls = qualified_name(object.cls);
  constexpr std::string_view kPrefix = "__torch__.torch.classes.";
  if (!cls.starts_with(kPrefix)) return std::nullopt;
  const std::string_view name = std::string_view(cls).substr(kPrefix.size());
  const auto state = [&] { return State(object.state, object.cls); };
  if (name == "quantized.LinearPackedParamsBase") return decode_linear(state());
  if (name == "quantized.Conv2dPackedParamsBase") return decode_conv(state());
  if (name == "quantized.Conv3dPackedParamsBase") return decode_conv(state());
  if (name == "quantized.EmbeddingPackedParamsBase") return decode_embedding(state());
  if (name == "rnn.CellParamsBase") return decode_cell(state());
  if (name == "xnnpack.LinearOpContext") return decode_clamped_linear(state());
  if (name == "xnnpack.Conv2dOpContext") return decode_clamped_conv(state(), false);
  if (name == "xnnpack.TransposeConv2dOpContext") return decode_clamped_conv(state(), true);
  if (name == "mkldnn.ConvOpContext") return decode_mkldnn_conv(state());
  return std::nullopt;
}

}  // namespace cameo::archive
