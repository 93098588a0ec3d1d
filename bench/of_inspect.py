"""`cameo inspect` on VGG-16, beside `unzip -l` and PyTorch on the same file."""

import os
import statistics
import subprocess
import sys

from measure import MEGABYTE, judge, peak_bytes, run

_PROGRAMS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "programs.py")
_ROUNDS = 25
_LOADS = 5


class Loader:
    """A Python process with PyTorch in it, so that only the loading is measured."""

    def __init__(self, file):
        command = [sys.executable, _PROGRAMS, "load", file]
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def load(self):
        self._process.stdin.write("\n")
        self._process.stdin.flush()
        return tuple(map(float, self._process.stdout.readline().split()))

    def close(self):
        self._process.stdin.close()
        self._process.wait()


def _measure(cameo, full, tiny):
    """Interleaved, so that whatever else the machine does falls on all alike."""
    seconds = {"inspect": [], "inspect tiny": [], "unzip": [], "load": []}
    loader = Loader(full)
    for round in range(_ROUNDS):
        seconds["inspect"].append(run(cameo, "inspect", full))
        seconds["inspect tiny"].append(run(cameo, "inspect", tiny))
        seconds["unzip"].append(run("unzip", "-l", full))
        if round % (_ROUNDS // _LOADS) == 0:
            seconds["load"].append(loader.load())
    loader.close()
    return seconds


def bench(cameo, folder):
    """Processor time is what is compared: the clock also tells what else the machine did."""
    full, tiny = os.path.join(folder, "vgg16.pt"), os.path.join(folder, "vgg16_tiny.pt")
    subprocess.run([sys.executable, _PROGRAMS, "save", "vgg16", full], check=True)
    subprocess.run([sys.executable, _PROGRAMS, "shrink", full, tiny], check=True)
    sizes = [os.path.getsize(file) / 1e6 for file in (full, tiny)]
    print(f"cameo inspect on VGG-16, {sizes[0]:.0f} MB; tiny: {sizes[1]:.2f} MB. Medians of processor time:")
    spent = {}
    for name, runs in _measure(cameo, full, tiny).items():
        clock, spent[name] = (statistics.median(column) for column in zip(*runs))
        print(f"  {name:<36} {spent[name] * 1000:10.2f} ms  (by the clock {clock * 1000:.2f} ms)")
    return judge([
        ("time / unzip -l", spent["inspect"] / spent["unzip"], 3, "×"),
        ("time / torch.jit.load", spent["inspect"] / spent["load"], 1 / 20, "×"),
        ("time / the same with tiny weights", spent["inspect"] / spent["inspect tiny"], 1.5, "×"),
        ("peak resident memory", peak_bytes(cameo, "inspect", full) / MEGABYTE, 40, "MB"),
    ])
