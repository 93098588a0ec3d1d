#pragma once
// ONNX models, by whomever they were made.

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cameo/diagnostic.h"
#include "cameo/print.h"

namespace cameo {

// Is the file a valid ONNX model? All faults at once, errors and warnings (stage check); empty if there are
// none. External data is looked for in the model's folder. Throws Error (stage read) if the file cannot be
// read or is no ONNX file.
std::vector<Diagnostic> check_model(const std::string& path);

struct DiffOptions {
  bool structure = false;  // ignore the names of values and the values of constants
};
struct ModelDifference {
  enum class Kind { removed, added, changed, renamed };  // from the first model to the second
  Kind kind = Kind::changed;
  std::string what;                          // "opset", "input", "output", "node", "weight", "function"
  std::string name;                          // as the first model says it, or the second if it is added
  std::string detail;                        // "pads [1, 1] -> [0, 0]"; of a renamed thing, the new name
  std::string where;                         // "then_branch of If 'choose'"; empty in the main graph
  std::optional<double> absolute, relative;  // the largest difference between elements of weights
};

// What tells two models apart, as those that run them would notice: opsets, inputs and outputs, nodes with
// their attributes, weights bit by bit, functions. Producers, documentation, metadata, names of nodes and
// what is said of values inside are not looked at. Nodes are matched by the names of what they compute, else
// by what they do. With `structure`, the graphs are followed from their outputs up side by side.
std::vector<ModelDifference> diff_models(const std::string& a, const std::string& b,
                                         const DiffOptions& options = {});

// Values by their names, or nodes by theirs: `from` a node means from what it reads of the model's inputs,
// `to` a node to all that it computes.
struct ExtractOptions {
  std::vector<std::string> from;         // become the inputs; empty: the inputs that are needed
  std::vector<std::string> to;           // become the outputs; empty: the model's own
  std::vector<std::string> add_outputs;  // outputs beside those
  bool all_outputs = false;              // every value of the graph becomes an output
};
struct Extracted {
  std::size_t nodes = 0, nodes_before = 0;
  std::uint64_t bytes = 0;           // of the new file
  std::uint64_t external_bytes = 0;  // of "<to>.data"; 0 if there is none
  std::vector<Diagnostic> warnings;
};

// Writes the part of a model between values to another file; without `from` and `to`, all of it. External
// data that does not lie below the new file's folder is copied to "<to>.data". Throws Error if a name is
// unknown, or `from` is not what `to` is computed from.
Extracted extract_model(const std::string& path, const std::string& to, const ExtractOptions& options = {});

struct MultiplyAddTerm {
  std::uint64_t factor = 0;
  std::vector<std::string> sizes;  // dynamic sizes that it is multiplied by
};
struct WeightStats {
  std::string type;  // "float32"
  std::uint64_t elements = 0, bytes = 0;
};
struct UncountedOperator {
  std::string op;
  std::int64_t nodes = 0;
  std::string why;
};
struct ModelStats {
  std::int64_t nodes = 0;                                       // those of subgraphs too
  std::vector<std::pair<std::string, std::int64_t>> operators;  // the most frequent first
  std::uint64_t parameters = 0, bytes = 0;                      // elements and bytes of all constants
  std::uint64_t external_bytes = 0;                             // of these, in other files
  std::vector<WeightStats> weights;            // the same by element type, the most bytes first
  std::vector<MultiplyAddTerm> multiply_adds;  // a sum
  std::vector<UncountedOperator> uncounted;    // what is not in that sum
};

// How large a model is, and how much work one run of it: the multiply-adds of convolutions, products of
// matrices and recurrent networks, by sizes that the file says or that follow from it.
ModelStats model_stats(const std::string& path);

struct ModelValue {
  std::string name;
  std::string type;                // "float32", "sequence of float32"; empty: not said
  std::vector<std::string> shape;  // "batch", "3"; "?" is a size without a name
  bool has_shape = false;
};
struct ModelIo {
  std::vector<ModelValue> inputs, outputs;  // inputs that an initialiser gives a default are not among them
};

// What goes in and out.
ModelIo model_io(const std::string& path);

struct InferOptions {
  bool strict = false;  // what contradicts itself is an error
  std::string output;   // where the model goes, with what was found; empty: it is not written
};
struct InferredValue {
  ModelValue value;   // sizes are formulas of the names of other sizes: "2*batch + 1"
  std::string op;     // the operator that makes it
  std::string graph;  // empty, or the subgraph that it is in: "loop_1.body/"
};
struct InferredModel {
  std::vector<InferredValue> values;  // what nodes make, in their order
  std::vector<Diagnostic> diagnostics;
};

// Types and symbolic shapes of all values, as far as they can be known without running the model. Value infos
// and declared types of outputs are taken into account; where they contradict what is inferred, and where a
// node is not as its operator wants it, there are warnings, and what was inferred counts. Throws Error (stage
// read) if the file cannot be read, and, if it is to be strict, Error (stage check) with all there is to say.
InferredModel infer_model(const std::string& path, const InferOptions& options = {});

struct SimplifyOptions {
  std::vector<std::string> only;      // rules by name, none but these; empty: all but those on request
  std::vector<std::string> also;      // rules on request
  std::vector<std::string> disabled;  // rules to leave out
  std::int64_t stop_after = -1;  // apply rules so many times; -1: no limit; 0: nothing but the form changes
  bool fold_inputs = false;      // inputs with a default become constants
  // Sizes of inputs that are not said, or only named, in the file.
  std::vector<std::pair<std::string, std::vector<std::int64_t>>> input_shapes;
};
struct SimplifyRule {
  std::string name, doc;
  bool on_request = false;
};
struct OperatorChange {
  std::string op;
  std::int64_t before = 0, after = 0;
};
struct SimplifyReport {
  std::vector<OperatorChange> operators;                      // by name, nodes of subgraphs counted too
  std::vector<std::pair<std::string, std::int64_t>> applied;  // which rule how often, those that did
};

// Writes a model that computes the same with fewer nodes. What goes in and out, metadata and doc strings
// stay, and so do the names of what is still there; weights that do not change are copied from file to file.
// Sizes of inputs that have a name, or none, are taken to be at least 1. Throws Error for a file that cannot
// be read or written, and for a rule that does not exist.
SimplifyReport simplify_model(const std::string& path, const std::string& output,
                              const SimplifyOptions& options = {});
std::vector<SimplifyRule> simplify_rules();

}  // namespace cameo
