#include "verify/inputs.h"

#include <fmt/core.h>

#include <algorithm>
#include <set>

#include "base/index.h"
#include "base/npy.h"
#include "base/overload.h"
#include "base/text.h"
#include "runtime/feed.h"
#include "spec/dim_spec.h"
#include "sym/context.h"
#include "sym/parse.h"
#include "sym/solve.h"
#include "verify/parts.h"

namespace cameo::verify {

std::vector<Array> Inputs::arrays(const std::vector<Session::Feed>& feeds) const {
  std::vector<Array> out;
  for (const auto& [name, datum] : feeds) out.push_back(datum.tensor());
  return out;
}

void refuse_input(std::string message, std::string hint) {
  throw Error(Diagnostic{.code = Code::bad_input, .message = std::move(message), .hint = std::move(hint)});
}

std::vector<InputSpec> arrange(const std::vector<InputSpec>& inputs,
                               const std::vector<std::string>& parameters) {
  std::vector<std::optional<InputSpec>> places(parameters.size());
  std::size_t next = 0;
  for (InputSpec spec : inputs) {
    if (!spec.name.empty()) next = position_in(parameters, std::ranges::find(parameters, spec.name));
    if (next >= parameters.size() || places[next])
      refuse_input(spec.name.empty()
                       ? fmt::format("the program takes {} arguments, not more", parameters.size())
                       : fmt::format("the program has no place for the argument '{}'", spec.name),
                   fmt::format("its arguments are: {}", join(parameters, ", ")));
    spec.name = parameters[next];
    places[next++] = std::move(spec);
  }
  std::vector<InputSpec> specs;
  for (std::optional<InputSpec>& place : places)
    if (place) specs.push_back(std::move(*place));
  return specs;
}

namespace {

void collect_tensors(const InputSpec& spec, std::vector<const TensorSpec*>& out) {
  const auto each = [&](const auto& list) {
    for (const InputSpec& item : list.items) collect_tensors(item, out);
  };
  std::visit(Overload{[&](const TensorSpec& tensor) { out.push_back(&tensor); },
                      [&](const TupleSpec& tuple) { each(tuple); }, [&](const ListSpec& list) { each(list); },
                      [&](const DictSpec& dict) {
                        for (const auto& [key, value] : dict.items) collect_tensors(value, out);
                      },
                      [](const auto&) {}},
             spec.value);
}

// The smallest size of a range that is at least `wanted`; if there is none, another one of the range.
std::int64_t fitting(const SizeRange& range, std::int64_t wanted) {
  const std::int64_t steps = std::max<std::int64_t>(wanted - range.least + range.step - 1, 0) / range.step;
  if (!range.most) return range.least + steps * range.step;
  const std::int64_t count = (*range.most - range.least) / range.step + 1;
  return range.least + steps % count * range.step;
}

class ScriptInputs : public Inputs {
 public:
  ScriptInputs(const std::vector<InputSpec>& specs, const std::vector<std::string>& parameters,
               const std::vector<ValueInfo>& inputs);

  const std::vector<InputSpec>& arguments() const override { return arguments_; }
  std::vector<Trial> trials(const VerifyOptions& options) const override;
  std::vector<Session::Feed> make(const Trial& trial, std::uint64_t seed) const override;
  std::vector<Array> arrays(const std::vector<Session::Feed>& feeds) const override;

 private:
  void load_files();
  sym::Expr symbol(std::string_view name);
  // The formula that the model's name of a size is, or a symbol of this name.
  sym::Expr size(const ValueInfo& input, std::size_t axis);
  // A size in the range of the name, near the wanted one.
  std::int64_t allowed(const std::string& name, std::int64_t wanted) const {
    const auto range = ranges_.find(name);
    return range == ranges_.end() ? wanted : fitting(range->second, wanted);
  }

