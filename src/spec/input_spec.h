#pragma once
// What the user says of an argument: "x=f32[batch,3,224,224]", "n=3", "h=(f32[1], f32[1])".

#include <memory>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/dtype.h"

namespace cameo {

struct SpecDim {
  std::int64_t size = -1;
  std::string name;  // set: dynamic. "?" is a dynamic size without a name
};

struct InputSpec;
struct TensorSpec {
  DType dtype = DType::f32;
  std::vector<SpecDim> shape;
  std::string file;  // that it is like; empty for none
};
struct TupleSpec {
  std::vector<InputSpec> items;
};
struct ListSpec {
  std::vector<InputSpec> items;
};
struct DictSpec {
  struct Entry;
  std::vector<Entry> items;
};
struct NoneSpec {};

struct InputSpec {
  std::string name;  // of the argument; may be empty
  std::variant<TensorSpec, TupleSpec, ListSpec, DictSpec, NoneSpec, bool, std::int64_t, double, std::string>
      value;
};

struct DictSpec::Entry {
  std::string key;
  InputSpec value;
};

// Throws Error (Code::bad_input_spec) with a caret under what was not understood.
InputSpec parse_input_spec(std::string_view text);

}  // namespace cameo
