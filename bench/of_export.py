"""`cameo export` of whole models, beside `cp` of the same file and torch.onnx.export in a cold Python process.

`cameo export` waits until the disk has everything, which neither of the others does: it is held against `cp` followed by
`sync`, and with --no-sync against `cp` as it is. All of them write new files: where one is replaced, ext4 waits too.
"""

import os
import subprocess
import sys

import onnx

from measure import MEGABYTE, judge, least_seconds, peak_bytes

_PROGRAMS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "programs.py")
_ROUNDS = 15
_PEER_ROUNDS = 3  # the least of several runs, as for the others; one takes many seconds
_MODELS = ("resnet50", "vgg16", "swin_t")


def _bench(cameo, folder, model):
    file = os.path.join(folder, f"{model}.pt")
    if not os.path.exists(file):
        subprocess.run([sys.executable, _PROGRAMS, "save", model, file], check=True)
    export = [cameo, "export", "--quiet", file, "-i", "f32[1,3,224,224]"]
    names = "copy.pt", "out.onnx", "linked.onnx", "torch.onnx"
    outputs = copy, out, linked, torch_out = [os.path.join(folder, name) for name in names]
    commands = {
        "cp": ["cp", file, copy],
        "cp, then sync": ["sh", "-c", 'cp "$0" "$1" && sync "$1"', file, copy],
        "cameo export": [*export, "-o", out],
        "cameo export --no-sync": [*export, "-o", out, "--no-sync"],
        "cameo export, linked": [*export, "-o", linked, "--external-data", "link"],
    }
    torch_export = {"torch.onnx.export": [sys.executable, _PROGRAMS, "export", file, torch_out]}
    seconds = {**least_seconds(commands, _ROUNDS, outputs), **least_seconds(torch_export, _PEER_ROUNDS, outputs)}
    peaks = {name: peak_bytes(*command) for name, command in {**commands, **torch_export}.items()}
    print(f"\n{model}, {os.path.getsize(file) / 1e6:.0f} MB")
    nodes = {name: len(onnx.load(path, load_external_data=False).graph.node)
             for name, path in (("cameo export", out), ("torch.onnx.export", torch_out))}
    for name, clock in seconds.items():
        print(f"  {name:<36} {clock * 1000:10.2f} ms  {peaks[name] / MEGABYTE:8.1f} MB"
              + (f"  {nodes[name]:5} nodes" if name in nodes else ""))
    return judge([
        ("time / cp, then sync", seconds["cameo export"] / seconds["cp, then sync"], 2, "×"),
        ("time / torch.onnx.export", seconds["cameo export"] / seconds["torch.onnx.export"], 1 / 30, "×"),
        ("time with --no-sync / cp", seconds["cameo export --no-sync"] / seconds["cp"], 2, "×"),
        ("peak resident memory", peaks["cameo export"] / MEGABYTE, 64, "MB"),
        ("time, linked", seconds["cameo export, linked"], 0.1, "s"),
    ])


def bench(cameo, folder):
    print("\ncameo export. Least time by the clock, and peak resident memory:")
    return all([_bench(cameo, folder, model) for model in _MODELS])
