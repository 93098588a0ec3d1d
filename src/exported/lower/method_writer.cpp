#include "exported/lower/method_writer.h"

#include <fmt/core.h>

#include <algorithm>

#include "base/text.h"
#include "cameo/diagnostic.h"
#include "exported/lower/expressions.h"
#include "exported/lower/offset_checks.h"
#include "exported/lower/strides.h"

namespace cameo::exported {
namespace {

constexpr std::string_view kOps = "torch.ops.";
constexpr std::string_view kHigherOrder = "torch.ops.higher_order.";

// Numbers that PyTorch computes from sizes. `{0}` and so on are the arguments.
struct NumberForm {
  std::string_view target;
  std::vector<std::string_view> pieces;  // around the arguments
};

const NumberForm* number_form(std::string_view target) {
  static const std::vector<NumberForm> kForms = {
      {"_operator.add", {"", " + ", ""}},
      {"_operator.sub", {"", " - ", ""}},
      {"_operator.mul", {"", " * ", ""}},
      {"_operator.floordiv", {"", " // ", ""}},
      {"_operator.truediv", {"", " / ", ""}},
      {"_operator.mod", {"", " % ", ""}},
      {"_operator.pow", {"", " ** ", ""}},
      {"_operator.neg", {"-", ""}},
      {"_operator.pos", {"", ""}},
      {"_operator.eq", {"", " == ", ""}},
      {"_operator.ne", {"", " != ", ""}},
      {"_operator.lt", {"", " < ", ""}},
      {"_operator.le", {"", " <= ", ""}},
      {"_operator.gt", {"", " > ", ""}},
      {"_operator.ge", {"", " >= ", ""}},
      {"_operator.and_", {"torch.__and__(", ", ", ")"}},
      {"_operator.or_", {"torch.__or__(", ", ", ")"}},
      {"_operator.not_", {"torch.__not__(", ")"}},
      {"_operator.lshift", {"", " << ", ""}},
      {"_operator.rshift", {"", " >> ", ""}},
      {"math.trunc", {"int(", ")"}},
      {"math.floor", {"torch.floor(", ")"}},
      {"math.ceil", {"torch.ceil(", ")"}},
      {"math.sqrt", {"torch.sqrt(", ")"}},
      {"round", {"round(", ")"}},
      {"torch.sym_int", {"int(", ")"}},
      {"torch.sym_float", {"float(", ")"}},
      {"torch.sym_not", {"torch.__not__(", ")"}},
      {"torch.sym_max", {"max(", ", ", ")"}},
      {"torch.sym_min", {"min(", ", ", ")"}},
      {"torch.sym_sqrt", {"torch.sqrt(", ")"}},
      {"torch._sym_sqrt", {"torch.sqrt(", ")"}},
      // torch.sym_ite has the condition first, Python's conditional has it in the middle: see number().
      {"torch.sym_ite", {"", " if ", " else ", ""}},
  };
  const auto found = std::ranges::find(kForms, target, &NumberForm::target);
  return found == kForms.end() ? nullptr : &*found;
}

[[noreturn]] void fail(std::string message) {
  throw Error(Diagnostic{.code = Code::bad_exported_program,
                         .message = std::move(message),
                         .hint = "save the program again with torch.export.save"});
}

bool is_cast(std::string_view target) {
  constexpr std::string_view kCasts[] = {"aten.to.", "aten._to_copy.", "aten.type_as.", "aten.copy_."};
  return std::ranges::any_of(kCasts, [&](std::string_view op) { return target.find(op) != target.npos; });
}

// Operators that compute an element type. The file has their results where they are used, and not as values.
bool computes_type(const Node& node) {
  const bool type = node.target.starts_with("torch.ops.aten.promote_types.") ||
                    node.target.starts_with("torch.ops.aten.result_type.");
  return type && std::ranges::all_of(node.outputs, &Argument::is_none);
}

DType wider(DType a, DType b) { return size_of(a) < size_of(b) ? b : a; }

}  // namespace

// "torch.ops.aten.add.Tensor" → "ops.aten.add.Tensor", "torch.ops.aten.relu.default" → "ops.aten.relu". The
// name of an unknown kind of target is kept in one word, for diagnostics.
std::string MethodWriter::callee(std::string_view target) {
  if (!target.starts_with(kOps)) return "ops.target." + identifier(target);
  target.remove_prefix(kOps.size());
  if (target.ends_with(".default")) target.remove_suffix(8);
  std::string out = "ops";
  while (!target.empty()) {
    const std::size_t dot = std::min(target.find('.'), target.size());
    out += "." + identifier(target.substr(0, dot));
    target.remove_prefix(std::min(dot + 1, target.size()));
  }
  return out;
}

void MethodWriter::line(std::string_view statement) {
  out_.text.append(static_cast<std::size_t>(2 * depth_), ' ');
  out_.text += statement;
  out_.text += '\n';
}

void MethodWriter::begin(const std::string& root_class, const std::vector<std::string>& parameters,
                         const std::string& returns) {
  out_.text += fmt::format("  def {}(self: {}", task_.name, root_class);
  for (const std::string& parameter : parameters) out_.text += ",\n    " + parameter;
  out_.text += returns.empty() ? "):\n" : fmt::format(") -> {}:\n", returns);
}

void MethodWriter::leave_module() {
  depth_ -= static_cast<int>(calls_.size());
  calls_.clear();
  stack_.clear();
}

void MethodWriter::end(std::string_view result) {
  leave_module();
  line(fmt::format("return {}", result));
}

void MethodWriter::write_nodes() {
  const std::unordered_set<const Node*> unneeded = offset_checks(*task_.graph);
  for (const Node& node : task_.graph->nodes) {
    if (unneeded.contains(&node) || computes_type(node) || write_vmap(node)) continue;
    enter_module(node);
    const std::size_t begin = out_.text.size();
    write(node);
    out_.entries.push_back(
        {{static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(out_.text.size())}, &node});
  }
}

void MethodWriter::write_subgraph(const std::string& root_class) {
  std::vector<std::string> parameters, results;
  for (const Argument& input : task_.graph->inputs) {
    const bool tensor = input.get_if<TensorName>() != nullptr;
    parameters.push_back(expression(input, variables_) + (tensor ? ": Tensor" : ""));
  }
  begin(root_class, parameters, {});
  write_nodes();
  for (const Argument& output : task_.graph->outputs)
    for (std::string& item : items(output, variables_)) results.push_back(std::move(item));
  end(results.empty() ? "None" : fmt::format("({},)", join(results, ", ")));
}

void MethodWriter::enter_module(const Node& node) {
  std::string stack = node.metadata("nn_module_stack").value_or("");
  if (stack == stack_) return;
  const std::vector<ModuleFrame> frames = parse_module_stack(stack);
  std::size_t kept = 0;
  std::vector<const ModuleFrame*> entered;
  for (const ModuleFrame& frame : frames) {
    modules_.add_module(frame.path, frame.class_name);
    if (frame.path.empty()) continue;
    if (entered.empty() && kept < calls_.size() && calls_[kept] == frame.call)
      ++kept;
    else
      entered.push_back(&frame);
  }
  depth_ -= static_cast<int>(calls_.size() - kept);
  calls_.resize(kept);
  for (const ModuleFrame* frame : entered) open_block(*frame);
  stack_ = std::move(stack);
}

void MethodWriter::open_block(const ModuleFrame& frame) {
  std::string variable;
  if (frame.call != frame.path) {
    std::string& known = call_variables_[std::string(frame.call)];
    if (known.empty()) known = variables_.fresh(identifier(frame.call));
    variable = fmt::format(" as {}", known);
  }
  line(fmt::format("with {}{}:", Modules::expression(frame.path), variable));
  calls_.emplace_back(frame.call);
  ++depth_;
}

void MethodWriter::write(const Node& node) {
  if (node.target.starts_with(kHigherOrder) && higher_order(node)) return;
  if (number_form(node.target)) return number(node);
  operator_call(node);
}

void MethodWriter::operator_call(const Node& node) {
  if (reshapes_a_copy(node)) {
    const std::string copy = fmt::format("torch.clone({})", expression(node.inputs[0].value, variables_));
    const std::string others = arguments(node, 1);
    assign(node, fmt::format("{}({}{}{})", callee(node.target), copy, others.empty() ? "" : ", ", others));
    return;
  }
  const std::string call = fmt::format("{}({})", callee(node.target), arguments(node));
  const DType result = autocast_result(node);
  if (is_mixed_norm(node, result))
    assign(node, fmt::format("ops.aten.to({}, {})", call, torch_number(result)));
  else
    assign(node, call);
}

// These operators return a view if they can, and else a copy. The strides of the file tell which.
bool MethodWriter::reshapes_a_copy(const Node& node) const {
  const bool reshapes =
      node.target == "torch.ops.aten.reshape.default" || node.target == "torch.ops.aten.flatten.using_ints";
  const bool reorders =
      node.target == "torch.ops.aten.contiguous.default" ||
      (node.target.starts_with("torch.ops.aten.to.") &&
       std::ranges::find(node.inputs, "memory_format", &NamedArgument::name) != node.inputs.end());
  if ((!reshapes && !reorders) || node.inputs.empty() || node.outputs.size() != 1) return false;
  const TensorName *from = node.inputs[0].value.get_if<TensorName>(),
                   *to = node.outputs[0].get_if<TensorName>();
  const TensorMeta* base = from ? task_.graph->tensor(from->name) : nullptr;
  const TensorMeta* result = to ? task_.graph->tensor(to->name) : nullptr;
  if (!base || !result) return false;
  return (reshapes ? is_view_possible(*base, *result) : has_same_order(*base, *result)) == false;
}

// aminmax of a 0-d tensor ignores keepdim in newer versions of PyTorch. The rank of the result in the file tells.
bool MethodWriter::drops_dimension(const Node& node) const {
  if (node.target != "torch.ops.aten.aminmax.default" || node.outputs.empty()) return false;
  const TensorName* result = node.outputs[0].get_if<TensorName>();
  const TensorMeta* meta = result ? task_.graph->tensor(result->name) : nullptr;
  return meta && meta->sizes.empty();
}

void MethodWriter::number(const Node& node) {
  std::vector<std::string> operands;
  for (const NamedArgument& input : node.inputs) {
    std::string operand = expression(input.value, variables_);
    if (operand.starts_with('-')) operand = fmt::format("({})", operand);
    operands.push_back(std::move(operand));
  }
  const std::vector<std::string_view>& pieces = number_form(node.target)->pieces;
  if (operands.size() + 1 != pieces.size()) return operator_call(node);
  if (node.target == "torch.sym_ite") std::swap(operands[0], operands[1]);
  std::string text(pieces[0]);
  for (std::size_t i = 0; i < operands.size(); ++i) text.append(operands[i]).append(pieces[i + 1]);
  assign(node, text);
}

// The first argument is positional; the others are bound by their names, so that an argument that is left out moves no
// other. The arguments of sym_size and its like, and of Python's functions, are positional.
std::string MethodWriter::arguments(const Node& node, std::size_t first) {
  const bool numbers = node.target.starts_with("torch.ops.aten.sym_") || !node.target.starts_with(kOps);
  std::vector<std::string> texts;
  bool named = false;
  for (std::size_t i = first; i < node.inputs.size(); ++i) {
    const NamedArgument& input = node.inputs[i];
    if (input.name == "keepdim" && drops_dimension(node)) continue;
    std::string text = autocast_argument(node, input.value);
    const bool positional =
        input.name.empty() || (input.kind != ArgumentKind::keyword && (i == first || numbers));
    if (positional && named)
      fail(fmt::format("a node calls {} with a positional argument after one with a name", node.target));
    named = !positional;
    texts.push_back(positional ? std::move(text) : fmt::format("{}={}", argument_name(input.name), text));
  }
  return join(texts, ", ");
}

DType MethodWriter::floating_type(const Argument& argument) const {
  const TensorName* tensor = argument.get_if<TensorName>();
  const TensorMeta* meta = tensor ? task_.graph->tensor(tensor->name) : nullptr;
  return meta && is_floating(meta->dtype) ? meta->dtype : DType::undefined;
}

DType MethodWriter::autocast_result(const Node& node) const {
  if (!task_.autocast || node.outputs.empty() || is_cast(node.target)) return DType::undefined;
  return floating_type(node.outputs[0]);
}

DType MethodWriter::widest_input(const Node& node) const {
  DType widest = DType::undefined;
  for (const NamedArgument& input : node.inputs)
    if (const DType type = floating_type(input.value); type != DType::undefined)
      widest = widest == DType::undefined ? type : wider(widest, type);
  return widest;
}

// Autocast does not cast the arguments of a norm. A norm of a narrow tensor with wide weights computes in the wide type
// and returns the narrow one.
bool MethodWriter::is_mixed_norm(const Node& node, DType result) const {
  return result != DType::undefined && node.outputs.size() == 1 && !node.inputs.empty() &&
         node.target.find("_norm.") != node.target.npos && floating_type(node.inputs[0].value) == result &&
         size_of(result) < size_of(widest_input(node));
}

DType MethodWriter::autocast_type(const Node& node) const {
  const DType result = autocast_result(node);
  return is_mixed_norm(node, result) ? widest_input(node) : result;
}

std::string MethodWriter::autocast_argument(const Node& node, const Argument& argument) {
  const DType wanted = autocast_type(node);
  const auto cast = [&](const TensorName& tensor) {
    const std::string& text = variables_.of(tensor.name);
    const TensorMeta* meta = task_.graph->tensor(tensor.name);
    if (!meta || !is_floating(meta->dtype) || meta->dtype == wanted) return text;
    return fmt::format("ops.aten.to({}, {})", text, torch_number(wanted));
  };
  if (wanted == DType::undefined) return expression(argument, variables_);
  if (const TensorName* tensor = argument.get_if<TensorName>()) return cast(*tensor);
  if (const auto* list = argument.get_if<std::vector<TensorName>>()) {
    std::vector<std::string> texts;
    std::ranges::transform(*list, std::back_inserter(texts), cast);
    return "[" + join(texts, ", ") + "]";
  }
  return expression(argument, variables_);
}

void MethodWriter::assign(const Node& node, const std::string& call) {
  if (node.outputs.empty()) return line(call);
  if (node.outputs.size() == 1 && node.outputs[0].get_if<std::vector<TensorName>>())
    return unpack(items(node.outputs[0], variables_), call);
  std::vector<std::string> names;
  std::vector<std::pair<std::string, const Argument*>> lists;
  for (const Argument& output : node.outputs) {
    if (output.get_if<std::vector<TensorName>>())
      lists.emplace_back(names.emplace_back(variables_.fresh("list")), &output);
    else
      names.push_back(output.is_none() ? variables_.fresh("unused") : expression(output, variables_));
  }
  line(fmt::format("{} = {}", join(names, ", "), call));
  for (const auto& [list, output] : lists) unpack(items(*output, variables_), list);
}

void MethodWriter::unpack(const std::vector<std::string>& names, const std::string& call) {
  line(names.empty() ? call : fmt::format("{}, = {}", join(names, ", "), call));
}

std::vector<std::string> MethodWriter::targets(const Node& node) {
  std::vector<std::string> out;
  for (const Argument& output : node.outputs) {
    if (output.is_none())
      out.push_back(variables_.fresh("unused"));
    else
      for (std::string& item : items(output, variables_)) out.push_back(std::move(item));
  }
  return out;
}

// ---- higher-order operators

bool MethodWriter::higher_order(const Node& node) {
  std::string_view name = node.target.substr(kHigherOrder.size());
  if (name.ends_with(".default")) name.remove_suffix(8);
  const auto is = [&](std::initializer_list<std::string_view> names) {
    return std::ranges::find(names, name) != names.end();
  };
  if (is({"cond"})) return cond(node), true;
  if (is({"while_loop"})) return while_loop(node), true;
  if (is({"map", "map_impl"})) return map(node), true;
  if (is({"scan"})) return scan(node), true;
  if (is({"associative_scan"})) return associative_scan(node), true;
  if (is({"with_effects"})) return with_effects(node), true;
  if (is({"auto_functionalized"})) return auto_functionalized_without_bases(node), true;
  if (is({"auto_functionalized_v2"})) return auto_functionalized(node), true;
  if (is({"wrap_with_autocast"})) return inlined(node, true), true;
  if (is({"wrap", "wrap_with_set_grad_enabled", "invoke_subgraph", "wrap_activation_checkpoint",
          "tag_activation_checkpoint", "hints_wrapper", "strict_mode"}))
    return inlined(node, false), true;
  return false;
}

const Argument& MethodWriter::argument(const Node& node, std::size_t index) {
  if (index < node.inputs.size()) return node.inputs[index].value;
  fail(fmt::format("a node calls {} with {} arguments", node.target, node.inputs.size()));
}

std::string MethodWriter::method(const Argument& argument, bool autocast) {
  const Subgraph* subgraph = argument.get_if<Subgraph>();
  if (!subgraph) fail("a higher-order operator has no graph where it needs one");
  return queue_.add(*subgraph, autocast || task_.autocast);
}

std::string MethodWriter::call(const std::string& method,
                               std::initializer_list<std::vector<std::string>> arguments) {
  std::vector<std::string> all;
  for (const std::vector<std::string>& some : arguments) all.insert(all.end(), some.begin(), some.end());
  return fmt::format("self.{}({})", method, join(all, ", "));
}

std::vector<std::string> MethodWriter::list_argument(const Node& node, std::size_t index) {
  return index < node.inputs.size() ? items(node.inputs[index].value, variables_)
                                    : std::vector<std::string>();
}

void MethodWriter::cond(const Node& node) {
  const std::string condition = expression(argument(node, 0), variables_);
  const std::vector<std::string> operands = list_argument(node, 3), results = targets(node);
  const std::string yes = method(argument(node, 1)), no = method(argument(node, 2));
  line(fmt::format("if bool({}):", condition));
  {
    const Indented indented(*this);
    unpack(results, call(yes, {operands}));
  }
  line("else:");
  const Indented indented(*this);
  unpack(results, call(no, {operands}));
}

void MethodWriter::while_loop(const Node& node) {
  const std::string condition = method(argument(node, 0)), body = method(argument(node, 1));
  const std::vector<std::string> initial = list_argument(node, 2), additional = list_argument(node, 3);
  const std::vector<std::string> carried = targets(node);
  const std::string going = variables_.fresh("going");
  for (std::size_t i = 0; i < std::min(carried.size(), initial.size()); ++i)
    line(fmt::format("{} = {}", carried[i], initial[i]));
  unpack({going}, call(condition, {carried, additional}));
  line(fmt::format("while bool({}):", going));
  const Indented indented(*this);
  unpack(carried, call(body, {carried, additional}));
  unpack({going}, call(condition, {carried, additional}));
}

}  // namespace cameo::exported
