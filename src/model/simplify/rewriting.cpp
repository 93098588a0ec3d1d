#include "model/simplify/rewriting.h"

#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <set>
#include <unordered_set>

#include "aten/custom/conversion.h"
#include "base/overload.h"
#include "model/graph/sort.h"
#include "model/graph/source_line.h"
#include "model/import/scope.h"
#include "onnx/proto/value_info.h"
#include "onnx/proto/visit.h"
#include "rewrite/condition.h"
#include "rewrite/nodes.h"
#include "rewrite/select.h"

namespace cameo::model {
namespace {

namespace proto = onnx::proto;
using proto::Text;
using rewrite::Kind;
using rewrite::Rule;

std::string full_name(const onnx::Node& node) {
  return node.domain.empty() ? node.op : fmt::format("{}::{}", node.domain, node.op);
}

// "Gelu", "onnx::Gelu" and "ai.onnx::Gelu" name the same operator.
rewrite::Pattern operator_pattern(rewrite::Pattern pattern) {
  for (const std::string_view prefix : {"onnx::", "ai.onnx::"})
    if (pattern.text.starts_with(prefix)) pattern.text.erase(0, prefix.size());
  return pattern;
}

// The path of the module of a node, from its metadata, or from its name as torch.onnx and Cameo write it:
// "layer1.0.conv" for "/layer1/layer1.0/conv/Conv" and for "/layer1/0/conv/Conv".
std::string module_of(const proto::Node& node) {
  if (std::string path = module_path(node); !path.empty()) return path;
  std::string_view rest = node.name;
  if (!rest.starts_with('/')) return {};
  rest.remove_prefix(1);
  std::string path;
  std::string_view last;
  for (std::size_t slash = rest.find('/'); slash != rest.npos; slash = rest.find('/')) {
    const std::string_view scope = rest.substr(0, slash);
    rest.remove_prefix(slash + 1);
    const bool repeated = !last.empty() && scope.starts_with(last) && scope[last.size()] == '.';
    path += fmt::format("{}{}", path.empty() ? "" : ".", repeated ? scope.substr(last.size() + 1) : scope);
    last = scope;
  }
  return path;
}

// The paths of a module and of the modules around it.
std::vector<std::string> enclosing(std::string path) {
  std::vector<std::string> paths;
  while (!path.empty()) {
    paths.push_back(path);
    path.resize(path.rfind('.') == path.npos ? 0 : path.rfind('.'));
  }
  return paths;
}

bool is_inside(std::string_view path, std::string_view module) {
  return path == module || (path.starts_with(module) && path[module.size()] == '.');
}

aten::Arg argument(onnx::Emit& emit, const onnx::AttributeValue& value) {
  const auto list = [](const auto& items, const auto& make) {
    aten::ArgList out;
    for (const auto& item : items) out.push_back(aten::Arg{make(item)});
    return aten::Arg{std::move(out)};
  };
  const auto whole = [](std::int64_t number) { return aten::Scalar{onnx::Dim(number)}; };
  const auto real = [](float number) { return aten::Scalar{static_cast<double>(number)}; };
  return std::visit(
      Overload{[&](std::int64_t number) -> aten::Arg { return {whole(number)}; },
               [&](float number) -> aten::Arg { return {real(number)}; },
               [](const std::string& text) -> aten::Arg { return {text}; },
               [&](const onnx::DataPtr& data) -> aten::Arg { return {aten::Tensor(emit.constant(data))}; },
               [&](const std::vector<std::int64_t>& items) { return list(items, whole); },
               [&](const std::vector<float>& items) { return list(items, real); },
               [&](const std::vector<std::string>& items) {
                 return list(items, [](const std::string& text) { return text; });
               },
               [](const auto&) -> aten::Arg { return {aten::None{}}; }},
      value);
}

}  // namespace

Rewriting::Rewriting(Opened& opened, const SimplifyOptions& options, proto::Texts& texts)
    : opened_(opened),
      texts_(texts),
      rules_(options.rewrites && !options.rewrites->rules().files.empty() ? &options.rewrites->rules()
                                                                          : nullptr),
      target_(options.target.empty() ? nullptr : &target::find(options.target)) {
  if (!rules_) return;
  for (const Rule* rule : rules_->rules()) check(*rule);
}

void Rewriting::refuse(const Rule& rule, std::string why, std::string hint) const {
  const Position place = rule.position();
  throw Error(Diagnostic{.code = Code::rewrite_failed,
                         .message = fmt::format("the rule '{}' cannot be applied: {}", rule.name, why),
                         .file = opened_.file->name(),
                         .notes = {fmt::format("the rule is in {}:{}", place.file, place.line)},
                         .hint = std::move(hint)});
}

void Rewriting::check(const Rule& rule) const {
  const Kind kind = rule.place.kind;
  if (kind != Kind::op && kind != Kind::module && kind != Kind::value)
    refuse(rule, fmt::format("an ONNX file has no {}", name(kind)),
           "name an operator, a module or a value, or apply the rule when the program is exported");
  for (const rewrite::Scope& scope : rule.scopes)
    if (!scope.file && scope.kind == Kind::cls)
      refuse(rule, "an ONNX file has no classes", "name the module by its path: in module \"head\"");
  if (!std::holds_alternative<rewrite::Nodes>(rule.replacement))
    refuse(rule, "only nodes can replace a part of an ONNX file",
           "write: replace (x) -> (y) { y = Relu(x) }");
  if (kind == Kind::op && rule.place.after)
    refuse(rule, "write 'at operator', and repeat the operator in the replacement");
  if (opened_.opset() < kMinOpset || opened_.opset() > kMaxOpset)
    refuse(rule, fmt::format("the model has opset {}, and rules need {} to {}", opened_.opset(), kMinOpset,
                             kMaxOpset));
}

bool Rewriting::in_scope(const Rule& rule, const proto::Node& node) const {
  return std::ranges::all_of(rule.scopes, [&](const rewrite::Scope& scope) {
    if (!scope.file) {
      const std::vector<std::string> around = enclosing(module_of(node));
      return std::ranges::any_of(around,
                                 [&](const std::string& path) { return scope.pattern.matches(path); });
    }
    std::string place = source_line(node);  // net.py:7:0
    place.resize(std::min(place.rfind(':'), place.size()));
    const std::size_t colon = std::min(place.rfind(':'), place.size());
    const std::string file = place.substr(0, colon);
    const int line = colon < place.size() ? std::atoi(place.c_str() + colon + 1) : 0;
    const rewrite::Pattern below{fmt::format("*/{}", scope.pattern.text), {}};
    return (scope.pattern.matches(file) || below.matches(file)) &&
           (scope.first_line == 0 || (scope.first_line <= line && line <= scope.last_line));
  });
}

// ---- modules and values become nodes

void Rewriting::mark_places() {
  if (!rules_) return;
  mark_modules(*opened_.model.graph);
  mark_values(*opened_.model.graph);
  sort_nodes(opened_);
}

void Rewriting::mark_modules(proto::Graph& graph) {
  std::set<std::string> paths;
  for (const proto::Node& node : graph.nodes)
    for (std::string& path : enclosing(module_of(node))) paths.insert(std::move(path));
  // Inner modules come first: their paths are longer.
  std::vector<std::string> ordered(paths.begin(), paths.end());
  std::ranges::stable_sort(ordered, std::greater<>(), [](const std::string& path) { return path.size(); });
  for (const std::string& path : ordered) {
    log_.saw(Kind::module, path);
    Rules at, after;
    for (const Rule* rule : rules_->rules())
      if (rule->place.kind == Kind::module && rule->place.pattern.matches(path))
        (rule->place.after ? after : at).push_back(rule);
    if (!at.empty() || !after.empty()) mark_module(graph, path, at, after);
  }
}

void Rewriting::mark_module(proto::Graph& graph, const std::string& path, const Rules& at,
                            const Rules& after) {
  const auto region = [&] {
    std::vector<std::size_t> nodes;
    for (std::size_t i = 0; i < graph.nodes.size(); ++i)
      if (is_inside(module_of(graph.nodes[i]), path)) nodes.push_back(i);
    return nodes;
  };
  Rules valid;
  for (const Rule* rule : at)
    if (std::ranges::all_of(region(), [&](std::size_t i) { return in_scope(*rule, graph.nodes[i]); }) &&
        rewrite::holds(*rule, {static_cast<int>(opened_.opset()), target_, {}}))
      valid.push_back(rule);
  if (const Rule* rule = rewrite::most_specific(valid, fmt::format("module '{}'", path)))
    replace_module(graph, region(), path, *rule);
  Rules in_place;
  for (const Rule* rule : after)
    if (std::ranges::all_of(region(), [&](std::size_t i) { return in_scope(*rule, graph.nodes[i]); }))
      in_place.push_back(rule);
  if (in_place.empty()) return;
  const Links links(graph);
  const std::vector<std::size_t> nodes = region();
  mark_after(graph, nodes, given(graph, links, nodes), {in_place, fmt::format("module '{}'", path), path});
}

// The values of the region that others read, in the order of their nodes.
std::vector<Text> Rewriting::given(const proto::Graph& graph, const Links& links,
                                   const std::vector<std::size_t>& region) const {
  const std::unordered_set<std::size_t> inside(region.begin(), region.end());
  std::unordered_set<std::string_view> read;
  for (std::size_t i = 0; i < graph.nodes.size(); ++i)
    if (!inside.contains(i)) read.insert(links.reads[i].begin(), links.reads[i].end());
  for (const proto::ValueInfo& output : graph.outputs) read.insert(output.name);
  std::vector<Text> values;
  for (const std::size_t i : region)
    for (const Text output : graph.nodes[i].outputs)
      if (!output.empty() && read.contains(output)) values.push_back(output);
  return values;
}

proto::Node Rewriting::make_place(Place place, std::vector<Text> inputs, std::vector<Text> outputs) {
  proto::Node node;
  node.op_type = texts_.keep(std::to_string(places_.size()));
  node.domain = kPlaces;
  std::string name = "/" + place.module;
  std::ranges::replace(name, '.', '/');
  node.name = texts_.keep(fmt::format("{}/{}", name == "/" ? "" : name, node.op_type));
  node.inputs = std::move(inputs);
  node.outputs = std::move(outputs);
  places_.push_back(std::move(place));
  return node;
}

// The values get other names, and the new node gives their names to its results.
void Rewriting::mark_after(proto::Graph& graph, const std::vector<std::size_t>& region,
                           const std::vector<Text>& values, Place place) {
  if (values.empty()) return;
  std::unordered_map<std::string_view, Text> renamed;
  std::vector<Text> inputs;
  for (const Text value : values) {
    inputs.push_back(texts_.keep(fmt::format("{}.before_{}", value, places_.size())));
    renamed.emplace(value, inputs.back());
  }
  const auto rename = [&](Text& name) {
    if (const auto found = renamed.find(name); found != renamed.end()) name = found->second;
  };
  const std::function<void(proto::Node&)> rename_reads = [&](proto::Node& node) {
    for (Text& input : node.inputs) rename(input);
    proto::each_subgraph(node, [&](proto::Graph& inner) {
      for (proto::Node& each : inner.nodes) rename_reads(each);
      for (proto::ValueInfo& output : inner.outputs) rename(output.name);
    });
  };
  for (const std::size_t i : region) {
    rename_reads(graph.nodes[i]);
    for (Text& output : graph.nodes[i].outputs) rename(output);
  }
  std::erase_if(graph.value_infos, [&](const proto::ValueInfo& info) { return renamed.contains(info.name); });
  graph.nodes.insert(graph.nodes.begin() + static_cast<std::ptrdiff_t>(region.back()) + 1,
                     make_place(std::move(place), std::move(inputs), values));
}

void Rewriting::replace_module(proto::Graph& graph, const std::vector<std::size_t>& region,
                               const std::string& path, const Rule& rule) {
  const Links links(graph);
  const std::unordered_set<std::size_t> inside(region.begin(), region.end());
  std::vector<Text> inputs;
  for (const std::size_t i : region)
    for (const Text name : links.reads[i]) {
      const auto maker = links.maker.find(name);
      const bool outside = maker == links.maker.end() ? !links.constants.contains(name)
                                                      : !inside.contains(maker->second) &&
                                                            graph.nodes[maker->second].op_type != "Constant";
      if (outside && !name.empty() && std::ranges::find(inputs, name) == inputs.end()) inputs.push_back(name);
    }
  proto::Node node = make_place({{&rule}, fmt::format("module '{}'", path), path}, std::move(inputs),
                                given(graph, links, region));
  std::vector<proto::Node> nodes;
  for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
    if (i == region.back()) nodes.push_back(std::move(node));
    if (!inside.contains(i)) nodes.push_back(std::move(graph.nodes[i]));
  }
  graph.nodes = std::move(nodes);
}

