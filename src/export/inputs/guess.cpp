#include "export/inputs/guess.h"

#include <fmt/core.h>

#include "export/inputs/first_layer.h"

namespace cameo {
namespace {

using Kind = FirstLayer::Kind;

std::string takes(const FirstLayer& layer) {
  const std::string_view type = name(layer.dtype);
  if (layer.kind == Kind::embedding) return "takes indices";
  if (!layer.features) return fmt::format("takes {}", type);
  const bool one = *layer.features == 1;
  const std::string_view what = layer.kind == Kind::convolution ? "channel" : "feature";
  return fmt::format("takes {} {}{} of {}", *layer.features, what, one ? "" : "s", type);
}

std::vector<std::string> candidates(const FirstLayer& layer) {
  const std::string_view type = name(layer.dtype);
  const std::int64_t size = layer.features.value_or(3);
  if (layer.kind == Kind::embedding) return {"i64[1,16]", "i64[16]"};
  if (layer.kind == Kind::linear)
    return {fmt::format("{}[1,{}]", type, size), fmt::format("{}[1,16,{}]", type, size)};
  if (layer.kind == Kind::recurrent) return {fmt::format("{}[16,1,{}]", type, size)};
  if (layer.spatial == 1) return {fmt::format("{}[1,{},16000]", type, size)};
  if (layer.spatial == 2) return {fmt::format("{}[1,{},224,224]", type, size)};
  return {fmt::format("{}[1,{},16,112,112]", type, size)};
}

}  // namespace

Guess guess_input(const script::Program& program, const eval::Object& root, const script::FunctionDef& method,
                  std::size_t parameter) {
  std::optional<FirstLayer> layer = first_layer(program, root, method, method.params[parameter].name);
  if (!layer && parameter == 1) layer = first_declared_layer(root);
  if (!layer) return {};
  const std::string where =
      layer->path.empty() ? layer->cls : fmt::format("{} ({})", layer->path, layer->cls);
  return {candidates(*layer), fmt::format("{} {}", where, takes(*layer))};
}

}  // namespace cameo
