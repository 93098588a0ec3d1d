#pragma once
// Networks as C++ programs have them.
#include <torch/torch.h>

#include "cameo/torch.h"

namespace networks {

struct BlockImpl : torch::nn::Module {
  BlockImpl(int in, int out)
      : conv(register_module("conv", torch::nn::Conv2d(torch::nn::Conv2dOptions(in, out, 3).padding(1)))),
        norm(register_module("norm", torch::nn::BatchNorm2d(out))) {}
  at::Tensor forward(const at::Tensor& x) { return at::relu(norm(conv(x))); }
  torch::nn::Conv2d conv;
  torch::nn::BatchNorm2d norm;
};
TORCH_MODULE(Block);

// A shared block, a buffer, dropout, an optional argument.
struct NetImpl : torch::nn::Module {
  NetImpl()
      : first(register_module("first", Block(3, 4))),
        second(register_module("second", Block(4, 4))),
        head(register_module("head", torch::nn::Linear(4, 5))),
        dropout(register_module("dropout", torch::nn::Dropout(0.5))),
        scale(register_buffer("scale", at::full({1}, 2.0))) {}
  at::Tensor forward(at::Tensor x, c10::optional<at::Tensor> bias) {
    ++calls;
    x = second(second(first(x))).mean({2, 3});
    x = dropout(head(x)) * scale;
    return bias ? x + *bias : x;
  }
  Block first, second;
  torch::nn::Linear head;
  torch::nn::Dropout dropout;
  at::Tensor scale;
  int calls = 0;
};
TORCH_MODULE(Net);

// Does something else while it is exported, fails when told to, and looks at the flag.
struct FlaggedImpl : torch::nn::Module {
  at::Tensor forward(at::Tensor x) {
    flag_seen = cameo::is_in_onnx_export();
    if (fails) throw std::runtime_error("told to fail");
    return flag_seen ? x.clamp(0, 1) : x;
  }
  bool flag_seen = false, fails = false;
};
TORCH_MODULE(Flagged);

// Registers what it needs when it first runs, or at each run.
struct LazyImpl : torch::nn::Module {
  at::Tensor forward(at::Tensor x) {
    ++calls;
    if (calls == 1) weight = register_parameter("weight", at::ones({x.size(1)}));
    if (restless) register_buffer("buffer" + std::to_string(calls), at::ones({1}));
    return x * weight;
  }
  at::Tensor weight;
  bool restless = false;
  int calls = 0;
};
TORCH_MODULE(Lazy);

struct QuantizedImpl : torch::nn::Module {
  QuantizedImpl() {
    weight = register_parameter("weight", at::tensor({1, -2, 3}, at::kChar), /*requires_grad=*/false);
  }
  at::Tensor forward(at::Tensor x) { return x * weight.to(at::kFloat); }
  at::Tensor weight;
};
TORCH_MODULE(Quantized);

// forward has two forms, and one argument is a tuple.
struct OverloadedImpl : torch::nn::Module {
  at::Tensor forward(at::Tensor x) { return x; }
  at::Tensor forward(at::Tensor x, std::int64_t n) { return x * n; }
};
TORCH_MODULE(Overloaded);

// What a trace cannot hold.
struct ReadsContentsImpl : torch::nn::Module {
  at::Tensor forward(at::Tensor x) { return x.sum().item<float>() > 0 ? x + 1 : x - 1; }
};
TORCH_MODULE(ReadsContents);

struct BakesSizeImpl : torch::nn::Module {
  at::Tensor forward(at::Tensor x) { return x.view({x.size(0), -1}); }
};
TORCH_MODULE(BakesSize);

}  // namespace networks
