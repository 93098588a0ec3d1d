#pragma once
#include "onnx/emit/emit.h"
#include "onnx/upgrade/upgrade.h"

namespace cameo::onnx {

// Makes the values that an upgraded node needs with an emitter.
class EmitMaker final : public Maker {
 public:
  explicit EmitMaker(Emit& e) : emit_(e) {}
  Value* constant(DataPtr data) override { return emit_.constant(std::move(data)); }
  Value* op(std::string_view type, std::vector<Value*> inputs, Attributes attributes) override {
    return emit_.op(type, std::move(inputs), std::move(attributes));
  }

 private:
  Emit& emit_;
};

}  // namespace cameo::onnx
