#include "verify/exported_inputs.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstring>
#include <random>

#include "base/index.h"
#include "base/npy.h"
#include "exported/lower/formula.h"
#include "exported/program.h"
#include "runtime/feed.h"
#include "sym/context.h"
#include "sym/parse.h"
#include "sym/solve.h"
#include "verify/exported_signature.h"
#include "verify/parts.h"
#include "verify/samples.h"

namespace cameo::verify {
namespace {

using SymbolValues = std::unordered_map<sym::Expr, std::int64_t>;

std::vector<sym::Expr> symbols_of(sym::Expr formula) {
  std::vector<sym::Expr> out;
  for (const sym::Atom* atom : sym::atoms_below(formula))
    if (atom->symbol) out.push_back(sym::as_expr(atom));
  return out;
}

const std::string& symbol_name(sym::Expr symbol) { return symbol.as_atom()->symbol->name; }

// Adds the values of symbols that follow from the value of a formula.
void solve(sym::Expr formula, std::int64_t value, SymbolValues& values) {
  for (const sym::Expr symbol : symbols_of(formula)) {
    const auto found = sym::solve(formula, symbol, value);
    if (found && found->is_constant()) values.emplace(symbol, *found->as_constant());
  }
}

bool is_floating(ElementType type) {
  return type == ElementType::f32 || type == ElementType::f64 || type == ElementType::f16 ||
         type == ElementType::bf16;
}

// Whether any numbers will do.
bool is_continuous(ElementType type) { return is_floating(type) || is_complex(type); }

// Bounds of a formula. They must hold where all its symbols have values.
struct Constraint {
  sym::Expr formula;
  std::optional<std::int64_t> min, max;
};

struct ExportedInput {
  ValueInfo model;
  std::vector<sym::Expr> shape;                    // of a tensor
  std::optional<sym::Expr> integer;                // of a runtime integer: its value
  std::vector<std::optional<std::int64_t>> hints;  // the sizes, or the value, at export
  std::optional<Array> given, sample;              // the array that the user gives, and that of the file
  bool complex = false;                            // the model takes its parts, on a last axis of two
};

// Whether an array of the file is worth a second run: one of zeros hides most errors.
bool is_telling(const Array& array) {
  const std::size_t size = array.count() == 0 ? 0 : array.bytes().size() / array.count();
  return !is_continuous(array.type()) || array.count() < 2 ||
         !std::ranges::equal(array.bytes().first(array.bytes().size() - size), array.bytes().subspan(size));
}

// An array of elements of another one.
Array drawn(const Array& from, std::vector<std::int64_t> shape, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  const std::size_t size = from.bytes().size() / from.count();
  std::size_t count = 1;
  for (const std::int64_t extent : shape) count *= static_cast<std::size_t>(extent);
  std::vector<std::byte> bytes(count * size);
  for (std::size_t i = 0; i < count; ++i)
    std::memcpy(&bytes[i * size], &from.bytes()[random() % from.count() * size], size);
  return Array::owning(from.type(), std::move(shape), std::move(bytes));
}

class ExportedInputs : public Inputs {
 public:
  ExportedInputs(const std::shared_ptr<const MappedFile>& file, const std::vector<InputSpec>& specs,
                 const std::vector<ValueInfo>& inputs)
      : program_(file) {
    read_inputs(inputs);
    read_specs(specs);
    read_constraints();
    for (const ExportedInput& input : inputs_) {
      for (const sym::Expr size : input.shape) add_symbols(size);
      if (input.integer) add_symbols(*input.integer);
      fix_sizes(input);
      find_examples(input);
    }
    std::erase_if(free_, [&](sym::Expr symbol) { return fixed_.contains(symbol); });
  }

  const std::vector<InputSpec>& arguments() const override { return arguments_; }

  std::vector<Trial> trials(const VerifyOptions& options) const override {
    std::vector<std::string> names;
    for (const sym::Expr symbol : free_) names.push_back(name_of(symbol));
    check_sizes(names, options);
    return options.sizes.empty() ? own_trials() : chosen_trials(names, options);
  }

  std::vector<Session::Feed> make(const Trial& trial, std::uint64_t seed) const override {
    const SymbolValues values = values_of(trial.sizes);
    runtime::FeedOptions options{.seed = seed};
    std::vector<ValueInfo> sized;
    for (const ExportedInput& input : inputs_) {
      ValueInfo& value = sized.emplace_back(input.model);
      const std::vector<std::int64_t> shape = shape_of(input, values);
      value.shape.emplace(shape.begin(), shape.end());
      if (input.complex) value.shape->emplace_back(2);
      if (auto array = array_of(input, trial.samples, shape, values, seed + sized.size()))
        options.arrays.emplace_back(value.name, with_parts(*array));
      else
        options.specs.push_back(value.name + "=randn");
    }
    return runtime::make_feeds(sized, options);
  }

