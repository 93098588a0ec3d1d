#include "onnx/emit/assume.h"

#include <algorithm>

namespace cameo::onnx {
namespace {

bool is_input_size(const sym::Atom* atom) { return atom->symbol && atom->symbol->tag == kInputSize; }

bool only_of_inputs(const sym::Condition& condition) {
  return std::ranges::all_of(sym::atoms_below(condition.right - condition.left),
                             [](const sym::Atom* atom) { return !atom->symbol || is_input_size(atom); });
}

sym::Condition at_least_one(const Dim& size) { return {sym::Relation::less_equal, 1, size}; }

}  // namespace

void require_filled(Emit& e, const Dim& size) {
  const sym::Condition condition = at_least_one(size);
  if (only_of_inputs(condition)) e.require(condition, "ONNX cannot reshape an empty tensor here");
}

std::optional<std::vector<Dim>> inputs_to_fill(sym::Context& symbols, std::span<const Dim> sizes) {
  const auto is_filled = [&](const Dim& size) {
    return symbols.decide(at_least_one(size)) == sym::Truth::yes;
  };
  std::vector<Dim> open;
  for (const Dim& size : sizes) {
    if (is_filled(size)) continue;
    for (const sym::Atom* atom : sym::atoms_below(size)) {
      const Dim part = sym::as_expr(atom);
      if (is_input_size(atom) && !is_filled(part) && std::ranges::find(open, part) == open.end())
        open.push_back(part);
    }
  }
  sym::Scope if_filled(symbols);
  for (const Dim& symbol : open) symbols.assume(at_least_one(symbol));
  return std::ranges::all_of(sizes, is_filled) ? std::optional(open) : std::nullopt;
}

void Emit::require(const sym::Condition& condition, std::string_view otherwise) {
  if (sym().decide(condition) != sym::Truth::unknown) return;
  sym().assume(condition);
  if (report_ && only_of_inputs(condition)) report_(condition, otherwise);
}

}  // namespace cameo::onnx
