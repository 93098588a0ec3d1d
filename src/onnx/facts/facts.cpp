#include "onnx/facts/facts.h"

#include <algorithm>
#include <limits>

#include "base/index.h"

namespace cameo::onnx::facts {
namespace {

constexpr std::string_view kStandard = "ai.onnx";

constexpr std::string_view kKinds[] = {
    "UNDEFINED", "FLOAT",   "INT",    "STRING",        "TENSOR",         "GRAPH",      "FLOATS",     "INTS",
    "STRINGS",   "TENSORS", "GRAPHS", "SPARSE_TENSOR", "SPARSE_TENSORS", "TYPE_PROTO", "TYPE_PROTOS"};

}  // namespace

std::string_view name(Kind kind) { return element_at(kKinds, kind); }

const Attribute* Operator::attribute(std::string_view wanted) const {
  const auto found = std::ranges::find(attributes, wanted, &Attribute::name);
  return found == attributes.end() ? nullptr : &*found;
}

const Domain* find_domain(std::string_view domain) {
  const std::span<const Domain> all = domains();
  const auto found = std::ranges::find(all, domain.empty() ? kStandard : domain, &Domain::name);
  return found == all.end() ? nullptr : &*found;
}

std::span<const Operator> versions(std::string_view domain, std::string_view op) {
  const std::span<const Operator> all = operators();
  const std::string_view known = domain.empty() ? kStandard : domain;
  const auto is_before = [&](const Operator& o) {
    const int order = o.name.compare(op);
    return o.domain == known ? order < 0 : o.domain < known;
  };
  const auto first = std::ranges::partition_point(all, is_before);
  const auto is_other = [&](const Operator& o) { return o.name != op || o.domain != known; };
  return {first, std::find_if(first, all.end(), is_other)};
}

const Operator* find(std::string_view domain, std::string_view op, std::int64_t opset) {
  const Operator* newest = nullptr;
  for (const Operator& version : versions(domain, op))
    if (version.since <= opset) newest = &version;
  return newest;
}

Range count(std::span<const Parameter> parameters) {
  Range range{0, parameters.size()};
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    if (parameters[i].arity == Arity::single) range.least = i + 1;
    if (parameters[i].arity == Arity::variadic)
      range = {i + parameters[i].minimum, std::numeric_limits<std::size_t>::max()};
  }
  return range;
}

const Parameter* parameter(std::span<const Parameter> parameters, std::size_t index) {
  if (index < parameters.size()) return &parameters[index];
  const bool open = !parameters.empty() && parameters.back().arity == Arity::variadic;
  return open ? &parameters.back() : nullptr;
}

}  // namespace cameo::onnx::facts
