#include "export/inputs/input_sizes.h"

#include <fmt/core.h>

#include <algorithm>

#include "base/overload.h"
#include "sym/parse.h"
#include "sym/solve.h"

namespace cameo {
namespace {

[[noreturn]] void refuse_size(std::string message, std::string hint = {}) {
  throw Error(
      Diagnostic{.code = Code::bad_input_spec, .message = std::move(message), .hint = std::move(hint)});
}

// The largest size of a range that its steps reach.
std::optional<std::int64_t> last(const SizeRange& range) {
  if (!range.most) return std::nullopt;
  return *range.most - (*range.most - range.least) % range.step;
}

struct Axis {
  onnx::Value* input;
  std::int64_t axis;
  onnx::Dim size;
};

// Defines a symbol as a formula of the size of an axis.
bool define(onnx::Emit& e, const onnx::Dim& symbol, const std::vector<Axis>& axes) {
  if (e.visible(symbol)) return true;
  for (const Axis& axis : axes) {
    const onnx::Dim size = e.sym().symbol("size");
    const std::optional<onnx::Dim> solution = sym::solve(axis.size, symbol, size);
    if (!solution) continue;
    e.bind_dim(size, axis.input, axis.axis);
    if (!e.visible(*solution)) continue;
    e.define(symbol, *solution);
    return true;
  }
  return false;
}

}  // namespace

InputSizes::InputSizes(eval::Evaluator& ev, const std::vector<InputSpec>& specs) : ev_(ev) {
  for (const InputSpec& spec : specs) collect(spec);
}

void InputSizes::collect(const InputSpec& spec) {
  const auto each = [&](const auto& container) {
    for (const InputSpec& item : container.items) collect(item);
  };
  std::visit(Overload{[&](const TensorSpec& tensor) {
                        for (const Dim& dim : tensor.shape) {
                          std::string fault = dim.range ? fault_of(*dim.range) : "";
                          if (fault.empty()) fault = add_range(ranges_, dim);
                          if (!fault.empty()) refuse_size(fault);
                        }
                      },
                      [&](const TupleSpec& tuple) { each(tuple); }, [&](const ListSpec& list) { each(list); },
                      [&](const DictSpec& dict) {
                        for (const auto& [key, value] : dict.items) collect(value);
                      },
                      [](const auto&) {}},
             spec.value);
}

void InputSizes::reserve(const std::string& name) { named(name); }

onnx::Dim InputSizes::size(const Dim& dim) {
  if (dim.name.empty() && dim.size >= 0) {
    examples_.fixed.insert(dim.size);
    return dim.size;
  }
  if (dim.name.empty()) return symbol("dim", dim.range.value_or(SizeRange{}));
  const onnx::Dim size = names_.contains(dim.name) ? named(dim.name) : formula(dim.name);
  if (dim.size >= 0) note_example(size, dim.size);
  return size;
}

onnx::Dim InputSizes::named(const std::string& name) {
  const auto [known, is_new] = names_.try_emplace(name);
  if (is_new) {
    const auto range = ranges_.find(name);
    known->second = symbol(name, range == ranges_.end() ? SizeRange{} : range->second);
  }
  return known->second;
}

onnx::Dim InputSizes::symbol(const std::string& name, const SizeRange& range) {
  if (last(range) == range.least) return range.least;
  sym::Context& symbols = ev_.emit().sym();
  const onnx::Dim size = symbols.symbol(name, {range.least, last(range)}, onnx::kInputSize);
  symbols.assume_divisible(size - range.least, range.step);
  return examples_.symbols.emplace_back(size);
}

onnx::Dim InputSizes::formula(const std::string& text) {
  try {
    return sym::parse_formula(text, [&](std::string_view name) { return named(std::string(name)); });
  } catch (const sym::FormulaError& error) {
    refuse_size(fmt::format("'{}' is neither a name nor a formula of names: {}", text, error.what()));
  }
}

void InputSizes::note_example(const onnx::Dim& size, std::int64_t example) {
  const std::string name = sym::to_string(size);
  const auto [known, is_new] = examples_.dynamic.try_emplace(name, example);
  if (known->second != example)
    ev_.reporter().fail(
        Code::different_sizes,
        fmt::format("'{}' cannot be {} and {}: one name is one size", name, known->second, example),
        "give the axes different names, or the examples equal sizes");
}

void InputSizes::solve() {
  onnx::Emit& e = ev_.emit();
  std::vector<Axis> axes;
  for (onnx::Value* input : e.model().main().inputs)
    for (std::size_t i = 0; input->type.shape && i < input->type.shape->size(); ++i)
      axes.push_back({input, static_cast<std::int64_t>(i), (*input->type.shape)[i]});
  std::vector<onnx::Dim> unknown;
  for (const Axis& axis : axes)
    for (const sym::Atom* atom : sym::atoms_below(axis.size))
      if (atom->symbol && !e.visible(sym::as_expr(atom))) unknown.push_back(sym::as_expr(atom));
  while (std::erase_if(unknown, [&](const onnx::Dim& symbol) { return define(e, symbol, axes); }) > 0)
    continue;
  if (unknown.empty()) return;
  const std::string name = sym::to_string(unknown.front());
  refuse_size(fmt::format("the size '{}' cannot be computed from the sizes of the inputs", name),
              fmt::format("let a dimension have the size {0}, or a formula such as 2*{0} + 1", name));
}

}  // namespace cameo
