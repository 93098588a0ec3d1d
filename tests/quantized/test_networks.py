"""Quantised networks: the classes that they choose are PyTorch's, and the graph that ONNX Runtime runs computes with integers."""
import os
import tempfile

import onnx
import torch
import torchvision
from models import NARROW, WEIGHTS, static
from quantized import Quantized
from torch import nn
from torch.ao import quantization

suite = Quantized()
batch = [{0: "batch"}]
scratch = tempfile.TemporaryDirectory()


def runs(name, *operators, absent=()):
    """Options of a case: ONNX Runtime's own graph has these operators."""
    path = os.path.join(scratch.name, f"{name}.onnx")

    def check(result):
        if result["warnings"]:  # converted layers are in training mode, which changes nothing
            return f"warns: {result['warnings']}"
        found = {node.op_type for node in onnx.load(path).graph.node}
        missing, extra = set(operators) - found, set(absent) & found
        return f"runs {sorted(found)}: lacks {sorted(missing)}, has {sorted(extra)}" if missing or extra else None

    return {"optimized_model": path, "check": check}


class Sum(nn.Module):
    def __init__(self):
        super().__init__()
        self.add = nn.quantized.FloatFunctional()
        self.conv = nn.Conv2d(4, 4, 3, padding=1)

    def forward(self, x):
        return self.add.add(self.conv(x), x)


image = torch.randn(4, 4, 8, 8)
for kind in WEIGHTS:
    for name, module, x, operators in (
            ("conv", nn.Sequential(nn.Conv2d(4, 6, 3), nn.ReLU()), image, ["QLinearConv"]),
            ("gemm", nn.Linear(6, 5), torch.randn(4, 6), ["QGemm"]),
            ("add", Sum(), image, ["QLinearConv", "QLinearAdd"]),
            ("pool", nn.Sequential(nn.Conv2d(4, 6, 3), nn.MaxPool2d(2), nn.Flatten(), nn.Linear(54, 3)), image, ["QLinearConv", "QGemm"])):
        model = static(module, [x], kind, fuse=[("0", "1")] if name == "conv" else ())
        suite.add(f"{name}-{kind}", model, [x], dynamic=batch, rtol=0, atol=0.1, **runs(f"{name}-{kind}", *operators, absent=["Conv", "Gemm", "Add"]))


class Classes(nn.Module):
    """The numbers of a network, and the class that they choose."""

    def __init__(self, network):
        super().__init__()
        self.network = network

    def forward(self, x):
        y = self.network(x)
        return y, y.argmax(1)


def network(name, examples):
    """One of torchvision's with random weights. PyTorch's qnnpack rounds the bias to int32, as the exported model does."""
    torch.backends.quantized.engine = "qnnpack"
    model = getattr(torchvision.models.quantization, name)(weights=None, quantize=False).eval()
    model.fuse_model()
    model.qconfig = quantization.QConfig(NARROW, WEIGHTS["channel"])
    quantization.prepare(model, inplace=True)
    with torch.no_grad():
        model(examples)
    return quantization.convert(model, inplace=True)


examples = nn.functional.interpolate(torch.randn(50, 3, 3, 3) * 2, size=(64, 64), mode="bicubic")
model = network("resnet18", examples)
suite.add("resnet18", Classes(model), [examples[:1]], dynamic=batch, more=[[examples]], how="both", rtol=0,
          atol=model.fc.scale * 1.01, outliers=0.01, absent=["Relu", "Clip"])
suite.main()
