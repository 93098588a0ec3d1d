#include "exported/graph_reader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "exported/testing.h"

namespace cameo::exported {
namespace {

using ::testing::ElementsAre;
using testing::error_of;
using ::testing::Optional;
using testing::ProgramText;

class GraphReaderTest : public ::testing::Test {
 protected:
  template <class F>
  auto read(std::string_view text, const F& function) {
    kept_.emplace_back(text);
    JsonReader json(kept_.back(), arena_.texts, {.file = "a.pt2", .record = "a.json"});
    GraphReader reader(json, arena_);
    auto result = function(reader);
    json.end();
    return result;
  }
  Argument argument(std::string_view text) {
    return read(text, [](GraphReader& reader) { return reader.argument(); });
  }
  template <class T>
  T argument_of(std::string_view text) {
    return std::get<T>(argument(text).data);
  }
  Graph graph(std::string_view text) {
    return read(text, [](GraphReader& reader) { return reader.graph(); });
  }
  TensorMeta meta(std::string_view text) {
    return read(text, [](GraphReader& reader) { return reader.tensor_meta(); });
  }
  std::deque<std::string> kept_;
  Arena arena_;
};

TEST_F(GraphReaderTest, ScalarArguments) {
  EXPECT_TRUE(argument(R"({"as_none": true})").is_none());
  EXPECT_TRUE(argument(R"({"as_none": []})").is_none());
  EXPECT_EQ(argument_of<TensorName>(R"({"as_tensor": {"name": "x"}})").name, "x");
  EXPECT_EQ(argument_of<std::int64_t>(R"({"as_int": 9223372036854775807})"), 9223372036854775807);
  EXPECT_EQ(argument_of<double>(R"({"as_float": "-Infinity"})"), -std::numeric_limits<double>::infinity());
  EXPECT_EQ(argument_of<double>(R"({"as_float": 1})"), 1.0);
  EXPECT_FALSE(argument_of<bool>(R"({"as_bool": false})"));
  EXPECT_EQ(argument_of<std::string_view>(R"({"as_string": ""})"), "");
  EXPECT_EQ(argument_of<Operator>(R"({"as_operator": "torch.ops.a.b.c"})").target, "torch.ops.a.b.c");
  EXPECT_EQ(argument_of<Complex>(R"({"as_complex": {"real": 1.5, "imag": -2}})").imag, -2.0);
  EXPECT_EQ(argument_of<Device>(R"({"as_device": {"type": "cuda", "index": 1}})").index, 1);
  EXPECT_EQ(argument_of<CustomObject>(R"({"as_custom_obj": {"name": "o", "class_fqn": "a.B"}})").class_name,
            "a.B");
  EXPECT_EQ(std::get<SymName>(argument_of<SymIntArgument>(R"({"as_sym_int": {"as_name": "s"}})")).name, "s");
  EXPECT_EQ(std::get<double>(argument_of<SymFloatArgument>(R"({"as_sym_float": {"as_float": 2.5}})")), 2.5);
  EXPECT_TRUE(std::get<bool>(argument_of<SymBoolArgument>(R"({"as_sym_bool": {"as_bool": true}})")));
  EXPECT_EQ(argument_of<TensorName>(R"({"as_optional_tensor": {"as_tensor": {"name": "x"}}})").name, "x");
  EXPECT_TRUE(argument(R"({"as_optional_tensor": {"as_none": true}})").is_none());
}

TEST_F(GraphReaderTest, ListArguments) {
  EXPECT_THAT(argument_of<std::vector<std::int64_t>>(R"({"as_ints": [1, -2]})"), ElementsAre(1, -2));
  EXPECT_THAT(argument_of<std::vector<double>>(R"({"as_floats": [1, Infinity]})"),
              ElementsAre(1.0, std::numeric_limits<double>::infinity()));
  EXPECT_THAT(argument_of<std::vector<bool>>(R"({"as_bools": [true, false]})"), ElementsAre(true, false));
  EXPECT_THAT(argument_of<std::vector<std::string_view>>(R"({"as_strings": ["a"]})"), ElementsAre("a"));
  EXPECT_TRUE(argument_of<std::vector<TensorName>>(R"({"as_tensors": []})").empty());
  EXPECT_THAT(argument_of<std::vector<std::vector<std::int64_t>>>(R"({"as_int_lists": [[1], []]})"),
              ElementsAre(ElementsAre(1), ElementsAre()));
  EXPECT_THAT(argument_of<std::vector<std::vector<double>>>(R"({"as_float_lists": [[0.5]]})"),
              ElementsAre(ElementsAre(0.5)));
  const auto nested =
      argument_of<std::vector<std::vector<TensorName>>>(R"({"as_nested_tensors": [[{"name": "a"}]]})");
  EXPECT_EQ(nested.at(0).at(0).name, "a");
  const auto sizes =
      argument_of<std::vector<SymIntArgument>>(R"({"as_sym_ints": [{"as_name": "s"}, {"as_int": -1}]})");
  EXPECT_EQ(std::get<std::int64_t>(sizes.at(1)), -1);
  EXPECT_EQ(argument_of<std::vector<SymBoolArgument>>(R"({"as_sym_bools": [{"as_bool": true}]})").size(), 1U);
  EXPECT_EQ(argument_of<std::vector<SymFloatArgument>>(R"({"as_sym_floats": []})").size(), 0U);
  const auto dict = argument_of<std::vector<DictEntry>>(R"({"as_string_to_argument": {"k": {"as_int": 4}}})");
  EXPECT_EQ(dict.at(0).key, "k");
  EXPECT_EQ(*dict.at(0).value.get_if<std::int64_t>(), 4);
}

// Schema 1 and 2 have a bare name in an optional tensor.
TEST_F(GraphReaderTest, OptionalTensors) {
  for (const std::string_view text :
       {R"({"as_optional_tensors": [{"as_none": true}, {"as_tensor": {"name": "i"}}]})",
        R"({"as_optional_tensors": [{"as_tensor": null, "as_none": []},
                                                                  {"as_tensor": "i", "as_none": null}]})"}) {
    const auto tensors = argument_of<std::vector<std::optional<TensorName>>>(text);
    ASSERT_EQ(tensors.size(), 2U);
    EXPECT_FALSE(tensors[0]);
    EXPECT_EQ(tensors[1]->name, "i");
  }
}

