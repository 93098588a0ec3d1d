#pragma once
// What a tensor variable refers to. A cell holds a value of the graph and a version; a view holds a base and
// the operator that derives it, and follows the base: reading re-derives it, writing writes the base.

#include <memory>
#include <optional>

#include "eval/state/value.h"

namespace cameo::eval {

// How a view is derived from its base.
struct Derivation {
  CellPtr base;
  aten::Bound call;  // the base stands at parameter `self`
  std::size_t self = 0;
  std::size_t item = 0;  // which of the results, for split and its kin
};

struct Cell {
  Time born = 0;
  aten::Tensor tensor;  // current; of a view: as derived from `base_version`
  Time version = 0;     // grows with every write, unique over all cells
  std::optional<Derivation> view;
  Time base_version = 0;
  bool contiguous = true;  // laid out in row-major order, as far as the program can tell
  // Whether this shares memory with another cell depends on the run, or on a layout that is not tracked: the
  // reason why a write to it cannot be followed. Empty: no doubt.
  std::string doubtful;
  bool literal = false;  // a constant that the program's text names
  std::string buffer;    // state-dict path of the parameter or buffer it came from
};

class Journal;

class Cells {
 public:
  Cells(onnx::Emit& emit, Journal& journal) : emit_(emit), journal_(journal) {}

  // The tensor that the cell stands for now, visible in the current scope.
  aten::Tensor read(const CellPtr& cell);
  // In-place write: the cell, its base and every sibling see it. `value` has the cell's shape and dtype.
  void write(const CellPtr& cell, aten::Tensor value);
  // Rebinds the cell to another tensor of any shape: `out=` and resize.
  void replace(const CellPtr& cell, aten::Tensor value);
  Time version(const CellPtr& cell);
  CellPtr make(aten::Tensor tensor);  // a fresh tensor

  CellPtr view(const CellPtr& base, const aten::Bound& call, std::size_t self, std::size_t item,
               aten::Tensor value);

 private:
  onnx::Emit& emit_;
  Journal& journal_;
};

}  // namespace cameo::eval
