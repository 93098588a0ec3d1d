#pragma once
// The graph of a torch.export program, in one form for all schema versions. Names and texts are views that the
// Program owns.

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <variant>
#include <vector>

#include "base/dtype.h"

namespace cameo::exported {

struct Graph;

// The text of a sympy expression (expression.h parses it) and the value it had at export.
struct SymbolicExpression {
  std::string_view text;
  std::variant<std::monostate, std::int64_t, double, bool> hint;
};

// A number that may be symbolic: `value` counts where `expression` is null.
template <class T>
struct Symbolic {
  T value{};
  const SymbolicExpression* expression = nullptr;
};
using SymInt = Symbolic<std::int64_t>;
using SymFloat = Symbolic<double>;
using SymBool = Symbolic<bool>;

// Numbered as TorchScript numbers them (c10), not as the file does.
enum class Layout : std::int8_t { strided, coo, csr, mkldnn, csc, bsr, bsc, unknown = -1 };
enum class MemoryFormat : std::int8_t { contiguous, preserve, channels_last, channels_last_3d, unknown = -1 };

struct Device {
  std::string_view type;  // "cpu", "cuda"
  std::optional<std::int64_t> index;
};

struct TensorMeta {
  DType dtype = DType::undefined;  // undefined: the file has a number that is not in its schema, or 0
  std::int64_t scalar_type = 0;    // the number in the file
  std::vector<SymInt> sizes;
  std::vector<SymInt> strides;
  SymInt storage_offset;
  bool requires_grad = false;
  Layout layout = Layout::strided;
  Device device;
};

// Arguments. A name refers to a value of the same graph: to a tensor (TensorName) or to a symbolic number.
struct None {};
struct TensorName {
  std::string_view name;
};
struct SymName {
  std::string_view name;
};
using SymIntArgument = std::variant<SymName, std::int64_t>;
using SymFloatArgument = std::variant<SymName, double>;
using SymBoolArgument = std::variant<SymName, bool>;
struct Complex {
  double real = 0, imag = 0;
};
struct Operator {
  std::string_view target;  // "torch.ops.aten.add_.Tensor"
};
struct CustomObject {
  std::string_view name;
  std::string_view class_name;
};
struct Subgraph {
  std::string_view name;  // "true_graph_0"
  std::shared_ptr<const Graph> graph;
};
// An alternative, or an enumerator of a known alternative, that this reader does not know.
struct Unknown {
  std::string_view tag;   // "as_nested_sym_ints"
  std::string_view json;  // its value, as the file has it
};

struct DictEntry;

// The comments name the alternative of the file. `as_optional_tensor` is a TensorName or None.
struct Argument {
  std::variant<None,                     // as_none
               TensorName,               // as_tensor
               std::vector<TensorName>,  // as_tensors; also any empty list of a higher-order operator
               std::vector<std::optional<TensorName>>,           // as_optional_tensors
               std::vector<std::vector<TensorName>>,             // as_nested_tensors
               std::int64_t, std::vector<std::int64_t>,          // as_int, as_ints
               std::vector<std::vector<std::int64_t>>,           // as_int_lists
               double, std::vector<double>,                      // as_float, as_floats
               std::vector<std::vector<double>>,                 // as_float_lists
               bool, std::vector<bool>,                          // as_bool, as_bools
               Complex,                                          // as_complex
               std::string_view,                                 // as_string
               std::vector<std::string_view>,                    // as_strings
               SymIntArgument, std::vector<SymIntArgument>,      // as_sym_int, as_sym_ints
               SymFloatArgument, std::vector<SymFloatArgument>,  // as_sym_float, as_sym_floats
               SymBoolArgument, std::vector<SymBoolArgument>,    // as_sym_bool, as_sym_bools
               DType,                                            // as_scalar_type; never undefined
               MemoryFormat,                                     // as_memory_format; never unknown
               Layout,                                           // as_layout; never unknown
               Device,                                           // as_device
               Subgraph,                                         // as_graph
               CustomObject,                                     // as_custom_obj
               Operator,                                         // as_operator
               std::vector<DictEntry>,                           // as_string_to_argument
               Unknown>
      data;

  template <class T>
  const T* get_if() const {
    return std::get_if<T>(&data);
  }
  bool is_none() const { return std::holds_alternative<None>(data); }
};

struct DictEntry {
  std::string_view key;
  Argument value;
};

enum class ArgumentKind : std::uint8_t { unknown, positional, keyword };

struct NamedArgument {
  std::string_view name;  // of the operator's schema; empty for higher-order operators
  Argument value;
  ArgumentKind kind = ArgumentKind::unknown;  // unknown before schema 8.5
};

struct Node {
  std::string_view target;  // "torch.ops.aten.linear.default", "_operator.add"
  std::vector<NamedArgument> inputs;
  std::vector<Argument> outputs;
  std::string_view metadata_json;  // an object of strings, or empty: metadata() decodes one of them
  std::string_view name;           // empty before schema 8.16
  // Whether a higher-order operator returned a tensor, not a tuple of one. Absent before schema 8.4.
  std::optional<bool> hop_single_return;

  // "nn_module_stack", "stack_trace", "torch_fn", …; absent if the node has no such entry. Takes time linear in
  // metadata_json.
  std::optional<std::string> metadata(std::string_view key) const;
};

// Names are unique in a graph. A subgraph has its own names and sees nothing but its inputs.
struct Graph {
  std::vector<Argument> inputs;
  std::vector<Argument> outputs;
  std::vector<Node> nodes;  // each reads results of earlier nodes only, unless the file is damaged
  std::unordered_map<std::string_view, TensorMeta> tensors;
  std::unordered_map<std::string_view, SymInt> sym_ints;
  std::unordered_map<std::string_view, SymFloat> sym_floats;
  std::unordered_map<std::string_view, SymBool> sym_bools;
  std::unordered_map<std::string_view, CustomObject> custom_objects;
  bool single_tensor_return = false;  // of a subgraph: it returns a tensor, not a tuple of one

  const TensorMeta* tensor(std::string_view name) const;  // null if absent
};

}  // namespace cameo::exported
