#include "exported/lower/methods.h"

#include <fmt/core.h>

#include <algorithm>

#include "base/text.h"
#include "exported/lower/expressions.h"
#include "exported/lower/inputs.h"
#include "exported/lower/method_writer.h"

namespace cameo::exported {
namespace {

bool is_state(InputSpec::Kind kind) {
  return kind == InputSpec::Kind::parameter || kind == InputSpec::Kind::buffer ||
         kind == InputSpec::Kind::tensor_constant;
}

// The results in the structure that forward() returns. The leaves are taken from the front of `values`.
class Results {
 public:
  explicit Results(std::vector<std::string> values) : values_(std::move(values)) {}

  std::string expression(const TreeSpec& spec) {
    if (spec.kind == TreeSpec::Kind::leaf) return next_ < values_.size() ? values_[next_++] : "None";
    const bool keyed = spec.keys.size() == spec.children.size() && !spec.keys.empty();
    std::vector<std::string> items;
    for (std::size_t i = 0; i < spec.children.size(); ++i) {
      std::string item = expression(spec.children[i]);
      items.push_back(keyed ? fmt::format("{}: {}", string_literal(key_text(spec.keys[i])), item)
                            : std::move(item));
    }
    if (keyed) return "{" + join(items, ", ") + "}";
    if (spec.kind == TreeSpec::Kind::list) return "[" + join(items, ", ") + "]";
    return items.empty() ? "None" : fmt::format("({},)", join(items, ", "));
  }

  std::string all() const {
    if (values_.size() == 1) return values_[0];
    return values_.empty() ? "None" : fmt::format("({},)", join(values_, ", "));
  }

 private:
  std::vector<std::string> values_;
  std::size_t next_ = 0;
};

// Writes forward(): the graph of the program, and the changes of the state after it.
class Forward {
 public:
  Forward(const Program& program, MethodWriter& writer) : program_(program), writer_(writer) {}

  void write(const std::string& root_class) {
    std::vector<std::string> parameters;
    std::vector<std::string> numbers;
    for (const ForwardInput& input : forward_inputs(program_)) {
      if (input.spec->kind != InputSpec::Kind::user_input || input.constant) {
        bind(input);
        continue;
      }
      const std::string name = writer_.variables().fresh(input.name);
      parameters.push_back(fmt::format("{}: Tensor", name));
      if (input.number.empty()) {
        writer_.variables().set(input.spec->name, name);
      } else {
        numbers.push_back(
            fmt::format("{} = {}({})", writer_.variables().of(input.spec->name), input.number, name));
      }
    }
    writer_.begin(root_class, parameters, {});
    for (const std::string& number : numbers) writer_.line(number);
    writer_.write_nodes();
    writer_.leave_module();
    std::vector<std::string> values = results();
    write_changes();
    writer_.end(structured(std::move(values)));
  }

 private:
  void bind(const ForwardInput& input) {
    const InputSpec& spec = *input.spec;
    Variables& variables = writer_.variables();
    if (is_state(spec.kind))
      variables.set(spec.name, Modules::expression(spec.target));
    else if (input.constant && !spec.name.empty())
      variables.set(spec.name, expression(spec.argument, variables));
    else
      variables.set(spec.name, "None");
  }

  static bool changes_state(const OutputSpec& output) {
    return output.kind == OutputSpec::Kind::buffer_mutation ||
           output.kind == OutputSpec::Kind::parameter_mutation;
  }

  // The values of the user's outputs. A result that is a buffer is what the buffer was before it changes.
  std::vector<std::string> results() {
    const bool changes = std::ranges::any_of(program_.signature().outputs, changes_state);
    Variables& variables = writer_.variables();
    std::vector<std::string> values;
    for (const OutputSpec& output : program_.signature().outputs) {
      if (output.kind != OutputSpec::Kind::user_output && output.kind != OutputSpec::Kind::loss_output)
        continue;
      std::string& value = values.emplace_back(expression(output.argument, variables));
      if (!changes || !output.argument.get_if<TensorName>()) continue;
      const std::string copy = variables.fresh("result");
      writer_.line(fmt::format("{} = torch.clone({})", copy, value));
      value = copy;
    }
    return values;
  }

  // The state changes when the program has run. User inputs that the program changes are not its results.
  void write_changes() {
    for (const OutputSpec& output : program_.signature().outputs)
      if (changes_state(output))
        writer_.line(fmt::format("ops.aten.copy_({}, {})", Modules::expression(output.target),
                                 expression(output.argument, writer_.variables())));
  }

  std::string structured(std::vector<std::string> values) const {
    const ModuleCallSignature* call = program_.root_call();
    const bool fits = call && call->out_spec.leaves() == values.size();
    Results results(std::move(values));
    return fits ? results.expression(call->out_spec) : results.all();
  }

  const Program& program_;
  MethodWriter& writer_;
};

}  // namespace

std::string MethodQueue::add(const Subgraph& subgraph, bool autocast) {
  const std::string wish = identifier(subgraph.name.empty() ? "graph" : subgraph.name);
  std::string name = wish;
  for (int n = 1; !names_.insert(name).second; ++n) name = fmt::format("{}_{}", wish, n);
  tasks_.push_back({subgraph.graph.get(), name, autocast});
  return name;
}

Methods lower_methods(const Program& program, Modules& modules) {
  const std::string root_class = modules.root_class();
  Methods out;
  MethodQueue queue;
  const MethodTask forward{&program.graph(), "forward"};
  MethodWriter writer(out, queue, modules, forward);
  Forward(program, writer).write(root_class);
  for (; !queue.tasks().empty(); queue.tasks().pop_front())
    MethodWriter(out, queue, modules, queue.tasks().front()).write_subgraph(root_class);
  return out;
}

}  // namespace cameo::exported
