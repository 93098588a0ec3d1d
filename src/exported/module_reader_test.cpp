#include "exported/module_reader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/text.h"
#include "exported/testing.h"

namespace cameo::exported {
namespace {

using ::testing::ElementsAre;
using ::testing::EndsWith;
using testing::error_of;
using ::testing::Pair;
using testing::ProgramText;

class ModuleReaderTest : public ::testing::Test {
 protected:
  Module read(const std::string& text) {
    return read_module(kept_.emplace_back(text), arena_, {.file = "a.pt2", .record = "a.json"});
  }
  Module read(const ProgramText& text) { return read(text.text()); }
  std::string fault(const ProgramText& text) {
    return error_of([&] { read(text); });
  }
  std::deque<std::string> kept_;
  Arena arena_;
};

TEST_F(ModuleReaderTest, Versions) {
  const Module module = read(ProgramText());
  EXPECT_EQ(module.versions.schema_major, 8);
  EXPECT_EQ(module.versions.schema_minor, 14);
  EXPECT_EQ(module.versions.torch_version, "2.9.1+cpu");
  EXPECT_THAT(module.versions.verifiers, ElementsAre("TRAINING"));
  EXPECT_THAT(module.versions.opsets, ElementsAre(Pair("aten", 10)));
  ProgramText old;
  old.version = "2";
  old.more = R"(, "dialect": "ATEN")";
  EXPECT_EQ(read(old).versions.schema_major, 2);
  EXPECT_THAT(read(old).versions.verifiers, ElementsAre("ATEN"));
}

TEST_F(ModuleReaderTest, RefusesOtherMajors) {
  ProgramText text;
  text.version = R"({"major": 9, "minor": 1})";
  text.nodes = "null";
  EXPECT_EQ(
      fault(text),
      "a.json: the program has schema version 9.1, written by PyTorch 2.9.1+cpu; versions 1 to 8 can be read "
      "[unsupported-schema]");
  EXPECT_EQ(error_of([&] { read("{}"); }),
            "a.json: the program has schema version 0.0; versions 1 to 8 can be read [unsupported-schema]");
}

TEST_F(ModuleReaderTest, RangesAndGuards) {
  ProgramText text;
  text.ranges =
      R"({"s0": {"min_val": 2, "max_val": null}, "2*s0": {"min_val": -Infinity, "max_val": 9223372036854775806},
          "u0": {"min_val": 0, "max_val": "Infinity"}})";
  text.more = R"(, "guards_code": ["L['x'].size()[0] >= \u0032"])";
  const Module module = read(text);
  ASSERT_EQ(module.ranges.size(), 3U);
  EXPECT_EQ(module.ranges[0].symbol, "s0");
  EXPECT_EQ(module.ranges[0].min, 2);
  EXPECT_FALSE(module.ranges[0].max);
  EXPECT_FALSE(module.ranges[1].min);
  EXPECT_FALSE(module.ranges[1].max);
  EXPECT_EQ(module.ranges[2].min, 0);
  EXPECT_FALSE(module.ranges[2].max);
  EXPECT_THAT(module.guards, ElementsAre("L['x'].size()[0] >= 2"));
}

