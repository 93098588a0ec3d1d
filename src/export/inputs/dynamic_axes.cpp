#include "export/inputs/dynamic_axes.h"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <optional>

#include "base/index.h"
#include "spec/literal.h"

namespace cameo {
namespace {

constexpr std::string_view kOption = "--dynamic-axes";
constexpr Code kCode = Code::bad_dynamic_axes;
constexpr const char* kHint = R"(it looks like {"x": [0, 2]} or {"x": {0: "batch", 2: "width"}})";

// JSON writes the keys of {0: "batch"} in quotes.
std::optional<std::int64_t> index(const Literal& literal) {
  if (const std::int64_t* number = literal.get_if<std::int64_t>()) return *number;
  const std::string* text = literal.get_if<std::string>();
  std::int64_t number = 0;
  if (text && !text->empty()) {
    const char* end = text->data() + text->size();
    if (auto [stop, error] = std::from_chars(text->data(), end, number); stop == end && error == std::errc())
      return number;
  }
  return std::nullopt;
}

[[noreturn]] void refuse(std::string message, std::string hint = {}) {
  throw Error(Diagnostic{.code = kCode, .message = std::move(message), .hint = std::move(hint)});
}

}  // namespace

void DynamicAxes::warn(Code code, std::string message, std::string hint) {
  warnings_.push_back(Diagnostic{
      .severity = Severity::warning, .code = code, .message = std::move(message), .hint = std::move(hint)});
}

DynamicAxes::DynamicAxes(std::string_view text) {
  if (text.empty()) return;
  const Literal literal = parse_literal(text, kOption, kCode);
  auto fail = [&](const Literal& at, std::string message) {
    fail_at(text, at.at, kOption, kCode, std::move(message), kHint);
  };
  const Literal::Dict* dict = literal.get_if<Literal::Dict>();
  if (!dict) fail(literal, "expected a dict of names and axes");
  for (const auto& [name, axes] : *dict) {
    const std::string* key = name.get_if<std::string>();
    if (!key) fail(name, "expected the name of an input or output");
    if (find(*key)) fail(name, fmt::format("'{}' is given twice", *key));
    Entry& entry = entries_.emplace_back(Entry{*key, {}});
    auto add = [&](const Literal& at, std::string axis_name, bool automatic) {
      const std::optional<std::int64_t> axis =
          automatic && at.get_if<std::string>() ? std::nullopt : index(at);
      if (!axis) fail(at, "The type of axis index is expected to be an integer");
      if (std::ranges::any_of(entry.axes, [&](const Axis& a) { return a.axis == *axis; }))
        warn(Code::duplicate_axis,
             fmt::format("Duplicate dynamic axis index {} was provided for input {}.", *axis, entry.key));
      else
        entry.axes.push_back({*axis, std::move(axis_name), automatic});
    };
    if (const Literal::List* list = axes.get_if<Literal::List>()) {
      warn(Code::unnamed_axes,
           fmt::format("No names were found for specified dynamic axes of provided input.Automatically "
                       "generated names will be applied to each dynamic axes of input {}",
                       *key));
      for (std::size_t i = 0; i < list->size(); ++i)
        add((*list)[i], fmt::format("{}_dynamic_axes_{}", *key, i + 1), true);
    } else if (const Literal::Dict* named = axes.get_if<Literal::Dict>()) {
      for (const auto& [axis, axis_name] : *named) {
        const std::string* called = axis_name.get_if<std::string>();
        if (!called || called->empty()) fail(axis_name, "expected the name of a size");
        add(axis, *called, false);
      }
    } else {
      fail(axes, "expected a list of axes, or a dict of axes and names");
    }
  }
}

DynamicAxes::Entry* DynamicAxes::find(const std::string& key) {
  auto found = std::ranges::find(entries_, key, &Entry::key);
  return found == entries_.end() ? nullptr : &*found;
}

void DynamicAxes::check_rank(const Entry& entry, std::size_t rank) const {
  for (const Axis& axis : entry.axes)
    if (axis.axis < 0 || axis.axis >= static_cast<std::int64_t>(rank))
      refuse(fmt::format("'{}' has no axis {}: it has {} dimension{}", entry.key, axis.axis, rank,
                         rank == 1 ? "" : "s"),
             rank == 0 ? "" : fmt::format("its axes are 0 to {}", rank - 1));
}

void DynamicAxes::name_input(const std::string& name, std::vector<Dim>& shape) {
  Entry* entry = find(name);
  if (!entry) return;
  entry->used = true;
  check_rank(*entry, shape.size());
  for (const Axis& axis : entry->axes) {
    Dim& dim = element_at(shape, axis.axis);
    const bool called = !dim.name.empty();
    if (called && axis.automatic) continue;
    if (called && dim.name != axis.name)
      refuse(fmt::format("axis {} of '{}' is called '{}' by --input and '{}' by --dynamic-axes", axis.axis,
                         name, dim.name, axis.name));
    dim.name = axis.name;
  }
}

std::vector<std::pair<std::int64_t, std::string>> DynamicAxes::names_of(const std::string& key) const {
  std::vector<std::pair<std::int64_t, std::string>> out;
  const auto entry = std::ranges::find(entries_, key, &Entry::key);
  if (entry == entries_.end()) return out;
  for (const Axis& axis : entry->axes)
    if (!axis.automatic) out.emplace_back(axis.axis, axis.name);
  return out;
}

std::vector<std::string> DynamicAxes::names() const {
  std::vector<std::string> out;
  for (const Entry& entry : entries_)
    for (const Axis& axis : entry.axes)
      if (std::ranges::find(out, axis.name) == out.end()) out.push_back(axis.name);
  return out;
}

void DynamicAxes::name_output(onnx::Model& model, const Entry& entry, onnx::Value& output) {
  if (!output.type.shape) return;
  check_rank(entry, output.type.shape->size());
  for (const Axis& axis : entry.axes) {
    onnx::Dim& dim = element_at(*output.type.shape, axis.axis);
    const onnx::Dim named = *model.symbols().find_symbol(axis.name);
    if (dim == named) continue;
    if (const auto size = onnx::known(dim)) {
      warn(Code::fixed_axis,
           fmt::format("axis {} of output '{}' is not dynamic: its size is {} for all inputs", axis.axis,
                       entry.key, *size),
           "if it should not be, make the sizes of the inputs that it comes from dynamic too");
      continue;
    }
    auto [meaning, fresh] = meanings_.try_emplace(axis.name, dim);
    if (meaning->second == dim)
      dim = named;
    else
      warn(Code::wrong_axis_name,
           fmt::format("axis {} of output '{}' is not '{}': its size is {}", axis.axis, entry.key, axis.name,
                       sym::to_string(dim)),
           "give it a name of its own, or none");
  }
}

void DynamicAxes::name_outputs(onnx::Model& model) {
  for (const onnx::Value* input : model.main().inputs)
    if (input->type.shape)
      for (const onnx::Dim& dim : *input->type.shape) meanings_.try_emplace(sym::to_string(dim), dim);
  for (onnx::Value* output : model.main().outputs)
    if (Entry* entry = find(output->name)) {
      entry->used = true;
      name_output(model, *entry, *output);
    }
  std::string known;
  for (const auto* values : {&model.main().inputs, &model.main().outputs})
    for (const onnx::Value* value : *values) known += (known.empty() ? "" : ", ") + value->name;
  for (const Entry& entry : entries_)
    if (!entry.used)
      warn(Code::unknown_axes_key,
           fmt::format("Provided key {} for dynamic axes is not a valid input/output name", entry.key),
           fmt::format("inputs and outputs are: {}", known));
}

}  // namespace cameo
