#include "operator_map/sample.h"

#include <algorithm>
#include <utility>

#include <fmt/core.h>

#include "base/overload.h"
#include "base/text.h"
#include "onnx/graph/value_info.h"
#include "operator_map/hints.h"

namespace cameo::operator_map {
namespace {

struct Size {
  std::string_view name;
  std::int64_t size;
};
constexpr Size kSizes[] = {{"batch", 4}, {"depth", 8}, {"height", 10}, {"width", 12}};

constexpr std::string_view kShapes[] = {
    "", "width", "batch,width", "batch,6,width", "batch,6,height,width", "batch,6,depth,height,width"};
constexpr std::size_t kRanks[] = {4, 3, 2, 1, 5, 0};
constexpr DType kTypes[] = {DType::f32, DType::i64, DType::boolean};

InputSpec tensor(std::string_view dtype, std::size_t rank) {
  return parse_input(fmt::format("{}[{}]", dtype, kShapes[rank]));
}

InputSpec one(const aten::ParamSchema& p, std::size_t rank, DType dtype) {
  if (p.type == "Tensor") return tensor(hinted_type(p.name).value_or(name(dtype)), rank);
  if (p.type == "float") return {{}, 0.5};
  if (p.type == "bool") return {{}, false};
  if (p.type == "ScalarType") return {{}, torch_number(DType::f64)};
  if (p.type == "Scalar") return {{}, std::int64_t{2}};
  if (p.type == "int") return {{}, std::int64_t{1}};
  return {{}, std::string("cpu")};
}

InputSpec guess(const aten::ParamSchema& p, std::size_t rank, DType dtype) {
  if ((p.optional || p.optional_list) && p.type != "Tensor") return {{}, NoneSpec{}};
  InputSpec value = one(p, rank, dtype);
  if (!p.list || p.sized_list) return value;
  ListSpec list;
  list.items.assign(p.type == "Tensor" ? 2 : 1, value);
  return {{}, std::move(list)};
}

std::string text(const InputSpec& spec) {
  const auto list = [](const std::vector<InputSpec>& items) {
    std::vector<std::string> parts;
    for (const InputSpec& item : items) parts.push_back(text(item));
    return fmt::format("[{}]", join(parts, ", "));
  };
  return std::visit(Overload{
                        [](const TensorSpec& t) {
                          std::vector<std::string> dims;
                          for (const Dim& dim : t.shape) dims.push_back(to_string(dim));
                          return fmt::format("{}[{}]", name(t.type), join(dims, ","));
                        },
                        [&](const TupleSpec& t) { return list(t.items); },
                        [&](const ListSpec& l) { return list(l.items); },
                        [](const DictSpec&) { return std::string("{}"); },
                        [](const NoneSpec&) { return std::string("None"); },
                        [](bool b) { return std::string(b ? "True" : "False"); },
                        [](std::int64_t i) { return std::to_string(i); },
                        [](double d) { return fmt::format("{:#}", d); },
                        [](const std::string& s) { return fmt::format("'{}'", s); },
                    },
                    spec.value);
}

void fix(InputSpec& spec, bool of_tensors) {
  if (auto* t = std::get_if<TensorSpec>(&spec.value)) {
    for (Dim& dim : t->shape)
      for (const Size& size : kSizes)
        if (dim.name == size.name) dim = size.size;
    if (!of_tensors) spec.value = std::int64_t{5};
  } else if (auto* list = std::get_if<ListSpec>(&spec.value)) {
    for (InputSpec& item : list->items) fix(item, of_tensors);
  }
}

void retype(InputSpec& spec, DType from, DType to) {
  if (auto* tensor = std::get_if<TensorSpec>(&spec.value); tensor && tensor->type == onnx::element_type(from))
    tensor->type = onnx::element_type(to);
  if (auto* list = std::get_if<ListSpec>(&spec.value))
    for (InputSpec& item : list->items) retype(item, from, to);
}

const TensorSpec* first_tensor(const InputSpec& spec) {
  if (const auto* tensor = std::get_if<TensorSpec>(&spec.value)) return tensor;
  const auto* list = std::get_if<ListSpec>(&spec.value);
  return list && !list->items.empty() ? first_tensor(list->items.front()) : nullptr;
}

}  // namespace

const InputSpec* find(const Sample& sample, std::string_view name) {
  const auto found = std::ranges::find(sample, name, &InputSpec::name);
  return found == sample.end() ? nullptr : &*found;
}

Sample with(const Sample& sample, InputSpec argument) {
  Sample changed = sample;
  const auto found = std::ranges::find(changed, argument.name, &InputSpec::name);
  if (found == changed.end())
    changed.push_back(std::move(argument));
  else
    *found = std::move(argument);
  return changed;
}

std::optional<DType> main_type(const Sample& sample, const aten::Schema& schema) {
  for (std::size_t i = 0; i < schema.count; ++i) {
    const aten::ParamSchema& p = schema.params[i];
    const InputSpec* argument = p.type == "Tensor" && !hinted_type(p.name) ? find(sample, p.name) : nullptr;
    if (const TensorSpec* tensor = argument ? first_tensor(*argument) : nullptr)
      return onnx::dtype_of(tensor->type);
  }
  return std::nullopt;
}

Sample with_type(Sample sample, const aten::Schema& schema, DType dtype) {
  const std::optional<DType> from = main_type(sample, schema);
  for (InputSpec& argument : sample)
    if (from && !hinted_type(argument.name)) retype(argument, *from, dtype);
  return sample;
}

Sample fixed_sizes(Sample sample, const aten::Schema& schema) {
  for (std::size_t i = 0; i < schema.count; ++i)
    for (InputSpec& argument : sample)
      if (const aten::ParamSchema& p = schema.params[i]; argument.name == p.name)
        fix(argument, p.type == "Tensor" || aten::is_packed_class(p.type));
  return sample;
}

std::string to_text(const InputSpec& argument, const aten::ParamSchema& parameter) {
  const auto* number = std::get_if<std::int64_t>(&argument.value);
  const auto dtype = number && parameter.type == "ScalarType" ? dtype_from_number(*number) : std::nullopt;
  return fmt::format("{}={}", argument.name, dtype ? std::string(name(*dtype)) : text(argument));
}

std::string to_text(const Sample& sample, const aten::Schema& schema) {
  std::vector<std::string> parts;
  for (std::size_t i = 0; i < schema.count; ++i)
    if (const InputSpec* argument = find(sample, schema.params[i].name))
      parts.push_back(to_text(*argument, schema.params[i]));
  return join(parts, ", ");
}

std::vector<Sample> trial_samples(const aten::Op& op) {
  const aten::Schema& schema = op.schema;
  const Sample hinted = hinted_arguments(op);
  std::vector<Sample> trials;
  for (DType dtype : kTypes) {
    for (std::size_t rank : kRanks) {
      Sample sample = hinted;
      for (std::size_t i = 0; i < schema.count; ++i) {
        const aten::ParamSchema& p = schema.params[i];
        if (p.has_default || find(hinted, p.name)) continue;
        InputSpec value = guess(p, rank, dtype);
        value.name = p.name;
        sample.push_back(std::move(value));
      }
      trials.push_back(std::move(sample));
    }
  }
  return trials;
}

}  // namespace cameo::operator_map
