#include "exported/signature_reader.h"

#include <algorithm>
#include <iterator>
#include <unordered_map>

#include "exported/union.h"

namespace cameo::exported {
namespace {

struct InputKind {
  std::string_view tag;
  InputSpec::Kind kind;
  std::string_view target;  // the field that has the qualified name
};

constexpr InputKind kInputKinds[] = {
    {"user_input", InputSpec::Kind::user_input, ""},
    {"parameter", InputSpec::Kind::parameter, "parameter_name"},
    {"buffer", InputSpec::Kind::buffer, "buffer_name"},
    {"tensor_constant", InputSpec::Kind::tensor_constant, "tensor_constant_name"},
    {"custom_obj", InputSpec::Kind::custom_object, "custom_obj_name"},
    {"token", InputSpec::Kind::token, ""},
    {"constant_input", InputSpec::Kind::constant_input, ""},
};

struct OutputKind {
  std::string_view tag;
  OutputSpec::Kind kind;
  std::string_view target;
};

constexpr OutputKind kOutputKinds[] = {
    {"user_output", OutputSpec::Kind::user_output, ""},
    {"loss_output", OutputSpec::Kind::loss_output, ""},
    {"buffer_mutation", OutputSpec::Kind::buffer_mutation, "buffer_name"},
    {"parameter_mutation", OutputSpec::Kind::parameter_mutation, "parameter_name"},
    {"user_input_mutation", OutputSpec::Kind::user_input_mutation, "user_input_name"},
    {"gradient_to_parameter", OutputSpec::Kind::gradient_to_parameter, "parameter_name"},
    {"gradient_to_user_input", OutputSpec::Kind::gradient_to_user_input, "user_input_name"},
    {"token", OutputSpec::Kind::token, ""},
};

template <class Row>
const Row* find_tag(std::span<const Row> rows, std::string_view tag) {
  const auto found = std::find_if(rows.begin(), rows.end(), [&](const Row& row) { return row.tag == tag; });
  return found == rows.end() ? nullptr : &*found;
}

// The name of the value that an argument refers to; empty for a constant.
std::string_view name_of(const Argument& argument) {
  if (const auto* tensor = argument.get_if<TensorName>()) return tensor->name;
  if (const auto* object = argument.get_if<CustomObject>()) return object->name;
  const auto name_in = [](const auto* symbolic) {
    const SymName* name = symbolic == nullptr ? nullptr : std::get_if<SymName>(symbolic);
    return name == nullptr ? std::string_view() : name->name;
  };
  for (const std::string_view name :
       {name_in(argument.get_if<SymIntArgument>()), name_in(argument.get_if<SymFloatArgument>()),
        name_in(argument.get_if<SymBoolArgument>())}) {
    if (!name.empty()) return name;
  }
  return {};
}

class SignatureReader {
 public:
  SignatureReader(JsonReader& json, GraphReader& reader, const Graph& graph)
      : json_(json), reader_(reader), graph_(graph) {}

  Signature read() {
    json_.object([&](std::string_view key) {
      if (key == "input_specs") {
        signature_.inputs = read_list(json_, [&] { return input_spec(); });
      } else if (key == "output_specs") {
        signature_.outputs = read_list(json_, [&] { return output_spec(); });
      } else if (!read_names(key)) {
        json_.raw();
      }
    });
    if (by_names_) specify_by_names();
    return std::move(signature_);
  }

 private:
  InputSpec input_spec() {
    InputSpec spec;
    read_union(json_, "an input of the signature", [&](std::string_view tag) {
      const InputKind* row = find_tag<InputKind>(kInputKinds, tag);
      if (row == nullptr) {
        spec.kind = InputSpec::Kind::unknown;
        spec.tag = tag;
        json_.raw();
        return;
      }
      spec.kind = row->kind;
      json_.object([&](std::string_view key) { read_input_member(key, *row, spec); });
      if (spec.name.empty()) spec.name = name_of(spec.argument);
    });
    return spec;
  }