void Rewriting::mark_values(proto::Graph& graph) {
  std::map<Text, Rules> found;
  for (const proto::Node& node : graph.nodes)
    for (const Text output : node.outputs)
      for (const Rule* rule : rules_->rules()) {
        if (rule->place.kind != Kind::value) continue;
        log_.saw(Kind::value, output);
        if (rule->place.pattern.matches(output) && in_scope(*rule, node)) found[output].push_back(rule);
      }
  for (const auto& [value, rules] : found) {
    std::size_t maker = 0;
    while (std::ranges::find(graph.nodes[maker].outputs, value) == graph.nodes[maker].outputs.end()) ++maker;
    mark_after(graph, {maker}, {value},
               {rules, fmt::format("value '{}'", value), module_of(graph.nodes[maker])});
  }
}

// ---- nodes

Rewriting::Rules Rewriting::matching(const ImportedNode& node, std::string_view op) const {
  Rules out;
  for (const auto& file : rules_->files)
    for (const Rule& rule : file->rules)
      if (rule.place.kind == Kind::op && operator_pattern(rule.place.pattern).matches(op) &&
          in_scope(rule, node.source))
        out.push_back(&rule);
  return out;
}

Values Rewriting::node(const ImportedNode& node, const Scope& scope, onnx::Emit& emit) {
  if (!rules_) return {};
  const bool placed = node.source.domain == kPlaces;
  Place place;
  if (placed) {
    place = places_.at(static_cast<std::size_t>(std::atoi(std::string(node.source.op_type).c_str())));
  } else {
    place = {matching(node, full_name(node.read)), fmt::format("{} '{}'", node.read.op, node.source.name),
             module_of(node.source)};
    log_.saw(Kind::op, full_name(node.read));
  }
  const aten::Warn quiet = [](const std::string&, const std::string&) {};
  Rules valid;
  for (const Rule* rule : place.rules) {
    const Call call = call_of(*rule, node, emit);
    const aten::Schema schema = aten::schema_of(call.names, 0);
    const aten::GraphConversion conversion(emit, schema, call.args, quiet);
    if (rewrite::holds(*rule, {static_cast<int>(opened_.opset()), target_, conversion.arguments()}))
      valid.push_back(rule);
  }
  if (const Rule* rule = rewrite::most_specific(valid, place.what))
    return apply(*rule, node, place, scope, emit);
  return placed ? node.read.inputs : Values();
}

