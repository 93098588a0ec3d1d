#pragma once
// ONNX models from any exporter.
//
//   const cameo::Model model("model.onnx");
//   for (const cameo::Diagnostic& fault : model.check()) …
//   model.simplify().model.save("small.onnx");

#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "cameo/diagnostic.h"
#include "cameo/rewrite.h"
#include "cameo/value_info.h"

namespace cameo {

namespace model {
struct Opened;
}

struct CheckOptions {
  // Also infer types and shapes, and report the errors of strict inference: shapes that do not fit, and
  // declared types that contradict inferred ones.
  bool full = false;
};

struct DiffOptions {
  bool structure = false;  // ignore the names of values and the values of constants
};
struct ModelDifference {
  enum class Kind { removed, added, changed, renamed };  // from the first model to the second
  Kind kind = Kind::changed;
  std::string what;                          // "opset", "input", "output", "node", "weight", "function"
  std::string name;                          // in the first model; in the second model if it was added
  std::string detail;                        // "pads [1, 1] -> [0, 0]"; if renamed, the new name
  std::string where;                         // "then_branch of If 'choose'"; empty in the main graph
  std::optional<double> absolute, relative;  // the largest difference between elements of weights
};

// `from` and `to` name values or nodes. `from` a node means from those of its inputs that depend on the
// model's inputs; `to` a node means to all its outputs.
struct ExtractOptions {
  std::vector<std::string> from;         // the new inputs; empty: the model's inputs that are needed
  std::vector<std::string> to;           // the new outputs; empty: the model's outputs
  std::vector<std::string> add_outputs;  // additional outputs
  bool all_outputs = false;              // every value of the graph becomes an output
};

// One of the four ways to split a model: `cuts`, `assign`, `parts` or `max_size`.
struct SplitOptions {
  // "value:NAME" (NAME is a value or a node; several with commas), "module:PATH" (the module is a part of its own),
  // "mark:FUNCTION[CALL]:input" or ":output". The order does not matter.
  std::vector<std::string> cuts;
  // Targets and patterns as in CastOptions::keep. The first pattern that matches a node decides.
  std::vector<std::pair<std::string, std::string>> assign;
  std::size_t parts = 0;       // so many parts with about the same bytes of weights
  std::uint64_t max_size = 0;  // parts of at most so many bytes
};

struct MultiplyAddTerm {
  std::uint64_t factor = 0;
  std::vector<std::string> sizes;  // the dynamic sizes that the factor is multiplied by
};
struct WeightStats {
  ElementType type = ElementType::undefined;
  std::uint64_t elements = 0, bytes = 0;
};
struct UncountedOperator {
  std::string op;
  std::int64_t nodes = 0;
  std::string why;
};
struct ModelStats {
  std::int64_t nodes = 0;                                       // with the nodes of subgraphs
  std::vector<std::pair<std::string, std::int64_t>> operators;  // the most frequent first
  std::uint64_t parameters = 0, bytes = 0;                      // elements and bytes of all constants
  std::uint64_t external_bytes = 0;                             // the part of `bytes` in other files
  std::vector<WeightStats> weights;            // the constants by element type, the most bytes first
  std::vector<MultiplyAddTerm> multiply_adds;  // a sum of terms
  std::vector<UncountedOperator> uncounted;    // operators that the sum leaves out
};

struct ModelIo {
  std::vector<ValueInfo> inputs;  // without the inputs that have an initialiser
  std::vector<ValueInfo> outputs;
};

struct InferOptions {
  bool strict = false;       // contradictions are errors
  bool fold_inputs = false;  // inputs with an initialiser are constants
};
struct InferredValue {
  ValueInfo value;    // sizes are formulas of the names of other sizes: "2*batch + 1"
  std::string op;     // the operator that computes the value
  std::string graph;  // the subgraph that holds the value: "loop_1.body/"; empty for the main graph
};

struct SimplifyOptions {
  std::vector<std::string> only;      // apply these rules alone; empty: all rules but those on request
  std::vector<std::string> also;      // rules on request to apply
  std::vector<std::string> disabled;  // rules to leave out
  std::int64_t stop_after = -1;       // the number of rule applications; -1: no limit
  bool fold_inputs = false;           // inputs with an initialiser become constants
  std::string explain;                // a node, by its name or that of an output: Simplified::explained
  // Sizes of inputs whose sizes the model leaves open.
  std::vector<std::pair<std::string, std::vector<std::int64_t>>> input_shapes;
  const Rewrites* rewrites = nullptr;  // rules that are applied first; must outlive the call
  std::string target;                  // the runtime that the model is for; rewriting rules read it
};
struct SimplifyRule {
  std::string name, doc;
  bool on_request = false;
};
struct OperatorChange {
  std::string op;
  std::int64_t before = 0, after = 0;
};

struct CastOptions {
  ElementType to = ElementType::f16;  // f16, bf16 or f32
  // The element types that are converted; empty: f16, bf16 and f32.
  std::vector<ElementType> from;
  bool keep_io = false;  // inputs and outputs of the model keep their types
  // Nodes that keep their types: patterns of names of nodes, modules or operators, in which * stands for any
  // characters and ? for one.
  std::vector<std::string> keep;
};

// The range of the elements of a value.
struct ValueRange {
  std::string value;
  double least = 0, most = 0;
};

struct QuantizeOptions {
  enum class Form {
    dequantize_linear,  // integers and a DequantizeLinear for each weight
    matmul_nbits,       // MatMulNBits of ONNX Runtime: products with matrices of 4 bits
  };
  ElementType weights = ElementType::i8;  // i8, u8, i4 or u4
  // The elements along the axis that is summed which share a scale; 0: one scale for each output channel.
  std::int64_t block = 0;
  bool partial_blocks = false;  // the last block of an axis may be shorter than the others
  // The zero point is the middle of the range. Absent: for signed types.
  std::optional<bool> symmetric;
  bool search = false;  // choose the scales with the smallest squared error, not the largest element
  Form form = Form::dequantize_linear;
  std::int64_t smallest = 1024;  // weights with fewer elements stay as they are
  // Nodes whose weights stay as they are: patterns as in CastOptions::keep, and of names of weights.
  std::vector<std::string> keep;
  // The model is raised to this opset first. Absent: its own opset, which must be new enough.
  std::optional<int> opset;

