#pragma once
#include <string>

#include "onnx/graph.h"

namespace cameo::onnx {

// The graph in the words of PyTorch's verbose export:
//
//   graph(%x : Float(*, 10, requires_grad=0, device=cpu),
//         %weight : Float(2, 10, strides=[10, 1], requires_grad=0, device=cpu)):
//     %output : Float(*, 2, …) = onnx::Gemm[alpha=1., beta=1., transB=1](%x, %weight) # net.py:7:0
//     return (%output)
std::string print(const Model& model);

}  // namespace cameo::onnx