// Parameters with the name of an attribute are attributes. The others are the inputs, in their order.
Rewriting::Call Rewriting::call_of(const Rule& rule, const ImportedNode& node, onnx::Emit& emit) const {
  const auto& nodes = std::get<rewrite::Nodes>(rule.replacement);
  Call call;
  std::size_t input = 0;
  for (const rewrite::Parameter& parameter : nodes.parameters) {
    call.names.emplace_back(parameter.name);
    const auto attribute = std::ranges::find(node.read.attributes, parameter.name, &onnx::Attribute::name);
    if (attribute != node.read.attributes.end()) {
      call.args.push_back(argument(emit, attribute->value));
    } else if (node.op && node.op->attribute(parameter.name)) {
      call.args.push_back({aten::None{}});
    } else {
      onnx::Value* value = input < node.read.inputs.size() ? node.read.inputs[input] : nullptr;
      call.args.push_back(value ? aten::Arg{aten::Tensor(value)} : aten::Arg{aten::None{}});
      ++input;
    }
  }
  if (input < node.read.inputs.size())
    refuse(rule, fmt::format("{} '{}' has {} inputs, and the rule names {}", node.source.op_type,
                             node.source.name, node.read.inputs.size(), input));
  return call;
}

void Rewriting::add_weights(const Rule& rule, const Place& place, const Scope& scope, Call& call) const {
  for (const std::string_view path : std::get<rewrite::Nodes>(rule.replacement).weights) {
    const std::string name =
        place.module.empty() ? std::string(path) : fmt::format("{}.{}", place.module, path);
    const auto found = scope.find(name);
    if (!found || !*found)
      refuse(rule, fmt::format("the model has no initialiser '{}'", name),
             "'$' and a path name an initialiser of the module of the place");
    call.names.push_back(fmt::format("${}", path));
    call.args.push_back({aten::Tensor(*found)});
  }
}

