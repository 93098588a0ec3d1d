#!/usr/bin/python3
"""usage: exports_test.py CAMEO [name-part]

Exports of Cameo and of torch.onnx, from which all types but those of the inputs are taken. Cameo infers what the official
library infers or something more exact, and what it says of every value is what ONNX Runtime makes of it at other sizes.
"""
import math
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import warnings

import numpy
import onnx
import torch
import torchvision

import inference

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "models"))
from networks import SuperResolution  # noqa: E402

warnings.filterwarnings("ignore")
torch.manual_seed(0)


class Sizes(torch.nn.Module):
    """Shapes that are computed."""

    def forward(self, x, z):
        batch, channels, height, width = x.shape
        up = torch.nn.functional.interpolate(x, scale_factor=2.0, mode="nearest")
        like = torch.nn.functional.interpolate(z, size=(up.shape[2], up.shape[3]), mode="nearest")
        both = torch.cat([up, like.expand(batch, -1, -1, -1)], 1)
        cut = both[:, :, 1:-1, ::2]
        flat = cut.flatten(2).transpose(1, 2)
        heads = flat.reshape(batch, -1, 2, flat.shape[2] // 2)
        scores = torch.softmax(heads.permute(0, 2, 1, 3) @ heads.permute(0, 2, 3, 1), -1)
        padded = torch.nn.functional.pad(scores, (1, 2), value=0.5)
        steps = torch.arange(height * width, device=x.device) * 2
        parts = both.chunk(2, 1)
        return padded.mean(-1), steps, parts[0].sum((2, 3)) + parts[1].amax((2, 3)), x.new_zeros(batch, width).cumsum(1)


class Recurrent(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.lstm = torch.nn.LSTM(6, 5, bidirectional=True)
        self.attend = torch.nn.TransformerEncoderLayer(10, 2, 12)

    def forward(self, x):
        y, _ = self.lstm(x)
        return self.attend(y)


IMAGES = ({"x": {0: "batch", 2: "h", 3: "w"}, "z": {2: "p", 3: "q"}}, {"batch": 3, "h": 6, "w": 10, "p": 5, "q": 7})
# Name: module, inputs, dynamic sizes, their values at the run, opset; of Cameo's exports 0 stands for its own default.
CASES = {
    **{f"sizes, torch.onnx, opset {opset}": (Sizes(), (torch.randn(2, 2, 4, 8), torch.randn(1, 2, 3, 3)), *IMAGES, opset)
       for opset in (11, 13, 17)},
    "shufflenet, torch.onnx": (torchvision.models.shufflenet_v2_x0_5(), (torch.randn(1, 3, 64, 64),),
                               {"x": {0: "batch", 2: "h", 3: "w"}}, {"batch": 2, "h": 96, "w": 64}, 12),
    "recurrent, torch.onnx": (Recurrent(), (torch.randn(7, 3, 6),), {"x": {0: "t", 1: "n"}}, {"t": 4, "n": 2}, 14),
    "recurrent, cameo": (Recurrent(), (torch.randn(7, 3, 6),), {"x": {0: "t", 1: "n"}}, {"t": 4, "n": 2}, 0),
    "super resolution, cameo": (SuperResolution(), (torch.randn(1, 1, 16, 16),), {"x": {0: "batch", 2: "h", 3: "w"}},
                                {"batch": 2, "h": 12, "w": 9}, 0),
}


def export(tool, module, inputs, axes, opset, path):
    names = list("xz"[:len(inputs)])
    if opset:
        torch.onnx.export(module.eval(), inputs, path, opset_version=opset, input_names=names, dynamic_axes=axes)
        return
    torch.jit.trace(module.eval(), inputs, check_trace=False).save(f"{path}.pt")
    specs = [f"f32[{','.join(axes[name].get(i, str(n)) for i, n in enumerate(x.shape))}]" for name, x in zip(names, inputs)]
    subprocess.run([tool, "export", f"{path}.pt", "-o", path, *(word for spec in specs for word in ("--input", spec))],
                   check=True, capture_output=True)


def bare(path):
    """Takes all types but the inputs' away."""
    model = onnx.load(path)
    del model.graph.value_info[:]
    for output in model.graph.output:
        output.type.tensor_type.ClearField("shape")
    onnx.save(model, path)
    return model


def value(size, values):
    """The number that a formula stands for."""
    if size.HasField("dim_value"):
        return size.dim_value
    text = re.sub(r"\btrunc\(", "int(", size.dim_param.replace("^", "**"))
    return int(eval(text, {"floor": math.floor, "min": min, "max": max, "mod": lambda a, b: a % b}, dict(values)))


def fed(model, values, path):
    arrays = {}
    for given in model.graph.input:
        shape = [value(dim, values) for dim in given.type.tensor_type.shape.dim]
        arrays[given.name] = numpy.random.default_rng(0).standard_normal(shape, dtype=numpy.float32)
    numpy.savez(path, **arrays)


def check(tool, name, folder):
    module, inputs, axes, values, opset = CASES[name]
    path = str(pathlib.Path(folder) / "model.onnx")
    export(tool, module, inputs, axes, opset, path)
    model = bare(path)
    ours, said = inference.cameo(tool, path, f"{path}.typed.onnx")
    failures = [said] if said else []
    failures += [f"{value}: {why}" for value, why in inference.disagreements(inference.official(path), ours)]
    types = inference.types(ours)
    wanted = [output for node in model.graph.node for output in node.output if output and node.op_type != "Constant"]
    for start in range(0, len(wanted), 200):
        part = wanted[start:start + 200]
        data, out = f"{path}.in.npz", f"{path}.out.npz"
        fed(model, values, data)
        run = subprocess.run([tool, "run", path, "--npz", data, "--fetch", ",".join(part), "--opt-level", "0", "-o", out],
                             capture_output=True, text=True)
        assert run.returncode == 0, run.stderr
        for each, array in numpy.load(out).items():
            shape = types[each].tensor_type.shape if each in types else None
            found = [value(size, values) for size in shape.dim] if shape is not None else None
            if found != list(array.shape):
                failures.append(f"{each} is {list(array.shape)}, and inferred as {found}")
    return len(wanted), failures


def main(tool, part):
    bad = 0
    for name in CASES:
        if part not in name:
            continue
        with tempfile.TemporaryDirectory() as folder:
            count, failures = check(tool, name, folder)
        bad += bool(failures)
        print(f"{name}: {count} values, {'fine' if not failures else ''}", *failures[:20], sep="\n  ")
    return 1 if bad else 0


if __name__ == "__main__":
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    sys.exit(main(sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else ""))
