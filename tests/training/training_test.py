"""The modes of an export: eval, preserve and training."""
import os
import sys
import tempfile

import onnx
import torch
from onnx import numpy_helper
from torch import nn

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))
from suite import Suite  # noqa: E402

EVAL, PRESERVE, TRAINING = range(3)
FOLDING = ("It is recommended that constant folding be turned off ('do_constant_folding=False') when exporting the model in "
           "training-amenable mode, i.e. with 'training=TrainingMode.TRAIN' or 'training=TrainingMode.PRESERVE' (when model "
           "is in training mode). Otherwise, some learnable model parameters may not translate correctly in the exported "
           "ONNX model because constant folding mutates model parameters. Please consider turning off constant folding or "
           "setting the training=TrainingMode.EVAL.")
SAVED = ("You are exporting the model to ONNX while in training mode with 'train' parameter not specified. The model will "
         "default to inference mode export. If you wish to export a training amenable ONNX model, specify "
         "training=TrainingMode.TRAINING or training=TrainingMode.PRESERVE (to preserve the original model state) in "
         "torch.onnx.export().")


def not_kept(names):
    return f"the program changes {', '.join(names)}, and an ONNX model keeps no changes: each run begins with the saved values"


def flag(mode, op, train):
    return f"ONNX export mode is set to TrainingMode.{mode}, but operator '{op}' is set to train={train}. Exporting with train={train}."


class Stats(nn.Module):
    """A normalisation, and its running statistics afterwards."""

    def __init__(self, norm):
        super().__init__()
        self.norm = norm

    def forward(self, x):
        y = self.norm(x)
        return y, self.norm.running_mean, self.norm.running_var


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv, self.norm, self.drop, self.last = nn.Conv2d(3, 4, 3), nn.BatchNorm2d(4), nn.Dropout(0.25), nn.Linear(4, 2)

    def forward(self, x):
        return self.last(self.drop(torch.relu(self.norm(self.conv(x))).mean([2, 3])))


def with_statistics(norm):
    with torch.no_grad():
        norm.running_mean.uniform_(-1, 1)
        norm.running_var.uniform_(0.5, 2)
    return norm


def net(train):
    torch.manual_seed(1)
    model = Net().train(train)
    with_statistics(model.norm)
    return torch.jit.script(model)


def stats(norm, train=True):
    return torch.jit.script(Stats(with_statistics(norm)).train(train))


def expect(warnings=(), changed=None, more=None):
    def check(result):
        if sorted(result["warnings"]) != sorted(warnings):
            return f"the warnings are {result['warnings']}"
        if changed is not None and result["changed_buffers"] != list(changed):
            return f"the changed buffers are {result['changed_buffers']}"
        return more(result) if more else None
    return check


suite = Suite()
image, running = torch.randn(4, 3, 5, 6), ["norm.running_mean", "norm.running_var"]
batch = [{0: "batch", 2: "height"}]
tracked = ["norm.num_batches_tracked", *running]

# The statistics that training leaves, in ONNX's training form where the opset has it and composed where not.
for name, norm, x in (("batch1d", nn.BatchNorm1d(3), torch.randn(4, 3)), ("batch2d", nn.BatchNorm2d(3, eps=1e-3), image),
                      ("momentum", nn.BatchNorm2d(3, momentum=0.3, affine=False), image),
                      ("cumulative", nn.BatchNorm2d(3, momentum=None), image),
                      ("f64", nn.BatchNorm2d(3).double(), image.double())):
    close = dict(rtol=1e-4, atol=1e-5, dynamic=batch if x.dim() == 4 else [{0: "batch"}], more=[[x[:2] + 1]])
    once = dict(close, more=[])  # ONNX Runtime changes the statistics in place: a second run begins with those of the first
    suite.add(f"{name}-training", stats(norm), [x], training=TRAINING, check=expect([FOLDING], tracked), **once)
    suite.add(f"{name}-composed", stats(norm), [x], training=TRAINING, opset=13, check=expect([FOLDING], tracked), **close)
    suite.add(f"{name}-preserved", stats(norm), [x], training=PRESERVE, opset=13, fold_constants=False, check=expect([], tracked),
              **close)
    suite.add(f"{name}-evaluated", stats(norm, False), [x], training=EVAL,
              check=expect([f"output 'output_{i}' does not depend on any input (3 constants)" for i in (1, 2)], []), **close)