  std::vector<Array> arrays(const std::vector<Session::Feed>& feeds) const override {
    std::vector<Array> out;
    for (std::size_t i = 0; i < feeds.size(); ++i)
      out.push_back(inputs_[i].complex ? without_parts(feeds[i].second.tensor()) : feeds[i].second.tensor());
    return out;
  }

 private:
  void read_inputs(const std::vector<ValueInfo>& model);
  void read_specs(const std::vector<InputSpec>& specs);
  void read_constraints();
  sym::Expr formula(std::string_view expression);
  sym::Expr formula(const exported::SymInt& size) {
    return size.expression ? formula(size.expression->text) : sym::Expr(size.value);
  }
  void add_symbols(sym::Expr formula);
  void fix_sizes(const ExportedInput& input);
  void find_examples(const ExportedInput& input);

  std::vector<Trial> own_trials() const;
  std::vector<Trial> chosen_trials(const std::vector<std::string>& names, const VerifyOptions& options) const;
  SymbolValues values_near(std::int64_t first, std::int64_t step) const;
  const Constraint* violated(const SymbolValues& values) const;
  std::pair<std::int64_t, std::int64_t> range(sym::Expr symbol) const;

  const std::string& name_of(sym::Expr symbol) const {
    const auto named = names_.find(symbol);
    return named == names_.end() ? symbol_name(symbol) : named->second;
  }
  SizeValues sizes_of(const SymbolValues& values) const {
    SizeValues sizes;
    for (const sym::Expr symbol : free_) sizes.emplace_back(name_of(symbol), values.at(symbol));
    return sizes;
  }
  SymbolValues values_of(const SizeValues& sizes) const {
    SymbolValues values = fixed_;
    for (std::size_t i = 0; i < free_.size(); ++i) values[free_[i]] = sizes[i].second;
    return values;
  }

  std::vector<std::int64_t> shape_of(const ExportedInput& input, const SymbolValues& values) const;
  std::optional<Array> array_of(const ExportedInput& input, bool samples,
                                const std::vector<std::int64_t>& shape, const SymbolValues& values,
                                std::uint64_t seed) const;

