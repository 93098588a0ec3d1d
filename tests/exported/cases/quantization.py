"""Quantised networks of PyTorch 2: the operators that its quantisation leaves in a program."""
import torch
import torch.ao.quantization.fx._decomposed  # noqa: F401: registers the operators
import torch.nn.functional as F
from torch import nn
from torch.export import Dim

from case import Program, case, function

randn, ops = torch.randn, torch.ops.quantized_decomposed
REASON = "a number between two quantised values may be rounded to either"


def rows():
    return Dim("rows", min=2, max=64)


def through(x, scale, zero, low=-128, high=127, dtype=torch.int8):
    """A quantised activation. The scale is a power of two: ONNX divides by it where PyTorch multiplies by its inverse."""
    return ops.dequantize_per_tensor.default(ops.quantize_per_tensor.default(x, scale, zero, low, high, dtype), scale, zero, low, high, dtype)


class Weight(nn.Module):
    """Integers with a scale per channel, or the floats that the program quantises. They have seven bits: ONNX Runtime's kernels
    saturate with eight on machines without instructions for products of bytes."""

    def __init__(self, *shape, folded=True, low=-63, high=63):
        super().__init__()
        channels = shape[0]
        self.register_buffer("scales", torch.rand(channels) * 0.02 + 0.005)
        self.register_buffer("zeros", torch.zeros(channels, dtype=torch.int64))
        self.folded, self.low, self.high = folded, low, high
        if folded:
            self.register_buffer("weight", torch.randint(low, high + 1, shape, dtype=torch.int8))
        else:
            self.weight = nn.Parameter(randn(*shape) * 0.5)

    def forward(self):
        weight = self.weight
        if not self.folded:
            weight = ops.quantize_per_channel.default(weight, self.scales, self.zeros, 0, self.low, self.high, torch.int8)
        return ops.dequantize_per_channel.default(weight, self.scales, self.zeros, 0, self.low, self.high, torch.int8)


class Static(nn.Module):
    """A small network as static quantisation converts it: activations with fixed scales around each layer."""

    def __init__(self, folded, dtype=torch.int8):
        super().__init__()
        self.first, self.second, self.last = Weight(6, 3, 3, 3, folded=folded), Weight(6, 6, 3, 3, folded=folded), Weight(4, 6, folded=folded)
        self.bias = nn.Parameter(randn(6))
        self.dtype = dtype
        self.low, self.high = (0, 255) if dtype == torch.uint8 else (-128, 127)

    def quant(self, x, scale, zero):
        return through(x, scale, zero if self.dtype == torch.int8 else zero + 128, self.low, self.high, self.dtype)

    def forward(self, x):
        x = self.quant(x, 0.03125, 3)
        x = self.quant(F.relu(F.conv2d(x, self.first(), self.bias, padding=1)), 0.0625, -128)
        y = self.quant(F.conv2d(x, self.second(), self.bias, padding=1), 0.125, 5)
        x = self.quant(x + y, 0.125, 1)
        x = self.quant(F.max_pool2d(x, 2), 0.125, 1)
        x = self.quant(torch.flatten(F.adaptive_avg_pool2d(x, 1), 1), 0.0625, 2)
        return self.quant(F.linear(x, self.last()), 0.125, 0)


def static(folded, dtype=torch.int8):
    return Program(Static(folded, dtype), [randn(2, 3, 8, 8)], more=[[randn(5, 3, 8, 8)]], dynamic=({0: rows()},))


@case(tolerance=0.13, reason=REASON)
def static_quantization():
    """Weights are stored as integers."""
    return static(True)


@case(tolerance=0.13, reason=REASON)
def static_quantization_unfolded():
    """The program quantises its weights."""
    return static(False)


@case(tolerance=0.13, reason=REASON)
def static_quantization_uint8():
    return static(True, torch.uint8)


class Dynamic(nn.Module):
    def __init__(self, symmetric):
        super().__init__()
        self.first, self.last, self.symmetric = Weight(12, 8), Weight(4, 12), symmetric

    def quant(self, x):
        choose = ops.choose_qparams_symmetric if self.symmetric else ops.choose_qparams
        scale, zero = choose.tensor(x, -128, 127, 1e-6, torch.int8)
        q = ops.quantize_per_tensor.tensor(x, scale, zero, -128, 127, torch.int8)
        return ops.dequantize_per_tensor.tensor(q, scale, zero, -128, 127, torch.int8)

    def forward(self, x):
        return F.linear(self.quant(F.relu(F.linear(self.quant(x), self.first()))), self.last())


@case(tolerance=0.05, reason=REASON)
def dynamic_quantization():
    """Scales of activations come from their elements."""
    return Program(Dynamic(False), [randn(2, 8)], more=[[randn(5, 8)]], dynamic=({0: rows()},))


@case(tolerance=0.05, reason=REASON)
def dynamic_quantization_symmetric():
    return Program(Dynamic(True), [randn(2, 8)], more=[[randn(5, 8)]], dynamic=({0: rows()},))


@case(tolerance=0.05, reason=REASON)
def token_quantization():
    """A scale for each token, and weights of four bits in groups of columns."""
    class Net(nn.Module):
        def __init__(self):
            super().__init__()
            self.register_buffer("weight", torch.randint(-8, 8, (6, 16), dtype=torch.int8))
            self.register_buffer("scales", torch.rand(6, 4) * 0.1)
            self.register_buffer("zeros", torch.zeros(6, 4, dtype=torch.int32))

        def forward(self, x):
            scale, zero = ops.choose_qparams_per_token_asymmetric.default(x, torch.int8)
            q = ops.quantize_per_token.default(x, scale, zero, -128, 127, torch.int8)
            x = ops.dequantize_per_token.default(q, scale, zero, -128, 127, torch.int8, torch.float32)
            w = ops.dequantize_per_channel_group.default(self.weight, self.scales, self.zeros, -8, 7, torch.int8, 4, torch.float32)
            return F.linear(x, w)
    return Program(Net(), [randn(2, 3, 16)], more=[[randn(5, 3, 16)]], dynamic=({0: rows()},))


@case
def packed_products():
    """Products with weights of eight and of four bits."""
    class Net(nn.Module):
        def __init__(self):
            super().__init__()
            self.register_buffer("eight", torch.randint(-128, 128, (16, 64), dtype=torch.int8))
            self.register_buffer("scales", torch.rand(16) * 0.02)
            self.register_buffer("four", torch.randint(0, 16, (16, 64), dtype=torch.int32))
            self.register_buffer("groups", torch.rand(2, 16, 2) * 0.1)

        def forward(self, x):
            packed = torch.ops.aten._convert_weight_to_int4pack_for_cpu(self.four, 2)
            return (torch.ops.aten._weight_int8pack_mm(x, self.eight, self.scales),
                    torch.ops.aten._weight_int4pack_mm_for_cpu(x, packed, 32, self.groups))
    return Program(Net(), [randn(2, 64)], more=[[randn(5, 64)]], dynamic=({0: rows()},))


@case
def integer_product():
    def forward(x, y):
        return torch._int_mm(x.to(torch.int8), y.to(torch.int8))
    return function(forward, [torch.randint(-50, 50, (32, 8)), torch.randint(-50, 50, (8, 16))])
