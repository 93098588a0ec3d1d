"""usage: programs.py save MODEL FILE | shrink FILE TINY | load FILE | export FILE ONNX

`save` writes a model of torchvision, traced. `shrink` writes the same program with one number in place of each weight.
`load` loads the file with PyTorch once for every line that it reads, and answers with the seconds by the clock and of
processor time. `export` has torch.onnx export it.
"""

import sys
import time
import warnings
from pathlib import Path

import torch


def save(name, file):
    sys.path.insert(0, str(Path(__file__).parents[1] / "tests" / "corpus"))
    import models

    with torch.no_grad():
        torch.jit.trace(models.build(name), (torch.rand(1, 3, 224, 224),), check_trace=False).save(file)


def shrink(file, tiny):
    program = torch.jit.load(file)
    for module in program.modules():
        for name, _ in list(module.named_parameters(recurse=False)):
            setattr(module, name, torch.nn.Parameter(torch.rand(1)))
    program.save(tiny)


def load(file):
    for _ in sys.stdin:
        clock, processor = time.perf_counter(), time.process_time()
        program = torch.jit.load(file)
        print(time.perf_counter() - clock, time.process_time() - processor, flush=True)
        del program


def export(file, onnx):
    warnings.simplefilter("ignore")
    torch.onnx.export(torch.jit.load(file), (torch.rand(1, 3, 224, 224),), onnx, opset_version=17)


if __name__ == "__main__":
    {"save": save, "shrink": shrink, "load": load, "export": export}[sys.argv[1]](*sys.argv[2:])
