"""Quantised models: ResNet-50 with 8 bits beside the one with floats in ONNX Runtime, and `cameo quantize` on 1 GB beside `cp`."""

import os
import re
import subprocess
import sys

from measure import MEGABYTE, judge, least_seconds, peak_bytes

_PROGRAMS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "programs.py")
_ROUNDS, _RUNS = 5, 8  # of both models by turns; runs in each round
_QUANTIZE_ROUNDS = 3
_FORMS = {
    "int8": [],
    "int8, search": ["--search"],
    "int4:32": ["--weights", "int4:32"],
    "uint4:32, MatMulNBits": ["--weights", "uint4:32", "--form", "matmulnbits"],
}


def _latency(cameo, model):
    """The least milliseconds of a run."""
    told = subprocess.run([cameo, "run", model, "--repeat", str(_RUNS)], check=True, capture_output=True, text=True).stdout
    return float(re.search(r"least ([\d.]+) ms", told).group(1))


def _latencies(cameo, folder):
    models = {}
    for kind in ("save", "quantized"):
        file, models[kind] = (os.path.join(folder, f"{kind}-resnet50{ending}") for ending in (".pt", ".onnx"))
        subprocess.run([sys.executable, _PROGRAMS, kind, "resnet50", file], check=True)
        subprocess.run([cameo, "export", "--quiet", file, "-i", "f32[1,3,224,224]", "-o", models[kind]], check=True)
    found = {kind: [] for kind in models}
    for _ in range(_ROUNDS):
        for kind, model in models.items():
            found[kind].append(_latency(cameo, model))
    least = {kind: min(all) for kind, all in found.items()}
    print(f"  {'ResNet-50, f32':<36} {least['save']:10.2f} ms\n  {'ResNet-50, int8':<36} {least['quantized']:10.2f} ms")
    return judge([("latency, int8 / f32", least["quantized"] / least["save"], 0.6, "×")])


def _quantize(cameo, folder):
    source, copy, out = (os.path.join(folder, name) for name in ("large.onnx", "copy.onnx", "quantized.onnx"))
    subprocess.run([sys.executable, _PROGRAMS, "large", source], check=True)
    commands = {"cp, then sync": ["sh", "-c", 'cp "$0" "$1" && sync "$1"', source, copy]}
    commands |= {name: [cameo, "quantize", source, "-o", out, *options] for name, options in _FORMS.items()}
    seconds = least_seconds(commands, _QUANTIZE_ROUNDS, (copy, out))
    peaks = {name: peak_bytes(*command) for name, command in commands.items()}
    print(f"cameo quantize, {os.path.getsize(source) / 1e9:.2f} GB:")
    for name, clock in seconds.items():
        print(f"  {name:<36} {clock:10.2f} s   {peaks[name] / MEGABYTE:8.1f} MB")
    os.remove(source)
    return judge([figure for name in _FORMS for figure in (
        (f"time / cp, {name}", seconds[name] / seconds["cp, then sync"], 3, "×"),
        (f"peak resident memory, {name}", peaks[name] / MEGABYTE, 256, "MB"))])


def bench(cameo, folder):
    print("\nQuantised models. Least latency by the clock:")
    return all([_latencies(cameo, folder), _quantize(cameo, folder)])