TEST_F(GraphReaderTest, Enumerators) {
  EXPECT_EQ(argument_of<DType>(R"({"as_scalar_type": 7})"), DType::f32);
  EXPECT_EQ(argument_of<DType>(R"({"as_scalar_type": 28})"), DType::u16);
  EXPECT_EQ(argument_of<DType>(R"({"as_scalar_type": 35})"), DType::u64);
  EXPECT_EQ(argument_of<DType>(R"({"as_scalar_type": "BFLOAT16"})"), DType::bf16);
  EXPECT_EQ(argument_of<MemoryFormat>(R"({"as_memory_format": 4})"), MemoryFormat::preserve);
  EXPECT_EQ(argument_of<Layout>(R"({"as_layout": 7})"), Layout::strided);
  EXPECT_EQ(argument_of<Layout>(R"({"as_layout": "SparseCsc"})"), Layout::csc);
  const auto unknown = argument_of<Unknown>(R"({"as_scalar_type": 99 })");
  EXPECT_EQ(unknown.tag, "as_scalar_type");
  EXPECT_EQ(unknown.json, "99 ");
}

TEST_F(GraphReaderTest, UnknownAlternative) {
  const auto unknown = argument_of<Unknown>(R"({"as_new_thing": {"a": [1]}})");
  EXPECT_EQ(unknown.tag, "as_new_thing");
  EXPECT_EQ(unknown.json, R"({"a": [1]})");
}

