"""Quantised modules for tests: calibrated, converted, in evaluation mode."""
import torch
from torch import nn
from torch.ao import quantization

WEIGHTS = {"tensor": quantization.default_weight_observer, "channel": quantization.default_per_channel_weight_observer}
# Seven bits: products of such activations and of weights fit the 16 bits to which processors without VNNI saturate them.
NARROW = quantization.HistogramObserver.with_args(reduce_range=True)


class Wrapped(nn.Module):
    def __init__(self, module):
        super().__init__()
        self.quantize = quantization.QuantStub()
        self.module = module
        self.dequantize = quantization.DeQuantStub()

    def forward(self, x):
        return self.dequantize(self.module(self.quantize(x)))


def static(module, examples, weights="channel", engine="onednn", fuse=(), wrap=True):
    """The module with quantised tensors inside, calibrated with the examples."""
    torch.backends.quantized.engine = engine
    model = (Wrapped(module) if wrap else module).eval()
    if fuse:
        quantization.fuse_modules(model, [[f"module.{name}" for name in names] for names in fuse], inplace=True)
    model.qconfig = quantization.QConfig(NARROW, WEIGHTS[weights])
    quantization.prepare(model, inplace=True)
    with torch.no_grad():
        for example in examples:
            model(example)
    return quantization.convert(model, inplace=True)


def step_of(model):
    """The scale of the tensor that is dequantised last."""
    return max(float(getattr(layer, "scale", 0.0)) for layer in model.modules())
