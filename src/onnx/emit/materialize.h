#pragma once
// Computes formulas with nodes: sizes come from the values that have them, the rest is int64 arithmetic on
// tensors of one element. Each formula is computed once per scope.

#include <span>

#include "onnx/emit/emit.h"
#include "onnx/emit/tables.h"

namespace cameo::onnx {

class Materialize {
 public:
  explicit Materialize(Emit& emit) : emit_(emit), tables_(*emit.tables_) {}

  Value* vector(std::span<const Dim> numbers);  // 1-d
  Value* number(const Dim& number);             // 1-d, one element
  Value* scalar(const Dim& number);             // 0-d
  const Carrier* carrier(const Dim& number) const;

 private:
  struct Run {
    Value* value = nullptr;
    std::int64_t start = 0;
    std::size_t length = 0;
  };
  Run run_of_sizes(std::span<const Dim> numbers) const;
  Value* sizes(Value* of, std::int64_t start, std::int64_t count);
  Value* remembered(const Dim& number) const;
  Value* operand(const Dim& number);  // as number(), where nesting is no concern
  Value* compute(const Dim& number);
  Value* sum(const Dim& number);
  Value* term(const sym::Term& term, std::uint64_t magnitude);
  Value* atom(const sym::Atom& atom);
  Value* node(std::string_view op, Value* a, Value* b) { return emit_.create_one(op, {a, b}, {}); }

  Emit& emit_;
  Emit::Tables& tables_;
};

}  // namespace cameo::onnx
