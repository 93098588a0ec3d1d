"""usage: vgg16.py save FULL TINY | load FILE

`save` writes VGG-16 traced, and the same program with one number in place of each weight. `load` loads the file
with PyTorch once for every line that it reads, and answers with the seconds by the clock and of processor time.
"""

import sys
import time
from pathlib import Path

import torch

sys.path.insert(0, str(Path(__file__).parents[1] / "tests" / "corpus"))


def save(full, tiny):
    import models

    program = next(make for way, make in models.programs("vgg16", "float") if way == "traced")()
    program.save(full)
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


if __name__ == "__main__":
    {"save": save, "load": load}[sys.argv[1]](*sys.argv[2:])
