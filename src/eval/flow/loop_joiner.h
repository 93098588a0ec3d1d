#pragma once
// The values that a loop carries from one iteration to the next.

#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "eval/flow/join.h"

namespace cameo::eval {

// A tensor, number, truth value or sequence that changes from iteration to iteration.
struct Carried {
  onnx::Value* initial = nullptr;  // outside
  onnx::Value* input = nullptr;    // of the body
  onnx::Value* next = nullptr;     // output of the body; null: the input, unchanged
  onnx::Value* final = nullptr;    // output of the Loop
  onnx::Type type;
  std::vector<bool> widened;  // axes whose size changes from iteration to iteration
};

// Joins the state before an iteration (the first side) with the state after it (the second side). Each leaf
// that differs becomes a carried value. An integer that grows by a constant step is not carried: it is a
// formula of the iteration's number.
class LoopJoiner : public Joiner {
 public:
  struct Loop {
    onnx::Graph* outside;
    Dim iteration;             // the number of the iteration, in the body
    std::optional<Dim> count;  // the trip count of a counted loop
  };
  LoopJoiner(Evaluation& evaluation, Time since, Loop loop)
      : Joiner(evaluation, since, nullptr, nullptr), loop_(std::move(loop)) {}

  // The body is evaluated anew, in this graph.
  void begin_pass(onnx::Graph* body);
  // The next joins find carried values. `outcome` must live until the next call.
  void search(const Outcome& outcome) { restart(&outcome); }
  // Whether a join since begin_pass found another carried value, or another type for one.
  bool changed() const { return changed_; }
  // The next joins note the outputs of the body. All carried values and their types are known by now.
  void collect(const Outcome& outcome);

  std::vector<Carried>& carried() { return carried_; }
  // The state after the loop: carried values are replaced by the outputs of the Loop.
  State leave(State state);

 protected:
  void in_first(const std::function<void()>& work) override;
  void in_second(const std::function<void()>& work) override;
  onnx::Value* merge(onnx::Value* a, onnx::Value* b) override;
  Value merge_integers(const Dim& a, const Dim& b) override;

 private:
  struct Induction {
    Dim initial, step, formula;
    bool refuted = false;
  };
  onnx::Value* carry(onnx::Value* initial, const onnx::Type& next);
  Dim carry_integer(const Dim& a, const Dim& b);
  void bind_size(const Carried& c, std::size_t axis);
  void widen(Carried& c, const onnx::Type& other);
  Value leave(const Value& value);
  Value leave_tensor(const CellPtr& cell);
  Value leave_integer(const Dim& dim);
  onnx::Value* final_of(onnx::Value* value) const;
  aten::Tensor final_of(aten::Tensor tensor) const;

  Loop loop_;
  onnx::Graph* body_ = nullptr;
  std::vector<Carried> carried_;
  std::vector<Induction> inductions_;
  std::vector<std::pair<Dim, std::size_t>>
      integers_;  // carried integers: symbol in the body, index in carried_
  bool changed_ = false;
  bool collecting_ = false;
  std::map<const void*, Value> left_;  // cells that have left the loop
};

}  // namespace cameo::eval
