#pragma once
#include "model/file/open.h"
#include "model/graph/sort.h"
#include "model/infer/declare.h"

namespace cameo::model {

// A copy of a model that declares the types of all its values, as far as they are known.
class Typed {
 public:
  explicit Typed(const Opened& opened) : opened_(opened), types_(opened_, false) {
    sort_nodes(opened_);
    types_.run();
    declarations_.declare(*opened_.model.graph, types_);
  }
  const onnx::proto::Graph& graph() const { return opened_.graph(); }
  const Opened& opened() const { return opened_; }

 private:
  Opened opened_;
  ModelTypes types_;
  Declarations declarations_;
};

}  // namespace cameo::model
