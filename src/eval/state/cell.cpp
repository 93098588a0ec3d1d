#include "eval/state/cell.h"

#include <algorithm>

#include "eval/state/journal.h"
#include "eval/state/views.h"

namespace cameo::eval {
namespace {

constexpr const char* kDoubtfulCopy =
    "whether a tensor and its reshaped or contiguous form share memory depends on the memory layout, so that "
    "an "
    "in-place change of one of them cannot be followed";

}  // namespace

CellPtr Cells::make(aten::Tensor tensor) {
  auto cell = std::make_shared<Cell>();
  cell->born = journal_.now();
  cell->tensor = std::move(tensor);
  return cell;
}

Time Cells::version(const CellPtr& cell) { return cell->view ? version(cell->view->base) : cell->version; }

aten::Tensor Cells::read(const CellPtr& cell) {
  if (!cell->spoiled.empty()) throw aten::Unsupported(cell->spoiled);
  if (!cell->view) return cell->tensor;
  const Time now = version(cell->view->base);
  if (now == cell->base_version && emit_.visible(cell->tensor.value)) return cell->tensor;
  if (!cell->doubtful.empty() && now != cell->base_version) throw aten::Unsupported(cell->doubtful);
  const Derivation& d = *cell->view;
  check_layout(d);
  cell->tensor = apply_view(emit_, d.call, d.self, d.item, read(d.base));
  cell->base_version = now;
  return cell->tensor;
}

void Cells::write(const CellPtr& cell, aten::Tensor value) {
  if (!cell->doubtful.empty()) separate(cell);
  if (!cell->view) {
    journal_.touch(cell);
    cell->tensor = std::move(value);
    cell->version = journal_.tick();
    return;
  }
  const Derivation& d = *cell->view;
  check_layout(d);
  write(d.base, write_through(emit_, d.call, d.self, d.item, read(d.base), value));
}

// Nobody knows whether a write changes the base, too. That matters only if the base is read later.
void Cells::separate(const CellPtr& cell) {
  if (journal_.recording()) throw aten::Unsupported(cell->doubtful);
  CellPtr base = cell;
  while (base->view) base = base->view->base;
  base->spoiled = std::move(cell->doubtful);
  cell->doubtful.clear();
  cell->view.reset();
}

void Cells::check_layout(const Derivation& derivation) {
  if (derivation.base->layout != derivation.base_layout)
    throw aten::Unsupported(
        "the shape of a tensor was changed in place, and a view that is older than this change is used after "
        "the elements were changed");
}

void Cells::change_layout(const CellPtr& cell, const aten::Bound& call, aten::Tensor value) {
  if (cell->view) throw aten::Unsupported("a view of another tensor cannot change its shape in place");
  journal_.touch(cell);
  cell->tensor = std::move(value);
  cell->contiguous = layout_of_view(call, cell->contiguous) == Layout::contiguous;
  cell->strides.reset();
  ++cell->layout;
}

void Cells::track(const CellPtr& cell, onnx::Value* value) {
  (void)read(cell);
  journal_.touch(cell);
  cell->tensor.value = value;
}

void Cells::replace(const CellPtr& cell, aten::Tensor value) {
  if (cell->view) {
    write(cell, std::move(value));
    return;
  }
  journal_.touch(cell);
  cell->tensor = std::move(value);
  cell->contiguous = true;
  cell->strides.reset();
  cell->version = journal_.tick();
}

std::optional<Strides> Cells::strides(const CellPtr& cell) {
  if (cell->strides) return cell->strides;
  if (!cell->contiguous || cell->view || !cell->tensor->has_rank()) return std::nullopt;
  return Strides{row_major(cell->tensor.shape())};
}

CellPtr Cells::make_like(aten::Tensor tensor, const std::vector<CellPtr>& operands) {
  CellPtr cell = make(std::move(tensor));
  if (std::ranges::all_of(operands, [](const CellPtr& each) { return each->contiguous; })) return cell;
  cell->contiguous = false;
  std::optional<onnx::Shape> found;
  for (const CellPtr& operand : operands) {
    if (!cell->tensor->has_rank() || operand->tensor->type.shape != cell->tensor->type.shape) return cell;
    const std::optional<Strides> steps = strides(operand);
    if (!steps || (found && *found != steps->steps)) return cell;
    found = steps->steps;
  }
  if (const auto steps = in_order_of(emit_.sym(), cell->tensor.shape(), *found)) {
    cell->strides = Strides{*steps};
    cell->contiguous = is_row_major(emit_.sym(), cell->tensor.shape(), *steps);
  }
  return cell;
}

CellPtr Cells::channels_last(const CellPtr& base, const aten::Bound& call, std::size_t self,
                             aten::Tensor value) {
  const bool copies = !base || (base->tensor->has_rank() &&
                                is_not_channels_last(emit_.sym(), read(base).shape(), strides(base)));
  CellPtr cell = make(std::move(value));
  cell->contiguous = false;
  if (copies) return cell;
  cell->view = Derivation{base, call, self, 0, base->layout};
  cell->base_version = version(base);
  cell->doubtful = base->doubtful.empty() ? kDoubtfulCopy : base->doubtful;
  return cell;
}

CellPtr Cells::view(const CellPtr& base, const aten::Bound& call, std::size_t self, std::size_t item,
                    aten::Tensor value) {
  const bool ranked = base->tensor->has_rank() && value->has_rank();
  const Placed placed = ranked ? place(emit_, call, read(base), strides(base), value.shape()) : Placed{};
  CellPtr cell = make(std::move(value));
  if (placed.sharing == Sharing::copy) return cell;
  cell->view = Derivation{base, call, self, item, base->layout};
  cell->base_version = version(base);
  cell->strides = placed.strides;
  const Layout layout = layout_of_view(call, base->contiguous);
  cell->contiguous = placed.strides ? is_row_major(emit_.sym(), cell->tensor.shape(), placed.strides->steps)
                                    : layout != Layout::strided;
  if (layout == Layout::doubtful && placed.sharing == Sharing::unknown) cell->doubtful = kDoubtfulCopy;
  if (!base->doubtful.empty()) cell->doubtful = base->doubtful;
  return cell;
}

}  // namespace cameo::eval
