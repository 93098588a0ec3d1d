#include "archive/pickle_globals.h"

#include <fmt/core.h>

#include "archive/rebuild_tensor.h"

namespace cameo::archive {
namespace {

// Values are made by this arena alone and are not yet anybody's: the machine may still change containers.
Value* changeable(Ref value) { return const_cast<Value*>(value); }

Value* tagged(Ref container, std::string_view type) {
  Value* value = changeable(container);
  if (List* list = std::get_if<List>(&value->data)) list->type = type;
  if (Dict* dict = std::get_if<Dict>(&value->data)) dict->type = type;
  return value;
}

Value* restore_type_tag(PickleArena&, Args args) {
  const String* type = args.size() == 2 ? args[1]->get_if<String>() : nullptr;
  return type == nullptr ? nullptr : tagged(args[0], type->text);
}

Value* typed_list(Args args, std::string_view type) {
  return args.size() == 1 && args[0]->get_if<List>() != nullptr ? tagged(args[0], type) : nullptr;
}
Value* build_intlist(PickleArena&, Args args) { return typed_list(args, "List[int]"); }
Value* build_tensorlist(PickleArena&, Args args) { return typed_list(args, "List[Tensor]"); }
Value* build_doublelist(PickleArena&, Args args) { return typed_list(args, "List[float]"); }
Value* build_boollist(PickleArena&, Args args) { return typed_list(args, "List[bool]"); }

const std::vector<Ref>* items_of(Ref value) {
  if (const Tuple* tuple = value->get_if<Tuple>()) return &tuple->items;
  if (const List* list = value->get_if<List>()) return &list->items;
  return nullptr;
}

Value* dict_of_pairs(PickleArena& arena, Args args) {
  Dict dict;
  if (args.size() == 1) {
    const std::vector<Ref>* pairs = items_of(args[0]);
    if (pairs == nullptr) return nullptr;
    arena.charge(pairs->size());
    for (Ref pair : *pairs) {
      const std::vector<Ref>* sides = items_of(pair);
      if (sides == nullptr || sides->size() != 2) return nullptr;
      dict.items.emplace_back((*sides)[0], (*sides)[1]);
    }
  } else if (!args.empty()) {
    return nullptr;
  }
  return arena.make(std::move(dict));
}

Value* default_dict(PickleArena& arena, Args args) {
  return args.size() <= 1 ? arena.make(Dict{}) : dict_of_pairs(arena, args.subspan(1));
}

Value* set_of(PickleArena& arena, Args args, bool frozen) {
  Set set{.items = {}, .frozen = frozen};
  if (!args.empty()) {
    const std::vector<Ref>* items = items_of(args[0]);
    if (items == nullptr) return nullptr;
    arena.charge(items->size());
    set.items = *items;
  }
  return arena.make(std::move(set));
}
Value* set(PickleArena& arena, Args args) { return set_of(arena, args, false); }
Value* frozenset(PickleArena& arena, Args args) { return set_of(arena, args, true); }

Value* size(PickleArena& arena, Args args) {
  if (args.empty()) return arena.make(Tuple{});
  return args.size() == 1 && args[0]->get_if<Tuple>() != nullptr ? changeable(args[0]) : nullptr;
}

Value* device(PickleArena& arena, Args args) {
  const String* type = args.empty() ? nullptr : args[0]->get_if<String>();
  if (type == nullptr) return nullptr;
  const std::int64_t* index = args.size() > 1 ? args[1]->get_if<std::int64_t>() : nullptr;
  if (index == nullptr) return arena.make(Device{type->text});
  arena.charge(type->text.size());
  return arena.make(Device{arena.keep(fmt::format("{}:{}", type->text, *index))});
}

Value* complex(PickleArena& arena, Args args) {
  const double* real = args.empty() ? nullptr : args[0]->get_if<double>();
  const double* imag = args.size() == 2 ? args[1]->get_if<double>() : nullptr;
  return real == nullptr || imag == nullptr ? nullptr : arena.make(Complex{*real, *imag});
}

struct Known {
  std::string_view module, name;
  Value* (*call)(PickleArena&, Args);
};

constexpr Known kKnown[] = {
    {"torch._utils", "_rebuild_tensor_v2", rebuild_tensor_v2},
    {"torch._utils", "_rebuild_parameter", rebuild_parameter},
    {"collections", "OrderedDict", dict_of_pairs},
    {"torch.jit._pickle", "build_intlist", build_intlist},
    {"torch.jit._pickle", "build_tensorlist", build_tensorlist},
    {"torch.jit._pickle", "build_doublelist", build_doublelist},
    {"torch.jit._pickle", "build_boollist", build_boollist},
    {"torch.jit._pickle", "restore_type_tag", restore_type_tag},
    {"torch._utils", "_rebuild_tensor", rebuild_tensor},
    {"torch._utils", "_rebuild_tensor_v3", rebuild_tensor_v3},
    {"torch._utils", "_rebuild_qtensor", rebuild_qtensor},
    {"torch._utils", "_rebuild_sparse_tensor", rebuild_sparse_tensor},
    {"torch._utils", "_rebuild_sparse_csr_tensor", rebuild_sparse_tensor},
    {"torch._utils", "_rebuild_parameter_with_state", rebuild_parameter},
    {"torch._utils", "_rebuild_meta_tensor_no_storage", rebuild_meta_tensor},
    {"torch.nn.parameter", "Parameter", rebuild_parameter},
    {"torch", "Size", size},
    {"torch", "device", device},
    {"builtins", "complex", complex},
    {"__builtin__", "complex", complex},
    {"builtins", "set", set},
    {"__builtin__", "set", set},
    {"builtins", "frozenset", frozenset},
    {"__builtin__", "frozenset", frozenset},
    {"collections", "defaultdict", default_dict},
};

bool rebuilds_subclass(const Global& global) {
  return global.module == "torch._tensor" && global.name.starts_with("_rebuild_from_type");
}

}  // namespace

Value* call_global(PickleArena& arena, Global global, Ref args) {
  // A tensor of a subclass: (function, type, arguments, state). A hostile file may nest this deeply.
  while (rebuilds_subclass(global)) {
    arena.charge(1);
    const Tuple* parts = args->get_if<Tuple>();
    const Global* function =
        parts != nullptr && parts->items.size() >= 3 ? parts->items[0]->get_if<Global>() : nullptr;
    if (function == nullptr) return nullptr;
    global = *function;
    args = parts->items[2];
  }
  const Tuple* tuple = args->get_if<Tuple>();
  if (tuple == nullptr) return nullptr;
  for (const Known& known : kKnown) {
    if (known.name == global.name && known.module == global.module) return known.call(arena, tuple->items);
  }
  return nullptr;
}

DType storage_dtype(const PickleArena& arena, const Global& global) {
  if (global.name == "UntypedStorage" || global.name == "_UntypedStorage") return DType::u8;
  const auto dtype = dtype_from_storage(global.name);
  if (!dtype) arena.fail(fmt::format("the storage type '{}' is unknown", qualified_name(global)));
  return *dtype;
}

}  // namespace cameo::archive