// Majors 1 to 4 write all alternatives of a union, and null for all but one.
TEST_F(GraphReaderTest, UnionsOfOldVersions) {
  EXPECT_EQ(
      argument_of<std::int64_t>(R"({"as_none": null, "as_tensor": null, "as_int": 0, "as_bool": null})"), 0);
  EXPECT_TRUE(
      argument_of<std::vector<std::int64_t>>(R"({"as_none": null, "as_ints": [], "as_new": null})").empty());
  EXPECT_EQ(error_of([&] { argument(R"({"as_int": 1, "as_bool": true})"); }),
            "a.json@25: an argument has two values, 'as_int' and 'as_bool' [bad-exported-program]");
  EXPECT_EQ(error_of([&] { argument(R"({"as_int": null})"); }),
            "a.json@16: an argument has no value [bad-exported-program]");
  EXPECT_EQ(error_of([&] { argument("{}"); }), "a.json@2: an argument has no value [bad-exported-program]");
}

TEST_F(GraphReaderTest, WrongArguments) {
  EXPECT_EQ(error_of([&] { argument(R"({"as_int": "1"})"); }),
            "a.json@11: 'as_int' must be an integer, not a string [bad-exported-program]");
  EXPECT_EQ(error_of([&] { argument(R"({"as_ints": [1, true]})"); }),
            "a.json@16: 'as_ints' must be an integer, not a boolean [bad-exported-program]");
  EXPECT_EQ(error_of([&] { argument(R"({"as_tensor": {}})"); }),
            "a.json@16: an argument has no 'name' [bad-exported-program]");
  EXPECT_EQ(error_of([&] { argument(R"({"as_optional_tensor": {"as_int": 1}})"); }),
            "a.json@34: an optional tensor has the unknown value 'as_int' [bad-exported-program]");
  EXPECT_EQ(error_of([&] { argument(R"({"as_sym_int": {"as_bool": true}})"); }),
            "a.json@27: a symbolic argument has the unknown value 'as_bool' [bad-exported-program]");
  EXPECT_EQ(error_of([&] { argument(R"({"as_graph": {"name": "g"}})"); }),
            "a.json@26: a subgraph has no 'graph' [bad-exported-program]");
}

TEST_F(GraphReaderTest, TensorMetadata) {
  const TensorMeta tensor = meta(
      R"x({"dtype": 7, "sizes": [{"as_expr": {"expr_str": "Symbol('s0')", "hint": {"as_int": 4}}}, {"as_int": 3}],
           "requires_grad": true, "device": {"type": "cuda", "index": 0}, "strides": [{"as_int": 3}, {"as_int": 1}],
           "storage_offset": {"as_int": 5}, "layout": 7, "new_field": [{}]})x");
  EXPECT_EQ(tensor.dtype, DType::f32);
  ASSERT_EQ(tensor.sizes.size(), 2U);
  EXPECT_EQ(tensor.sizes[0].expression->text, "Symbol('s0')");
  EXPECT_EQ(std::get<std::int64_t>(tensor.sizes[0].expression->hint), 4);
  EXPECT_EQ(tensor.sizes[1].expression, nullptr);
  EXPECT_EQ(tensor.sizes[1].value, 3);
  EXPECT_EQ(tensor.storage_offset.value, 5);
  EXPECT_TRUE(tensor.requires_grad);
  EXPECT_EQ(tensor.device.type, "cuda");
  EXPECT_EQ(meta(R"({"dtype": 77})").dtype, DType::undefined);
  EXPECT_EQ(meta(R"({"dtype": 77})").scalar_type, 77);
}

// Schema 1 has the metadata in a structure of its own, and schema 2 an integer as the offset.
TEST_F(GraphReaderTest, TensorMetadataOfOldVersions) {
  const TensorMeta tensor = meta(
      R"({"meta": {"dtype": 5, "sizes": [{"as_expr": {"expr_str": "s0", "hint": 4}, "as_int": null}],
          "storage_offset": 0}})");
  EXPECT_EQ(tensor.dtype, DType::i64);
  EXPECT_EQ(std::get<std::int64_t>(tensor.sizes.at(0).expression->hint), 4);
  EXPECT_EQ(error_of([&] { meta(R"({"sizes": [{"as_expr": {"hint": null}}]})"); }),
            "a.json@37: a symbolic number has no expression [bad-exported-program]");
  EXPECT_EQ(error_of([&] { meta(R"({"sizes": [{"as_name": "s"}]})"); }),
            "a.json@23: a symbolic number has the unknown value 'as_name' [bad-exported-program]");
}

