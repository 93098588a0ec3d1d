#pragma once
// The arguments of an exported program.
//
//   cameo::ExportOptions options;
//   options.inputs = {{"image", cameo::TensorSpec{cameo::ElementType::f32, {"batch", 3, 224, 224}}},
//                     {"scale", 0.5}};
//   options.inputs = cameo::parse_inputs({"image=f32[batch,3,224,224]", "scale=0.5"});   // the same

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "cameo/value_info.h"

namespace cameo {

struct InputSpec;

// A tensor, which becomes an input of the exported model. A dimension is a number for a fixed size, or a name
// for a dynamic one; equal names are equal sizes. A formula of names relates sizes to each other. The range of
// a name may be given at any dimension that has it, and applies to all.
struct TensorSpec {
  ElementType type = ElementType::f32;
  std::vector<Dim> shape = {};
  std::string file = {};  // the NumPy file that type and shape were taken from; empty for none
  // The program takes a quantised tensor: the model takes its numbers, and quantises them.
  struct Quantization {
    ElementType integer = ElementType::u8;  // u8, i8 or i32
    double scale = 1;
    std::int64_t zero_point = 0;
  };
  std::optional<Quantization> quantization = {};
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

// One argument. A value that is not a tensor is a constant of the exported model.
struct InputSpec {
  using Value = std::variant<TensorSpec, TupleSpec, ListSpec, DictSpec, NoneSpec, bool, std::int64_t, double,
                             std::string>;
  std::string name;  // of the argument; empty: the next one in order
  Value value;
};

struct DictSpec::Entry {
  std::string key;
  InputSpec value;
};

// Parses the text form of an argument:
//
//   x=f32[batch,3,224,224]   a tensor; ? is a dynamic size without a name, i64[] has no dimensions
//   x=f32[n>=2, m<=512]      dynamic sizes in ranges; also n=2..8, n=2.., n=..8 and n=32..1024 step 32
//   y=f32[2*n, n+1, n//2]    sizes that are formulas of others
//   x=quint8(0.05,128)[n,3]  a quantised tensor with its scale and zero point; also qint8 and qint32
//   x=@input.npy             a tensor with the type and the shape of the one in the file
//   n=3  s="text"  f=None    a constant
//   h=(f32[1], f32[1])       a tuple; [ … ] is a list and {"key": … } a dict
//
// The name may be left out. Throws Error (Code::bad_input_spec) with the place of the fault.
InputSpec parse_input(std::string_view text);
// The same for all arguments. Throws Error also if a name has two different ranges.
std::vector<InputSpec> parse_inputs(const std::vector<std::string>& texts);

}  // namespace cameo
