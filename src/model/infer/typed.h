#pragma once
#include <string>

#include "model/file/open.h"
#include "model/infer/declare.h"

namespace cameo::model {

// A model that says the types of all its values, as far as they can be known.
class Typed {
 public:
  explicit Typed(const std::string& path) : opened_(path), walk_(opened_, false) {
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
