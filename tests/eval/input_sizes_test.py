"""Ranges and formulas of the sizes of inputs: exported, run in ONNX Runtime at several sizes, compared with PyTorch."""

import os
import sys

import torch

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))
from suite import Suite  # noqa: E402

suite = Suite()


def pair(n, m=4):
    return [torch.randn(n, 3), torch.randn(2 * n, m)]


def stacked(x, y):
    """Reads sizes that are formulas of each other."""
    n = x.size(0)
    return torch.cat([y.reshape(n, 2, -1).sum(1), x, torch.zeros(n, 5)], 1), y.size(0) - n


def halves(x):
    n = x.size(0) // 2
    return x.reshape(2, n) + torch.arange(n)


def ones(x):
    return torch.ones((x.size(0) - 1) // 2) + x.sum()


def padded(x):
    h, w = x.size(1), x.size(2)
    y = torch.nn.functional.pad(x, [0, (32 - w % 32) % 32, 0, (32 - h % 32) % 32])
    return y.reshape(y.size(0), y.size(1) // 32, 32, y.size(2) // 32, 32)


def small(x):
    if x.size(0) > 8:
        x = x * 2
    return x + 1


def even(x):
    if x.size(0) % 2 == 0:
        return x.reshape(2, -1).sum(0)
    return x


def product(x, y):
    n = x.size(0) // y.size(0)
    return torch.arange(n) + x.sum() + y.sum()


def no_if(result):
    return None if "If" not in result["operators"] else f"a range decides this: {result['operators']}"


def inputs_are(*types):
    def check(result):
        got = [type_ for _, type_ in result["graph_inputs"]]
        return None if got == list(types) else f"the inputs are {got}"

    return check


suite.add("formula-of-a-size", stacked, pair(3), specs=["f32[n,3]", "f32[2*n,4]"], more=[pair(5), pair(1)],
          check=inputs_are("f32[n, 3]", "f32[2*n, 4]"))
suite.add("formula-before-its-name", lambda y, x: stacked(x, y), pair(3)[::-1], how="trace", specs=["f32[2*n,4]", "f32[n,3]"],
          check=inputs_are("f32[2*n, 4]", "f32[n, 3]"))
suite.add("formula-alone", halves, [torch.randn(6)], specs=["f32[2*n]"], more=[[torch.randn(2)], [torch.randn(10)]],
          check=inputs_are("f32[2*n]"))
suite.add("formula-with-offset", lambda x, y: x[1:] + y, [torch.randn(4), torch.randn(3)], how="trace", specs=["f32[n+1]", "f32[n]"],
          more=[[torch.randn(8), torch.randn(7)]])
suite.add("size-of-a-formula", ones, [torch.randn(7)], specs=["f32[2*n+1]"],
          more=[[torch.randn(3)], [torch.randn(11)]], check=inputs_are("f32[2*n + 1]"))
suite.add("formula-of-two-names", product, [torch.randn(12), torch.randn(3)], specs=["f32[n*m]", "f32[m]"],
          more=[[torch.randn(10), torch.randn(5)]], check=inputs_are("f32[n*m]", "f32[m]"))
suite.add("no-solution", halves, [torch.randn(6)], specs=["f32[n//2]"],
          error=["the size 'n' cannot be computed from the sizes of the inputs"])

suite.add("step", padded, [torch.randn(2, 64, 32)], specs=["f32[b, h=32..1024 step 32, w step 64]"], absent=["Pad"],
          more=[[torch.randn(1, 96, 128)]])
suite.add("step-with-offset", padded, [torch.randn(2, 33, 32)], specs=["f32[b, h=33.. step 32, w]"],
          more=[[torch.randn(1, 65, 31)], [torch.randn(3, 97, 1)]])
suite.add("upper-bound", small, [torch.randn(3)], specs=["f32[n<=8]"], more=[[torch.randn(8)]], check=no_if)
suite.add("lower-bound", small, [torch.randn(9)], specs=["f32[n=9..]"], more=[[torch.randn(20)]], check=no_if)
suite.add("range-that-does-not-decide", small, [torch.randn(3)], specs=["f32[n=2..20]"], more=[[torch.randn(8)], [torch.randn(9)]],
          operators={"If": 1})
suite.add("even", even, [torch.randn(6)], specs=["f32[n step 2]"], more=[[torch.randn(2)]], check=no_if)
suite.add("odd", even, [torch.randn(7)], specs=["f32[n=1.. step 2]"], more=[[torch.randn(3)]], check=no_if)
suite.add("one-size", small, [torch.randn(9)], specs=["f32[n=9..9]"], check=inputs_are("f32[9]"))
suite.add("range-of-an-unnamed-size", small, [torch.randn(3)], specs=["f32[?<=8]"], more=[[torch.randn(8)]], check=no_if)
suite.add("range-stated-later", lambda x, y: small(x) + y, [torch.randn(3), torch.randn(3)], how="trace",
          specs=["f32[n]", "f32[n<=8]"], more=[[torch.randn(8), torch.randn(8)]], check=no_if)

suite.main()
