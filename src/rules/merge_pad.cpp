#include <algorithm>

#include "rules/list.h"
#include "rules/match.h"

namespace cameo::rules {
namespace {

using onnx::Node;
using onnx::Value;

bool pads_with_zeros(const Node& pad) {
  if (const auto* mode = pad.attribute_if<std::string>("mode"); mode && *mode != "constant") return false;
  if (const auto* filling = pad.attribute_if<float>("value")) return *filling == 0;
  const Value* filling = input(pad, 2);
  return !filling || (filling->constant() && filling->data->numel() == 1 && filling->data->real(0) == 0);
}

// Before all spatial axes, then behind all, as windows want it. Nothing if other axes are padded too, or
// something is taken away.
std::optional<Ints> spatial_pads(const Node& pad) {
  const auto amounts = padding(pad);
  if (!amounts || amounts->before.size() < 3) return std::nullopt;
  Ints pads;
  for (const Ints* side : {&amounts->before, &amounts->behind}) {
    if ((*side)[0] != 0 || (*side)[1] != 0) return std::nullopt;
    pads.insert(pads.end(), side->begin() + 2, side->end());
  }
  if (std::ranges::any_of(pads, [](std::int64_t amount) { return amount < 0; })) return std::nullopt;
  return pads;
}

std::optional<Ints> own_pads(const Node& window, std::size_t count) {
  if (const auto* automatic = window.attribute_if<std::string>("auto_pad");
      automatic && *automatic != "NOTSET")
    return std::nullopt;
  const auto* pads = window.attribute_if<Ints>("pads");
  if (!pads) return Ints(count, 0);
  return pads->size() == count ? std::optional(*pads) : std::nullopt;
}

// Zeros that are elements count in the average; zeros of the padding count only with count_include_pad.
bool may_average(const Node& pool, const Ints& own, const Ints& all) {
  const auto* kernel = pool.attribute_if<Ints>("kernel_shape");
  if (!kernel || integer(pool, "ceil_mode", 0) != 0) return false;
  for (std::size_t i = 0; i < all.size(); ++i)
    if (all[i] >= (*kernel)[i % kernel->size()]) return false;
  return integer(pool, "count_include_pad", 0) != 0 ||
         std::ranges::all_of(own, [](std::int64_t amount) { return amount == 0; });
}

}  // namespace

bool merge_pad(Patch& patch, Node& window) {
  const Node* pad = made_by(window.inputs[0], {"Pad"});
  if (!patch.require(pad, "its input is not the result of a Pad") ||
      !patch.require(patch.read_once(window.inputs[0]), "another node reads the result of the Pad") ||
      !patch.require(pads_with_zeros(*pad), "the Pad does not add constant zeros"))
    return false;
  const auto added = spatial_pads(*pad);
  const auto own = added ? own_pads(window, added->size()) : std::nullopt;
  if (!patch.require(added.has_value(), "the Pad is not known to add only to spatial axes") ||
      !patch.require(own.has_value(), "its own padding is automatic (auto_pad)"))
    return false;
  Ints all = *own;
  for (std::size_t i = 0; i < all.size(); ++i) all[i] += (*added)[i];
  if (window.op == "AveragePool") {
    if (!patch.require(may_average(window, *own, all), "the averages would count other elements"))
      return false;
    patch.set_attribute(window, "count_include_pad", std::int64_t{1});
  }
  patch.set_attribute(window, "pads", std::move(all));
  patch.set_input(window, 0, pad->inputs[0]);
  return true;
}

}  // namespace cameo::rules
