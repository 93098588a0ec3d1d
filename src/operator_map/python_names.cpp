#include "operator_map/python_names.h"

#include <algorithm>
#include <array>
#include <cctype>

namespace cameo::operator_map {
namespace {

// Functions and modules whose operators have other names.
struct Behind {
  std::string_view python;  // lower case, without underscores
  std::array<std::string_view, 8> operators;
};
constexpr Behind kBehind[] = {
    {"interpolate",
     {"upsample_nearest1d", "upsample_nearest2d", "upsample_nearest3d", "_upsample_nearest_exact2d",
      "upsample_linear1d", "upsample_bilinear2d", "upsample_bicubic2d", "upsample_trilinear3d"}},
    {"upsample",
     {"upsample_nearest1d", "upsample_nearest2d", "upsample_nearest3d", "upsample_linear1d",
      "upsample_bilinear2d", "upsample_bicubic2d", "upsample_trilinear3d"}},
    {"batchnorm1d", {"batch_norm"}},
    {"batchnorm2d", {"batch_norm"}},
    {"batchnorm3d", {"batch_norm"}},
    {"instancenorm1d", {"instance_norm"}},
    {"instancenorm2d", {"instance_norm"}},
    {"instancenorm3d", {"instance_norm"}},
    {"crossentropy", {"cross_entropy_loss"}},
    {"bceloss", {"binary_cross_entropy"}},
    {"bcewithlogitsloss", {"binary_cross_entropy_with_logits"}},
    {"kldivloss", {"kl_div"}},
    {"dropout2d", {"feature_dropout"}},
    {"dropout3d", {"feature_dropout"}},
    {"zeropad2d", {"constant_pad_nd"}},
    {"constantpad1d", {"constant_pad_nd"}},
    {"constantpad2d", {"constant_pad_nd"}},
    {"constantpad3d", {"constant_pad_nd"}},
    {"fold", {"col2im"}},
    {"unfold", {"im2col"}},
    {"normalize", {"norm", "clamp_min", "expand_as", "div"}},
    {"rnn", {"rnn_tanh", "rnn_relu"}},
    {"rnncell", {"rnn_tanh_cell", "rnn_relu_cell"}},
    {"multiheadattention", {"_native_multi_head_attention", "scaled_dot_product_attention"}},
};

std::string plain(std::string_view name) {
  std::string out;
  for (const char c : name)
    if (c != '_') out += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return out;
}

bool remove_prefix(std::string_view& text, std::string_view prefix) {
  if (!text.starts_with(prefix)) return false;
  text.remove_prefix(prefix.size());
  return true;
}

std::vector<std::string> of_network(std::string_view name, const std::set<std::string>& known) {
  const std::string wanted = plain(name);
  if (const auto* row = std::ranges::find(kBehind, wanted, &Behind::python); row != std::end(kBehind)) {
    std::vector<std::string> out;
    for (const std::string_view each : row->operators)
      if (!each.empty()) out.emplace_back(each);
    return out;
  }
  if (known.contains(std::string(name))) return {std::string(name)};
  for (const std::string& each : known)
    if (!each.starts_with('_') && !each.ends_with('_') && plain(each) == wanted) return {each};
  return {std::string(name)};
}

}  // namespace

std::vector<std::string> operators_behind(std::string_view python, const std::set<std::string>& known) {
  for (const std::string_view prefix :
       {"torch.nn.functional.", "nn.functional.", "functional.", "F.", "torch.nn.", "nn."})
    if (remove_prefix(python, prefix)) return of_network(python, known);
  if (remove_prefix(python, "torch.Tensor.") || remove_prefix(python, "Tensor."))
    return {std::string(python)};
  remove_prefix(python, "torch.");
  for (const std::string_view space : {"linalg.", "fft.", "special."})
    if (remove_prefix(python, space))
      return {std::string(space.substr(0, space.size() - 1)) + "_" + std::string(python)};
  if (remove_prefix(python, "ops.")) return {std::string(python)};
  if (remove_prefix(python, "torchvision.ops.")) return {"torchvision::" + std::string(python)};
  return {std::string(python)};
}

}  // namespace cameo::operator_map
