#include "model/rewrite/keep.h"

#include <gtest/gtest.h>

#include "cameo/diagnostic.h"

namespace cameo::model {
namespace {

onnx::proto::Node node(std::string_view name) {
  onnx::proto::Node made;
  made.op_type = "MatMul";
  made.name = name;
  return made;
}

TEST(KeepTest, NodesModulesOperatorsAndWeights) {
  const onnx::proto::Node product = node("/model/lm_head/MatMul");
  for (const char* pattern : {"MatMul", "/model/lm_head/MatMul", "model", "model/lm_head", "*lm_head"})
    EXPECT_TRUE(Kept({pattern})(product)) << pattern;
  EXPECT_FALSE(Kept({"lm_head"})(node("/head/MatMul")));
  EXPECT_TRUE(Kept({"lm_head*"})(node("/head/MatMul"), "lm_head.weight"));
  EXPECT_FALSE(Kept({})(product));
}

TEST(KeepTest, ModulesOfMetadata) {
  onnx::proto::Node made = node("node_7");
  made.metadata.push_back({.key = "module", .value = "layer1.0.conv", .unknown = {}});
  EXPECT_TRUE(Kept({"layer1.0"})(made));
  EXPECT_TRUE(Kept({"layer1.*"})(made));
  EXPECT_FALSE(Kept({"layer2"})(made));
}

TEST(KeepTest, PatternsThatMatchNothing) {
  Kept kept({"MatMul", "Conv"});
  kept(node("/a"));
  try {
    kept.require_matches("m.onnx");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.diagnostics().front().code, Code::no_such_node);
    EXPECT_EQ(error.diagnostics().front().message, "no node, module or operator matches 'Conv'");
  }
}

}  // namespace
}  // namespace cameo::model