# ONNX Runtime stores small equal constants once, and statistics that are zeros and ones are also weights.
fresh = nn.Sequential(nn.Conv2d(3, 4, 3), nn.BatchNorm2d(4), nn.ReLU(), nn.BatchNorm2d(4)).train()
suite.add("fresh-statistics", torch.jit.script(fresh), [image], training=TRAINING, rtol=1e-4, atol=1e-5, dynamic=batch, more=[[image[:2] + 1]])
for train, check in ((True, expect([FOLDING], running)), (False, None)):
    suite.add(f"instance-stats-{train}", stats(nn.InstanceNorm2d(3, track_running_stats=True), train), [image], dynamic=batch,
              more=[[image[:2] + 1]], rtol=1e-4, atol=1e-5, training=TRAINING if train else EVAL, check=check)

# A traced program holds its mode as a constant.
with torch.no_grad():
    traced = torch.jit.trace(Stats(nn.BatchNorm2d(3)).train(), image, check_trace=False)
    untrained = torch.jit.trace(nn.Sequential(nn.Conv2d(3, 3, 1), nn.BatchNorm2d(3), nn.Dropout()).eval(), image)
suite.add("traced-training-as-eval", traced, [image], rtol=1e-4, atol=1e-5, check=expect([SAVED, not_kept(tracked), flag("EVAL", "batch_norm", True)], tracked))
suite.add("traced-eval-as-training", untrained, [image], rtol=1e-4, atol=1e-5, training=TRAINING,
          check=expect([FOLDING, flag("TRAINING", "batch_norm", False), flag("TRAINING", "dropout", False)], []))

# Whole networks: what is written.
folder = tempfile.TemporaryDirectory()


def saved(name):
    return os.path.join(folder.name, f"{name}.onnx")


def ops(*kinds):
    def check(result):
        got = sorted(result["operators"])
        return None if got == sorted(kinds) else f"the operators are {got}"
    return check


def training_forms(name):
    def check(result):
        graph = onnx.load(saved(name)).graph
        onnx.checker.check_model(onnx.load(saved(name)))
        constants = {t.name: numpy_helper.to_array(t).tolist() for t in graph.initializer}
        norm = next(n for n in graph.node if n.op_type == "BatchNormalization")
        drop = next(n for n in graph.node if n.op_type == "Dropout")
        if {a.name: a.i for a in norm.attribute} != {"training_mode": 1} or len(norm.output) != 3:
            return f"batch normalisation is {norm}"
        if [constants[i] for i in drop.input[1:]] != [0.25, True]:
            return f"dropout is {drop}"
        return ops("Conv", "BatchNormalization", "Relu", "ReduceMean", "Dropout", "Gemm")(result)
    return check


def same_as_eval(result):
    """Saved in training mode, exported as the same network in evaluation mode is."""
    with open(saved("from-train"), "rb") as one, open(saved("from-eval"), "rb") as other:
        equal = one.read() == other.read()
    return None if equal else "the two files differ"


wide, only = torch.randn(2, 3, 8, 8), dict(only_save=True)
suite.add("net-from-eval", net(False), [wide], save=saved("from-eval"), check=expect([], [], ops("Conv", "Relu", "ReduceMean", "Gemm")))
suite.add("net-from-train", net(True), [wide], save=saved("from-train"), check=expect([SAVED], [], same_as_eval), **only)
suite.add("net-training", net(False), [wide], save=saved("training"), training=TRAINING,
          check=expect([FOLDING], tracked, training_forms("training")), **only)
suite.add("net-preserved", net(True), [wide], save=saved("preserved"), training=PRESERVE,
          check=expect([FOLDING], tracked, training_forms("preserved")), **only)
suite.main()
