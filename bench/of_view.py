"""`cameo view` on deep graphs, beside dagre's layout of the same graph, which viewers in JavaScript use."""

import json
import os
import subprocess
import sys

from measure import judge, run

_HERE = os.path.dirname(os.path.abspath(__file__))
_SUPPORT = os.path.join(_HERE, "..", "tests", "support", "deep_graph.py")
_COMPARED = 600  # nodes that dagre can lay out in seconds
_SIZES = (10_000, 50_000, 100_000)
_ROUNDS = 3


def _dagre_seconds(view):
    done = subprocess.run(["node", "--stack-size=4000", os.path.join(_HERE, "dagre_layout.mjs"), view], stdout=subprocess.PIPE, check=True, text=True)
    return float(done.stdout)


def bench(cameo, folder):
    """The whole command is compared with the layout alone: it also reads, infers, packs and writes. Processor time is what is
    compared: the clock also tells what else the machine did."""
    seconds, page = {}, os.path.join(folder, "deep.html")
    for nodes in (_COMPARED, *_SIZES):
        model = os.path.join(folder, f"deep{nodes}.onnx")
        subprocess.run([sys.executable, _SUPPORT, model, str(nodes)], check=True)
        seconds[nodes] = min(run(cameo, "view", model, "-o", page)[1] for _ in range(_ROUNDS))
    view = os.path.join(folder, "deep.json")
    subprocess.run([cameo, "view", os.path.join(folder, f"deep{_COMPARED}.onnx"), "-o", view], check=True, stdout=subprocess.DEVNULL)
    dagre = _dagre_seconds(view)
    with open(view, encoding="utf-8") as made:
        nodes = len(json.load(made)["nodes"]["name"])
    print(f"cameo view on deep graphs. Least processor time of {_ROUNDS}; dagre's layout of {nodes} nodes took {dagre:.2f} s:")
    for nodes, spent in seconds.items():
        print(f"  {nodes:>7} nodes: {spent * 1000:.0f} ms")
    kept = judge([
        (f"whole view / dagre, {_COMPARED} nodes", seconds[_COMPARED] / dagre, 1 / 5, "×"),
        ("time per node, 100,000 / 10,000", seconds[100_000] / seconds[10_000] / 10, 1.3, "×"),
        ("view of 50,000 nodes", seconds[50_000], 1.6, "s"),
    ])
    print("\nThe first frame of large graphs in Chromium, and the frames after it:", flush=True)
    build = {**os.environ, "CAMEO_BUILD": os.path.dirname(os.path.abspath(cameo))}
    return subprocess.run(["node", os.path.join(_HERE, "first_frame.mjs")], env=build).returncode == 0 and kept
