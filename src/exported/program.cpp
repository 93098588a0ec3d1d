#include "exported/program.h"

#include <fmt/core.h>

#include <algorithm>

#include "cameo/diagnostic.h"
#include "exported/module_reader.h"
#include "exported/records.h"
#include "exported/tensor_store.h"

namespace cameo::exported {
namespace {

void add_first(const archive::Archive& archive, const std::vector<std::string>& saved,
               const std::vector<std::string>& configs, TensorStore& store) {
  const auto present = [&](const std::string& record) { return archive.has(record); };
  if (const auto found = std::ranges::find_if(saved, present); found != saved.end()) {
    store.add_saved(*found);
  } else if (const auto config = std::ranges::find_if(configs, present); config != configs.end()) {
    store.add_configured(*config);
  }
}

bool runs_engine(const Graph& graph) {
  return std::ranges::any_of(graph.nodes, [](const Node& node) {
    return node.target.starts_with("torch.ops.tensorrt.") ||
           std::ranges::any_of(node.inputs, [](const NamedArgument& input) {
             const auto* subgraph = input.value.get_if<Subgraph>();
             return subgraph != nullptr && runs_engine(*subgraph->graph);
           });
  });
}

TensorMeta meta_of(const archive::Tensor& tensor) {
  TensorMeta meta{.dtype = tensor.dtype};
  for (const std::int64_t size : tensor.shape) meta.sizes.push_back({.value = size});
  for (const std::int64_t stride : tensor.strides) meta.strides.push_back({.value = stride});
  return meta;
}

}  // namespace

struct Program::State {
  State(std::shared_ptr<const MappedFile> file, std::string_view model,
        std::vector<archive::Borrowed> borrowed)
      : archive(std::make_shared<const archive::Archive>(std::move(file), std::move(borrowed))),
        records(find_records(*archive, model)),
        weights(*archive, "weight"),
        constants(*archive, "constant") {
    module = read_module(archive->text(records.program), arena,
                         {.file = archive->file().name(), .record = records.program});
    if (runs_engine(module.graph)) {
      fail_archive(
          *archive, Code::tensorrt_engine,
          "this program is compiled for TensorRT: parts of it are engines without the graph they were made "
          "from",
          "export the model with torch.export before Torch-TensorRT compiles it");
    }
    add_first(*archive, records.weights, records.weight_configs, weights);
    add_first(*archive, records.constants, records.constant_configs, constants);
    lift_constants();
  }

  // The graph of schema 1 has constants inside. They become inputs, as in all later versions.
  void lift_constants() {
    for (const InlineConstant& constant : module.constants) {
      constants.add_base64(constant.name, constant.base64);
      const Argument argument{TensorName{constant.name}};
      module.graph.inputs.push_back(argument);
      module.signature.inputs.push_back({.kind = InputSpec::Kind::tensor_constant,
                                         .argument = argument,
                                         .name = constant.name,
                                         .target = constant.name});
      module.graph.tensors.try_emplace(constant.name, meta_of(*constants.find(constant.name)));
    }
  }

  std::shared_ptr<const archive::Archive> archive;
  Records records;
  Arena arena;
  Module module;
  TensorStore weights, constants;
  std::unique_ptr<const Saved> sample_inputs;
  bool sample_inputs_read = false;
};

Program::Program(std::shared_ptr<const MappedFile> file, std::string_view model,
                 std::vector<archive::Borrowed> borrowed)
    : state_(std::make_unique<State>(std::move(file), model, std::move(borrowed))) {}
Program::~Program() = default;
Program::Program(Program&&) noexcept = default;
Program& Program::operator=(Program&&) noexcept = default;

const archive::Archive& Program::archive() const { return *state_->archive; }
const std::shared_ptr<const archive::Archive>& Program::shared_archive() const { return state_->archive; }
std::string_view Program::record() const { return state_->records.program; }
const Versions& Program::versions() const { return state_->module.versions; }
const Graph& Program::graph() const { return state_->module.graph; }
const Signature& Program::signature() const { return state_->module.signature; }
const std::vector<Range>& Program::ranges() const { return state_->module.ranges; }
const std::vector<ModuleCall>& Program::module_calls() const { return state_->module.calls; }
const std::vector<std::string>& Program::guards() const { return state_->module.guards; }
const std::vector<std::string_view>& Program::weight_names() const { return state_->weights.names(); }
const std::vector<std::string_view>& Program::constant_names() const { return state_->constants.names(); }
archive::TensorPtr Program::weight(std::string_view name) const { return state_->weights.find(name); }
archive::TensorPtr Program::constant(std::string_view name) const { return state_->constants.find(name); }

const ModuleCallSignature* Program::root_call() const {
  for (const ModuleCall& call : module_calls()) {
    if (call.path.empty() && call.signature) return &*call.signature;
  }
  return nullptr;
}

archive::TensorPtr Program::tensor(const InputSpec& input) const {
  const bool constant = input.kind == InputSpec::Kind::tensor_constant ||
                        (input.kind == InputSpec::Kind::buffer && input.persistent == false);
  TensorStore* const first = constant ? &state_->constants : &state_->weights;
  TensorStore* const second = constant ? &state_->weights : &state_->constants;
  for (TensorStore* store : {first, second}) {
    if (archive::TensorPtr tensor = store->find(input.target)) return tensor;
  }
  fail_archive(archive(), Code::missing_weight, fmt::format("the file has no data for '{}'", input.target),
               "the file is damaged or incomplete: save it again");
}

const archive::Value* Program::sample_inputs() const {
  State& state = *state_;
  if (state.sample_inputs_read) return state.sample_inputs == nullptr ? nullptr : state.sample_inputs->root();
  state.sample_inputs_read = true;
  if (!state.archive->has(state.records.sample_inputs)) return nullptr;
  // They may hold objects of any class, and nothing depends on them.
  try {
    state.sample_inputs = std::make_unique<const Saved>(*state.archive, state.records.sample_inputs);
  } catch (const Error&) {
    return nullptr;
  }
  return state.sample_inputs->root();
}

std::vector<std::string_view> Program::extra_files() const {
  std::vector<std::string_view> names;
  for (const std::string_view name : archive().names(state_->records.extra)) {
    names.push_back(name.substr(state_->records.extra.size()));
  }
  return names;
}

}  // namespace cameo::exported
