#pragma once
// The operator map: the ONNX nodes of each PyTorch operator. It is not a stored table: each answer is the
// result of converting a call of the operator, which is made from its schema.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace cameo {

struct OpsOptions {
  std::optional<int> opset;            // to look at; the newest if absent
  std::string dtype;                   // of the tensors that the call is made with: "u8"
  std::vector<std::string> arguments;  // of the call, as `cameo export --input` takes them: "self=f32[2,n]"
};

// The form of texts about operators.
struct OpsFormat {
  bool explain = false;  // show each node, and the effect of each argument
  bool json = false;
  bool color = false;  // ANSI escapes in text
};

// The nodes of a call in the opsets from `first` to `last`.
struct OperatorForm {
  int first = 0, last = 0;
  bool converts = false;
  std::vector<std::string> nodes;  // operators in order; empty: a constant, or the argument itself
  std::string reason;              // why it does not convert
};

struct OperatorNote {
  std::string argument;  // "approximate='tanh'"
  std::string text;      // "needs opset 20 or newer, because …"
};

// One overload of an operator.
struct OperatorEntry {
  std::string name;      // "aten::add"
  std::string overload;  // "Tensor"; may be empty
  std::string schema;
  std::string family;
  std::string doc;
  std::string sample;                 // the call that was tried: "self=f32[4,6,10,12], other=2"
  std::vector<OperatorForm> fixed;    // with known sizes, oldest opset first
  std::vector<OperatorForm> dynamic;  // with dynamic sizes
  std::vector<std::string> known;     // arguments that must be known when exporting
  std::vector<OperatorNote> notes;    // what is not supported, or only in newer opsets

  // The oldest opset in which the call converts; 0: none.
  int first_opset() const;
};

// The overloads of "aten::add", "add", "add.Tensor" or of an in-place form such as "add_". Throws Error (code
// Code::no_such_operator) with a suggestion for any other name.
std::vector<OperatorEntry> find_operators(std::string_view name, const OpsOptions& options = {});

// The output of `cameo ops`, as text or JSON.
std::string describe_operators(const std::vector<std::string>& names, const OpsOptions& options = {},
                               const OpsFormat& format = {});
// All operators whose name, documentation, nodes or notes hold the word.
std::string search_operators(std::string_view word, const OpsOptions& options = {},
                             const OpsFormat& format = {});
// ONNX operators: their versions and parameters; with `options.opset`, the version of this opset.
std::string describe_onnx_operators(const std::vector<std::string>& names, const OpsOptions& options = {},
                                    const OpsFormat& format = {});
// The changes of an opset: in ONNX, and in the conversions of PyTorch's operators.
std::string describe_opset(int opset, const OpsFormat& format = {});
// The operators that a program calls: which of them convert, to what, from which opset on.
struct OperatorScan {
  std::string text;
  bool converts = false;  // all of them, in some form at least
};
OperatorScan scan_operators(const std::string& path, const OpsOptions& options = {},
                            const OpsFormat& format = {});
std::string summarize_operators(const OpsOptions& options = {}, const OpsFormat& format = {});
std::string operators_markdown();  // docs/operators.md

}  // namespace cameo
