#pragma once
// A torch.export program (ExportedProgram) as its .pt2 file holds it. Reads all layouts of the file and the schema
// versions 1 to 8 into one form.

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "archive/archive.h"
#include "exported/graph.h"
#include "exported/tree_spec.h"

namespace cameo::exported {

struct Versions {
  std::int64_t schema_major = 0;
  std::int64_t schema_minor = 0;
  std::string_view torch_version;           // "2.9.1+cu128"; empty before schema 7.3
  std::vector<std::string_view> verifiers;  // "TRAINING", "ATEN", …; the dialect before schema 6.1
  std::vector<std::pair<std::string_view, std::int64_t>> opsets;  // {"aten", 10}
};

struct InputSpec {
  enum class Kind : std::uint8_t {
    user_input,
    parameter,
    buffer,
    tensor_constant,
    custom_object,
    token,
    constant_input,  // a Python constant among the user's arguments
    unknown,
  };
  Kind kind = Kind::user_input;
  // The graph's input. A constant_input has its value here: None, an integer, a float, a boolean or a string.
  Argument argument;
  std::string_view name;  // of the placeholder; empty for a user input that is a constant
  std::string_view
      target;  // the qualified name of the parameter, buffer, constant or object: "layer1.0.weight"
  // Of a buffer: it is in the state_dict. Absent before schema 4.1.
  std::optional<bool> persistent;
  std::string_view tag;  // of an unknown kind
};

struct OutputSpec {
  enum class Kind : std::uint8_t {
    user_output,
    loss_output,
    buffer_mutation,
    parameter_mutation,
    user_input_mutation,
    gradient_to_parameter,
    gradient_to_user_input,
    token,
    unknown,
  };
  Kind kind = Kind::user_output;
  Argument argument;
  std::string_view target;  // the qualified name of the buffer or parameter, or the name of the user input
  std::string_view tag;     // of an unknown kind
};

// One for each input and output of the graph, in the same order.
struct Signature {
  std::vector<InputSpec> inputs;
  std::vector<OutputSpec> outputs;
};

// Inclusive bounds of a symbol or expression. Absent: no bound.
struct Range {
  std::string_view symbol;  // the str form of an expression (expression.h), usually a symbol: "s77"
  std::optional<std::int64_t> min, max;
};

struct ModuleCallSignature {
  std::vector<Argument> inputs;
  std::vector<Argument> outputs;
  TreeSpec in_spec;  // of the root module: tuple(tuple of arguments, dict of keyword arguments)
  TreeSpec out_spec;
  std::optional<std::vector<std::string_view>> argument_names;  // of forward()
};

struct ModuleCall {
  std::string_view path;  // of the module; empty for the root
  std::optional<ModuleCallSignature> signature;
};

// Everything that a Program returns lives as long as the Program. Not for several threads at once.
class Program {
 public:
  // Reads the program called `model`, or the only one, or the one called "model". `borrowed` has the weights that were
  // left out of the archive. Throws Error if the archive holds no torch.export program, several to choose from, or a
  // damaged one.
  explicit Program(std::shared_ptr<const MappedFile> file, std::string_view model = {},
                   std::vector<archive::Borrowed> borrowed = {});
  ~Program();
  Program(Program&&) noexcept;
  Program& operator=(Program&&) noexcept;

  const archive::Archive& archive() const;
  const std::shared_ptr<const archive::Archive>& shared_archive() const;
  std::string_view record() const;  // the record of the graph, for diagnostics: "models/model.json"

  const Versions& versions() const;
  const Graph& graph() const;
  const Signature& signature() const;
  const std::vector<Range>& ranges() const;
  const std::vector<ModuleCall>& module_calls() const;
  const ModuleCallSignature* root_call() const;    // of the module call whose path is empty; null if absent
  const std::vector<std::string>& guards() const;  // Python expressions

  // Qualified names in the order of the file.
  const std::vector<std::string_view>& weight_names() const;
  const std::vector<std::string_view>& constant_names() const;
  // Null if the file has no entry of this name. Throws Error if the entry is not a tensor that can be read: out of
  // bounds, a tensor subclass, a custom object. Two names of one tensor share its storage. A tensor that was saved
  // without data has a storage whose has_data is false.
  archive::TensorPtr weight(std::string_view name) const;
  archive::TensorPtr constant(std::string_view name) const;
  // The tensor of a parameter, buffer or tensor_constant, from the store that its kind selects. Throws Error if the
  // file does not have it, or as above.
  archive::TensorPtr tensor(const InputSpec& input) const;

  // The tuple (args, kwargs) of the export. Null if the file has none that can be read.
  const archive::Value* sample_inputs() const;
  // The user's own files, by the names that torch.export.save got.
  std::vector<std::string_view> extra_files() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace cameo::exported