TEST_F(ModuleReaderTest, InputSpecs) {
  ProgramText text;
  text.inputs = R"([{"as_tensor": {"name": "a"}}, {"as_tensor": {"name": "b"}}, {"as_tensor": {"name": "c"}},
                    {"as_custom_obj": {"name": "o", "class_fqn": "C"}}, {"as_tensor": {"name": "t"}}, {"as_int": 3},
                    {"as_sym_int": {"as_name": "s"}}, {"as_none": true}, {"as_tensor": {"name": "z"}}])";
  text.signature =
      R"({"input_specs": [
            {"buffer": {"arg": {"name": "a"}, "buffer_name": "m.a", "persistent": false}},
            {"buffer": {"arg": {"name": "b"}, "buffer_name": "m.b"}},
            {"tensor_constant": {"arg": {"name": "c"}, "tensor_constant_name": "lifted"}},
            {"custom_obj": {"arg": {"name": "o", "class_fqn": "C"}, "custom_obj_name": "obj"}},
            {"token": {"arg": {"name": "t"}}},
            {"constant_input": {"name": "k", "value": {"as_int": 3}}},
            {"user_input": {"arg": {"as_sym_int": {"as_name": "s"}}}},
            {"user_input": {"arg": {"as_none": true}}},
            {"new_kind": {"arg": {}}}],
          "output_specs": [{"user_output": {"arg": {"as_tensor": {"name": "relu"}}}}]})";
  const std::vector<InputSpec> specs = read(text).signature.inputs;
  using Kind = InputSpec::Kind;
  std::vector<Kind> kinds;
  std::vector<std::string_view> names;
  for (const InputSpec& spec : specs) kinds.push_back(spec.kind), names.push_back(spec.name);
  EXPECT_THAT(kinds,
              ElementsAre(Kind::buffer, Kind::buffer, Kind::tensor_constant, Kind::custom_object, Kind::token,
                          Kind::constant_input, Kind::user_input, Kind::user_input, Kind::unknown));
  EXPECT_THAT(names, ElementsAre("a", "b", "c", "o", "t", "k", "s", "", ""));
  EXPECT_EQ(specs[0].target, "m.a");
  EXPECT_EQ(specs[0].persistent, false);
  EXPECT_FALSE(specs[1].persistent);
  EXPECT_EQ(specs[2].target, "lifted");
  EXPECT_EQ(specs[3].target, "obj");
  EXPECT_EQ(*specs[5].argument.get_if<std::int64_t>(), 3);
  EXPECT_EQ(specs[8].tag, "new_kind");
}

TEST_F(ModuleReaderTest, OutputSpecs) {
  ProgramText text;
  text.outputs =
      R"([{"as_tensor": {"name": "a"}}, {"as_tensor": {"name": "b"}}, {"as_int": 1}, {"as_none": true}])";
  text.signature =
      R"({"input_specs": [{"parameter": {"arg": {"name": "p_w"}, "parameter_name": "w"}},
                          {"user_input": {"arg": {"as_tensor": {"name": "x"}}}}],
          "output_specs": [{"buffer_mutation": {"arg": {"name": "a"}, "buffer_name": "m.a"}},
                           {"user_input_mutation": {"arg": {"name": "b"}, "user_input_name": "x"}},
                           {"user_output": {"arg": {"as_int": 1}}}, {"new_kind": {}}]})";
  const std::vector<OutputSpec> specs = read(text).signature.outputs;
  using Kind = OutputSpec::Kind;
  std::vector<Kind> kinds;
  for (const OutputSpec& spec : specs) kinds.push_back(spec.kind);
  EXPECT_THAT(
      kinds, ElementsAre(Kind::buffer_mutation, Kind::user_input_mutation, Kind::user_output, Kind::unknown));
  EXPECT_EQ(specs[0].target, "m.a");
  EXPECT_EQ(specs[0].argument.get_if<TensorName>()->name, "a");
  EXPECT_EQ(specs[1].target, "x");
  EXPECT_EQ(specs[3].tag, "new_kind");
}

TEST_F(ModuleReaderTest, SignatureMustFitTheGraph) {
  ProgramText text;
  text.inputs = R"([{"as_tensor": {"name": "x"}}])";
  EXPECT_THAT(fault(text),
              EndsWith(": the signature has 2 inputs but the graph has 1 [bad-exported-program]"));
  text = {};
  text.outputs = "[]";
  EXPECT_THAT(fault(text),
              EndsWith(": the signature has 1 outputs but the graph has 0 [bad-exported-program]"));
  text = {};
  text.inputs = R"([{"as_tensor": {"name": "x"}}, {"as_tensor": {"name": "y"}}])";
  EXPECT_THAT(fault(text),
              EndsWith(": input 0 is 'p_w' in the signature but 'x' in the graph [bad-exported-program]"));
}

