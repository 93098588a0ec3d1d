// Writes the models that checker_test.py holds against the official checker.

#include <cstdio>

#include "bench.h"
#include "cameo/format.h"
#include "onnx/lower/lower.h"
#include "write/write.h"

namespace cameo::onnx::testing {
namespace {

void convolution(Bench& b) {
  sym::Context& symbols = b.emit.sym();
  Value* x = b.input("x", DType::f32, {symbols.symbol("batch"), 3, symbols.symbol("h"), symbols.symbol("w")});
  const std::vector<float> zeros(8 * 3 * 3 * 3);
  Value* weight = b.emit.constant(Data::of<float>(DType::f32, {8, 3, 3, 3}, std::span(zeros)), "conv.weight");
  Value* y =
      b.emit.op("Relu", {b.emit.op("Conv", {x, weight}, {{"strides", std::vector<std::int64_t>{2, 2}}})});
  y = b.emit.op("MaxPool", {y},
                {{"kernel_shape", std::vector<std::int64_t>{2, 2}}, {"ceil_mode", std::int64_t{1}}});
  y = b.emit.op("GlobalAveragePool", {y});
  b.output(b.emit.reshape(y, {(*x->type.shape)[0], 8}), "y");
}

void control(Bench& b) {
  Value* x = b.input("x", DType::f32, {b.emit.sym().symbol("n"), 2});
  Value* sum = b.emit.op("ReduceSum", {x}, {{"keepdims", std::int64_t{0}}});
  Value* condition = b.emit.op("Greater", {sum, b.emit.scalar(DType::f32, 0.0)});
  Graph* yes = b.emit.new_graph("");
  {
    Emit::Scope scope(b.emit, yes);
    b.emit.graph_output(yes, b.emit.op("Exp", {x}));
  }
  Graph* no = b.emit.new_graph("");
  {
    Emit::Scope scope(b.emit, no);
    b.emit.graph_output(no, x);
  }
  Value* chosen = b.emit.op("If", {condition}, {{"then_branch", yes}, {"else_branch", no}});
  Graph* body = b.emit.new_graph("");
  b.emit.graph_input(body, {.dtype = DType::i64, .shape = Shape{}});
  Value* again = b.emit.graph_input(body, {.dtype = DType::boolean, .shape = Shape{}});
  Value* carried = b.emit.graph_input(body, chosen->type);
  {
    Emit::Scope scope(b.emit, body);
    b.emit.graph_output(body, again);
    Value* next = b.emit.op("Mul", {carried, chosen});
    b.emit.graph_output(body, next);
    b.emit.graph_output(body, b.emit.op("ReduceMax", {next}, {{"keepdims", std::int64_t{0}}}));
  }
  const auto results = b.emit.ops(
      "Loop", {b.emit.dim((*x->type.shape)[0]), b.emit.scalar(DType::boolean, std::int64_t{1}), chosen},
      {{"body", body}}, 2);
  b.output(results[0], "last");
  b.output(results[1], "maxima");
}

void shapes(Bench& b) {
  const Dim n = b.emit.sym().symbol("n"), m = b.emit.sym().symbol("m");
  Value* x = b.input("x", DType::f32, {n, m});
  b.output(b.emit.reshape(x, {m, n}), "swapped");
  b.output(b.emit.dims({n * m, sym::floordiv(n - 7, 2), sym::max(n, m)}), "numbers");
  b.output(b.emit.expand(b.emit.scalar(DType::f32, 1.0), {n + 1, 4}), "ones");
  b.output(b.emit.slice(x, 0, sym::floordiv(n, 2), n), "half");
}

void translated(Bench& b) {
  Value* x = b.input("x", DType::f32, {b.emit.sym().symbol("n"), 4, 6});
  Value* y = b.emit.op("Gelu", {x});
  y = b.emit.op("GroupNormalization",
                {y, b.emit.expand(b.emit.scalar(DType::f32, 1.0), {4}),
                 b.emit.expand(b.emit.scalar(DType::f32, 0.0), {4})},
                {{"num_groups", std::int64_t{2}}});
  y = b.emit.op("ReduceMean", {y, b.emit.ints({-1})});
  b.output(b.emit.op("Pad", {y, b.emit.ints({1, 1}), nullptr, b.emit.ints({1})}), "y");
}

void sequences(Bench& b) {
  Value* x = b.input("x", DType::f32, {b.emit.sym().symbol("n"), 4});
  Value* list = b.emit.op("SequenceInsert", {b.emit.op("SequenceEmpty", {}), x});
  list = b.emit.op("SequenceInsert", {list, b.emit.op("Exp", {x})});
  b.output(b.emit.op("ConcatFromSequence", {list}, {{"axis", std::int64_t{0}}}), "y");
}

struct Entry {
  const char* name;
  void (*make)(Bench&);
};
constexpr Entry kModels[] = {{"convolution", convolution},
                             {"control", control},
                             {"shapes", shapes},
                             {"translated", translated},
                             {"sequences", sequences}};

}  // namespace
}  // namespace cameo::onnx::testing

int main(int argc, char** argv) {
  using namespace cameo::onnx::testing;
  if (argc != 2) return 2;
  try {
    for (const Entry& entry : kModels) {
      Bench bench;
      entry.make(bench);
      cameo::onnx::finish(bench.model);
      cameo::onnx::verify(bench.model);
      const std::string path = std::string(argv[1]) + "/" + entry.name;
      cameo::onnx::proto::Texts texts;
      cameo::write(cameo::onnx::Lowering(texts, {.value_info = true}).model(bench.model), path + ".onnx");
      cameo::write(cameo::onnx::Lowering(texts).model(bench.model), path + "-external.onnx",
                   {.external_data = cameo::ExternalData::always});
    }
  } catch (const cameo::Error& error) {
    std::fputs(cameo::format(error.diagnostics()).c_str(), stderr);
    return 1;
  }
}
