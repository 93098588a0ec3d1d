#pragma once
// The weights of a model that can be quantised.

#include <cstdint>
#include <vector>

#include "cameo/model.h"
#include "model/file/open.h"
#include "model/import/lift.h"
#include "model/rewrite/keep.h"

namespace cameo::model {

// An initialiser that only matrix products, convolutions, embeddings and recurrent networks read.
struct Weight {
  onnx::proto::Graph* graph = nullptr;
  std::size_t tensor = 0;                   // its index among the initialisers of the graph
  std::size_t first = 0;                    // the index of the first node of the graph that needs it
  std::vector<onnx::proto::Node*> readers;  // in subgraphs, too
  std::vector<std::size_t> inputs;          // of each reader, the input that it is
  std::int64_t channel = 0;                 // the axis of results that are independent of one another
  std::int64_t summed = 0;                  // the axis along which products are added
  onnx::DataPtr data;
};

// Constants that nodes hold become initialisers first. Weights with fewer elements than the options say, of
// other types than f32, f16 and bf16, and those that a kept node reads are left out.
std::vector<Weight> find_weights(Opened& opened, const QuantizeOptions& options, Kept& keep, Lift& lift);

}  // namespace cameo::model
