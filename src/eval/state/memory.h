#pragma once
#include <memory>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "eval/state/cell.h"
#include "eval/state/journal.h"

namespace cameo::eval {

// The program's memory: variables, attributes, containers and tensors. The journal records every write, so
// that control flow can roll it back.
class Memory {
 public:
  explicit Memory(onnx::Emit& emit) : cells_(emit, journal_) {}
  Memory(const Memory&) = delete;
  Memory& operator=(const Memory&) = delete;

  Journal& journal() { return journal_; }
  Cells& cells() { return cells_; }

  // New values.
  Value make_tensor(aten::Tensor tensor) { return cells_.make(std::move(tensor)); }
  Value make_packed(aten::PackedPtr packed);
  Value make_list(std::vector<Value> items);
  Value make_dict(std::vector<std::pair<Value, Value>> items);

  // Writes.
  void assign(const std::shared_ptr<Environment>& environment, std::string_view name, Value value);
  void erase(const std::shared_ptr<Environment>& environment, std::string_view name);
  void set_attribute(const ObjectPtr& object, std::string_view name, Value value);
  void put(const Place& place, State state);
  // Call before a list or dict is changed directly.
  void touch(const Place& place) { journal_.touch(place); }

  // The current tensor of each cell that the places refer to, directly or through containers and objects.
  std::unordered_map<const Cell*, aten::Tensor> tensors_at(const std::vector<Place>& places);

 private:
  Journal journal_;
  Cells cells_;
};

}  // namespace cameo::eval
