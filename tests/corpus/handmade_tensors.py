"""Modules whose tensors are of every dtype, layout and ownership that an archive can hold."""

from typing import Dict, List, Optional, Tuple

import torch
from torch import nn


class _Buffers(nn.Module):
    def __init__(self, **tensors):
        super().__init__()
        for name, tensor in tensors.items():
            self.register_buffer(name, tensor)

    def forward(self, x):
        return x


_NUMBERS = torch.arange(-12, 12).reshape(2, 3, 4)
_DTYPES = "uint8 int8 int16 int32 int64 float16 bfloat16 float32 float64 bool complex64 complex128".split()


def dtypes():
    return _Buffers(**{f"of_{name}": (_NUMBERS * 1.25).to(getattr(torch, name)) for name in _DTYPES})


def quantized():
    values = torch.linspace(-3, 3, 24).reshape(4, 6)
    scales, zeros = torch.tensor([0.1, 0.2, 0.3, 0.4]), torch.tensor([0, 1, -2, 3])
    tensors = {
        f"per_tensor_{dtype}": torch.quantize_per_tensor(values, 0.0625, 5, getattr(torch, dtype))
        for dtype in ("qint8", "quint8", "qint32")
    }
    tensors["per_channel_qint8"] = torch.quantize_per_channel(values, scales, zeros, 0, torch.qint8)
    tensors["per_channel_second_axis"] = torch.quantize_per_channel(
        values.T.contiguous(), scales, zeros.abs(), 1, torch.quint8
    )
    tensors["float_parameters"] = torch.quantize_per_channel(values, scales, scales * 3, 0, torch.quint8)
    return _Buffers(**tensors)


def strides():
    base = torch.rand(4, 6, 5, 3)
    return _Buffers(
        transposed=torch.rand(3, 5).t(),
        channels_last=torch.rand(2, 3, 4, 5).contiguous(memory_format=torch.channels_last),
        base=base,
        slice=base[1:3, ::2, 2:, 1],
        row=base[3, 5],
        diagonal=base[0, :, :, 0].diagonal(),
        expanded=torch.rand(3, 1).expand(3, 7),
        expanded_scalar=torch.tensor(2.5).expand(4, 4),
        scalar=torch.tensor(7),
        element=base[1, 1, 1, 1],
        empty=torch.empty(0),
        empty_matrix=torch.empty(3, 0, 2),
        empty_slice=base[2:2],
        one=torch.rand(1, 1, 1),
    )


def large_strided():
    """Larger than the pieces in which a reader would gather it."""
    return _Buffers(wide=torch.rand(1500, 1700).t(), narrow=torch.rand(1200, 900).half()[:, ::3])


def conjugated():
    numbers = torch.complex(torch.rand(3, 4), torch.rand(3, 4))
    return _Buffers(lazily=numbers.conj(), resolved=numbers.conj().resolve_conj())


def sparse():
    dense = torch.tensor([[0.0, 1.5, 0.0], [2.5, 0.0, 3.5]])
    return _Buffers(coo=dense.to_sparse(), csr=dense.to_sparse_csr())


class _Tied(nn.Module):
    def __init__(self):
        super().__init__()
        self.embedding = nn.Embedding(11, 6)
        self.head = nn.Linear(6, 11, bias=False)
        self.head.weight = self.embedding.weight
        self.shared = nn.Linear(6, 6)
        self.again = self.shared
        self.recurrent = nn.LSTM(6, 6, num_layers=2, bidirectional=True)

    def forward(self, tokens):
        return self.head(self.again(self.shared(self.embedding(tokens))))


class _Containers(nn.Module):
    tensors: List[torch.Tensor]
    by_name: Dict[str, torch.Tensor]
    by_number: Dict[int, List[torch.Tensor]]
    pair: Tuple[torch.Tensor, Optional[torch.Tensor]]
    nested: Dict[str, Dict[str, List[Tuple[int, torch.Tensor]]]]
    nothing: Optional[torch.Tensor]
    numbers: List[complex]

    def __init__(self):
        super().__init__()
        first = torch.rand(3)
        self.tensors = [first, torch.rand(2, 2), first]
        self.by_name = {"first": first, "with space": torch.arange(3)}
        self.by_number = {-3: [torch.rand(1)], 1 << 40: []}
        self.pair = (first[1:], None)
        self.nested = {"outer": {"inner": [(1, torch.rand(2)), (2, torch.rand(0))]}}
        self.nothing = None
        self.numbers = [1 + 2j, complex("inf")]

    def forward(self, x):
        return x + self.tensors[0] + self.by_name["first"]


class _QuantizedLayers(nn.Module):
    def __init__(self):
        super().__init__()
        self.quantize = torch.ao.quantization.QuantStub()
        self.conv1d, self.relu = nn.Conv1d(4, 6, 3, bias=False), nn.ReLU()
        self.conv2d = nn.Conv2d(6, 4, (1, 2), stride=(1, 2), groups=2)
        self.linear = nn.Linear(4, 5)
        self.dequantize = torch.ao.quantization.DeQuantStub()

    def forward(self, x):
        x = self.relu(self.conv1d(self.quantize(x)))
        x = self.conv2d(x.unsqueeze(2)).mean([2, 3])
        return self.dequantize(self.linear(x))


def quantized_layers():
    torch.backends.quantized.engine = "qnnpack"
    model = _QuantizedLayers().eval()
    model.qconfig = torch.ao.quantization.get_default_qconfig("qnnpack")
    torch.ao.quantization.prepare(model, inplace=True)
    model(torch.rand(2, 4, 9))
    return torch.ao.quantization.convert(model, inplace=True)


def dynamic_linear():
    torch.backends.quantized.engine = "qnnpack"
    model = nn.Sequential(nn.Linear(6, 5), nn.ReLU(), nn.Linear(5, 4, bias=False)).eval()
    return torch.ao.quantization.quantize_dynamic(model, {nn.Linear})


def frozen(model):
    """Parameters become constants of the code."""
    return torch.jit.freeze(torch.jit.script(model.eval()))


class _Mobile:
    """Saved with bytecode for the lite interpreter beside the code."""

    def __init__(self, program):
        self.save = program._save_for_lite_interpreter


PROGRAMS = {
    "dtypes": lambda: torch.jit.script(dtypes()),
    "quantised tensors": lambda: torch.jit.script(quantized()),
    "strides": lambda: torch.jit.script(strides()),
    "large strided": lambda: torch.jit.script(large_strided()),
    "conjugated": lambda: torch.jit.script(conjugated()),
    "sparse": lambda: torch.jit.script(sparse()),
    "tied": lambda: torch.jit.script(_Tied()),
    "tied, traced": lambda: torch.jit.trace(_Tied(), torch.zeros(2, dtype=torch.long), check_trace=False),
    "containers": lambda: torch.jit.script(_Containers()),
    "quantised layers": lambda: torch.jit.script(quantized_layers()),
    "quantised layers, frozen": lambda: frozen(quantized_layers()),
    "dynamic linear": lambda: torch.jit.script(dynamic_linear()),
    "dynamic linear, frozen": lambda: frozen(dynamic_linear()),
    "frozen": lambda: frozen(_Tied()),
    "mobile": lambda: _Mobile(torch.jit.script(strides())),
    "mobile, frozen": lambda: _Mobile(frozen(_Tied())),
    "mobile, quantised": lambda: _Mobile(frozen(quantized_layers())),
}