  // Static quantisation: the ranges of the model's values, as calibrate() finds them. Nodes whose inputs and
  // results have ranges compute with integers. Weights are i8 or u8, symmetric, with one scale for each output
  // channel. Empty: weights alone are quantised.
  std::vector<ValueRange> ranges;
  ElementType activations = ElementType::u8;  // i8 or u8
  bool symmetric_activations = false;
  // Weights of i8 take all 8 bits. ONNX Runtime adds two products in 16 bits on processors without VNNI, where
  // sums then overflow. Otherwise they lie within -64 and 64.
  bool full_range = false;
};

struct LingerOptions {
  bool quantized_io = false;  // outputs stay integers, and inputs without a Quant node are integers
  // Add functions of ONNX's operators, so that ONNX Runtime runs a model of version 3.
  bool functions = false;
  // Names of nodes of version 1 begin with the path of their module: ".block.conv.".
  bool scoped_names = false;
};

enum class PrintStyle {
  onnx,       // as onnx.helper.printable_graph
  text,       // ONNX's textual syntax, as onnx.parser reads it
  torch,      // as torch.onnx.export(verbose=True) of PyTorch 1.x
  torch_0_3,  // as PyTorch 0.3: parameters first, with the uses of each value
  annotated,  // the same with comments that explain it
};

struct SaveOptions {
  bool sync = true;  // wait until the data is on the disk; otherwise a power cut may lose the new file
};
struct SavedModel {
  std::uint64_t bytes = 0;           // of the new file
  std::uint64_t external_bytes = 0;  // of "<path>.data"; 0 if there is no such file
};

struct Inferred;
struct Simplified;
struct Extracted;
struct Split;
struct Casted;
struct Quantized;
struct Lingered;

// An ONNX model. It never changes: members that transform it return a new model. Copies and moves are cheap,
// since copies share the model. All members may be called from several threads at once.
//
// Opening maps the file; weights are not copied. The file must not change while a model made from it exists.
// All members but check() throw Error (Code::no_graph) if the file holds no graph.
class Model {
 public:
  // Throws Error (stage read) if the file cannot be read or is not an ONNX file. External data is looked for
  // in the folder of the file.
  explicit Model(const std::string& path);
  // `bytes` must outlive the model and all models made from it, unless `owner` keeps them. `name` stands for
  // the path in diagnostics, and external data is looked for in its folder. Throws as above.
  explicit Model(std::span<const std::byte> bytes, std::string name = "model",
                 std::shared_ptr<const void> owner = nullptr);

