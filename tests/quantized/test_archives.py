"""Archives whose quantised weights have parameters that are not valid: they are refused, and nothing is written."""
import io
import os
import pickletools
import struct
import tempfile
import zipfile

import quantized  # noqa: F401: finds the modules of other folders
import torch
from suite import Suite
from torch import nn

torch.backends.quantized.engine = "qnnpack"
suite = Suite()
scratch = tempfile.TemporaryDirectory()


class Layer(nn.Module):
    def __init__(self, scale, zero_point):
        super().__init__()
        weight = torch.quantize_per_tensor(torch.randn(5, 6), scale, zero_point, torch.qint8)
        self.packed = torch.ops.quantized.linear_prepack(weight, torch.randn(5))

    def forward(self, x):
        q = torch.quantize_per_tensor(x, 0.05, 60, torch.quint8)
        return torch.ops.quantized.linear(q, self.packed, 0.3, 50).dequantize()


def edited(name, old, new):
    """The archive of a layer with other bytes in its pickle."""
    torch.jit.save(torch.jit.script(Layer(0.0625, 0)), path := os.path.join(scratch.name, f"{name}.pt"))
    made = os.path.join(scratch.name, f"{name}-edited.pt")
    with zipfile.ZipFile(path) as archive, zipfile.ZipFile(made, "w") as result:
        for entry in archive.infolist():
            data = archive.read(entry)
            if entry.filename.endswith("/data.pkl"):
                assert data.count(old) == 1, pickletools.dis(data, out=io.StringIO())
                data = data.replace(old, new)
            result.writestr(entry.filename, data)
    return made


scale = b"G" + struct.pack(">d", 0.0625)  # a float of the pickle
for name, number in (("zero", 0.0), ("nan", float("nan")), ("negative", -1.0)):
    suite.add(name, edited(name, scale, b"G" + struct.pack(">d", number)), [torch.randn(3, 6)], how="saved",
              error=["the scale of a quantised tensor must be a positive number"])
suite.add("zero-point", edited("zero-point", scale + b"K\x00", scale + b"M\x2c\x01"), [torch.randn(3, 6)], how="saved",
          error=["the zero point 300 is not in the range of qi8"])
suite.main()
