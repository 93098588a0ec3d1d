#include "operator_map/variants.h"

#include <algorithm>
#include <set>

#include <fmt/core.h>

namespace cameo::operator_map {
namespace {

using Value = InputSpec::Value;

constexpr std::string_view kTensorsOf = "tensors of ";

struct Words {
  std::string_view parameter;
  std::vector<std::string> words;
};

const std::vector<std::string>& words_for(std::string_view parameter) {
  static const std::vector<Words> kWords = {
      {"approximate", {"none", "tanh"}},
      {"indexing", {"ij", "xy"}},
      {"mode",
       {"nearest", "nearest-exact", "linear", "bilinear", "bicubic", "trilinear", "area", "constant",
        "reflect", "replicate", "circular"}},
      {"ord", {"fro", "nuc"}},
      {"padding", {"valid", "same"}},
      {"reduce", {"sum", "prod", "mean", "amax", "amin", "add", "multiply"}},
      {"rounding_mode", {"floor", "trunc"}},
      {"side", {"left", "right"}},
  };
  static const std::vector<std::string> kNone;
  const auto found = std::ranges::find(kWords, parameter, &Words::parameter);
  return found == kWords.end() ? kNone : found->words;
}

// The number that the argument has now, for the ones beside it.
double number_of(const InputSpec* argument, const aten::ParamSchema& p) {
  if (argument) {
    if (const auto* integer = std::get_if<std::int64_t>(&argument->value))
      return static_cast<double>(*integer);
    if (const auto* real = std::get_if<double>(&argument->value)) return *real;
  }
  return p.default_value.empty() ||
                 p.default_value.find_first_not_of("-.0123456789e") != std::string_view::npos
             ? 0
             : std::stod(std::string(p.default_value));
}

std::vector<Value> numbers(const InputSpec* argument, const aten::ParamSchema& p) {
  const double now = number_of(argument, p);
  std::vector<Value> values;
  std::vector<double> tried = {now};
  for (double value : {now + 1, 0.0, 1.0, 2.0}) {
    if (std::ranges::find(tried, value) != tried.end()) continue;
    tried.push_back(value);
    if (p.type == "int")
      values.emplace_back(static_cast<std::int64_t>(value));
    else
      values.emplace_back(value);
  }
  return values;
}

std::vector<Value> lists(const InputSpec* argument) {
  const auto* list = argument ? std::get_if<ListSpec>(&argument->value) : nullptr;
  if (!list) return {};
  ListSpec more = *list;
  for (InputSpec& item : more.items) {
    if (auto* integer = std::get_if<std::int64_t>(&item.value)) ++*integer;
    if (auto* real = std::get_if<double>(&item.value)) *real += 1;
  }
  return {std::move(more)};
}

std::vector<Value> other_values(const InputSpec* argument, const aten::ParamSchema& p) {
  std::vector<Value> values;
  if (p.type == "bool") {
    const bool* now = argument ? std::get_if<bool>(&argument->value) : nullptr;
    values.emplace_back(!(now ? *now : p.default_value == "True"));
  } else if (p.type == "str") {
    for (const std::string& word : words_for(p.name)) values.emplace_back(word);
  } else if (p.type == "ScalarType") {
    for (DType dtype : {DType::f16, DType::f64, DType::i64, DType::boolean})
      values.emplace_back(torch_number(dtype));
  } else if (p.type == "int" || p.type == "float" || p.type == "Scalar") {
    const bool is_list = p.list && argument && std::holds_alternative<ListSpec>(argument->value);
    if (!p.list || (p.sized_list && !is_list)) values = numbers(argument, p);
    if (is_list) values = lists(argument);
  }
  if ((p.optional || p.optional_list) && argument && !std::holds_alternative<NoneSpec>(argument->value))
    values.emplace_back(NoneSpec{});
  return values;
}

std::optional<Value> run_time_value(const InputSpec* argument, const aten::ParamSchema& p) {
  const ElementType type = p.type == "bool"  ? ElementType::boolean
                           : p.type == "int" ? ElementType::i64
                                             : ElementType::f32;
  if (p.type != "bool" && p.type != "int" && p.type != "float" && p.type != "Scalar") return std::nullopt;
  if (!p.list) return TensorSpec{type};
  const auto* list = argument ? std::get_if<ListSpec>(&argument->value) : nullptr;
  ListSpec unknown = list ? *list : ListSpec{{InputSpec{}}};
  for (InputSpec& item : unknown.items) item.value = TensorSpec{type};
  return unknown;
}

class Trials {
 public:
  Trials(const Operator& op, int opset) : op_(op), opset_(opset) {}

  std::vector<Variant> all() {
    element_types();
    for (std::size_t i = 0; i < op_.schema().count; ++i) {
      const aten::ParamSchema& p = op_.schema().params[i];
      const InputSpec* argument = find(op_.sample(), p.name);
      for (Value& value : other_values(argument, p)) add(p, std::move(value), false);
      if (std::optional<Value> value = run_time_value(argument, p)) add(p, std::move(*value), true);
    }
    return std::move(variants_);
  }

 private:
  void element_types() {
    const std::optional<DType> now = main_type(op_.sample(), op_.schema());
    if (!now) return;
    for (DType dtype : {DType::f32, DType::f16, DType::f64, DType::i64, DType::u8, DType::boolean})
      if (dtype != *now)
        variants_.push_back({{},
                             fmt::format("{}{}", kTensorsOf, name(dtype)),
                             false,
                             convert(op_.op(), with_type(op_.sample(), op_.schema(), dtype), opset_)});
  }

  void add(const aten::ParamSchema& p, Value value, bool at_run) {
    InputSpec argument{std::string(p.name), std::move(value)};
    const Sample sample = with(op_.sample(), argument);
    std::string text = at_run ? fmt::format("{} as a runtime value", p.name) : to_text(argument, p);
    variants_.push_back({std::string(p.name), std::move(text), at_run, convert(op_.op(), sample, opset_)});
  }

  const Operator& op_;
  int opset_;
  std::vector<Variant> variants_;
};

}  // namespace

std::vector<Variant> try_variants(const Operator& op, int opset) { return Trials(op, opset).all(); }

Limits limits(const std::vector<Variant>& variants, const Conversion& base) {
  Limits found;
  std::set<std::pair<std::string, std::string>> told;
  OperatorNote types;
  for (const Variant& variant : variants) {
    const Conversion& result = variant.conversion;
    if (result.outcome == Outcome::converts || result.outcome == Outcome::invalid ||
        result.reason == base.reason)
      continue;
    if (variant.argument.empty()) {
      types.text = types.argument.empty() ? result.reason : "no conversion";
      types.argument += types.argument.empty() ? variant.text : ", " + variant.text.substr(kTensorsOf.size());
      continue;
    }
    if (!told.emplace(variant.argument, result.reason).second) continue;
    if (variant.at_run && result.reason.find("must be known at export time") != std::string::npos)
      found.known.push_back(variant.argument);
    else if (result.outcome == Outcome::unsupported || !variant.at_run)
      found.notes.push_back({variant.text, result.reason});
  }
  if (!types.argument.empty()) found.notes.insert(found.notes.begin(), std::move(types));
  return found;
}

}  // namespace cameo::operator_map
