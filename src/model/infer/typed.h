#pragma once
#include "model/file/open.h"
#include "model/infer/declare.h"

namespace cameo::model {

// A copy of a model that declares the types of all its values, as far as they are known.
class Typed {
 public:
  explicit Typed(const Opened& opened) : opened_(opened), walk_(opened_, false) {
    walk_.run();
    declarations_.declare(*opened_.model.graph, walk_);
  }
  const onnx::proto::Graph& graph() const { return opened_.graph(); }

 private:
  Opened opened_;
  Walk walk_;
  Declarations declarations_;
};

}  // namespace cameo::model
