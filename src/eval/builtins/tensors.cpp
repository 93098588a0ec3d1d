// Properties of tensors at export time: sizes, dtype, layout, and numbers of constants.
#include <fmt/core.h>

#include <algorithm>
#include <vector>

#include "aten/complex.h"
#include "base/index.h"
#include "eval/builtins/builtins.h"

namespace cameo::eval {
namespace tensors {
namespace {

using Args = const Arguments&;
using Result = std::optional<Value>;

std::optional<aten::Tensor> tensor_at(Evaluation& ev, Args args, std::size_t i = 0) {
  if (i >= args.positional.size()) return std::nullopt;
  const CellPtr* cell = args.positional[i].get_if<CellPtr>();
  if (!cell) return std::nullopt;
  return ev.memory.cells().read(*cell);
}

Result size(Evaluation& ev, Args args) {
  std::optional<aten::Tensor> t = tensor_at(ev, args);
  if (!t) return std::nullopt;
  if (const Value* dim = args.find(1, "dim")) return Value(t->dim(known_int(*dim, "'dim'")));
  std::vector<Value> sizes;
  for (const Dim& dim : t->shape()) sizes.push_back(dim);
  return ev.memory.make_list(std::move(sizes));
}

Result rank(Evaluation& ev, Args args) {
  std::optional<aten::Tensor> t = tensor_at(ev, args);
  return t ? Result(Value(t->rank())) : std::nullopt;
}

Result length(Evaluation& ev, Args args) {
  std::optional<aten::Tensor> t = tensor_at(ev, args);
  if (!t) return std::nullopt;
  if (t->rank() == 0) ev.reporter.raise("len() of a 0-d tensor");
  return Value(t->dim(0));
}

Result numel(Evaluation& ev, Args args) {
  std::optional<aten::Tensor> t = tensor_at(ev, args);
  return t ? Result(Value(t->shape().product())) : std::nullopt;
}

Result strides(Evaluation& ev, Args args) {
  const std::optional<aten::Tensor> t = tensor_at(ev, args);
  if (!t) return std::nullopt;
  const std::optional<Strides> found = ev.memory.cells().strides(*args.positional[0].get_if<CellPtr>());
  if (!found) throw aten::Unsupported("the strides of this tensor are not known at export time");
  std::vector<Value> out(found->steps.begin(), found->steps.end());
  if (const Value* dim = args.find(1, "dim")) return element_at(out, t->wrap(known_int(*dim, "'dim'")));
  return ev.memory.make_list(std::move(out));
}

// Where the first element lies in the memory of its storage.
Result storage_offset(Evaluation& ev, Args args) {
  if (!tensor_at(ev, args)) return std::nullopt;
  const std::optional<Strides> found = ev.memory.cells().strides(*args.positional[0].get_if<CellPtr>());
  if (!found || !found->offset) throw aten::Unsupported("the storage offset of this tensor is not known");
  return Value(*found->offset);
}

Result is_contiguous(Evaluation&, Args args) {
  const CellPtr* cell = args.positional.empty() ? nullptr : args.positional[0].get_if<CellPtr>();
  return cell ? Result(Value((*cell)->contiguous)) : std::nullopt;
}

// A tensor whose storage is row-major, from its beginning to its end.
bool is_plain(Evaluation& ev, const CellPtr& cell) {
  const aten::Tensor t = ev.memory.cells().read(cell);
  if (!cell->contiguous || !cell->doubtful.empty() || cell->view) return false;
  return !t->constant() || !t->data->tensor() ||
         (t->data->tensor()->contiguous() && t->data->tensor()->offset == 0);
}

// Elements of the storage: those of the tensor that the given one is a view of. The converter is called for a
// tensor that is no view.
template <bool kScatters>
Result of_storage(Evaluation& ev, Args args) {
  const std::optional<aten::Tensor> t = tensor_at(ev, args);
  if (!t) return std::nullopt;
  const CellPtr& cell = *args.positional[0].get_if<CellPtr>();
  if (is_plain(ev, cell)) return std::nullopt;
  CellPtr base = cell;
  while (base->view) base = base->view->base;
  const std::optional<Strides> found = ev.memory.cells().strides(cell);
  const bool known = cell->doubtful.empty() && found && found->offset && is_plain(ev, base);
  if (!known || (kScatters && base != cell))
    throw aten::Unsupported("the memory layout of this tensor is not tracked",
                            "apply as_strided to an input or a fresh contiguous tensor");
  Arguments whole = args;
  whole.positional[0] = base;
  if (const Value* offset = args.find(3, "storage_offset"); !offset || offset->is_none()) {
    std::erase_if(whole.keywords, [](const auto& each) { return each.first == "storage_offset"; });
    if (whole.positional.size() > 3)
      whole.positional[3] = *found->offset;
    else
      whole.keywords.emplace_back("storage_offset", *found->offset);
  }
  return ev.caller.call_operator("aten::as_strided", whole);
}

// copy_ broadcasts, so a tensor that was expanded for it is copied as it was before. In a trace, the sizes of the expand
// are those of the example.
Result copy_into(Evaluation& ev, Args args) {
  const std::optional<aten::Tensor> target = tensor_at(ev, args), source = tensor_at(ev, args, 1);
  if (!target || !source) return std::nullopt;
  const std::optional<Derivation>& view = (*args.positional[1].get_if<CellPtr>())->view;
  if (!view || view->call.op->schema.name != "aten::expand") return std::nullopt;
  if (ev.memory.cells().read(view->base).rank() > target->rank()) return std::nullopt;
  Arguments direct = args;
  direct.positional[1] = view->base;
  return ev.caller.call_operator("aten::copy_", direct);
}

Result dtype(Evaluation& ev, Args args) {
  std::optional<aten::Tensor> t = tensor_at(ev, args);
  return t ? Result(Value(torch_number(t->dtype()))) : std::nullopt;
}

template <bool (*Predicate)(DType)>
Result dtype_is(Evaluation& ev, Args args) {
  if (std::optional<aten::Tensor> t = tensor_at(ev, args)) return Value(Predicate(t->dtype()));
  return std::nullopt;
}
bool is_signed(DType d) { return d != DType::u8 && d != DType::boolean && d != DType::qu8; }

template <bool Answer>
Result constant(Evaluation&, Args args) {
  if (args.positional.empty() || !args.positional[0].is<CellPtr>()) return std::nullopt;
  return Value(Answer);
}

Result device(Evaluation&, Args args) {
  if (args.positional.empty()) return Value(Device{"cpu"});
  if (args.positional[0].is<CellPtr>()) return Value(Device{"cpu"});
  if (const std::string* text = args.positional[0].get_if<std::string>()) {
    const Dim* index = args.positional.size() > 1 ? args.positional[1].get_if<Dim>() : nullptr;
    return Value(Device{index ? fmt::format("{}:{}", *text, to_string(*index)) : *text});
  }
  return std::nullopt;
}

Result layout(Evaluation&, Args args) {
  return args.positional.empty() || !args.positional[0].is<CellPtr>() ? Result()
                                                                      : Result(Value(std::int64_t{0}));
}

Result item(Evaluation& ev, Args args) {
  std::optional<aten::Tensor> t = tensor_at(ev, args);
  return t ? Result(ev.values.number_from(*t)) : std::nullopt;
}

// A number as a tensor of no dimensions.
Result number_to_tensor(Evaluation& ev, Args args) {
  if (args.positional.size() != 1 || args.positional[0].is<CellPtr>()) return std::nullopt;
  const Value& v = args.positional[0];
  aten::Tensor t = ev.values.tensor(v);
  if (t.complex) return ev.memory.make_tensor(aten::converted(ev.emit, t, DType::c64));
  return ev.memory.make_tensor(v.is_float() ? aten::Tensor(ev.emit.cast(t, DType::f32)) : t);
}

// Nested lists of numbers flattened, with their shape.
void flatten(Evaluation& ev, const Value& v, std::size_t depth, std::vector<std::int64_t>& shape,
             std::vector<Value>& out) {
  const std::vector<Value>* items = nullptr;
  if (const ListPtr* list = v.get_if<ListPtr>()) items = &(*list)->items;
  if (const TuplePtr* tuple = v.get_if<TuplePtr>()) items = &(*tuple)->items;
  if (!items) {
    out.push_back(v);
    return;
  }
  const auto count = std::ssize(*items);
  if (depth == shape.size())
    shape.push_back(count);
  else if (shape[depth] != count)
    ev.reporter.raise("expected sequences of equal length");
  for (const Value& item : *items) flatten(ev, item, depth + 1, shape, out);
}

// A tensor of complex numbers; other numbers have no imaginary part.
aten::Tensor complex_tensor(Evaluation& ev, const std::vector<std::int64_t>& shape,
                            const std::vector<Value>& elements, DType dtype) {
  onnx::Emit& e = ev.emit;
  onnx::Shape dims{shape.begin(), shape.end()};
  dims.push_back(2);
  std::vector<onnx::Value*> parts;
  for (const Value& element : elements) {
    const aten::Tensor number = aten::converted(e, ev.values.tensor(element), dtype);
    parts.push_back(e.reshape(number.value, {1, 2}));
  }
  if (parts.empty()) parts.push_back(e.cast(e.ints({}), part_type(dtype)));
  return aten::Tensor::pairs(e.reshape(parts.size() == 1 ? parts[0] : e.concat(parts, 0), dims));
}

// torch.tensor(data, dtype=…)
Result make_tensor(Evaluation& ev, Args args) {
  if (args.positional.empty()) return std::nullopt;
  if (args.positional[0].is<CellPtr>()) return std::nullopt;
  std::vector<std::int64_t> shape;
  std::vector<Value> elements;
  flatten(ev, args.positional[0], 0, shape, elements);
  onnx::Emit& e = ev.emit;
  std::optional<DType> wanted;
  if (const Value* given = args.find(1, "dtype"); given && !given->is_none()) {
    wanted = dtype_from_number(known_int(*given, "'dtype'"));
    if (!wanted) throw aten::Unsupported("'dtype' is not a known dtype");
  }
  if (std::ranges::any_of(elements, [](const Value& v) { return v.is<std::complex<double>>(); }) ||
      (wanted && is_complex(*wanted)))
    return ev.memory.make_tensor(complex_tensor(ev, shape, elements, wanted.value_or(DType::c64)));
  bool floating = elements.empty(), all_bool = !elements.empty(), all_known = true, tensors = false;
  std::vector<Dim> numbers;
  for (const Value& v : elements) {
    floating = floating || v.is_float();
    all_bool = all_bool && v.is_bool();
    tensors = tensors || v.is<CellPtr>();
    if (const Dim* dim = v.get_if<Dim>())
      numbers.push_back(*dim);
    else if (const bool* b = v.get_if<bool>())
      numbers.push_back(*b ? 1 : 0);
    else if (!v.is<double>())
      all_known = false;
  }
  const DType natural = floating ? DType::f32 : all_bool ? DType::boolean : DType::i64;
  onnx::Shape dims;
  for (std::int64_t n : shape) dims.push_back(n);
  onnx::Value* value = nullptr;
  if (!floating && !all_bool && !tensors && numbers.size() == elements.size()) {
    value = e.elements(DType::i64, dims, numbers);
  } else if (all_known) {
    std::vector<double> reals;
    for (const Value& v : elements) {
      const double* d = v.get_if<double>();
      const bool* b = v.get_if<bool>();
      const Dim* dim = v.get_if<Dim>();
      if (dim && !dim->is_constant()) all_known = false;
      reals.push_back(d ? *d : b ? *b : static_cast<double>(dim->as_constant().value_or(0)));
    }
    if (all_known)
      value = e.cast(e.constant(onnx::Data::of<double>(DType::f64, shape, reals)),
                     wanted && is_floating(*wanted) ? *wanted : natural);
  }
  if (!value) {
    std::vector<onnx::Value*> parts;
    for (const Value& v : elements) {
      onnx::Value* part = ev.values.tensor(v);
      parts.push_back(
          e.reshape(e.cast(part, tensors && !wanted ? part->dtype() : wanted.value_or(natural)), {1}));
    }
    value = e.reshape(parts.size() == 1 ? parts[0] : e.concat(parts, 0), dims);
  }
  return ev.memory.make_tensor(e.cast(value, wanted.value_or(tensors ? value->dtype() : natural)));
}

// x.tolist(): the numbers of a constant, or runtime numbers.
Result to_list(Evaluation& ev, Args args) {
  std::optional<aten::Tensor> t = tensor_at(ev, args);
  if (!t) return std::nullopt;
  if (t->rank() == 0) return ev.values.number_from(*t);
  std::vector<Value> rows;
  const std::optional<std::int64_t> count = t->dim(0).as_constant();
  if (!count) throw aten::Unsupported("the length of the list is a runtime value");
  for (std::int64_t i = 0; i < *count; ++i)
    rows.push_back(
        *to_list(ev, {{ev.memory.make_tensor(ev.emit.gather(*t, ev.emit.scalar(DType::i64, i), 0))}, {}}));
  return ev.memory.make_list(std::move(rows));
}

Result shape_as_tensor(Evaluation& ev, Args args) {
  std::optional<aten::Tensor> t = tensor_at(ev, args);
  return t ? Result(ev.memory.make_tensor(ev.emit.shape_of(*t))) : std::nullopt;
}

Result same_size(Evaluation& ev, Args args) {
  const Value *self = args.find(0, "self"), *other = args.find(1, "other");
  if (!self || !other || !self->is<CellPtr>() || !other->is<CellPtr>()) return std::nullopt;
  return ev.caller.call_operator("aten::eq", {{*size(ev, {{*self}, {}}), *size(ev, {{*other}, {}})}, {}});
}

// The sizes that two lists of sizes broadcast to.
Result broadcast_sizes(Evaluation& ev, Args args) {
  if (args.positional.size() != 2) return std::nullopt;
  onnx::Shape shapes[2];
  for (std::size_t i = 0; i < 2; ++i) {
    const ListPtr* sizes = args.positional[i].get_if<ListPtr>();
    if (!sizes) return std::nullopt;
    for (const Value& item : (*sizes)->items) {
      const Dim* dim = item.get_if<Dim>();
      if (!dim) return std::nullopt;
      shapes[i].push_back(*dim);
    }
  }
  std::vector<Value> sizes;
  for (const Dim& dim : aten::broadcast_shape(ev.emit, shapes[0], shapes[1])) sizes.push_back(dim);
  return ev.memory.make_list(std::move(sizes));
}

// A weight in the format of MKL-DNN, of which the archive holds nothing.
Result lost_weight(Evaluation&, Args) {
  throw aten::Unsupported("torch.jit.optimize_for_inference does not save the weights of this layer",
                          "save the model before optimize_for_inference is called");
}

constexpr NamedBuiltin kTensors[] = {
    {"aten::size", size},
    {"aten::sym_size", size},
    {"prim::shape", size},
    {"prim::size", size},
    {"aten::dim", rank},
    {"prim::ndim", rank},
    {"aten::ndim", rank},
    {"aten::ndimension", rank},
    {"aten::len", length},
    {"aten::numel", numel},
    {"aten::nelement", numel},
    {"aten::sym_numel", numel},
    {"prim::numel", numel},
    {"aten::stride", strides},
    {"aten::sym_stride", strides},
    {"aten::storage_offset", storage_offset},
    {"aten::sym_storage_offset", storage_offset},
    {"aten::is_contiguous", is_contiguous},
    {"aten::sym_is_contiguous", is_contiguous},
    {"aten::as_strided", of_storage<false>},
    {"aten::as_strided_copy", of_storage<false>},
    {"aten::as_strided_scatter", of_storage<true>},
    {"prim::dtype", dtype},
    {"aten::is_floating_point", dtype_is<is_floating>},
    {"aten::is_complex", dtype_is<is_complex>},
    {"aten::is_signed", dtype_is<is_signed>},
    {"prim::is_quantized", dtype_is<is_quantized>},
    {"aten::is_quantized", dtype_is<is_quantized>},
    {"prim::is_cuda", constant<false>},
    {"aten::is_cuda", constant<false>},
    {"prim::is_cpu", constant<true>},
    {"prim::is_mkldnn", constant<false>},
    {"prim::is_sparse", constant<false>},
    {"prim::is_xpu", constant<false>},
    {"prim::is_mps", constant<false>},
    {"prim::is_meta", constant<false>},
    {"prim::is_nested", constant<false>},
    {"aten::is_pinned", constant<false>},
    {"aten::is_conj", constant<false>},
    {"aten::is_neg", constant<false>},
    {"aten::is_inference", constant<false>},
    {"prim::device", device},
    {"aten::device", device},
    {"prim::layout", layout},
    {"aten::copy_", copy_into},
    {"aten::item", item},
    {"aten::_local_scalar_dense", item},
    {"prims::item", item},
    {"prim::ConstantMKLDNNTensor", lost_weight},
    {"prim::NumToTensor", number_to_tensor},
    {"aten::tensor", make_tensor},
    {"aten::as_tensor", make_tensor},
    {"aten::_list_to_tensor", make_tensor},
    {"aten::tolist", to_list},
    {"prim::tolist", to_list},
    {"aten::_tensor_to_list", to_list},
    {"aten::_shape_as_tensor", shape_as_tensor},
    {"aten::is_same_size", same_size},
    {"aten::_infer_size", broadcast_sizes},
};

}  // namespace
}  // namespace tensors

std::span<const NamedBuiltin> tensor_builtins() { return tensors::kTensors; }

}  // namespace cameo::eval