Values Rewriting::apply(const Rule& rule, const ImportedNode& node, const Place& place, const Scope& scope,
                        onnx::Emit& emit) {
  const auto& nodes = std::get<rewrite::Nodes>(rule.replacement);
  if (nodes.results.size() != node.source.outputs.size())
    refuse(rule, fmt::format("{} has {} results, and the rule gives {}", place.what,
                             node.source.outputs.size(), nodes.results.size()));
  Call call = call_of(rule, node, emit);
  add_weights(rule, place, scope, call);
  if (call.names.size() > aten::Schema::kMaxParams || nodes.results.size() > aten::Schema::kMaxReturns)
    refuse(rule, "it has too many arguments, parameters or results");
  const aten::Schema schema = aten::schema_of(call.names, nodes.results.size());
  std::vector<onnx::Type> own;
  if (node.source.domain != kPlaces)
    for (std::size_t i = 0; i < node.source.outputs.size(); ++i) own.push_back(node.results[i].type);
  const aten::Warn warn = [this](std::string message, std::string hint) {
    warnings_.push_back({.severity = Severity::warning,
                         .code = Code::converter,
                         .message = std::move(message),
                         .file = opened_.file->name(),
                         .hint = std::move(hint)});
  };
  Values values;
  try {
    aten::GraphConversion conversion(emit, schema, call.args, warn);
    for (const aten::Arg& result :
         conversion.run_strictly([&](Conversion& c) { return rewrite::add_nodes(nodes, c); }, own))
      values.push_back(std::get<aten::Tensor>(result.value).value);
  } catch (const aten::Unsupported& error) {
    refuse(rule, error.what(), error.hint());
  }
  check_outputs(rule, node, values, emit);
  log_.applied(rule, place.what);
  return values;
}