TEST_F(ModuleReaderTest, MissingParts) {
  EXPECT_EQ(error_of([&] { read(R"({"schema_version": 1})"); }),
            "a.json@21: the program has no 'graph_module' [bad-exported-program]");
  EXPECT_EQ(error_of([&] { read(R"({"schema_version": 1, "graph_module": {}})"); }),
            "a.json@40: the program has no 'graph' [bad-exported-program]");
  EXPECT_EQ(error_of([&] { read(R"({"schema_version": 1, "graph_module": {"graph": {}}})"); }),
            "a.json@51: the program has no 'signature' [bad-exported-program]");
  EXPECT_EQ(error_of([&] { read("[]"); }),
            "a.json@0: the program must be an object, not a list [bad-exported-program]");
}

TEST_F(ModuleReaderTest, SignatureOfSchema1) {
  ProgramText text;
  text.version = "1";
  text.inputs =
      R"([{"as_tensor": {"name": "arg0_1"}}, {"as_tensor": {"name": "arg1_1"}}, {"as_tensor": {"name": "x"}}])";
  text.outputs = R"([{"as_tensor": {"name": "add"}}, {"as_tensor": {"name": "relu"}}])";
  text.signature =
      R"({"inputs_to_parameters": {"arg0_1": "w"}, "inputs_to_buffers": {"arg1_1": "b"}, "user_inputs": ["x"],
          "user_outputs": ["relu"], "buffers_to_mutate": {"add": "b"}, "backward_signature": null})";
  text.more_module =
      R"(, "call_spec": {"in_spec": "[1, {\"type\": \"builtins.tuple\", \"context\": \"null\", \"children_spec\": []}]",
                         "out_spec": "[1, {\"type\": null, \"context\": null, \"children_spec\": []}]"})";
  text.more_graph = R"(, "constants": {"_tensor_constant0": "UEs="})";
  const Module module = read(text);
  const Signature& signature = module.signature;
  ASSERT_EQ(signature.inputs.size(), 3U);
  EXPECT_EQ(signature.inputs[0].kind, InputSpec::Kind::parameter);
  EXPECT_EQ(signature.inputs[0].target, "w");
  EXPECT_EQ(signature.inputs[1].kind, InputSpec::Kind::buffer);
  EXPECT_EQ(signature.inputs[1].target, "b");
  EXPECT_EQ(signature.inputs[2].kind, InputSpec::Kind::user_input);
  ASSERT_EQ(signature.outputs.size(), 2U);
  EXPECT_EQ(signature.outputs[0].kind, OutputSpec::Kind::buffer_mutation);
  EXPECT_EQ(signature.outputs[0].target, "b");
  EXPECT_EQ(signature.outputs[1].kind, OutputSpec::Kind::user_output);
  ASSERT_EQ(module.calls.size(), 1U);
  EXPECT_EQ(module.calls[0].signature->in_spec.kind, TreeSpec::Kind::tuple);
  ASSERT_EQ(module.constants.size(), 1U);
  EXPECT_EQ(module.constants[0].base64, "UEs=");
}

// Module calls and tree specs

std::string quoted(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out + "\"";
}

ProgramText with_spec(std::string_view in_spec) {
  ProgramText text;
  text.calls = fmt::format(
      R"([{{"fqn": "", "signature": {{"inputs": [], "outputs": [], "in_spec": {}, "out_spec": {},
           "forward_arg_names": ["x", "y"]}}}}, {{"fqn": "layer", "signature": null}}])",
      quoted(in_spec), quoted(R"([1, {"type": null, "context": null, "children_spec": []}])"));
  text.more_module = R"(, "treespec_namedtuple_fields": {"m.Point": {"field_names": ["a", "b"]}})";
  return text;
}

constexpr std::string_view kLeaf = R"({"type": null, "context": null, "children_spec": []})";

std::string container(std::string_view type, std::string_view context,
                      std::initializer_list<std::string_view> children) {
  return fmt::format(R"({{"type": "{}", "context": {}, "children_spec": [{}]}})", type, context,
                     join(children, ", "));
}

