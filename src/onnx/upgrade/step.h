#pragma once
// Shared by the families of operators.

#include <limits>
#include <optional>
#include <span>
#include <string>

#include "onnx/upgrade/upgrade.h"

namespace cameo::onnx {

// A node that is upgraded.
struct Raising {
  Node& node;
  std::int64_t opset = 0;
  std::size_t outputs = 0;
  Maker& maker;
  Fidelity fidelity = Fidelity::exact;

  bool has(std::size_t input) const { return input < node.inputs.size() && node.inputs[input] != nullptr; }
  std::optional<std::int64_t> rank(std::size_t input) const;
  DType dtype(std::size_t input) const;

  template <class T>
  std::optional<T> get(std::string_view name) const {
    const T* value = node.attribute_if<T>(name);
    return value ? std::optional<T>(*value) : std::nullopt;
  }
  // The same, and the attribute is gone.
  template <class T>
  std::optional<T> take(std::string_view name) {
    std::optional<T> value = get<T>(name);
    remove(name);
    return value;
  }
  void set(std::string_view name, AttributeValue value);
  void remove(std::string_view name);

  void set_input(std::size_t index, Value* value);        // those before it that are missing are left out
  Value* integers(std::span<const std::int64_t> values);  // 1-d
  Value* integer(std::int64_t value);                     // 0-d
  // 0-d, of a floating type; null if it is of another one.
  Value* real(DType dtype, double value);

  void only_types() {
    if (fidelity == Fidelity::exact) fidelity = Fidelity::types;
  }
  void give_up() { fidelity = Fidelity::none; }
};

// From the form before `since` to the one that came with it.
inline constexpr int kAlways = std::numeric_limits<int>::max();
struct Upgrade {
  std::string_view op;
  int since;
  void (*up)(Raising&);
};

std::span<const Upgrade> argument_upgrades();  // attributes that became inputs
std::span<const Upgrade> arithmetic_upgrades();
std::span<const Upgrade> attribute_upgrades();  // attributes that were added, renamed or removed
std::span<const Upgrade> normalization_upgrades();
std::span<const Upgrade> resize_upgrades();

}  // namespace cameo::onnx
