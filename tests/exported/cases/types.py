"""Element types and type promotion."""
import torch
from torch import nn
from torch.export import Dim

from case import Program, case, function

randn = torch.randn


def rows():
    return Dim("rows", min=2, max=64)


def mlp(dtype):
    net = nn.Sequential(nn.Linear(4, 6), nn.ReLU(), nn.LayerNorm(6), nn.Linear(6, 2), nn.Softmax(-1)).to(dtype)
    return Program(net, [randn(2, 4).to(dtype)], more=[[randn(5, 4).to(dtype)]], dynamic=({0: rows()},))


@case
def float16_network():
    return mlp(torch.float16)


@case
def bfloat16_network():
    return mlp(torch.bfloat16)


@case
def float64_network():
    return mlp(torch.float64)


@case
def integers():
    def forward(x):
        return x + 1, x * 2 - 7, x // 3, x % 5, x / 2, -x, x.abs(), x & 6, x | 1, x ^ 3, x << 1, x.sum(), x.float().mean(), x > 2, x.clamp(-2, 9)
    make = lambda n: [torch.randint(-9, 20, (n, 3))]
    return function(forward, make(2), more=[make(5)], dynamic=({0: rows()},))


@case
def small_integers():
    def forward(a, b, c, d):
        return a + b, a * c, c - d, a + 1.5, b.to(torch.int64) * 1000, d.sum(), a.float() / 255, c.max()
    def make(n):
        return [torch.randint(0, 100, (n,), dtype=torch.uint8), torch.randint(-100, 100, (n,), dtype=torch.int8),
                torch.randint(-99, 99, (n,), dtype=torch.int16), torch.randint(-99, 99, (n,), dtype=torch.int32)]
    dim = rows()
    return function(forward, make(3), more=[make(6)], dynamic=({0: dim},) * 4)


@case
def booleans():
    def forward(x, y):
        return x & y, x | ~y, x ^ y, x.sum(), x.any(), y.all(1), x + y, x * 2, x.float(), torch.logical_not(x), x == y, x.int() + 1
    make = lambda n: [randn(n, 3) > 0, randn(n, 3) > 0]
    dim = rows()
    return function(forward, make(2), more=[make(4)], dynamic=({0: dim}, {0: dim}))


@case
def promotion():
    """Operands of different element types, and tensors without axes, which promote less."""
    def forward(f, i, b, d, h):
        return f + i, i + b, d + f, h + i, h + f, i + 1.5, b + 1, b * 2.0, f + torch.tensor(2.0, dtype=torch.float64), i * torch.tensor(3), h * 2.5, i / i.abs().add(1)
    def make(n):
        return [randn(n), torch.randint(-5, 5, (n,)), randn(n) > 0, randn(n).double(), randn(n).half()]
    dim = rows()
    return function(forward, make(3), more=[make(4)], dynamic=({0: dim},) * 5)


@case
def conversions():
    def forward(x, i):
        return (x.to(torch.int64), x.half(), x.double(), x.bool(), i.float(), i.to(x.dtype), i.type_as(x), x.to(i), x.int(), i.to(torch.uint8),
                x.to("cpu"), x.to(torch.bfloat16).float(), x.long() + i)
    make = lambda n: [randn(n) * 10, torch.randint(0, 9, (n,))]
    dim = rows()
    return function(forward, make(3), more=[make(6)], dynamic=({0: dim}, {0: dim}))


@case
def scalars_as_tensors():
    """Numbers in the place of tensor arguments."""
    def forward(x, i):
        return (x + 2, 2 - x, x * 0.5, 3 / x, 2 ** x, x ** 2, x ** 0.5, x == 1, x != 0, i == 3, i > 1.5, torch.where(x > 0, 1.0, 0.0), torch.where(x > 0, x, 0),
                torch.where(i > 2, 1, 0), torch.clamp(x, 0, 1), torch.maximum(x, torch.tensor(0.5)), x.masked_fill(x < 0, -1), torch.add(x, i, alpha=2),
                torch.fmod(x, 2), torch.remainder(i, 4), torch.floor_divide(i, 2), x.new_tensor([1.0, 2.0])[0] + x, torch.rsub(x, 1, alpha=3), torch.lerp(x, x * 2, 0.3),
                torch.pow(i, 2), torch.true_divide(i, 4), torch.xlogy(x.abs(), 2.0), torch.heaviside(x, torch.tensor(0.5)))
    make = lambda n: [torch.rand(n) + 0.1, torch.randint(0, 9, (n,))]
    dim = rows()
    return function(forward, make(3), more=[make(6)], dynamic=({0: dim}, {0: dim}))


@case(since=(2, 14))
def complex_input():
    """A complex input and a complex result: the model has real ones, with a last axis for their parts."""
    return function(lambda x: ((x * x.conj()).real + x.abs(), x * 1j), [randn(3, dtype=torch.complex64)], more=[[randn(5, dtype=torch.complex64)]],
                    dynamic=({0: rows()},))


@case
def complex_inside():
    """Rotary embeddings with complex numbers: inputs and results are real."""
    def forward(x, angles):
        pairs = torch.view_as_complex(x.unflatten(-1, (-1, 2)).contiguous())
        turned = pairs * torch.polar(torch.ones_like(angles), angles)
        return torch.view_as_real(turned).flatten(-2), turned.abs(), turned.real + turned.imag
    make = lambda n: [randn(n, 4), randn(n, 2)]
    dim = rows()
    return function(forward, make(3), more=[make(5)], dynamic=({0: dim}, {0: dim}))


@case(since=(2, 7))
def fourier():
    def forward(x):
        spectrum = torch.fft.rfft(x)
        return torch.fft.irfft(spectrum, n=8), spectrum.abs(), torch.view_as_real(torch.fft.fft(x)), torch.fft.ifft(torch.fft.fft(x)).real
    return function(forward, [randn(2, 8)], more=[[randn(5, 8)]], dynamic=({0: rows()},))


@case(since=(2, 7))
def spectrogram():
    def forward(x):
        spectrum = torch.stft(x, 8, hop_length=4, window=torch.hann_window(8), return_complex=True)
        return spectrum.abs(), torch.view_as_real(spectrum)
    return function(forward, [randn(2, 32)], more=[[randn(3, 32)]], dynamic=({0: rows()},))


@case
def quantized_decomposed():
    """Operators of PT2E quantisation, per tensor and per channel."""
    import torch.ao.quantization.fx._decomposed  # noqa: F401: registers the operators
    ops = torch.ops.quantized_decomposed

    class Net(nn.Module):
        def __init__(self):
            super().__init__()
            self.register_buffer("weight", torch.randint(-127, 128, (3, 4), dtype=torch.int8))
            self.register_buffer("scales", torch.rand(3) * 0.1 + 0.01)
            self.register_buffer("zeros", torch.zeros(3, dtype=torch.int64))

        def forward(self, x):
            q = ops.quantize_per_tensor.default(x, 0.05, 3, -128, 127, torch.int8)
            x = ops.dequantize_per_tensor.default(q, 0.05, 3, -128, 127, torch.int8)
            w = ops.dequantize_per_channel.default(self.weight, self.scales, self.zeros, 0, -127, 127, torch.int8)
            return torch.nn.functional.linear(x, w), q
    return Program(Net(), [randn(2, 4)], more=[[randn(5, 4)]], dynamic=({0: rows()},))
