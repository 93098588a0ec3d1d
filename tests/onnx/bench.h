#pragma once
// A graph under test: inputs that are fed, outputs that are compared.

#include <string>
#include <utility>
#include <vector>

#include "cameo/opset.h"
#include "cameo/session.h"
#include "onnx/downgrade/downgrade.h"
#include "onnx/emit/emit.h"
#include "onnx/graph/finish.h"
#include "onnx/lower/lower.h"
#include "onnx/proto/encode.h"

namespace cameo::onnx::testing {

struct Bench {
  explicit Bench(int opset = kDefaultOpset) : emit(model, downgrade(), {.opset = opset}) {}

  Value* input(std::string name, DType dtype, Shape shape) {
    return emit.graph_input(&model.main(), {.dtype = dtype, .shape = std::move(shape)}, std::move(name));
  }
  Value* output(Value* value, std::string name = {}) {
    return emit.graph_output(&model.main(), value, std::move(name));
  }
  std::string bytes() {
    finish(model);
    verify(model);
    proto::Texts texts;
    return encode(Lowering(texts).model(model));
  }
  Session session() {
    const std::string file = bytes();
    return Session(std::as_bytes(std::span(file)), {.optimization = SessionOptions::Optimization::none});
  }

  Model model;
  Emit emit;
};

}  // namespace cameo::onnx::testing
