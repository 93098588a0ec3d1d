#pragma once
// The values of a pickle, as data. Values live in the arena of the Pickle that read them and refer to one
// another by plain pointers: identity is kept (shared submodules, tied weights), cycles are harmless, nothing
// is destroyed recursively. Nothing is ever imported or executed: an unknown global stays a name.

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "archive/tensor.h"

namespace cameo::archive {

struct Value;
using Ref = const Value*;  // never null

struct None {};
struct Complex {
  double real = 0, imag = 0;
};
struct BigInt {
  std::string_view little_endian;
};  // an integer beyond 64 bits, two's complement
struct String {
  std::string_view text;
};
struct ByteString {
  std::string_view bytes;
};
struct List {
  std::vector<Ref> items;
  std::string_view type;
};  // `type`: "List[int]" if the file says so
struct Tuple {
  std::vector<Ref> items;
};
struct Dict {
  std::vector<std::pair<Ref, Ref>> items;
  std::string_view type;
};  // in insertion order
struct Set {
  std::vector<Ref> items;
  bool frozen = false;
};
struct Global {
  std::string_view module, name;
};  // "__torch__.a.b" and "C"
// NEWOBJ, with the state that BUILD gave: a dict of attributes, or anything for a class with __setstate__.
struct Object {
  Global cls;
  Ref args = nullptr;
  Ref state = nullptr;
};
struct EnumValue {
  Global cls;
  Ref value = nullptr;
};
struct Device {
  std::string_view text;
};
struct StorageRef {
  std::shared_ptr<const Storage> storage;
};
// A call of a global that means nothing to the reader, kept as it stands.
struct Call {
  Ref callee = nullptr;
  Ref args = nullptr;
  Ref state = nullptr;
};
// A persistent id that is not a storage's.
struct PersistentId {
  Ref id = nullptr;
};

struct Value {
  std::variant<None, bool, std::int64_t, double, Complex, BigInt, String, ByteString, List, Tuple, Dict, Set,
               Global, Object, EnumValue, Device, StorageRef, TensorPtr, Call, PersistentId>
      data;

  template <class T>
  const T* get_if() const {
    return std::get_if<T>(&data);
  }
  bool is_none() const { return std::holds_alternative<None>(data); }
};

// Null if absent; of equal keys the last counts; keys that are not strings are passed by.
const Value* find(const Dict& dict, std::string_view key);
std::string qualified_name(const Global& global);  // "__torch__.a.b.C"

}  // namespace cameo::archive