TEST_F(GraphReaderTest, Graph) {
  ProgramText text;
  text.more_graph =
      R"(, "is_single_tensor_return": true, "sym_float_values": {"f": {"as_float": 0.5}},
         "custom_obj_values": {"o": {"name": "o", "class_fqn": "C"}}, "new_table": {})";
  const Graph graph = this->graph(text.graph());
  EXPECT_EQ(graph.inputs.size(), 2U);
  EXPECT_EQ(graph.outputs.size(), 1U);
  ASSERT_EQ(graph.nodes.size(), 2U);
  const Node& add = graph.nodes[0];
  EXPECT_EQ(add.target, "torch.ops.aten.add.Tensor");
  EXPECT_EQ(add.name, "add");
  EXPECT_FALSE(add.hop_single_return);
  ASSERT_EQ(add.inputs.size(), 2U);
  EXPECT_EQ(add.inputs[1].name, "other");
  EXPECT_EQ(add.inputs[1].kind, ArgumentKind::positional);
  EXPECT_THAT(add.metadata("stack_trace"), Optional(std::string("File \"a.py\", line 3\n")));
  EXPECT_FALSE(add.metadata("torch_fn"));
  EXPECT_FALSE(Node{}.metadata("torch_fn"));
  EXPECT_TRUE(graph.single_tensor_return);
  EXPECT_EQ(graph.tensor("x")->sizes.at(0).value, 2);
  EXPECT_EQ(graph.tensor("z"), nullptr);
  EXPECT_EQ(graph.sym_floats.at("f").value, 0.5);
  EXPECT_EQ(graph.custom_objects.at("o").class_name, "C");
}

TEST_F(GraphReaderTest, SymbolicTables) {
  ProgramText text;
  text.more_graph =
      R"(, "sym_int_values": {"a": {"as_int": 7}, "b": {"as_expr": {"expr_str": "s0", "hint": null}}},
         "sym_bool_values": {"c": {"as_expr": "s0 > 2", "as_bool": null}})";
  const Graph graph = this->graph(text.graph());
  EXPECT_EQ(graph.sym_ints.at("a").value, 7);
  EXPECT_EQ(graph.sym_ints.at("b").expression->text, "s0");
  EXPECT_EQ(graph.sym_bools.at("c").expression->text, "s0 > 2");
}

TEST_F(GraphReaderTest, Subgraphs) {
  const std::string inner = ProgramText().graph();
  ProgramText text;
  text.nodes = fmt::format(
      R"([{{"target": "torch.ops.higher_order.cond", "inputs": [{{"name": "", "arg": {{"as_graph": {{"name": "t",
           "graph": {}}}}}}}], "outputs": [], "metadata": null, "is_hop_single_tensor_return": true}}])",
      inner);
  const Graph graph = this->graph(text.graph());
  const Node& node = graph.nodes.at(0);
  EXPECT_EQ(node.hop_single_return, true);
  EXPECT_FALSE(node.metadata("stack_trace"));
  const auto* subgraph = node.inputs.at(0).value.get_if<Subgraph>();
  ASSERT_NE(subgraph, nullptr);
  EXPECT_EQ(subgraph->name, "t");
  EXPECT_EQ(subgraph->graph->nodes.size(), 2U);
  EXPECT_EQ(node.inputs[0].kind, ArgumentKind::unknown);
}

TEST_F(GraphReaderTest, NodeWithoutTarget) {
  ProgramText text;
  text.nodes = R"([{"inputs": []}])";
  EXPECT_THAT(error_of([&] { graph(text.graph()); }),
              ::testing::EndsWith(": a node has no 'target' [bad-exported-program]"));
}

}  // namespace
}  // namespace cameo::exported
