// Reads the weights of C++ objects: packed parameters of quantised and mobile-optimised layers.
#include <fmt/core.h>

#include "archive/packed_params.h"
#include "aten/quantization.h"
#include "base/overload.h"
#include "eval/loader.h"

namespace cameo::eval {
namespace {

using LoadTensor = std::function<aten::Tensor(const archive::TensorPtr&, std::string_view name)>;

aten::Clamp clamp_of(const archive::Clamp& clamp) { return {clamp.min, clamp.max}; }

std::optional<aten::Tensor> bias_of(const archive::TensorPtr& bias, std::string_view name,
                                    const LoadTensor& load) {
  return bias ? std::optional(load(bias, name)) : std::nullopt;
}

aten::PackedLinear linear_of(const archive::PackedLinear& linear, const std::string& prefix,
                             const LoadTensor& load) {
  return {load(linear.weight, prefix + "weight"), bias_of(linear.bias, prefix + "bias", load),
          clamp_of(linear.clamp)};
}

aten::PackedConv conv_of(const archive::PackedConv& conv, const LoadTensor& load) {
  return {load(conv.weight, "weight"),
          bias_of(conv.bias, "bias", load),
          conv.stride,
          conv.padding,
          conv.dilation,
          conv.output_padding,
          conv.groups,
          conv.transpose,
          clamp_of(conv.clamp),
          conv.activation};
}

// Weights that an older PyTorch keeps as plain integers beside their scale.
aten::PackedLinear old_linear(onnx::Emit& e, const archive::PackedCell& cell, std::size_t index,
                              const std::string& prefix, const LoadTensor& load) {
  aten::Tensor weight = load(cell.tensors.at(index), prefix + "weight");
  if (!weight.quantizer)
    weight.quantizer = aten::per_tensor(e, cell.scales.at(index), cell.integers.at(index), weight->dtype());
  return {weight, bias_of(cell.tensors.at(index + 2), prefix + "bias", load)};
}

// Two integers of four bits share a byte: the table as one of bytes, with half as many columns.
archive::TensorPtr bytes_of(const archive::TensorPtr& table) {
  if (table->dtype != DType::qu4x2) return table;
  if (table->shape.size() != 2 || table->shape[1] % 2 != 0 || table->offset != 0 || !table->contiguous())
    throw aten::Unsupported("a table of four bits needs an even number of columns");
  auto bytes = std::make_shared<archive::Tensor>(*table);
  bytes->dtype = DType::qu8;
  bytes->shape[1] /= 2;
  bytes->strides = {bytes->shape[1], 1};
  return bytes;
}

aten::PackedCell cell_of(onnx::Emit& e, const archive::PackedCell& cell, const LoadTensor& load) {
  const std::string input = "ih.", hidden = "hh.";
  if (cell.linears.size() == 2) {
    const bool dynamic = cell.kind == "quantized_dynamic";
    return {linear_of(cell.linears[0], input, load), linear_of(cell.linears[1], hidden, load), dynamic,
            dynamic && !cell.integers.empty() && cell.integers[0] != 0};
  }
  if (cell.kind != "quantized" || cell.tensors.size() < 4 || cell.scales.size() < 2 ||
      cell.integers.size() < 2)
    throw aten::Unsupported(fmt::format("recurrent weights of kind '{}' are not supported", cell.kind));
  return {old_linear(e, cell, 0, input, load), old_linear(e, cell, 1, hidden, load), true, false};
}

}  // namespace

void Loader::load_packed(Object& object, const std::string& path) {
  const std::optional<archive::PackedParams> decoded = archive::decode_packed_params(*object.opaque);
  if (!decoded) return;
  const LoadTensor load = [&](const archive::TensorPtr& tensor, std::string_view name) {
    if (tensor->layout != archive::Layout::strided || (tensor->numel() > 0 && !tensor->storage->has_data))
      throw aten::Unsupported(fmt::format("the archive holds no data for '{}'", name));
    return tensor_of(tensor, path.empty() ? std::string(name) : fmt::format("{}.{}", path, name));
  };
  auto packed = std::make_shared<aten::Packed>();
  packed->cls = object.cls;
  try {
    std::visit(Overload{
                   [&](const archive::PackedLinear& linear) { packed->params = linear_of(linear, {}, load); },
                   [&](const archive::PackedConv& conv) { packed->params = conv_of(conv, load); },
                   [&](const archive::PackedEmbedding& embedding) {
                     packed->params = aten::PackedEmbedding{load(bytes_of(embedding.weight), "weight"),
                                                            embedding.bit_rate};
                   },
                   [&](const archive::PackedCell& cell) { packed->params = cell_of(ev_.emit, cell, load); },
               },
               *decoded);
    object.packed = std::move(packed);
  } catch (const aten::Unsupported& error) {
    object.unreadable = error.what();
  } catch (const aten::ProgramError& error) {
    object.unreadable = error.what();
  }
}

}  // namespace cameo::eval
