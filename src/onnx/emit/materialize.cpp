#include "onnx/emit/materialize.h"

#include <algorithm>
#include <numeric>

#include <fmt/core.h>

#include "cameo/diagnostic.h"
#include "onnx/infer/infer.h"

namespace cameo::onnx {
namespace {

// Formulas of more atoms than this are computed bottom up, so that nesting costs no stack.
constexpr std::size_t kFlat = 64;

}  // namespace

const Carrier* Materialize::carrier(const Dim& number) const {
  const auto found = tables_.carriers.find(number);
  if (found == tables_.carriers.end()) return nullptr;
  for (const Carrier& carrier : found->second)
    if (emit_.visible(carrier.value)) return &carrier;
  return nullptr;
}

Value* Materialize::vector(std::span<const Dim> numbers) {
  std::vector<Value*> pieces;
  while (!numbers.empty()) {
    std::vector<std::int64_t> constants;
    const Run run = run_of_sizes(numbers);
    if (run.length > 0 && (run.length > 1 || !known(numbers.front()))) {
      pieces.push_back(sizes(run.value, run.start, static_cast<std::int64_t>(run.length)));
      numbers = numbers.subspan(run.length);
      continue;
    }
    while (!numbers.empty() && known(numbers.front()) &&
           (constants.empty() || run_of_sizes(numbers).length == 0)) {
      constants.push_back(*known(numbers.front()));
      numbers = numbers.subspan(1);
    }
    if (!constants.empty()) {
      pieces.push_back(emit_.ints(constants));
      continue;
    }
    pieces.push_back(number(numbers.front()));
    numbers = numbers.subspan(1);
  }
  if (pieces.empty()) return emit_.ints({});
  if (pieces.size() == 1) return pieces.front();
  return emit_.create_one("Concat", pieces, {{"axis", std::int64_t{0}}});
}

// The longest prefix of `numbers` that stands in one value's shape, if it holds at least one formula.
Materialize::Run Materialize::run_of_sizes(std::span<const Dim> numbers) const {
  Run best;
  for (std::size_t at = 0; at < numbers.size(); ++at) {
    if (known(numbers[at])) continue;
    const auto found = tables_.carriers.find(numbers[at]);
    if (found == tables_.carriers.end()) break;
    for (const Carrier& carrier : found->second) {
      const std::int64_t start = carrier.axis - static_cast<std::int64_t>(at);
      if (carrier.axis < 0 || start < 0 || !emit_.visible(carrier.value)) continue;
      const Shape& shape = *carrier.value->type.shape;
      std::size_t length = 0;
      while (length < numbers.size() && static_cast<std::size_t>(start) + length < shape.size() &&
             shape[static_cast<std::size_t>(start) + length] == numbers[length])
        ++length;
      while (length > 0 && known(numbers[length - 1])) --length;
      if (length > best.length && length > at) best = {carrier.value, start, length};
    }
  }
  return best;
}

Value* Materialize::sizes(Value* of, std::int64_t start, std::int64_t count) {
  Attributes attributes;
  if (start != 0) attributes.push_back({"start", start});
  if (start + count != of->rank()) attributes.push_back({"end", start + count});
  return emit_.create_one("Shape", {of}, std::move(attributes));
}

Value* Materialize::remembered(const Dim& number) const {
  for (const Graph* graph = emit_.scope_; graph != nullptr; graph = graph->parent) {
    const auto table = tables_.scopes.find(graph);
    if (table == tables_.scopes.end()) continue;
    const auto found = table->second.numbers.find(number);
    if (found != table->second.numbers.end()) return found->second;
  }
  return nullptr;
}

Value* Materialize::scalar(const Dim& number) {
  if (const auto value = known(number)) return emit_.scalar(DType::i64, *value);
  if (const Carrier* by = carrier(number); by && by->axis < 0 && by->value->dtype() == DType::i64) {
    if (by->value->has_rank() && by->value->rank() == 0) return by->value;
    return emit_.create_one("Reshape", {by->value, emit_.ints({})}, {});
  }
  return emit_.create_one("Squeeze", {this->number(number), emit_.ints({0})}, {});
}

Value* Materialize::number(const Dim& number) {
  if (const auto value = known(number)) return emit_.ints({*value});
  if (Value* value = remembered(number)) return value;
  const auto atoms = sym::atoms_below(number);
  if (atoms.size() > kFlat)
    for (const sym::Atom* atom : atoms)
      if (atom->kind != sym::Kind::symbol) operand(sym::as_expr(atom));
  return operand(number);
}

Value* Materialize::operand(const Dim& number) {
  if (const auto value = known(number)) return emit_.ints({*value});
  if (Value* value = remembered(number)) return value;
  Value* value = compute(number);
  tables_.scopes[emit_.scope_].numbers.emplace(number, value);
  return value;
}

Value* Materialize::compute(const Dim& number) {
  if (const Carrier* by = carrier(number)) {
    if (by->axis >= 0) return sizes(by->value, by->axis, 1);
    Value* value = by->value;
    if (value->dtype() != DType::i64)
      value = emit_.create_one("Cast", {value}, {{"to", std::int64_t{to_onnx(DType::i64)}}});
    if (value->has_rank() && value->rank() == 1) return value;
    return emit_.create_one("Reshape", {value, emit_.ints({1})}, {});
  }
  if (const auto rest = sym::as_remainder(number)) {
    Value* dividend = operand(rest->dividend);
    return node("Mod", dividend, operand(rest->divisor));
  }
  if (const sym::Atom* one = number.as_atom()) return atom(*one);
  return sum(number);
}

Value* Materialize::sum(const Dim& number) {
  auto magnitude = [](std::int64_t coefficient) {
    return coefficient < 0 ? std::uint64_t{0} - static_cast<std::uint64_t>(coefficient)
                           : static_cast<std::uint64_t>(coefficient);
  };
  std::uint64_t common = 0;
  for (const sym::Term& part : number.terms()) common = std::gcd(common, magnitude(part.coefficient));
  if (common > 1 && number.terms().size() > 1) {
    const auto factor = static_cast<std::int64_t>(common);
    if (const auto rest = emit_.sym().divide_exactly(number, factor))
      return node("Mul", operand(*rest), emit_.ints({factor}));
  }
  Value* total = nullptr;
  for (const bool negative : {false, true}) {
    for (const sym::Term& part : number.terms()) {
      if ((part.coefficient < 0) != negative) continue;
      Value* value = term(part, magnitude(part.coefficient));
      if (!total)
        total = negative ? emit_.create_one("Neg", {value}, {}) : value;
      else
        total = node(negative ? "Sub" : "Add", total, value);
    }
  }
  return total;
}

Value* Materialize::term(const sym::Term& term, std::uint64_t magnitude) {
  Value* product = nullptr;
  for (const sym::Factor& factor : term.factors) {
    Value* value = operand(sym::as_expr(factor.atom));
    for (std::int32_t i = 0; i < factor.power; ++i) product = product ? node("Mul", product, value) : value;
  }
  const auto coefficient = static_cast<std::int64_t>(magnitude);
  if (!product) return emit_.ints({coefficient});
  return magnitude == 1 ? product : node("Mul", product, emit_.ints({coefficient}));
}

Value* Materialize::atom(const sym::Atom& atom) {
  switch (atom.kind) {
    case sym::Kind::symbol: {
      const auto definition = tables_.definitions.find(sym::as_expr(&atom));
      if (definition != tables_.definitions.end()) return operand(definition->second);
      throw InternalError(fmt::format("nothing here tells the size '{}'", atom.symbol->name));
    }
    case sym::Kind::whole: return operand(atom.operands[0]);
    case sym::Kind::truncdiv: {
      Value* dividend = operand(atom.operands[0]);
      return node("Div", dividend, operand(atom.operands[1]));
    }
    case sym::Kind::floordiv: {
      Value* dividend = operand(atom.operands[0]);
      Value* divisor = operand(atom.operands[1]);
      // Div rounds towards zero: the same as down only where nothing is negative.
      sym::Context& symbols = emit_.sym();
      // And ONNX Runtime takes (1/b)*a for a/b, even of integers: the dividend must not be a constant 1.
      const bool plain = symbols.less_equal(0, atom.operands[0]) == sym::Truth::yes &&
                         symbols.less_equal(0, atom.operands[1]) == sym::Truth::yes &&
                         known(atom.operands[0]) != 1;
      if (!plain) dividend = node("Sub", dividend, node("Mod", dividend, divisor));
      return node("Div", dividend, divisor);
    }
    case sym::Kind::min:
    case sym::Kind::max: {
      std::vector<Value*> operands;
      for (const Dim& part : atom.operands) operands.push_back(operand(part));
      return emit_.create_one(atom.kind == sym::Kind::min ? "Min" : "Max", std::move(operands), {});
    }
  }
  throw InternalError("a formula of an unknown kind");
}

Emitted Emit::materialize(Value* value) {
  if (!value->symbolic()) return {this, value};
  Materialize compute(*this);
  const std::vector<Dim>& numbers = *value->elements;
  Value* result = nullptr;
  if (value->rank() == 0) {
    result = compute.scalar(simplify(numbers.front()));
  } else {
    std::vector<Dim> simplified;
    for (const Dim& number : numbers) simplified.push_back(simplify(number));
    result = compute.vector(simplified);
    if (value->rank() > 1) {
      std::vector<std::int64_t> sizes;
      for (const Dim& dim : *value->type.shape) sizes.push_back(*known(dim));
      result = create_one("Reshape", {result, ints(sizes)}, {});
    }
  }
  if (value->dtype() != DType::i64)
    result = create_one("Cast", {result}, {{"to", std::int64_t{to_onnx(value->dtype())}}});
  return {this, result};
}

bool Emit::visible(const Dim& number) const {
  const Materialize compute(const_cast<Emit&>(*this));
  if (known(number) || compute.carrier(number)) return true;
  const auto atoms = sym::atoms_below(number);
  return std::all_of(atoms.begin(), atoms.end(), [&](const sym::Atom* atom) {
    if (atom->kind != sym::Kind::symbol || compute.carrier(sym::as_expr(atom))) return true;
    const auto definition = tables_->definitions.find(sym::as_expr(atom));
    return definition != tables_->definitions.end() && visible(definition->second);
  });
}

}  // namespace cameo::onnx
