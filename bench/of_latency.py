"""The latency in ONNX Runtime of what cameo writes, beside what torch.onnx.export writes of the same traced model.

Both models run in one process with one thread, in turns, and the least processor time of this thread counts: what else the
machine does only adds to it.
"""

import math
import os
import subprocess
import sys
import time

import onnx

from measure import judge

_PROGRAMS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "programs.py")
_MODELS = """
    alexnet convnext_tiny densenet121 efficientnet_b0 efficientnet_v2_s googlenet inception_v3 maxvit_t mnasnet0_5 mnasnet1_3
    mobilenet_v2 mobilenet_v3_large mobilenet_v3_small regnet_x_400mf regnet_x_800mf regnet_y_400mf resnet18 resnet34 resnet50
    resnext50_32x4d shufflenet_v2_x0_5 shufflenet_v2_x1_0 squeezenet1_1 swin_t vgg11_bn wide_resnet50_2
""".split()
_ROUNDS = 15
_SHAPE = (1, 3, 224, 224)


def _least_seconds(sessions, feeds):
    least = [math.inf] * len(sessions)
    for turn in range(_ROUNDS + 2):
        for i, (session, feed) in enumerate(zip(sessions, feeds)):
            began = time.thread_time()
            session.run(None, feed)
            if turn > 1:  # the first runs prepare memory
                least[i] = min(least[i], time.thread_time() - began)
    return least


def _bench(command, package, folder, name):
    import numpy

    file, mine, peers = (os.path.join(folder, f"latency.{end}") for end in ("pt", "onnx", "torch.onnx"))
    subprocess.run([sys.executable, _PROGRAMS, "save", name, file], check=True)
    subprocess.run([command, "export", "--quiet", "--no-sync", file, "-i", f"f32{list(_SHAPE)}", "-o", mine], check=True)
    subprocess.run([sys.executable, _PROGRAMS, "export", file, peers], check=True, stdout=subprocess.DEVNULL)
    image = numpy.random.default_rng(0).random(_SHAPE, dtype=numpy.float32)
    sessions = [package.Session(path, threads=1) for path in (mine, peers)]
    seconds = _least_seconds(sessions, [{session.get_inputs()[0].name: image} for session in sessions])
    nodes = [len(onnx.load(path, load_external_data=False).graph.node) for path in (mine, peers)]
    print(f"  {name:<36} {seconds[0] * 1000:8.2f} ms  {seconds[1] * 1000:8.2f} ms  {nodes[0]:5} {nodes[1]:5} nodes  "
          f"{seconds[0] / seconds[1]:.3f}", flush=True)
    return seconds[0] / seconds[1], nodes[0] - nodes[1]


def bench(cameo, folder):
    sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(cameo)), "python"))
    import cameo as package

    print("\nLatency of exported models with one thread: cameo export, torch.onnx.export, their nodes, the ratio of the times:")
    figures = [_bench(cameo, package, folder, name) for name in _MODELS]
    ratios = [ratio for ratio, _ in figures]
    return judge([
        ("largest latency / torch.onnx.export", max(ratios), 1.03, "×"),
        ("geometric mean of these", math.exp(sum(map(math.log, ratios)) / len(ratios)), 0.95, "×"),
        ("most nodes beyond torch.onnx.export", max(more for _, more in figures), 0, ""),
    ])