  void read_input_member(std::string_view key, const InputKind& row, InputSpec& spec) {
    if (key == "arg") {
      spec.argument = argument_of(row.kind);
    } else if (key == "value") {
      spec.argument = reader_.argument();
    } else if (key == "name") {
      spec.name = json_.string();
    } else if (key == "persistent") {
      read_optional(json_, [&] { spec.persistent = json_.boolean(); });
    } else if (!row.target.empty() && key == row.target) {
      spec.target = json_.string();
    } else {
      json_.raw();
    }
  }

  Argument argument_of(InputSpec::Kind kind) {
    if (kind == InputSpec::Kind::user_input) return reader_.argument();
    if (kind == InputSpec::Kind::custom_object) return {reader_.custom_object()};
    return {TensorName{reader_.name()}};
  }

  OutputSpec output_spec() {
    OutputSpec spec;
    read_union(json_, "an output of the signature", [&](std::string_view tag) {
      const OutputKind* row = find_tag<OutputKind>(kOutputKinds, tag);
      if (row == nullptr) {
        spec.kind = OutputSpec::Kind::unknown;
        spec.tag = tag;
        json_.raw();
        return;
      }
      spec.kind = row->kind;
      json_.object([&](std::string_view key) {
        if (key == "arg") {
          const bool any = spec.kind == OutputSpec::Kind::user_output;
          spec.argument = any ? reader_.argument() : Argument{TensorName{reader_.name()}};
        } else if (!row->target.empty() && key == row->target) {
          spec.target = json_.string();
        } else {
          json_.raw();
        }
      });
    });
    return spec;
  }

  // The dictionaries of schema 1.
  bool read_names(std::string_view key) {
    if (key == "inputs_to_parameters") {
      read_dict(parameters_);
    } else if (key == "inputs_to_buffers") {
      read_dict(buffers_);
    } else if (key == "buffers_to_mutate") {
      read_dict(mutated_);
    } else {
      return false;
    }
    by_names_ = true;
    return true;
  }

  using Names = std::unordered_map<std::string_view, std::string_view>;
  void read_dict(Names& names) {
    json_.object([&](std::string_view key) { names.insert_or_assign(key, json_.string()); });
  }

  void specify_by_names() {
    for (const Argument& argument : graph_.inputs) {
      InputSpec spec{.argument = argument, .name = name_of(argument)};
      if (const auto found = parameters_.find(spec.name); found != parameters_.end()) {
        spec.kind = InputSpec::Kind::parameter;
        spec.target = found->second;
      } else if (const auto buffer = buffers_.find(spec.name); buffer != buffers_.end()) {
        spec.kind = InputSpec::Kind::buffer;
        spec.target = buffer->second;
      }
      signature_.inputs.push_back(std::move(spec));
    }
    for (const Argument& argument : graph_.outputs) {
      OutputSpec spec{.argument = argument};
      if (const auto found = mutated_.find(name_of(argument)); found != mutated_.end()) {
        spec.kind = OutputSpec::Kind::buffer_mutation;
        spec.target = found->second;
      }
      signature_.outputs.push_back(std::move(spec));
    }
  }

  JsonReader& json_;
  GraphReader& reader_;
  const Graph& graph_;
  Signature signature_;
  Names parameters_, buffers_, mutated_;
  bool by_names_ = false;
};

void check_count(const JsonReader& json, std::string_view what, std::size_t specs, std::size_t values) {
  if (specs == values) return;
  json.fail(fmt::format("the signature has {} {} but the graph has {}", specs, what, values));
}

}  // namespace

Signature read_signature(JsonReader& json, GraphReader& reader, const Graph& graph) {
  return SignatureReader(json, reader, graph).read();
}

void check_signature(const JsonReader& json, const Signature& signature, const Graph& graph) {
  check_count(json, "inputs", signature.inputs.size(), graph.inputs.size());
  check_count(json, "outputs", signature.outputs.size(), graph.outputs.size());
  for (std::size_t i = 0; i < graph.inputs.size(); ++i) {
    const std::string_view specified = name_of(signature.inputs[i].argument), name = name_of(graph.inputs[i]);
    if (!specified.empty() && !name.empty() && specified != name) {
      json.fail(fmt::format("input {} is '{}' in the signature but '{}' in the graph", i, specified, name));
    }
  }
}

}  // namespace cameo::exported
