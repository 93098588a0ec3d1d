#pragma once
// The journal records writes to variables, cells, containers and attributes. Control flow evaluates a branch,
// collects its effects from the journal, and rolls them back.

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <variant>
#include <vector>

#include "eval/state/cell.h"
#include "eval/state/value.h"

namespace cameo::eval {

struct VariablePlace {
  std::shared_ptr<Environment> environment;
  std::string_view name;
};
struct AttributePlace {
  ObjectPtr object;
  std::string name;
};
// Something that can be written.
using Place = std::variant<VariablePlace, AttributePlace, CellPtr, ListPtr, DictPtr>;

// The contents of a place; nullopt if the variable or attribute does not exist.
struct CellState {
  aten::Tensor tensor;
  Time version = 0;
};
struct ListState {
  std::vector<Value> items;
  onnx::Value* sequence = nullptr;
};
using DictState = std::vector<std::pair<Value, Value>>;
using State = std::variant<std::optional<Value>, CellState, ListState, DictState>;

struct Effect {
  Place place;
  State before, after;
};

State state_of(const Place& place);
void restore(const Place& place, State state);

// Equal for equal places.
using PlaceKey = std::pair<const void*, std::string>;
PlaceKey key_of(const Place& place);

// The effects of a branch. Writes to values that the branch made itself are not among them.
class Outcome {
 public:
  void set_effects(std::vector<Effect> effects);
  const std::vector<Effect>& effects() const { return effects_; }  // in the order of first writes
  const Effect* find(const Place& place) const;

  // The tensors at the end of the branch of the cells that the effects refer to. Rolling back changes the
  // cells.
  std::unordered_map<const Cell*, aten::Tensor> tensors;

 private:
  std::vector<Effect> effects_;
  std::map<PlaceKey, std::size_t> index_;
};

class Journal {
 public:
  // Call before the place changes.
  void touch(const Place& place);
  bool recording() const { return !records_.empty(); }  // inside a branch or a loop
  Time now() const { return time_; }
  Time tick() { return ++time_; }

  // Records writes until it is rolled back or kept. The destructor rolls back.
  class Level {
   public:
    explicit Level(Journal& journal);
    ~Level();
    Level(const Level&) = delete;
    Level& operator=(const Level&) = delete;
    const std::vector<Place>& places() const;  // touched so far
    std::vector<Effect> roll_back();
    void keep();  // the effects belong to the outer level now

   private:
    Journal& journal_;
    bool open_ = true;
  };

 private:
  struct Record {
    Time since;
    std::vector<Place> places;
    std::vector<State> before;
    std::map<PlaceKey, std::size_t> seen;
    void add(const Place& place, State state);
  };
  std::vector<Record> records_;
  Time time_ = 0;
};

}  // namespace cameo::eval
