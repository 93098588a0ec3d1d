#pragma once
// Tensors of the program. A cell holds a value of the graph and a version. A view also holds its base and the
// operator that derives it: reading a view derives it again if the base changed, writing it writes the base.

#include <memory>
#include <optional>

#include "eval/state/strides.h"
#include "eval/state/value.h"

namespace cameo::eval {

// The derivation of a view from its base.
struct Derivation {
  CellPtr base;
  aten::Bound call;  // the base is its argument `self`
  std::size_t self = 0;
  std::size_t item = 0;  // the index of the result, for operators such as split
  int base_layout = 0;   // Cell::layout of the base when the view was derived
};

struct Cell {
  Time born = 0;
  aten::Tensor tensor;  // current; of a view: as derived from `base_version`
  Time version = 0;     // grows with every write; unique among all cells
  std::optional<Derivation> view;
  Time base_version = 0;
  bool contiguous = true;  // the elements are in row-major order, as is_contiguous() says
  // Absent if the tensor is contiguous and no view, or if they are not known.
  std::optional<Strides> strides;
  // The reason why a write cannot be followed: whether this shares memory with its base depends on runtime
  // values or on a layout that is not tracked. Empty if writes can be followed.
  std::string doubtful;
  // The reason why the elements are not known: a doubtful view of this cell was written. Empty if they are.
  std::string spoiled;
  int layout = 0;        // the number of changes of its shape in place, by unsqueeze_ and its like
  bool literal = false;  // a constant in the program's text
  std::string buffer;    // state-dict path of the parameter or buffer it came from
};

class Journal;

// Reads and writes cells. The journal records all writes.
class Cells {
 public:
  Cells(onnx::Emit& emit, Journal& journal) : emit_(emit), journal_(journal) {}

  // The current tensor, visible in the current scope. Throws aten::Unsupported if the cell is doubtful and
  // its base changed, or if the elements are spoiled.
  aten::Tensor read(const CellPtr& cell);
  // In-place write: it changes the cell, its base and all views of the base. `value` has the shape and dtype
  // of the cell. A doubtful cell becomes a tensor of its own, and its base is spoiled; in a branch or a loop
  // this throws aten::Unsupported.
  void write(const CellPtr& cell, aten::Tensor value);
  // Changes the shape in place: `value` is the view that `call` derives. Other views of the same
  // elements stay valid until somebody writes to these. Throws aten::Unsupported if the cell is a view.
  void change_layout(const CellPtr& cell, const aten::Bound& call, aten::Tensor value);
  // Gives the cell another value with the same elements, from which gradients start or where they stop. Views
  // of the cell keep the values that they have.
  void track(const CellPtr& cell, onnx::Value* value);
  // Writes a tensor of any shape, for `out=` and resize.
  void replace(const CellPtr& cell, aten::Tensor value);
  Time version(const CellPtr& cell);
  CellPtr make(aten::Tensor tensor);  // a fresh tensor

  // The places of the elements in the memory of the tensor that the cell is a view of; absent if they are not
  // known.
  std::optional<Strides> strides(const CellPtr& cell);
  // A new tensor that an elementwise operator made of these. It keeps the order of their elements in memory.
  CellPtr make_like(aten::Tensor tensor, const std::vector<CellPtr>& operands);

  // A view of `base`: result `item` of `call`, which has the value `value` now. It is a new tensor if PyTorch
  // makes a copy.
  CellPtr view(const CellPtr& base, const aten::Bound& call, std::size_t self, std::size_t item,
               aten::Tensor value);
  // The result of a call that asks for a channels-last memory format: a new tensor if `base` is null, else `base`
  // in this format, which PyTorch copies if it has another one.
  CellPtr channels_last(const CellPtr& base, const aten::Bound& call, std::size_t self, aten::Tensor value);

 private:
  void separate(const CellPtr& cell);
  static void check_layout(const Derivation& derivation);

  onnx::Emit& emit_;
  Journal& journal_;
};

}  // namespace cameo::eval
