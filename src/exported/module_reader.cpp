#include "exported/module_reader.h"

#include <charconv>

#include "cameo/diagnostic.h"
#include "exported/signature_reader.h"
#include "exported/tree_spec_reader.h"
#include "exported/union.h"

namespace cameo::exported {
namespace {

constexpr std::int64_t kOldestMajor = 1, kNewestMajor = 8;
// Bounds beyond these are PyTorch's way to say that there is none.
constexpr std::int64_t kLargestBound = std::int64_t{1} << 62U;

class ModuleReader {
 public:
  ModuleReader(std::string_view text, Arena& arena, const JsonSource& source)
      : json_(text, arena.texts, source), arena_(arena) {}

  Module read() {
    std::string_view graph_module;
    json_.object([&](std::string_view key) {
      if (key == "graph_module") {
        graph_module = json_.raw();
      } else if (!read_version(key)) {
        read_other(key);
      }
    });
    json_.end();
    check_version();
    if (graph_module.empty()) json_.fail("the program has no 'graph_module'");
    JsonReader json = json_.part(graph_module);
    read_graph_module(json);
    return std::move(module_);
  }

 private:
  bool read_version(std::string_view key) {
    Versions& versions = module_.versions;
    if (key == "schema_version") {
      read_schema_version();
    } else if (key == "torch_version") {
      read_optional(json_, [&] { versions.torch_version = json_.string(); });
    } else if (key == "verifiers") {
      read_optional(json_, [&] { versions.verifiers = read_list(json_, [&] { return json_.string(); }); });
    } else if (key == "dialect") {
      read_optional(json_, [&] { versions.verifiers = {json_.string()}; });
    } else if (key == "opset_version") {
      read_optional(json_, [&] {
        json_.object([&](std::string_view name) { versions.opsets.emplace_back(name, json_.integer()); });
      });
    } else {
      return false;
    }
    return true;
  }

  void read_schema_version() {
    Versions& versions = module_.versions;
    if (json_.type() == JsonReader::Type::number) {
      versions.schema_major = json_.integer();
      return;
    }
    json_.object([&](std::string_view key) {
      if (key == "major") {
        versions.schema_major = json_.integer();
      } else if (key == "minor") {
        versions.schema_minor = json_.integer();
      } else {
        json_.raw();
      }
    });
  }

  void check_version() const {
    const Versions& versions = module_.versions;
    if (versions.schema_major >= kOldestMajor && versions.schema_major <= kNewestMajor) return;
    const std::string by =
        versions.torch_version.empty() ? "" : fmt::format(", written by PyTorch {}", versions.torch_version);
    throw Error(Diagnostic{
        .code = Code::unsupported_schema,
        .message = fmt::format("the program has schema version {}.{}{}; versions {} to {} can be read",
                               versions.schema_major, versions.schema_minor, by, kOldestMajor, kNewestMajor),
        .file = json_.source().file,
        .record = json_.source().record,
        .hint = "save the program with another version of PyTorch, or use a newer version of this program"});
  }

  void read_other(std::string_view key) {
    if (key == "range_constraints") {
      read_optional(json_, [&] { json_.object([&](std::string_view symbol) { read_range(symbol); }); });
    } else if (key == "guards_code") {
      read_optional(json_, [&] { json_.array([&] { module_.guards.emplace_back(json_.string()); }); });
    } else {
      json_.raw();
    }
  }

  void read_range(std::string_view symbol) {
    Range range{.symbol = symbol};
    json_.object([&](std::string_view key) {
      if (key == "min_val") {
        range.min = bound();
      } else if (key == "max_val") {
        range.max = bound();
      } else {
        json_.raw();
      }
    });
    module_.ranges.push_back(range);
  }

  // Up to schema 7.4 an open bound is Infinity, and later null.
  std::optional<std::int64_t> bound() {
    if (json_.type() == JsonReader::Type::string || json_.next_is_null()) {
      json_.raw();
      return std::nullopt;
    }
    const std::string_view digits = json_.number();
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    const bool exact = error == std::errc() && end == digits.data() + digits.size();
    if (!exact || value >= kLargestBound || value <= -kLargestBound) return std::nullopt;
    return value;
  }

  void read_graph_module(JsonReader& json) {
    std::string_view signature, calls, call_spec;
    bool has_graph = false;
    GraphReader reader(json, arena_);
    json.object([&](std::string_view key) {
      if (key == "graph") {
        module_.graph = reader.graph();
        has_graph = true;
      } else if (key == "signature") {
        signature = json.raw();
      } else if (key == "module_call_graph") {
        calls = json.raw();
      } else if (key == "call_spec") {
        call_spec = json.raw();
      } else if (key == "treespec_namedtuple_fields") {
        read_optional(json, [&] { read_fields(json); });
      } else {
        json.raw();
      }
    });
    if (!has_graph) json.fail("the program has no 'graph'");
    if (signature.empty()) json.fail("the program has no 'signature'");
    module_.constants = reader.constants();
    JsonReader part = json.part(signature);
    GraphReader argument_reader(part, arena_);
    module_.signature = read_signature(part, argument_reader, module_.graph);
    check_signature(json.part(signature), module_.signature, module_.graph);
    if (!calls.empty()) read_calls(json.part(calls));
    if (!call_spec.empty()) read_call_spec(json.part(call_spec));
  }

  void read_fields(JsonReader& json) {
    json.object([&](std::string_view type) {
      json.object([&](std::string_view key) {
        if (key == "field_names") {
          fields_.insert_or_assign(type, read_list(json, [&] { return json.string(); }));
        } else {
          json.raw();
        }
      });
    });
  }

  void read_calls(JsonReader json) {
    GraphReader reader(json, arena_);
    json.array([&] {
      ModuleCall call;
      json.object([&](std::string_view key) {
        if (key == "fqn") {
          call.path = json.string();
        } else if (key == "signature") {
          read_optional(json, [&] { call.signature = call_signature(json, reader); });
        } else {
          json.raw();
        }
      });
      module_.calls.push_back(std::move(call));
    });
  }

  ModuleCallSignature call_signature(JsonReader& json, GraphReader& reader) {
    ModuleCallSignature signature;
    json.object([&](std::string_view key) {
      if (key == "inputs") {
        signature.inputs = reader.arguments();
      } else if (key == "outputs") {
        signature.outputs = reader.arguments();
      } else if (key == "in_spec") {
        signature.in_spec = read_tree_spec(json, json.string(), fields_);
      } else if (key == "out_spec") {
        signature.out_spec = read_tree_spec(json, json.string(), fields_);
      } else if (key == "forward_arg_names") {
        read_optional(json,
                      [&] { signature.argument_names = read_list(json, [&] { return json.string(); }); });
      } else {
        json.raw();
      }
    });
    return signature;
  }

  // Schema 1 has the structure of the root's arguments beside the module calls.
  void read_call_spec(JsonReader json) {
    if (json.next_is_null()) return;
    GraphReader reader(json, arena_);
    ModuleCallSignature signature = call_signature(json, reader);
    for (ModuleCall& call : module_.calls) {
      if (!call.path.empty()) continue;
      if (!call.signature) call.signature = std::move(signature);
      return;
    }
    module_.calls.push_back({.path = {}, .signature = std::move(signature)});
  }

  JsonReader json_;
  Arena& arena_;
  Module module_;
  NamedTupleFields fields_;
};

}  // namespace

Module read_module(std::string_view text, Arena& arena, const JsonSource& source) {
  return ModuleReader(text, arena, source).read();
}

}  // namespace cameo::exported
