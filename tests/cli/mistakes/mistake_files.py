"""Makes the files that the mistakes are made with. Each function writes the file that it is named after: net() writes net.pt.

The wrong kinds of files are those of tests/inspect/make_files.py.
"""
import pathlib
import sys
from typing import Dict, List, Tuple

import numpy
import onnx
import torch
from onnx import TensorProto, helper
from torch import Tensor, nn

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "inspect"))
import make_files as inspected  # noqa: E402


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv1 = nn.Conv2d(3, 8, 3, padding=1)
        self.fc = nn.Linear(8, 10)

    def forward(self, x):
        return self.fc(torch.relu(self.conv1(x)).mean([2, 3]))


class Bow(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed = nn.Embedding(100, 16)
        self.fc = nn.Linear(16, 4)

    def forward(self, tokens):
        return self.fc(self.embed(tokens).mean(1))


class Tagger(nn.Module):
    def __init__(self):
        super().__init__()
        self.lstm = nn.LSTM(12, 6)

    def forward(self, x):
        return self.lstm(x)[0]


class Repeat(nn.Module):
    def forward(self, x: Tensor, n: int, scale: float, flip: bool = False) -> Tensor:
        x = x.repeat(n, 1) * scale
        return x.flip(0) if flip else x


class Pair(nn.Module):
    def forward(self, pair: Tuple[Tensor, Tensor]) -> Tensor:
        return pair[0] + pair[1]


class Sum(nn.Module):
    def forward(self, parts: List[Tensor]) -> Tensor:
        return torch.cat(parts)


class Named(nn.Module):
    def forward(self, features: Dict[str, Tensor]) -> Tensor:
        return features["x"] * 2


class Counter(nn.Module):
    """Keeps state between calls, as voice activity detectors and recurrent policies do."""

    def __init__(self):
        super().__init__()
        self.register_buffer("total", torch.zeros(4))
        self.register_buffer("calls", torch.tensor(0))

    def forward(self, x):
        self.total = self.total * 0.5 + x
        self.calls += 1
        return self.total


class Eigen(nn.Module):
    def forward(self, x):
        values, _ = torch.linalg.eig(x)
        return values.real + torch.relu(x).sum(0) + torch.linalg.eigvals(x).real


def script(module, name):
    torch.manual_seed(0)
    torch.jit.script(module.eval()).save(name)


def net():
    script(Net(), "net.pt")


def traced():
    torch.manual_seed(0)
    torch.jit.trace(Net().eval(), torch.zeros(1, 3, 8, 8)).save("traced.pt")


def double():
    script(Net().double(), "double.pt")


def half():
    script(Net().half(), "half.pt")


def mlp():
    script(nn.Sequential(nn.Linear(16, 32), nn.ReLU(), nn.Linear(32, 4)), "mlp.pt")


def audio():
    script(nn.Sequential(nn.Conv1d(1, 4, 9), nn.ReLU(), nn.Conv1d(4, 1, 9)), "audio.pt")


def lstm():
    script(Tagger(), "lstm.pt")


def bow():
    script(Bow(), "bow.pt")


def repeat():
    script(Repeat(), "repeat.pt")


def pair():
    script(Pair(), "pair.pt")


def parts():
    script(Sum(), "parts.pt")


def features():
    script(Named(), "features.pt")


def counter():
    script(Counter(), "counter.pt")


def eigen():
    script(Eigen(), "eigen.pt")


def image():
    numpy.save("image.npy", numpy.zeros((1, 3, 8, 8)))


def model():
    x, y = (helper.make_tensor_value_info(n, TensorProto.FLOAT, [2, 3]) for n in "xy")
    graph = helper.make_graph([helper.make_node("Relu", ["x"], ["y"])], "g", [x], [y])
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)], ir_version=7), "model.onnx")


def saved_script():
    """The file that torch.save leaves behind when it cannot save a scripted module."""
    try:
        torch.save(torch.jit.script(Net().eval()), "saved_script.pt")
    except RuntimeError:
        return
    raise AssertionError("torch.save has written a scripted module")


def safetensors():
    header = b'{"w":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}}'
    pathlib.Path("safetensors.safetensors").write_bytes(len(header).to_bytes(8, "little") + header + bytes(4))


def cpp_archive():
    """torch::save of a C++ module: a TorchScript archive with tensors and no method."""
    class Empty(nn.Module):
        pass

    module = Empty()
    module.fc = Empty()
    module.fc.weight = nn.Parameter(torch.zeros(2, 2))
    module.fc.bias = nn.Parameter(torch.zeros(2))
    torch.jit.script(module).save("cpp_archive.pt")


OURS = (net, traced, double, half, mlp, audio, lstm, bow, repeat, pair, parts, features, counter, eigen, image, model, saved_script,
        safetensors, cpp_archive)
KINDS = (inspected.state_dict, inspected.legacy, inspected.tar, inspected.pickled_module, inspected.tensor, inspected.plain_text,
         inspected.python_text, inspected.html, inspected.git_lfs, inspected.empty, inspected.folder, inspected.torchscript_old,
         inspected.truncated)


def all():
    for make in (*OURS, *KINDS):
        make()