  // Is the model valid? Returns all errors and warnings (stage check); none if the model is valid.
  std::vector<Diagnostic> check(const CheckOptions& options = {}) const;

  // The inputs and outputs.
  ModelIo io() const;

  // The size of the model and the work of one run: the multiply-adds of convolutions, matrix products and
  // recurrent networks, computed from declared and inferred sizes.
  ModelStats stats() const;

  // Infers the types and symbolic shapes of all values, and returns a model that declares them. Declared
  // types are taken into account. Where they contradict an inferred type, and where a node does not fit its
  // operator, there is a warning, and the inferred type is used. With `strict` these are errors: throws Error
  // (stage check) with all of them.
  Inferred infer(const InferOptions& options = {}) const;

  // Returns a model that computes the same with fewer nodes. Nodes that are not in topological order are sorted,
  // here as in all members that compute types. Inputs, outputs, metadata and doc strings stay,
  // and so do the names of all values that remain. Dynamic sizes are taken to be at least 1. Throws Error for
  // a rule or a node that does not exist.
  Simplified simplify(const SimplifyOptions& options = {}) const;

  // Returns the part of the model between values; without `from` and `to`, all of it. Throws Error if a name
  // is unknown, or if `to` cannot be computed from `from`.
  Extracted extract(const ExtractOptions& options = {}) const;

  // Returns the parts of the model, which compute the same when they run one after the other. All values keep their
  // names, so a part reads what a part before it wrote under the same name. Weights and functions are in the parts
  // that need them. Throws Error (Code::bad_cut, Code::part_too_large) if the model cannot be split so, or if the
  // type of a value between two parts is not known.
  Split split(const SplitOptions& options) const;

  // Returns a model that computes in another floating-point type. A node keeps its types where its
  // operator does not permit the new one, where it computes with sizes, and where it reads a constant beyond
  // the range of the new type. Cast nodes connect the two. Calls of the model's own
  // functions are replaced by their bodies. Weights are converted while the new model is saved. Throws Error
  // if the opset lacks the type, or if a pattern matches nothing.
  Casted cast(const CastOptions& options = {}) const;

  // Returns a model whose weights are integers with scales. Weights are quantised where a matrix product, a
  // convolution, an embedding (Gather) or a recurrent network reads them, and nothing else does. The integers
  // are computed while the new model is saved. With ranges, the activations are quantised, too. Throws Error if
  // the opset is too old, a block size is not permitted, a weight is not finite, or no weight can be
  // quantised.
  Quantized quantize(const QuantizeOptions& options = {}) const;

  // Returns the model that linger's exporter makes of one that its modules were exported to, with operators of
  // the domain linger (version 3) or thinker (version 1): weights and biases are integers with the scales that
  // the nodes state, and Dequant nodes stand where floating-point operators read quantised values. The integers
  // are computed while the new model is saved. Throws Error if there are no such operators
  // (Code::nothing_to_quantize), a weight remains a float (Code::float_weight), or an operator reads a float in
  // place of integers (Code::quant_boundary).
  Lingered linger(const LingerOptions& options = {}) const;

  // The differences that matter to a run: opsets, inputs and outputs, nodes with their attributes, weights
  // bit by bit, functions. Producers, documentation, metadata, names of nodes and declared types of inner
  // values are ignored. Nodes are matched by the names of their outputs, then by what they compute. With
  // `structure`, both graphs are followed from their outputs upwards.
  std::vector<ModelDifference> diff(const Model& other, const DiffOptions& options = {}) const;

  // The graph as text. PrintStyle::text shows at most `max_elements` elements of a tensor.
  std::string print(PrintStyle style = PrintStyle::onnx,
                    std::size_t max_elements = std::numeric_limits<std::size_t>::max()) const;

