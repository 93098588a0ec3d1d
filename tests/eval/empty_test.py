"""Dynamic sizes that are 0: programs that ask for it, and operators on empty tensors, run in ONNX Runtime at 0 and at
other sizes, and compared with PyTorch."""

import os
import sys

import torch
import torch.nn.functional as F

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))
from suite import Suite  # noqa: E402

suite = Suite()


def assumes(*expected):
    def check(result):
        got = result["assumptions"]
        return None if got == list(expected) else f"assumes {got}"

    return check


# ---- conditions of the program itself


def is_empty(x):
    if x.size(0) == 0:
        return torch.full([1, 3], 7.0)
    return x.sum(0, keepdim=True)


def is_filled(x):
    y = x * 2
    if x.numel() > 0:
        y = y + x.max()
    return y


def at_least_one(x):
    if x.size(0) >= 1:
        return x[0] * 2
    return torch.zeros(3)


def count(x):
    total = torch.zeros(3)
    for i in range(x.size(0)):
        total = total + x[i] * (i + 1)
    return total


def countdown(x):
    n = x.size(0)
    y = x
    while n > 0:
        y = y + 1
        n -= 1
    return y


def not_size(x):
    if not x.size(0):
        return x - 1
    return x + 1


def asserted(x):
    assert x.size(0) > 0, "no rows"
    return x.mean(0)


for program in (is_empty, is_filled, at_least_one, count, countdown, not_size):
    for n in (0, 3):
        suite.add(f"{program.__name__}-{n}", program, [torch.randn(n, 3)], dynamic={"x": {0: "batch"}},
                  more=[[torch.randn(m, 3)] for m in (0, 1, 5)], check=assumes())
suite.add("asserted", asserted, [torch.randn(2, 3)], dynamic={"x": {0: "batch"}},
          check=assumes("batch > 0 (otherwise: AssertionError: no rows)"))
suite.add("range-decides", is_empty, [torch.randn(2, 3)], specs=["f32[batch>=1, 3]"], absent=["If"], more=[[torch.randn(1, 3)]])


# ---- operators; ONNX Runtime's TopK divides by the number of rows, and ends the process for none

layers = {
    "linear": (torch.nn.Linear(6, 4), (6,)),
    "conv1d": (torch.nn.Conv1d(2, 4, 3, padding=1), (2, 6)),
    "batch_norm": (torch.nn.BatchNorm1d(6).eval(), (6,)),
    "layer_norm": (torch.nn.LayerNorm(6), (6,)),
    "embedding": (torch.nn.Embedding(9, 4), None),
}
for name, (layer, rest) in layers.items():
    make = (lambda n, rest=rest: torch.randn(n, *rest)) if rest else (lambda n: torch.randint(9, (n, 5)))
    suite.add(f"layer-{name}", layer, [make(3)], dynamic=[{0: "batch"}], more=[[make(n)] for n in (0, 1, 4)], check=assumes())


def relu(x):
    return torch.relu(x) + x * 2 - x / 3


def sums(x):
    return x.sum(0), x.sum(1), x.sum(), x.prod(0), x.mean(1), x.amax(1)


def softmax(x):
    return torch.softmax(x, 1), torch.log_softmax(x, -1), torch.softmax(x, 0)


def cat(x):
    return torch.cat([x, x], 0), torch.cat([x, x * 2], 1), torch.stack([x, x], 1)


def shapes(x):
    return x.reshape(-1, 2, 3), x.view(x.size(0), 3, 2), x.flatten(), x.reshape(-1), x.unsqueeze(1), x.t(), x.expand(2, -1, 6)


def flat(x):
    return x.flatten(0, 1), x.flatten(1)


def matmul(x):
    return x @ torch.ones(6, 2), torch.matmul(x, x.t()), x.t() @ x, torch.einsum("ij,ij->i", x, x)


def slices(x):
    return x[1:], x[:2], x[:, 1:4], x[::2], x[x[:, 0] > 0], x[:, [1, 0]]


def cumsum(x):
    return torch.cumsum(x, 0), torch.cumsum(x, 1)


def creation(x):
    n = x.size(0)
    return torch.zeros(n, 2), torch.arange(n), torch.ones_like(x), torch.full([n], 3.0), torch.linspace(0, 1, n)


def wheres(x):
    return torch.where(x > 0, x, x * 2), x.clamp(0, 1), (x > 0).any(), (x > 0).all(1), torch.nonzero(x > 0)


def padded(x):
    return F.pad(x, [1, 2]), F.pad(x, [0, 0, 1, 0], value=2.0), x.repeat(2, 1), x.flip(0), torch.roll(x, 1, 1)


def split(x):
    a, b = x.chunk(2, 1)
    return a, b, x.split([2, 4], 1)[1]


for program in (relu, sums, softmax, cat, shapes, matmul, slices, cumsum, creation, wheres, padded, split):
    suite.add(f"operator-{program.__name__}", program, [torch.randn(3, 6)], dynamic={"x": {0: "batch"}},
              more=[[torch.randn(n, 6)] for n in (0, 1, 4)], check=assumes())
suite.add("operator-flat", flat, [torch.randn(3, 2, 4)], dynamic={"x": {0: "batch"}}, more=[[torch.randn(n, 2, 4)] for n in (0, 2)],
          check=assumes())


def sum_of_two(x, y):
    return x + y, (x * y).size(0)


suite.add("broadcast", sum_of_two, [torch.randn(3), torch.randn(1)], dynamic={"x": {0: "n"}, "y": {0: "m"}},
          more=[[torch.randn(n), torch.randn(m)] for n, m in ((0, 1), (1, 0), (0, 0), (1, 4), (4, 4))], check=assumes())


# ---- what PyTorch refuses for empty tensors, and what ONNX cannot express, is in the report


def first(x):
    return x[0]


def last(x):
    return x[-1] + x[1]


def inferred(x):
    return x.view(x.size(0), -1)


def merged(x):
    return x.reshape(x.size(0) * x.size(1), x.size(2), 2)


suite.add("assumes-first", first, [torch.randn(3, 6)], dynamic={"x": {0: "n"}}, more=[[torch.randn(1, 6)]],
          check=assumes("n >= 1 (otherwise: index 0 is out of range)"))
suite.add("assumes-last", last, [torch.randn(3, 6)], dynamic={"x": {0: "n"}}, more=[[torch.randn(2, 6)]],
          check=assumes("n >= 1 (otherwise: index -1 is out of range)", "n >= 2 (otherwise: index 1 is out of range)"))
suite.add("assumes-inferred", inferred, [torch.randn(3, 6, 2)], dynamic={"x": {0: "n", 1: "m"}}, more=[[torch.randn(1, 2, 2)]],
          check=assumes("n >= 1 (otherwise: a dimension of an empty tensor cannot be inferred)"))
suite.add("assumes-merged", merged, [torch.randn(3, 6, 4, 2)], dynamic={"x": {0: "n", 1: "m", 2: "k"}},
          more=[[torch.randn(1, 2, 2, 2)], [torch.randn(0, 2, 5, 2)]],
          check=assumes("k >= 1 (otherwise: ONNX cannot reshape an empty tensor here)"))
suite.add("no-assumption-with-a-range", first, [torch.randn(3, 6)], specs=["f32[n>=1, 6]"], check=assumes())

suite.main()