TEST_F(ModuleReaderTest, ModuleCalls) {
  const std::string args = container("builtins.tuple", "\"null\"", {kLeaf, kLeaf});
  const std::string kwargs = container("builtins.dict", quoted(R"(["k", 3, null])"), {kLeaf, kLeaf, kLeaf});
  const Module module =
      read(with_spec(fmt::format("[1, {}]", container("builtins.tuple", "\"null\"", {args, kwargs}))));
  ASSERT_EQ(module.calls.size(), 2U);
  EXPECT_EQ(module.calls[1].path, "layer");
  EXPECT_FALSE(module.calls[1].signature);
  const ModuleCallSignature& signature = *module.calls[0].signature;
  EXPECT_THAT(*signature.argument_names, ElementsAre("x", "y"));
  EXPECT_EQ(signature.out_spec.kind, TreeSpec::Kind::leaf);
  EXPECT_EQ(signature.in_spec.leaves(), 5U);
  const TreeSpec& dict = signature.in_spec.children.at(1);
  EXPECT_EQ(dict.kind, TreeSpec::Kind::dict);
  ASSERT_EQ(dict.keys.size(), 3U);
  EXPECT_EQ(std::get<std::string_view>(dict.keys[0]), "k");
  EXPECT_EQ(std::get<std::int64_t>(dict.keys[1]), 3);
  EXPECT_EQ(std::get<TreeSpec::OtherKey>(dict.keys[2]).json, "null");
}

TEST_F(ModuleReaderTest, TreeSpecs) {
  const auto spec = [&](const std::string& node) {
    return read(with_spec(fmt::format("[1, {}]", node))).calls.at(0).signature->in_spec;
  };
  const TreeSpec point = spec(container("collections.namedtuple", "\"m.Point\"", {kLeaf, kLeaf}));
  EXPECT_EQ(point.kind, TreeSpec::Kind::named_tuple);
  EXPECT_EQ(point.type, "m.Point");
  EXPECT_EQ(std::get<std::string_view>(point.keys.at(1)), "b");
  EXPECT_TRUE(spec(container("collections.namedtuple", "\"m.Other\"", {kLeaf})).keys.empty());
  const TreeSpec ordered = spec(container("collections.OrderedDict", R"(["a"])", {kLeaf}));
  EXPECT_EQ(std::get<std::string_view>(ordered.keys.at(0)), "a");
  const TreeSpec factory = spec(container(
      "collections.defaultdict", R"({"default_factory_name": "int", "dict_context": ["a"]})", {kLeaf}));
  EXPECT_EQ(factory.kind, TreeSpec::Kind::dict);
  EXPECT_EQ(factory.keys.size(), 1U);
  const TreeSpec cache = spec(container("transformers.DynamicCache", R"([["k"], ["v"]])", {kLeaf, kLeaf}));
  EXPECT_EQ(cache.kind, TreeSpec::Kind::other);
  EXPECT_EQ(cache.type, "transformers.DynamicCache");
  EXPECT_EQ(cache.leaves(), 2U);
}

TEST_F(ModuleReaderTest, WrongTreeSpecs) {
  EXPECT_THAT(fault(with_spec("[2, {}]")),
              EndsWith(": a tree spec has version 2; only version 1 is known [bad-exported-program]"));
  EXPECT_THAT(fault(with_spec("[1]")), EndsWith(": a tree spec has no tree [bad-exported-program]"));
  EXPECT_THAT(fault(with_spec(fmt::format("[1, {}]", container("builtins.dict", quoted("[]"), {kLeaf})))),
              EndsWith(": a dict of a tree spec has 0 keys but 1 children [bad-exported-program]"));
  EXPECT_THAT(fault(with_spec(R"([1, {"type": null, "children_spec": [{"type": null}]}])")),
              EndsWith(": a leaf of a tree spec has children [bad-exported-program]"));
  EXPECT_THAT(fault(with_spec("[1, {")),
              EndsWith(": the JSON text is damaged: it ends in the middle [bad-json]"));
}

}  // namespace
}  // namespace cameo::exported