// The outputs of the model keep their types.
void Rewriting::check_outputs(const Rule& rule, const ImportedNode& node, const Values& values,
                              onnx::Emit& emit) const {
  for (std::size_t i = 0; i < values.size(); ++i) {
    const auto output =
        std::ranges::find(opened_.graph().outputs, node.source.outputs[i], &proto::ValueInfo::name);
    if (output == opened_.graph().outputs.end() || !output->type) continue;
    const onnx::Type& type = values[i]->type;
    const auto dtype = onnx::from_onnx(output->type->element.value_or(0));
    bool agrees = !dtype || *dtype == type.dtype;
    if (const auto& shape = output->type->shape; shape && type.shape) {
      agrees = agrees && shape->dims.size() == type.shape->size();
      for (std::size_t axis = 0; agrees && axis < shape->dims.size(); ++axis)
        if (const auto size = shape->dims[axis].value)
          agrees = emit.sym().equal((*type.shape)[axis], onnx::Dim(*size)) != sym::Truth::no;
    }
    if (!agrees)
      refuse(rule, fmt::format("the output '{}' of the model would become {}", output->name, to_string(type)),
             "outputs of the model keep their element types and their sizes");
  }
}

void Rewriting::import_domains() {
  if (!rules_) return;
  for (const RewriteUse& use : log_.uses(*rules_)) {
    if (use.places.empty()) continue;
    const auto rules = rules_->rules();
    const Rule& rule = **std::ranges::find(rules, use.rule, [](const Rule* each) { return each->name; });
    for (const rewrite::NodeLine& line : std::get<rewrite::Nodes>(rule.replacement).nodes) {
      const std::size_t colons = line.type.find("::");
      if (colons == line.type.npos) continue;
      const std::string domain = line.type.substr(0, colons);
      std::vector<proto::OpsetImport>& imports = opened_.model.opset_imports;
      if (std::ranges::find(imports, domain, &proto::OpsetImport::domain) == imports.end())
        imports.push_back({.domain = texts_.keep(domain), .version = 1});
    }
  }
}

}  // namespace cameo::model