  sym::Context symbols_;
  std::vector<InputSpec> arguments_;
  std::vector<ValueInfo> inputs_;
  std::map<std::string, Array> files_;  // by the model's input
  std::set<std::string> complex_;       // inputs whose arguments are complex
  SizeRanges ranges_;
  std::vector<std::vector<sym::Expr>> sizes_;  // of each input, by axis
  std::unordered_map<sym::Expr, std::int64_t> known_;
  std::vector<std::string> free_;  // dynamic sizes that no file decides
};

ScriptInputs::ScriptInputs(const std::vector<InputSpec>& specs, const std::vector<std::string>& parameters,
                           const std::vector<ValueInfo>& inputs)
    : arguments_(arrange(specs, parameters)), inputs_(inputs) {
  if (specs.empty())
    for (std::size_t i = 0; i < std::min(parameters.size(), inputs.size()); ++i)
      arguments_.push_back({parameters[i], TensorSpec{}});
  for (const ValueInfo& input : inputs_) {
    std::vector<sym::Expr>& sizes = sizes_.emplace_back();
    for (std::size_t axis = 0; input.shape && axis < input.shape->size(); ++axis)
      sizes.push_back(size(input, axis));
  }
  load_files();
  for (const std::vector<sym::Expr>& sizes : sizes_)
    for (const sym::Expr& formula : sizes)
      for (const sym::Atom* atom : sym::atoms_below(formula)) {
        if (!atom->symbol || known_.contains(sym::as_expr(atom))) continue;
        const std::string& name = atom->symbol->name;
        if (std::ranges::find(free_, name) == free_.end()) free_.push_back(name);
      }
}

sym::Expr ScriptInputs::symbol(std::string_view name) {
  const std::optional<sym::Expr> known = symbols_.find_symbol(name);
  return known ? *known : symbols_.symbol(name, sym::kAnyInteger);
}

sym::Expr ScriptInputs::size(const ValueInfo& input, std::size_t axis) {
  const Dim& dim = (*input.shape)[axis];
  if (dim.size >= 0) return dim.size;
  if (dim.name.empty()) return symbol(fmt::format("{}.{}", input.name, axis));
  try {
    return sym::parse_formula(dim.name, [this](std::string_view name) { return symbol(name); });
  } catch (const sym::FormulaError&) {
    return symbol(dim.name);
  }
}

void ScriptInputs::load_files() {
  std::vector<const TensorSpec*> tensors;
  for (const InputSpec& argument : arguments_) collect_tensors(argument, tensors);
  if (tensors.size() != inputs_.size())
    refuse_input(fmt::format("the arguments hold {} tensors, and the ONNX model has {} inputs",
                             tensors.size(), inputs_.size()),
                 "describe the arguments with --input as they were for the export");
  for (std::size_t i = 0; i < tensors.size(); ++i) {
    for (const Dim& dim : tensors[i]->shape) add_range(ranges_, dim);
    if (is_complex(tensors[i]->type)) complex_.insert(inputs_[i].name);
    if (tensors[i]->file.empty()) continue;
    const Array given = load_npy(tensors[i]->file), array = with_parts(given);
    if (is_complex(given.type())) complex_.insert(inputs_[i].name);
    for (std::size_t axis = 0; axis < std::min(sizes_[i].size(), array.shape().size()); ++axis)
      for (const sym::Atom* atom : sym::atoms_below(sizes_[i][axis])) {
        if (!atom->symbol) continue;
        const auto value = sym::solve(sizes_[i][axis], sym::as_expr(atom), array.shape()[axis]);
        if (value && value->is_constant()) known_.emplace(sym::as_expr(atom), *value->as_constant());
      }
    files_.emplace(inputs_[i].name, array);
  }
}

std::vector<Session::Feed> ScriptInputs::make(const Trial& trial, std::uint64_t seed) const {
  runtime::FeedOptions options{.seed = seed};
  std::unordered_map<sym::Expr, std::int64_t> values = known_;
  for (const auto& [name, value] : trial.sizes) values.emplace(*symbols_.find_symbol(name), value);
  std::vector<ValueInfo> sized = inputs_;
  for (std::size_t i = 0; i < sized.size(); ++i) {
    ValueInfo& input = sized[i];
    if (const auto file = files_.find(input.name); file != files_.end()) {
      options.arrays.emplace_back(input.name, file->second);
      continue;
    }
    options.specs.push_back(input.name + "=randn");
    for (std::size_t axis = 0; axis < sizes_[i].size(); ++axis) {
      const auto size = sym::evaluate(sizes_[i][axis], values);
      if (!size || *size < 0)
        refuse_input(fmt::format("'{}' of input '{}' is not a size for these values",
                                 sym::to_string(sizes_[i][axis]), input.name),
                     "choose others with --size");
      (*input.shape)[axis].size = *size;
    }
  }
  return runtime::make_feeds(sized, options);
}

std::vector<Array> ScriptInputs::arrays(const std::vector<Session::Feed>& feeds) const {
  std::vector<Array> out;
  for (const auto& [name, datum] : feeds)
    out.push_back(complex_.contains(name) ? without_parts(datum.tensor()) : datum.tensor());
  return out;
}

std::vector<Trial> ScriptInputs::trials(const VerifyOptions& options) const {
  check_sizes(free_, options);
  if (free_.empty()) return {{.required = true}};
  std::vector<Trial> out;
  if (!options.sizes.empty()) {
    const auto count_up = [this](const std::string& name, std::size_t run) {
      return allowed(name, static_cast<std::int64_t>(run) + 1);
    };
    for (SizeValues& sizes : chosen_sizes(free_, options, count_up))
      out.push_back({.sizes = std::move(sizes), .required = true});
    return out;
  }
  // All different, so that one taken for another shows; all the same for programs that need it.
  for (const std::int64_t base : {1, 2, 3, 5, 8, 16, 32, 64, 128, 224}) {
    SizeValues different, same;
    for (const std::string& name : free_) {
      different.emplace_back(name, allowed(name, base + std::ssize(different)));
      same.emplace_back(name, allowed(name, base));
    }
    for (SizeValues* values : {&different, &same})
      if (std::ranges::find(out, *values, &Trial::sizes) == out.end())
        out.push_back({.sizes = std::move(*values)});
  }
  return out;
}

}  // namespace

std::unique_ptr<Inputs> script_inputs(const std::vector<InputSpec>& specs,
                                      const std::vector<std::string>& parameters,
                                      const std::vector<ValueInfo>& inputs) {
  return std::make_unique<ScriptInputs>(specs, parameters, inputs);
}

void check_sizes(const std::vector<std::string>& names, const VerifyOptions& options) {
  for (const auto& [name, sizes] : options.sizes)
    if (std::ranges::find(names, name) == names.end())
      refuse_input(fmt::format("the ONNX model has no dynamic size '{}'", name),
                   names.empty() ? "all its sizes are fixed" : fmt::format("it has: {}", join(names, ", ")));
}

std::vector<SizeValues> chosen_sizes(
    const std::vector<std::string>& names, const VerifyOptions& options,
    const std::function<std::int64_t(const std::string&, std::size_t)>& otherwise) {
  std::size_t runs = 1;
  for (const auto& [name, sizes] : options.sizes) runs = std::max(runs, sizes.size());
  std::vector<SizeValues> out(runs);
  for (std::size_t run = 0; run < runs; ++run) {
    for (const std::string& name : names) {
      const auto given = std::ranges::find_if(options.sizes, [&](const auto& e) { return e.first == name; });
      const bool chosen = given != options.sizes.end() && !given->second.empty();
      out[run].emplace_back(name, chosen ? given->second[run % given->second.size()] : otherwise(name, run));
    }
  }
  return out;
}

}  // namespace cameo::verify
