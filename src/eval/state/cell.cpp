#include "eval/state/cell.h"

#include "eval/state/journal.h"
#include "eval/state/views.h"

namespace cameo::eval {

CellPtr Cells::make(aten::Tensor tensor) {
  auto cell = std::make_shared<Cell>();
  cell->born = journal_.now();
  cell->tensor = std::move(tensor);
  return cell;
}

Time Cells::version(const CellPtr& cell) { return cell->view ? version(cell->view->base) : cell->version; }

aten::Tensor Cells::read(const CellPtr& cell) {
  if (!cell->view) return cell->tensor;
  const Time now = version(cell->view->base);
  if (now == cell->base_version && emit_.visible(cell->tensor)) return cell->tensor;
  if (!cell->doubtful.empty() && now != cell->base_version) throw aten::Unsupported(cell->doubtful);
  const Derivation& d = *cell->view;
  cell->tensor = apply_view(emit_, d.call, d.self, d.item, read(d.base));
  cell->base_version = now;
  return cell->tensor;
}

void Cells::write(const CellPtr& cell, aten::Tensor value) {
  if (!cell->doubtful.empty()) throw aten::Unsupported(cell->doubtful);
  if (!cell->view) {
    journal_.touch(cell);
    cell->tensor = std::move(value);
    cell->version = journal_.tick();
    return;
  }
  const Derivation& d = *cell->view;
  write(d.base, write_through(emit_, d.call, d.self, d.item, read(d.base), value));
}

void Cells::replace(const CellPtr& cell, aten::Tensor value) {
  if (cell->view) {
    write(cell, std::move(value));
    return;
  }
  journal_.touch(cell);
  cell->tensor = std::move(value);
  cell->version = journal_.tick();
}

CellPtr Cells::view(const CellPtr& base, const aten::Bound& call, std::size_t self, std::size_t item,
                    aten::Tensor value) {
  CellPtr cell = make(std::move(value));
  cell->view = Derivation{base, call, self, item};
  cell->base_version = version(base);
  switch (layout_of_view(call, base->contiguous)) {
    case Layout::contiguous: break;
    case Layout::strided: cell->contiguous = false; break;
    case Layout::doubtful:
      cell->doubtful =
          "whether this tensor shares memory with the one that it was reshaped from depends on its layout, "
          "so that a later in-place change cannot be followed";
      break;
  }
  if (!base->doubtful.empty()) cell->doubtful = base->doubtful;
  return cell;
}

}  // namespace cameo::eval
