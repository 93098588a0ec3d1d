"""What the tests of the writer share: models, `cameo export` and ONNX Runtime as subprocesses."""

import os
import subprocess
import sys

import numpy
import torch

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))
from folder_case import FolderCase  # noqa: E402

CAMEO, RUN_MODEL = (os.path.abspath(path) for path in sys.argv[1:3])
NOBODY = 65534


class Layers(torch.nn.Module):
    """A convolution with a batch normalisation, a tied weight, and linear layers on matrices and on more."""

    def __init__(self, width=300):
        super().__init__()
        self.convolution = torch.nn.Conv2d(3, 16, 3)
        self.norm = torch.nn.BatchNorm2d(16)
        self.first = torch.nn.Linear(16, width, bias=False)
        self.hidden = torch.nn.Linear(width, width)
        self.last = torch.nn.Linear(width, 16, bias=False)
        self.last.weight = torch.nn.Parameter(self.first.weight.t())
        self.norm.running_mean.uniform_()
        self.norm.running_var.uniform_(0.5, 1.5)

    def forward(self, x):
        y = torch.relu(self.norm(self.convolution(x))).mean([2, 3])
        return self.last(self.hidden(self.first(y).unsqueeze(0))).squeeze(0)


def traced(module, example):
    with torch.no_grad():
        return torch.jit.trace(module.eval(), example, check_trace=False)


class WriterTest(FolderCase):
    def setUp(self):
        super().setUp()
        os.chmod(self.folder, 0o755)

    def export(self, *arguments, code=0, **options):
        command = [CAMEO, "export", "--quiet", *map(str, arguments)]
        result = subprocess.run(command, capture_output=True, text=True, timeout=300, **options)
        self.assertEqual(result.returncode, code, result.stdout + result.stderr)
        return result.stderr

    def run_model(self, path, example):
        numpy.save("in.npy", example.numpy())
        subprocess.run([RUN_MODEL, path, "out.npy", "in.npy"], check=True, timeout=300)
        result = numpy.load("out.npy")
        os.remove("in.npy"), os.remove("out.npy")
        return result

    def read(self, path):
        with open(path, "rb") as file:
            return file.read()
