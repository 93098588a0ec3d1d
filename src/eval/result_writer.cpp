#include "eval/result_writer.h"

#include <algorithm>

#include "aten/complex.h"

namespace cameo::eval {
namespace {

constexpr const char* kNotInPlace = "this operator cannot be written in place";

// The tensor that is result `index` or shares memory with it, and its parameter, as the schema declares it.
struct Aliased {
  const CellPtr* cell = nullptr;
  std::size_t parameter = 0;
};

// to(…, copy=True)
bool always_copies(const aten::Bound& bound) {
  const aten::Arg* copy = bound.argument("copy");
  const aten::Scalar* flag = copy ? copy->get_if<aten::Scalar>() : nullptr;
  return flag && flag->known_int().value_or(0) != 0;
}

const Value& argument(const Arguments& args, std::size_t source) {
  return source < args.positional.size() ? args.positional[source]
                                         : args.keywords[source - args.positional.size()].second;
}

// Whether the call asks for a channels-last memory format.
bool asks_channels_last(const aten::Bound& bound, const Arguments& args) {
  const aten::Schema& schema = bound.op->schema;
  for (std::size_t p = 0; p < schema.count; ++p) {
    if (schema.params[p].name != "memory_format" || !bound.sources[p]) continue;
    const aten::Dim* format = argument(args, *bound.sources[p]).get_if<aten::Dim>();
    return format && (format->as_constant() == 2 || format->as_constant() == 3);
  }
  return false;
}

Aliased aliased(const aten::Bound& bound, std::size_t index, const Arguments& args) {
  const aten::Schema& schema = bound.op->schema;
  if (index >= schema.return_count || schema.returns[index].alias == 0) return {};
  for (std::size_t p = 0; p < schema.count; ++p) {
    if (schema.params[p].alias != schema.returns[index].alias || !bound.sources[p]) continue;
    return {argument(args, *bound.sources[p]).get_if<CellPtr>(), p};
  }
  return {};
}

// Whether the operator keeps the order in memory of its operands.
bool is_elementwise(const aten::Op& op) {
  constexpr std::string_view kFamilies[] = {"activation", "arithmetic", "comparison", "logic", "unary"};
  return op.schema.return_count == 1 && std::ranges::find(kFamilies, op.family) != std::end(kFamilies);
}

std::vector<CellPtr> tensors_in(const Arguments& args) {
  std::vector<CellPtr> out;
  const auto add = [&](const Value& value) {
    const CellPtr* cell = value.get_if<CellPtr>();
    if (cell && (!(*cell)->tensor->has_rank() || (*cell)->tensor.rank() > 0)) out.push_back(*cell);
  };
  for (const Value& value : args.positional) add(value);
  for (const auto& [key, value] : args.keywords) add(value);
  return out;
}

}  // namespace

Value ResultWriter::write(const Target& target, const aten::Returns& results) {
  const aten::Arg result = results.empty() ? aten::Arg{} : results[0];
  if (target.cell) {
    write_tensor(target.cell, result, target.out);
    return target.cell;
  }
  const aten::ArgList* items = result.get_if<aten::ArgList>();
  if (!items || items->size() != target.list->items.size()) throw aten::Unsupported(kNotInPlace);
  for (std::size_t i = 0; i < items->size(); ++i) {
    const CellPtr* cell = target.list->items[i].get_if<CellPtr>();
    if (!cell) throw aten::Unsupported(kNotInPlace);
    write_tensor(*cell, (*items)[i], false);
  }
  return target.list;
}

void ResultWriter::write_tensor(const CellPtr& cell, const aten::Arg& written, bool out) {
  const aten::Tensor* result = written.get_if<aten::Tensor>();
  if (!result) throw aten::Unsupported(kNotInPlace);
  Cells& cells = ev_.memory.cells();
  aten::Tensor before = cells.read(cell);
  if (before.quantizer || result->quantizer) {
    if (!before.quantizer || !result->quantizer)
      throw aten::Unsupported("a quantised tensor and another one cannot be written to each other");
    if (before.dtype() != result->dtype() || before->type != result->value->type)
      throw aten::Unsupported("a quantised tensor is written with one of another type or shape");
    cells.write(cell, *result);
    return;
  }
  aten::Tensor value = aten::converted(ev_.emit, *result, before.dtype());
  if (out)
    cells.replace(cell, value);
  else
    cells.write(cell, before->has_rank() ? aten::expanded(ev_.emit, value, before.shape()) : value);
}

Value ResultWriter::change_layout(const CellPtr& cell, const aten::Bound& bound,
                                  const aten::Returns& results) {
  ev_.memory.cells().change_layout(cell, bound, aten::detail::to_tensor(results.at(0)));
  return cell;
}

Value ResultWriter::store(const aten::Bound& bound, const aten::Returns& results, const Arguments& args) {
  const aten::Schema& schema = bound.op->schema;
  std::vector<Value> values;
  for (std::size_t i = 0; i < results.size(); ++i) {
    if (i < schema.return_count && schema.returns[i].written) {
      if (const CellPtr* cell = aliased(bound, i, args).cell)
        ev_.memory.cells().write(*cell, aten::detail::to_tensor(results[i]));
    } else {
      values.push_back(store_value(bound, results, i, args));
    }
  }
  return values.size() == 1 ? values[0] : make_tuple(std::move(values));
}

Value ResultWriter::store_value(const aten::Bound& bound, const aten::Returns& results, std::size_t index,
                                const Arguments& args) {
  const aten::Arg& result = results[index];
  if (const aten::Tensor* tensor = result.get_if<aten::Tensor>())
    return store_tensor(bound, *tensor, index, index, args);
  const aten::ArgList* several = result.get_if<aten::ArgList>();
  if (!several) return ev_.values.from_arg(result);
  std::vector<Value> items;
  for (std::size_t k = 0; k < several->size(); ++k) {
    const aten::Tensor* item = (*several)[k].get_if<aten::Tensor>();
    items.push_back(item ? store_tensor(bound, *item, index, k, args) : ev_.values.from_arg((*several)[k]));
  }
  return ev_.memory.make_list(std::move(items));
}

Value ResultWriter::store_tensor(const aten::Bound& bound, const aten::Tensor& result, std::size_t index,
                                 std::size_t item, const Arguments& args) {
  const auto [base, parameter] = aliased(bound, index, args);
  Cells& cells = ev_.memory.cells();
  if (asks_channels_last(bound, args)) {
    const bool copies = !base || always_copies(bound) || result.value != cells.read(*base).value;
    return cells.channels_last(copies ? nullptr : *base, bound, parameter, result);
  }
  if (!base && is_elementwise(*bound.op)) return cells.make_like(result, tensors_in(args));
  if (!base) return ev_.memory.make_tensor(result);
  if (bound.op->traits.view == aten::View::unchanged)
    return result.value == cells.read(*base).value && !always_copies(bound) ? Value(*base)
                                                                            : ev_.memory.make_tensor(result);
  if (bound.op->traits.view == aten::View::contiguous && (*base)->contiguous) return *base;
  return cells.view(*base, bound, parameter, item, result);
}

}  // namespace cameo::eval
