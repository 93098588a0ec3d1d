#include <algorithm>

#include "onnx/infer/families.h"
#include "onnx/infer/join.h"

namespace cameo::onnx {
namespace {

Type sequence_of(Type element) {
  element.kind = Type::Kind::sequence;
  return element;
}

Type element_of(Type sequence) {
  if (sequence.kind == Type::Kind::optional_sequence)
    sequence.kind = Type::Kind::sequence;
  else if (sequence.kind != Type::Kind::unknown)
    sequence.kind = Type::Kind::tensor;
  return sequence;
}

void construct(Inference& f) {
  Type element = f.input(0).type;
  for (std::size_t i = 1; i < f.inputs(); ++i) element = join(f.symbols(), element, f.input(i).type, kVaries);
  f.set_type(0, sequence_of(element));
}

void empty(Inference& f) {
  f.set_type(0, {.kind = Type::Kind::sequence, .dtype = f.dtype_attribute("dtype", DType::f32), .shape = {}});
}

bool varies(const Dim& dim) {
  const auto atoms = sym::atoms_below(dim);
  return std::any_of(atoms.begin(), atoms.end(), [](const sym::Atom* atom) {
    return atom->kind == sym::Kind::symbol && atom->symbol->tag == kVaries;
  });
}

// One element of a sequence, with symbols of its own for sizes that differ from element to element.
Type one_of(Inference& f, const Type& sequence) {
  Type element = element_of(sequence);
  if (element.shape)
    for (Dim& dim : *element.shape)
      if (varies(dim)) dim = f.fresh("item");
  return element;
}

void at(Inference& f) { f.set_type(0, one_of(f, f.input(0).type)); }

void insert(Inference& f) {
  const Value& before = f.input(0);
  const Type& tensor = f.input(1).type;
  if (before.producer && before.producer->op == "SequenceEmpty") return f.set_type(0, sequence_of(tensor));
  if (!before.type.shape) return f.set_type(0, before.type);
  f.set_type(0, sequence_of(join(f.symbols(), element_of(before.type), tensor, kVaries)));
}

void length(Inference& f) { f.set(DType::i64, Shape{}); }

void concat_sequence(Inference& f) {
  const Type element = one_of(f, f.input(0).type);
  if (element.kind != Type::Kind::tensor || !element.shape) return f.set(element.dtype, std::nullopt);
  const bool stack = f.integer("new_axis", 0) != 0;
  Shape shape = *element.shape;
  const std::size_t axis = f.axis(f.integer("axis", 0), shape.size() + (stack ? 1 : 0));
  const Dim total = f.fresh("joined");
  if (stack)
    shape.insert_at(axis, total);
  else
    shape[axis] = total;
  f.set(element.dtype, shape);
}

void split_to_sequence(Inference& f) {
  Type element = f.input(0).type;
  if (element.shape) {
    const std::size_t axis = f.axis(f.integer("axis", 0), element.shape->size());
    const Elements size = f.elements(1);
    const bool scalar = f.has(1) && f.shape(1) && f.shape(1)->empty();
    if (!f.has(1) && f.integer("keepdims", 1) == 0)
      element.shape->erase_at(axis);
    else if (!f.has(1))
      (*element.shape)[axis] = 1;
    else if (scalar && size &&
             f.symbols().divisible((*element.shape)[axis], size->front()) == sym::Truth::yes)
      (*element.shape)[axis] = size->front();
    else
      (*element.shape)[axis] = f.symbols().symbol("piece", {0, std::nullopt}, kVaries);
  }
  f.set_type(0, sequence_of(element));
}

void optional(Inference& f) {
  if (!f.has(0)) return;
  Type type = f.input(0).type;
  if (type.kind == Type::Kind::sequence)
    type.kind = Type::Kind::optional_sequence;
  else if (type.kind == Type::Kind::tensor)
    type.kind = Type::Kind::optional;
  f.set_type(0, type);
}

// A value that is not optional is returned as it is.
void get_element(Inference& f) {
  const Type& held = f.input(0).type;
  const bool is_optional = held.kind == Type::Kind::optional || held.kind == Type::Kind::optional_sequence;
  f.set_type(0, is_optional ? one_of(f, held) : held);
}

void has_element(Inference& f) { f.set(DType::boolean, Shape{}); }

constexpr InferRow kSequence[] = {
    {"SequenceConstruct", construct},
    {"SequenceEmpty", empty},
    {"SequenceAt", at},
    {"SequenceInsert", insert},
    {"SequenceErase", like_first},
    {"SequenceLength", length},
    {"ConcatFromSequence", concat_sequence},
    {"SplitToSequence", split_to_sequence},
    {"Optional", optional},
    {"OptionalGetElement", get_element},
    {"OptionalHasElement", has_element},
};

}  // namespace

std::span<const InferRow> sequence_inference() { return kSequence; }

}  // namespace cameo::onnx