  exported::Program program_;
  sym::Context symbols_;
  std::vector<InputSpec> arguments_;
  std::vector<ExportedInput> inputs_;
  std::vector<Constraint> constraints_;
  std::vector<sym::Expr> free_;                       // symbols, in the order of the inputs
  std::unordered_map<sym::Expr, std::string> names_;  // of symbols in the model, if they have others there
  SymbolValues fixed_;                                // by the user's arrays or by the model
  SymbolValues examples_;                             // at export
};

void ExportedInputs::read_inputs(const std::vector<ValueInfo>& model) {
  const std::vector<exported::ForwardInput> declared = runtime_inputs(program_);
  if (declared.size() != model.size())
    refuse_input(
        fmt::format("the program has {} inputs, and the ONNX model {}", declared.size(), model.size()),
        "the ONNX model must be an export of this program");
  const auto samples = sample_inputs(program_);
  for (std::size_t i = 0; i < declared.size(); ++i) {
    arguments_.push_back({declared[i].name, TensorSpec{}});
    ExportedInput& input = inputs_.emplace_back(ExportedInput{.model = model[i]});
    if (samples) input.sample = (*samples)[i];
    std::vector<exported::SymInt> sizes;
    const exported::Graph& graph = program_.graph();
    if (const exported::TensorMeta* meta = graph.tensor(declared[i].spec->name);
        meta && declared[i].number.empty()) {
      sizes = meta->sizes;
      input.complex = cameo::is_complex(meta->dtype);
      for (const exported::SymInt& size : sizes) input.shape.push_back(formula(size));
    } else if (const auto number = graph.sym_ints.find(declared[i].spec->name);
               number != graph.sym_ints.end()) {
      sizes = {number->second};
      input.integer = formula(number->second);
    }
    for (const exported::SymInt& size : sizes) {
      const auto* hint = size.expression ? std::get_if<std::int64_t>(&size.expression->hint) : nullptr;
      input.hints.push_back(hint ? std::optional(*hint) : std::nullopt);
    }
  }
}

void ExportedInputs::read_specs(const std::vector<InputSpec>& specs) {
  std::vector<std::string> parameters;
  for (const InputSpec& argument : arguments_) parameters.push_back(argument.name);
  for (const InputSpec& spec : arrange(specs, parameters)) {
    const auto* tensor = std::get_if<TensorSpec>(&spec.value);
    if (!tensor)
      refuse_input(fmt::format("the argument '{}' is a tensor of the program", spec.name),
                   fmt::format("give an array, as in: --input {}=@{}.npy", spec.name, spec.name));
    const std::size_t place = position_in(parameters, std::ranges::find(parameters, spec.name));
    if (!tensor->file.empty()) inputs_[place].given = load_npy(tensor->file);
  }
}

sym::Expr ExportedInputs::formula(std::string_view expression) {
  const auto symbol = [this](std::string_view name) {
    const auto known = symbols_.find_symbol(name);
    return known ? *known : symbols_.symbol(name, sym::kAnyInteger);
  };
  try {
    return sym::parse_formula(exported::formula(expression), symbol);
  } catch (const sym::FormulaError& error) {
    throw Error(
        Diagnostic{.code = Code::bad_exported_program,
                   .message = fmt::format("the size '{}' is not a formula: {}", expression, error.what()),
                   .file = program_.archive().file().name(),
                   .hint = "save the program again with torch.export.save"});
  }
}

void ExportedInputs::read_constraints() {
  for (const exported::Range& range : program_.ranges()) {
    try {
      constraints_.push_back({formula(range.symbol), range.min, range.max});
    } catch (const Error&) {  // of a function that sizes of inputs do not have
    }
  }
  for (const ExportedInput& input : inputs_)
    for (const sym::Expr size : input.shape) constraints_.push_back({size, 0, std::nullopt});
}

void ExportedInputs::add_symbols(sym::Expr formula) {
  for (const sym::Expr symbol : symbols_of(formula))
    if (std::ranges::find(free_, symbol) == free_.end()) free_.push_back(symbol);
}

// Sizes that an array of the user or the model decides, and the model's names of all others.
void ExportedInputs::fix_sizes(const ExportedInput& input) {
  for (std::size_t axis = 0; axis < input.shape.size(); ++axis) {
    const sym::Expr size = input.shape[axis];
    if (input.given && axis < input.given->shape().size()) solve(size, input.given->shape()[axis], fixed_);
    if (!input.model.shape || axis >= input.model.shape->size()) continue;
    const Dim& dim = (*input.model.shape)[axis];
    if (dim.size >= 0) solve(size, dim.size, fixed_);
    const bool named = size.as_atom() && size.as_atom()->symbol && !dim.name.empty();
    if (named) names_.emplace(size, dim.name);
  }
}

void ExportedInputs::find_examples(const ExportedInput& input) {
  for (std::size_t axis = 0; axis < input.shape.size(); ++axis) {
    const bool sampled = input.sample && axis < input.sample->shape().size();
    const auto size = sampled ? std::optional(input.sample->shape()[axis]) : input.hints[axis];
    if (size) solve(input.shape[axis], *size, examples_);
  }
  if (!input.integer) return;
  const bool sampled = input.sample && input.sample->type() == ElementType::i64;
  const auto value = sampled ? std::optional(input.sample->as<std::int64_t>()[0]) : input.hints.front();
  if (value) solve(*input.integer, *value, examples_);
}

// The first constraint that does not hold. Constraints of symbols without a value count as fulfilled.
const Constraint* ExportedInputs::violated(const SymbolValues& values) const {
  for (const Constraint& constraint : constraints_) {
    const auto known = [&](sym::Expr symbol) { return values.contains(symbol); };
    if (!std::ranges::all_of(symbols_of(constraint.formula), known)) continue;
    const auto value = sym::evaluate(constraint.formula, values);
    if (!value || *value < constraint.min.value_or(*value) || *value > constraint.max.value_or(*value))
      return &constraint;
  }
  return nullptr;
}

// The sizes of a symbol that are tried by default: torch.export treats 0 and 1 as special cases.
std::pair<std::int64_t, std::int64_t> ExportedInputs::range(sym::Expr symbol) const {
  std::int64_t low = 2, high = std::numeric_limits<std::int32_t>::max();
  for (const Constraint& constraint : constraints_) {
    if (constraint.formula != symbol) continue;
    low = std::max(low, constraint.min.value_or(low));
    high = std::min(high, constraint.max.value_or(high));
  }
  return {std::min(low, high), high};
}

// Values of the free symbols from `first` on, with the difference `step` between them, or the next larger ones that
// the constraints allow. Empty if there are none near.
SymbolValues ExportedInputs::values_near(std::int64_t first, std::int64_t step) const {
  constexpr std::int64_t kTries = 64;
  SymbolValues values = fixed_;
  for (const sym::Expr symbol : free_) {
    const auto [low, high] = range(symbol);
    const std::int64_t start = std::clamp(first, low, high);
    std::int64_t tries = 0;
    do values[symbol] = start + tries;
    while (violated(values) && ++tries < kTries);
    if (tries == kTries) return {};
    first += step;
  }
  return values;
}

std::vector<Trial> ExportedInputs::own_trials() const {
  const bool has_samples =
      std::ranges::all_of(inputs_, [](const auto& input) { return input.sample.has_value(); });
  std::vector<Trial> out;
  const auto add = [&](const SymbolValues& values, bool required, bool samples) {
    if (!std::ranges::all_of(free_, [&](sym::Expr symbol) { return values.contains(symbol); })) return;
    SizeValues sizes = sizes_of(values);
    if (std::ranges::any_of(out, [&](const Trial& trial) { return trial.sizes == sizes && !free_.empty(); }))
      return;
    out.push_back({.sizes = std::move(sizes), .required = required, .samples = samples});
  };
  SymbolValues as_exported = fixed_;
  for (const auto& [symbol, value] : examples_) as_exported.emplace(symbol, value);
  if (has_samples) add(as_exported, true, !inputs_.empty());
  if (free_.empty()) {
    const bool telling =
        std::ranges::all_of(inputs_, [](const auto& i) { return i.sample && is_telling(*i.sample); });
    if (!telling || !has_samples) add({}, !has_samples, false);
    return out;
  }
  // All different, so that one in the place of another shows; all the same for programs that need it.
  for (const std::int64_t first : {2, 3, 5, 8, 16, 32, 64, 128, 224}) {
    add(values_near(first, 1), false, false);
    add(values_near(first, 0), false, false);
  }
  if (!has_samples) add(as_exported, false, false);
  return out;
}

std::vector<Trial> ExportedInputs::chosen_trials(const std::vector<std::string>& names,
                                                 const VerifyOptions& options) const {
  const auto otherwise = [&](const std::string& name, std::size_t) {
    const sym::Expr symbol = free_[position_in(names, std::ranges::find(names, name))];
    const auto example = examples_.find(symbol);
    return example == examples_.end() ? range(symbol).first : example->second;
  };
  std::vector<Trial> out;
  for (SizeValues& sizes : chosen_sizes(names, options, otherwise)) {
    if (const Constraint* constraint = violated(values_of(sizes)))
      refuse_input(fmt::format("the program does not allow these sizes: {} must be from {} to {}",
                               sym::to_string(constraint->formula), constraint->min.value_or(0),
                               constraint->max ? std::to_string(*constraint->max) : "any size"),
                   "choose other values for --size, or export the program with other ranges");
    out.push_back({.sizes = std::move(sizes), .required = true, .samples = true});
  }
  return out;
}

std::vector<std::int64_t> ExportedInputs::shape_of(const ExportedInput& input,
                                                   const SymbolValues& values) const {
  if (input.given) return input.given->shape();
  std::vector<std::int64_t> shape;
  for (const sym::Expr size : input.shape) {
    const auto value = sym::evaluate(size, values);
    if (!value)
      refuse_input(fmt::format("the size {} of the input '{}' cannot be computed", sym::to_string(size),
                               input.model.name),
                   fmt::format("give an array, as in: --input {}=@x.npy", input.model.name));
    shape.push_back(*value);
  }
  return shape;
}

// Absent for random numbers.
std::optional<Array> ExportedInputs::array_of(const ExportedInput& input, bool samples,
                                              const std::vector<std::int64_t>& shape,
                                              const SymbolValues& values, std::uint64_t seed) const {
  if (input.given) return input.given;
  if (input.integer) {
    if (const auto value = sym::evaluate(*input.integer, values)) return Array::scalar(*value);
  }
  if (!input.sample) return std::nullopt;
  if (input.sample->shape() == shape && (samples || is_telling(*input.sample))) return input.sample;
  if (is_continuous(input.sample->type()) || input.sample->count() == 0) return std::nullopt;
  return drawn(*input.sample, shape, seed);
}

}  // namespace

std::unique_ptr<Inputs> exported_inputs(const std::shared_ptr<const MappedFile>& file,
                                        const std::vector<InputSpec>& specs,
                                        const std::vector<ValueInfo>& inputs) {
  return std::make_unique<ExportedInputs>(file, specs, inputs);
}

}  // namespace cameo::verify
