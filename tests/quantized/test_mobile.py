"""Programs that optimize_for_mobile rewrote, and their operators."""
import torch
import torchvision
from quantized import Quantized
from torch import nn
from torch.utils.mobile_optimizer import optimize_for_mobile

suite = Quantized()
batch = [{0: "batch"}]


def mobile(module):
    return optimize_for_mobile(torch.jit.script(module.eval()))


class Residual(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(4, 4, 3, padding=1)

    def forward(self, x):
        return torch.relu(self.conv(x) + x)


x = torch.randn(2, 4, 9, 8)
for name, module, example in (
        ("conv2d_clamp_run", nn.Sequential(nn.Conv2d(4, 6, 3, 2, 1), nn.ReLU6()), x),
        ("conv2d-relu", nn.Sequential(nn.Conv2d(4, 8, 3, groups=4), nn.ReLU()), x),
        ("conv2d-hardtanh", nn.Sequential(nn.Conv2d(4, 8, (1, 3), bias=False), nn.Hardtanh(-0.5, 0.75)), x),
        ("conv2d_transpose_clamp_run", nn.Sequential(nn.ConvTranspose2d(4, 3, 3, 2, 1, 1), nn.ReLU()), x),
        ("linear_clamp_run", nn.Sequential(nn.Linear(6, 5), nn.ReLU(), nn.Linear(5, 3, bias=False)), torch.randn(3, 6)),
        ("_add_relu", Residual(), x),
        ("batch-norm", nn.Sequential(nn.Conv2d(4, 6, 3), nn.BatchNorm2d(6), nn.ReLU(), nn.Dropout()), x)):
    suite.sizes(name, mobile(module), [example], batch)

weights = {"x": x, "w": torch.randn(5, 4, 3, 3), "b": torch.randn(5)}
suite.call("conv2d_clamp_prepack", "torch.ops.prepacked.conv2d_clamp_run(x, torch.ops.prepacked.conv2d_clamp_prepack("
           "w, b, [1, 2], [0, 1], [1, 1], 1, -0.5, 0.5))", batch, **weights)
suite.call("conv2d_transpose_clamp_prepack", "torch.ops.prepacked.conv2d_transpose_clamp_run(x, torch.ops.prepacked.conv2d_transpose_clamp_prepack("
           "w, b, [1, 2], [0, 1], [0, 0], [1, 1], 1, None, 0.5))", batch, x=x, w=torch.randn(4, 5, 3, 3), b=torch.randn(5))
suite.call("linear_clamp_prepack", "torch.ops.prepacked.linear_clamp_run(x, torch.ops.prepacked.linear_clamp_prepack(w, b, 0.0, None))", batch,
           x=torch.randn(3, 6), w=torch.randn(5, 6), b=torch.randn(5))
suite.call("conv2d_run", "torch.ops.mkldnn_prepacked.conv2d_run(x, torch.ops.mkldnn_prepacked.conv2d_prepack("
           "w, b, [1, 2], [0, 1], [1, 1], 1, [2, 4, 9, 8], 'relu'))", batch, **weights)
suite.call("_add_relu-number", "torch._add_relu(x, 0.25)", batch, x=x)
suite.call("to_mkldnn", "x.to_mkldnn().to_dense()", batch, x=x)
image = torch.rand(1, 3, 64, 64)
suite.sizes("mobilenet_v2", mobile(torchvision.models.mobilenet_v2()), [image], batch, static=False, by=(1,), rtol=1e-4, atol=1e-4)
suite.main()