  // Writes the model. Weights are copied from file to file. External data in the folder of `path` or below
  // stays where it is; other external data is copied to "<path>.data", and so are computed weights of a model
  // that does not fit one file. The files appear under their names when they are complete; after an error, the old file is still there. Throws Error (stage write, or stage
  // read if external data is missing).
  SavedModel save(const std::string& path, const SaveOptions& options = {}) const;
  // The bytes of an ONNX file. External data stays where it is.
  std::string to_bytes() const;
  // The name of the file that the model was read from.
  const std::string& path() const;

 private:
  explicit Model(std::shared_ptr<const model::Opened> state) : state_(std::move(state)) {}
  const model::Opened& with_graph() const;
  std::shared_ptr<model::Opened> copy() const;
  // With its nodes in topological order; adds a note if they were not.
  std::shared_ptr<model::Opened> sorted_copy(std::vector<Diagnostic>& notes) const;

  std::shared_ptr<const model::Opened> state_;
};

struct Inferred {
  Model model;
  std::vector<InferredValue> values;  // the outputs of all nodes, in the order of the nodes
  std::vector<Diagnostic> warnings;
};

struct RuleOutcome {
  std::string rule;
  bool applied = false;
  std::string reason;  // why it did not apply
};
struct NodeExplanation {
  std::string node, op;
  bool reached_rules = false;      // false: it was folded, shared or removed before the rules looked
  std::vector<RuleOutcome> rules;  // those that looked at the node, in their order
};

struct Simplified {
  Model model;
  std::vector<OperatorChange> operators;                      // by name, with the nodes of subgraphs
  std::vector<std::pair<std::string, std::int64_t>> applied;  // each rule that applied, and how often
  // The last rule that removed or changed a node, by the names of its results in the model that was simplified.
  std::map<std::string, std::string, std::less<>> rules;
  std::optional<NodeExplanation> explained;                   // of SimplifyOptions::explain
  // Conditions on the inputs that the model did not have before: "n >= 1 (otherwise: …)".
  std::vector<std::string> assumptions;
  std::vector<Diagnostic> warnings;  // notes, too
  std::vector<RewriteUse> rewrites;  // one for each rewriting rule
  // The nodes that SimplifyOptions::fold_inputs would leave; absent if there are as many without it.
  std::optional<std::int64_t> with_folded_inputs;
};

struct Casted {
  Model model;
  std::size_t weights = 0;           // constants that were converted
  std::size_t casts = 0;             // Cast nodes that were added
  std::size_t nodes = 0, total = 0;  // nodes that compute in the new type, and all nodes
  std::vector<Diagnostic> warnings;  // constants beyond the range of the new type
};

struct QuantizedWeight {
  std::string name, node, op;  // the weight, and the first node that reads it
  std::vector<std::int64_t> shape;
  ElementType from = ElementType::f32, to = ElementType::i8;
  std::uint64_t bytes_before = 0, bytes_after = 0;  // with scales and zero points
  double largest = 0, mean = 0;                     // of the absolute errors of the elements
  double relative = 0;  // root of the mean squared error, relative to that of the elements
};

struct Quantized {
  Model model;
  std::vector<QuantizedWeight> weights;  // in the order of the model
  std::size_t activations = 0;           // values that became integers
};

struct Lingered {
  Model model;
  std::size_t weights = 0, dequants = 0;  // that were quantised, and that were added
};

struct Extracted {
  Model model;
  std::size_t nodes = 0, nodes_before = 0;
  std::vector<Diagnostic> warnings;
};

struct SplitFeed {
  std::string name,
      from;  // an input of a part, and the part that computes it; empty: an input of the whole model
};
struct SplitPart {
  std::string name, target;  // a name of its own; what SplitOptions::assign says
  Model model;
  std::size_t nodes = 0;
  std::vector<SplitFeed> inputs;
  std::vector<std::string> outputs;
};
struct Split {
  std::vector<SplitPart> parts;  // in the order in which they run
  Model whole;                   // the model itself, in which nodes that only mark places are Identity nodes
  bool marked = false;           // there were such nodes
  std::vector<Diagnostic> warnings;

  // Writes the parts as "<name>.onnx" and plan.json, which `cameo run` reads, to a folder. It is made if it is not
  // there. Returns the bytes of each part, with its external data.
  std::vector<SavedModel> save(const std::string& folder, const SaveOptions& options = {}) const;
};

// The rules that Model::simplify() knows.
std::vector<SimplifyRule> simplify_rules();

}  // namespace cameo
