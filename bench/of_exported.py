"""`cameo export` of torch.export programs, beside `cp` of the same file and torch.onnx.export of PyTorch 2.14.

The programs are written in a Debian root (scripts/torch2 make sid). Without the root there are no figures. torch.onnx.export
is measured from the program to the file, without the start of Python and torch.export, both of which it needs too. It does not wait
until the disk has the file, so it is held against --no-sync. It needs
onnxscript and onnx_ir, which the root lacks; they may lie in .cache/torch2/scratch/bench/packages. Without them, the exporter that
traces is measured instead.
"""

import json
import os
import subprocess
import zipfile

import onnx

from measure import MEGABYTE, judge, least_seconds, peak_bytes

_PROJECT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
_ROOTS = os.path.join(_PROJECT, ".cache/torch2")
_SCRATCH = os.path.join(_ROOTS, "scratch/bench")
_ROUNDS = 9
_MODELS = ("resnet50", "swin_t", "bert", "llama")
_LARGE = ("bert", "llama")  # the time is that of copying the weights
_WITHOUT_PEER = ("llama",)  # for 1 GB, torch.onnx.export takes many minutes and several times the memory


def _graph_nodes(graph):
    count = len(graph.node)
    for node in graph.node:
        for attribute in node.attribute:
            count += sum(_graph_nodes(inner) for inner in [attribute.g, *attribute.graphs])
    return count


def _nodes(path):
    model = onnx.load(path, load_external_data=False)
    return _graph_nodes(model.graph)


def _graph_bytes(file):
    with zipfile.ZipFile(file) as archive:
        return max(entry.file_size for entry in archive.infolist() if entry.filename.endswith(".json"))


def _write_program(name, with_peer):
    """In the root the scratch folder is /scratch."""
    command = [os.path.join(_PROJECT, "scripts/torch2"), "run", "sid", "python3", "/cameo/bench/exported_programs.py", name, f"/scratch/{name}.pt2"]
    command += [f"/scratch/{name}-torch.onnx"] if with_peer else []
    subprocess.run(command, env={**os.environ, "TORCH2_SCRATCH": _SCRATCH}, check=True, stdout=subprocess.DEVNULL)
    with open(os.path.join(_SCRATCH, f"{name}.pt2.json")) as figures:
        return json.load(figures)


def _bench(cameo, name):
    with_peer = name not in _WITHOUT_PEER
    peer = _write_program(name, with_peer)
    file, copy, out = [os.path.join(_SCRATCH, f"{name}{ending}") for ending in (".pt2", ".copy", ".onnx")]
    export = [cameo, "export", "--quiet", file, "-o", out]
    commands = {
        "cp": ["cp", file, copy],
        "cp, then sync": ["sh", "-c", 'cp "$0" "$1" && sync "$1"', file, copy],
        "cameo export": export,
        "cameo export --no-sync": [*export, "--no-sync"],
    }
    seconds = least_seconds(commands, _ROUNDS, [copy, out, f"{out}.data"])
    peaks = {name: peak_bytes(*command) for name, command in commands.items()}
    print(f"\n{name}.pt2 of PyTorch {peer['torch']}, {os.path.getsize(file) / 1e6:.0f} MB")
    for title, clock in seconds.items():
        print(f"  {title:<36} {clock * 1000:10.2f} ms  {peaks[title] / MEGABYTE:8.1f} MB")
    print(f"  {'torch.export.export':<36} {peer['torch.export'] * 1000:10.2f} ms")
    limits = [("peak resident memory", peaks["cameo export"] / MEGABYTE, 64 + _graph_bytes(file) / MEGABYTE, "MB")]
    if name in _LARGE:
        limits.append(("time / cp, then sync", seconds["cameo export"] / seconds["cp, then sync"], 1.5, "×"))
        limits.append(("time with --no-sync / cp", seconds["cameo export --no-sync"] / seconds["cp"], 1.5, "×"))
    if with_peer:
        print(f"  {peer['peer']:<36} {peer['peer seconds'] * 1000:10.2f} ms")
        limits.append(("time with --no-sync / torch.onnx.export", seconds["cameo export --no-sync"] / peer["peer seconds"], 1 / 50, "×"))
        limits.append(("nodes", _nodes(out), _nodes(os.path.join(_SCRATCH, f"{name}-torch.onnx")), ""))
    return judge(limits)


def bench(cameo, _):
    if not os.path.exists(os.path.join(_ROOTS, "sid/complete")):
        print("\ncameo export of torch.export programs: not measured, as there is no root with PyTorch 2.14 (scripts/torch2 make sid)")
        return True
    print("\ncameo export of torch.export programs. Least time by the clock, and peak resident memory:")
    kept = True
    os.makedirs(_SCRATCH, exist_ok=True)
    for name in _MODELS:
        try:
            kept = _bench(cameo, name) and kept
        finally:
            for file in os.listdir(_SCRATCH):
                if file.startswith(name):
                    os.remove(os.path.join(_SCRATCH, file))
    return kept
