#include "exported/graph_reader.h"

#include <algorithm>
#include <iterator>

#include "exported/enumerations.h"
#include "exported/union.h"

namespace cameo::exported {

struct GraphReader::Alternative {
  std::string_view tag;
  void (*read)(GraphReader& reader, Argument& argument);
};

// In order of frequency.
const GraphReader::Alternative GraphReader::kAlternatives[] = {
    {"as_tensor", one<&GraphReader::tensor_name>},
    {"as_int", one<&GraphReader::integer>},
    {"as_none", one<&GraphReader::none>},
    {"as_ints", list<&GraphReader::integer>},
    {"as_float", one<&GraphReader::real>},
    {"as_bool", one<&GraphReader::boolean>},
    {"as_tensors", list<&GraphReader::tensor_name>},
    {"as_sym_int", one<&GraphReader::sym_int_argument>},
    {"as_sym_ints", list<&GraphReader::sym_int_argument>},
    {"as_string", one<&GraphReader::string>},
    {"as_strings", list<&GraphReader::string>},
    {"as_scalar_type", enumerator<read_dtype, DType::undefined>},
    {"as_device", one<&GraphReader::device>},
    {"as_memory_format", enumerator<read_memory_format, MemoryFormat::unknown>},
    {"as_layout", enumerator<read_layout, Layout::unknown>},
    {"as_floats", list<&GraphReader::real>},
    {"as_bools", list<&GraphReader::boolean>},
    {"as_optional_tensor", optional},
    {"as_optional_tensors", list<&GraphReader::optional_tensor>},
    {"as_graph", one<&GraphReader::subgraph>},
    {"as_operator", one<&GraphReader::operator_name>},
    {"as_custom_obj", one<&GraphReader::custom_object>},
    {"as_sym_bool", one<&GraphReader::sym_bool_argument>},
    {"as_sym_bools", list<&GraphReader::sym_bool_argument>},
    {"as_sym_float", one<&GraphReader::sym_float_argument>},
    {"as_sym_floats", list<&GraphReader::sym_float_argument>},
    {"as_complex", one<&GraphReader::complex>},
    {"as_int_lists", lists<&GraphReader::integer>},
    {"as_float_lists", lists<&GraphReader::real>},
    {"as_nested_tensors", lists<&GraphReader::tensor_name>},
    {"as_string_to_argument", dict},
};

template <auto read>
void GraphReader::one(GraphReader& reader, Argument& argument) {
  auto value = (reader.*read)();
  argument.data.emplace<decltype(value)>(std::move(value));
}

template <auto read>
void GraphReader::list(GraphReader& reader, Argument& argument) {
  auto values = read_list(reader.json_, [&] { return (reader.*read)(); });
  argument.data.emplace<decltype(values)>(std::move(values));
}

template <auto read>
void GraphReader::lists(GraphReader& reader, Argument& argument) {
  auto values =
      read_list(reader.json_, [&] { return read_list(reader.json_, [&] { return (reader.*read)(); }); });
  argument.data.emplace<decltype(values)>(std::move(values));
}

template <auto read, auto unknown>
void GraphReader::enumerator(GraphReader& reader, Argument& argument) {
  const auto value = read(reader.json_);
  if (value != unknown) argument.data.emplace<std::remove_const_t<decltype(value)>>(value);
}

void GraphReader::optional(GraphReader& reader, Argument& argument) {
  if (const std::optional<TensorName> tensor = reader.optional_tensor()) {
    argument.data = *tensor;
  } else {
    argument.data = None{};
  }
}

void GraphReader::dict(GraphReader& reader, Argument& argument) {
  std::vector<DictEntry> entries;
  reader.json_.object([&](std::string_view key) { entries.push_back({key, reader.argument()}); });
  argument.data = std::move(entries);
}

Argument GraphReader::argument() {
  Argument argument;
  read_union(json_, "an argument", [&](std::string_view tag) { read_alternative(tag, argument); });
  return argument;
}

std::vector<Argument> GraphReader::arguments() {
  return read_list(json_, [&] { return argument(); });
}

void GraphReader::read_alternative(std::string_view tag, Argument& argument) {
  const auto* known = std::find_if(std::begin(kAlternatives), std::end(kAlternatives),
                                   [&](const Alternative& row) { return row.tag == tag; });
  argument.data = Unknown{.tag = tag};
  const std::string_view text = json_.rest();
  if (known == std::end(kAlternatives)) {
    json_.raw();
  } else {
    known->read(*this, argument);
  }
  if (auto* unknown = std::get_if<Unknown>(&argument.data)) {
    unknown->json = text.substr(0, text.size() - json_.rest().size());
  }
}

// Majors 1 to 7 write [], major 8 writes true.
None GraphReader::none() {
  json_.raw();
  return {};
}

std::string_view GraphReader::name() {
  if (json_.type() == JsonReader::Type::string) return json_.string();
  std::optional<std::string_view> name;
  json_.object([&](std::string_view key) {
    if (key == "name") {
      name = json_.string();
    } else {
      json_.raw();
    }
  });
  if (!name) json_.fail("an argument has no 'name'");
  return *name;
}

std::optional<TensorName> GraphReader::optional_tensor() {
  std::optional<TensorName> tensor;
  read_union(json_, "an optional tensor", [&](std::string_view tag) {
    if (tag == "as_tensor") {
      tensor = tensor_name();
    } else if (tag == "as_none") {
      none();
    } else {
      json_.fail(fmt::format("an optional tensor has the unknown value '{}'", tag));
    }
  });
  return tensor;
}

template <class T, class F>
std::variant<SymName, T> GraphReader::sym_argument(std::string_view tag, const F& read) {
  std::variant<SymName, T> argument;
  read_union(json_, "a symbolic argument", [&](std::string_view found) {
    if (found == "as_name") {
      argument = SymName{json_.string()};
    } else if (found == tag) {
      argument.template emplace<T>(read());
    } else {
      json_.fail(fmt::format("a symbolic argument has the unknown value '{}'", found));
    }
  });
  return argument;
}

SymIntArgument GraphReader::sym_int_argument() {
  return sym_argument<std::int64_t>("as_int", [&] { return json_.integer(); });
}

SymFloatArgument GraphReader::sym_float_argument() {
  return sym_argument<double>("as_float", [&] { return json_.real(); });
}

SymBoolArgument GraphReader::sym_bool_argument() {
  return sym_argument<bool>("as_bool", [&] { return json_.boolean(); });
}

Complex GraphReader::complex() {
  Complex complex;
  json_.object([&](std::string_view key) {
    if (key == "real") {
      complex.real = json_.real();
    } else if (key == "imag") {
      complex.imag = json_.real();
    } else {
      json_.raw();
    }
  });
  return complex;
}

Device GraphReader::device() {
  Device device;
  json_.object([&](std::string_view key) {
    if (key == "type") {
      device.type = json_.string();
    } else if (key == "index") {
      read_optional(json_, [&] { device.index = json_.integer(); });
    } else {
      json_.raw();
    }
  });
  return device;
}

CustomObject GraphReader::custom_object() {
  CustomObject object;
  json_.object([&](std::string_view key) {
    if (key == "name") {
      object.name = json_.string();
    } else if (key == "class_fqn") {
      object.class_name = json_.string();
    } else {
      json_.raw();
    }
  });
  return object;
}

Subgraph GraphReader::subgraph() {
  Subgraph subgraph;
  json_.object([&](std::string_view key) {
    if (key == "name") {
      subgraph.name = json_.string();
    } else if (key == "graph") {
      subgraph.graph = std::make_shared<const Graph>(graph());
    } else {
      json_.raw();
    }
  });
  if (subgraph.graph == nullptr) json_.fail("a subgraph has no 'graph'");
  return subgraph;
}

// Symbolic numbers

// Schema 1 has a bare string as the expression of a boolean, and a bare integer as a hint.
const SymbolicExpression* GraphReader::expression() {
  SymbolicExpression expression;
  if (json_.type() == JsonReader::Type::string) {
    expression.text = json_.string();
  } else {
    json_.object([&](std::string_view key) {
      if (key == "expr_str") {
        expression.text = json_.string();
      } else if (key == "hint") {
        read_optional(json_, [&] { read_hint(expression); });
      } else {
        json_.raw();
      }
    });
  }
  if (expression.text.empty()) json_.fail("a symbolic number has no expression");
  return &arena_.expressions.emplace_back(expression);
}

void GraphReader::read_hint(SymbolicExpression& expression) {
  if (json_.type() == JsonReader::Type::number) {
    expression.hint = json_.integer();
    return;
  }
  read_union(json_, "a hint", [&](std::string_view tag) {
    if (tag == "as_int") {
      expression.hint = json_.integer();
    } else if (tag == "as_float") {
      expression.hint = json_.real();
    } else if (tag == "as_bool") {
      expression.hint = json_.boolean();
    } else {
      json_.raw();
    }
  });
}

template <class T, class F>
Symbolic<T> GraphReader::symbolic(std::string_view tag, const F& read) {
  Symbolic<T> symbolic;
  if (json_.type() != JsonReader::Type::object) {
    symbolic.value = read();
    return symbolic;
  }
  read_union(json_, "a symbolic number", [&](std::string_view found) {
    if (found == "as_expr") {
      symbolic.expression = expression();
    } else if (found == tag) {
      symbolic.value = read();
    } else {
      json_.fail(fmt::format("a symbolic number has the unknown value '{}'", found));
    }
  });
  return symbolic;
}

SymInt GraphReader::sym_int() {
  return symbolic<std::int64_t>("as_int", [&] { return json_.integer(); });
}

SymFloat GraphReader::sym_float() {
  return symbolic<double>("as_float", [&] { return json_.real(); });
}

SymBool GraphReader::sym_bool() {
  return symbolic<bool>("as_bool", [&] { return json_.boolean(); });
}

std::vector<SymInt> GraphReader::sym_ints() {
  return read_list(json_, [&] { return sym_int(); });
}

// Schema 1 has {"meta": …} around it.
TensorMeta GraphReader::tensor_meta() {
  TensorMeta meta;
  json_.object([&](std::string_view key) {
    if (key == "dtype") {
      const ScalarType type = read_scalar_type(json_);
      meta.dtype = type.dtype;
      meta.scalar_type = type.number;
    } else if (key == "sizes") {
      meta.sizes = sym_ints();
    } else if (key == "strides") {
      meta.strides = sym_ints();
    } else if (key == "storage_offset") {
      read_optional(json_, [&] { meta.storage_offset = sym_int(); });
    } else if (key == "requires_grad") {
      meta.requires_grad = json_.boolean();
    } else if (key == "layout") {
      meta.layout = read_layout(json_);
    } else if (key == "device") {
      meta.device = device();
    } else if (key == "meta") {
      meta = tensor_meta();
    } else {
      json_.raw();
    }
  });
  return meta;
}

// Nodes and graphs

NamedArgument GraphReader::named_argument() {
  NamedArgument argument;
  json_.object([&](std::string_view key) {
    if (key == "name") {
      argument.name = json_.string();
    } else if (key == "arg") {
      argument.value = this->argument();
    } else if (key == "kind") {
      read_optional(json_, [&] { argument.kind = read_argument_kind(json_); });
    } else {
      json_.raw();
    }
  });
  return argument;
}

Node GraphReader::node() {
  Node node;
  json_.object([&](std::string_view key) {
    if (key == "target") {
      node.target = json_.string();
    } else if (key == "inputs") {
      node.inputs = read_list(json_, [&] { return named_argument(); });
    } else if (key == "outputs") {
      node.outputs = arguments();
    } else if (key == "metadata") {
      const bool entries = json_.type() == JsonReader::Type::object;
      const std::string_view text = json_.raw();
      if (entries) node.metadata_json = text;
    } else if (key == "name") {
      read_optional(json_, [&] { node.name = json_.string(); });
    } else if (key == "is_hop_single_tensor_return") {
      read_optional(json_, [&] { node.hop_single_return = json_.boolean(); });
    } else {
      json_.raw();
    }
  });
  if (node.target.empty()) json_.fail("a node has no 'target'");
  return node;
}

template <class T, class F>
void GraphReader::read_table(std::unordered_map<std::string_view, T>& table, const F& read) {
  read_optional(json_,
                [&] { json_.object([&](std::string_view name) { table.insert_or_assign(name, read()); }); });
}

void GraphReader::read_constants() {
  read_optional(json_, [&] {
    json_.object([&](std::string_view name) {
      const std::string_view base64 = json_.string();
      if (graph_depth_ == 1) constants_.push_back({name, base64});
    });
  });
}

bool GraphReader::read_list_member(std::string_view key, Graph& graph) {
  if (key == "inputs") {
    graph.inputs = arguments();
  } else if (key == "outputs") {
    graph.outputs = arguments();
  } else if (key == "nodes") {
    graph.nodes = read_list(json_, [&] { return node(); });
  } else {
    return false;
  }
  return true;
}

bool GraphReader::read_table_member(std::string_view key, Graph& graph) {
  if (key == "tensor_values") {
    read_table(graph.tensors, [&] { return tensor_meta(); });
  } else if (key == "sym_int_values") {
    read_table(graph.sym_ints, [&] { return sym_int(); });
  } else if (key == "sym_float_values") {
    read_table(graph.sym_floats, [&] { return sym_float(); });
  } else if (key == "sym_bool_values") {
    read_table(graph.sym_bools, [&] { return sym_bool(); });
  } else if (key == "custom_obj_values") {
    read_table(graph.custom_objects, [&] { return custom_object(); });
  } else {
    return false;
  }
  return true;
}

Graph GraphReader::graph() {
  Graph graph;
  ++graph_depth_;
  json_.object([&](std::string_view key) {
    if (read_list_member(key, graph) || read_table_member(key, graph)) return;
    if (key == "is_single_tensor_return") {
      graph.single_tensor_return = json_.boolean();
    } else if (key == "constants") {
      read_constants();
    } else {
      json_.raw();
    }
  });
  --graph_depth_;
  return graph;
}

}  // namespace cameo::exported
