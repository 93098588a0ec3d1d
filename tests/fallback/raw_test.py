"""raw_test.py CAMEO: the raw program has PyTorch's own nodes in PyTorch's own order."""
import sys
import unittest
from typing import List, Optional

import onnx
import torch
from exported import export
from torch import Tensor, nn

CAMEO = sys.argv[1]


class Branches(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(3, 3)
        self.sizes = [1, 2]

    def forward(self, x: Tensor, n: int = 2, m: Optional[Tensor] = None):
        y = self.layer(x)
        if bool(x.sum() > 0):
            y = torch.relu(y)
        else:
            y = y * 2.5
        for i in range(n):
            y = torch.cat([y, y + i], 1)
        if m is not None:
            y = y + m
        return y, x.size(0), self.sizes[0]


class Containers(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(3, 3) for _ in range(2)])

    def pick(self, parts: List[Tensor], i: int) -> Tensor:
        return parts[i]

    def forward(self, x: Tensor):
        for layer in self.layers:
            x = layer(x)
        named = {"a": x}
        parts = torch.chunk(x, 2)
        best, at = torch.max(x, 1)
        i = 0
        while i < 3 and bool(x.sum() > 0):
            x = x - 1
            i += 1
        assert x.dim() == 2, "two dimensions"
        return self.pick(parts, 0) + named["a"][0:1, 1] + best, -x


class Counter(nn.Module):
    def __init__(self):
        super().__init__()
        self.steps = 0

    def forward(self, x: Tensor):
        self.steps = self.steps + 1
        return x * self.steps


class Returned(nn.Module):
    def forward(self, x: Tensor):
        return x


def kinds(graph):
    """Of PyTorch's graph, blocks inside. What the raw form says by initialisers and attributes is left out."""
    found = []
    for node in graph.nodes():
        if node.kind() not in ("prim::Constant", "prim::GetAttr"):
            found.append((node.kind(), [kinds(block) for block in node.blocks()]))
    return found


def our_kinds(graph):
    found = []
    for node in graph.node:
        if (node.domain, node.op_type) not in (("prim", "Constant"), ("prim", "GetAttr")):
            blocks = [block for a in node.attribute if a.name == "_blocks" for block in a.graphs]
            assert all(a.type == onnx.AttributeProto.GRAPHS for a in node.attribute if a.name == "_blocks")
            found.append((f"{node.domain}::{node.op_type}", [our_kinds(block) for block in blocks]))
    return found


class Raw(unittest.TestCase):
    def raw(self, program):
        model, said = export(CAMEO, program, "-i", "f32[4,3]", "--raw-ir")
        self.assertIsNotNone(model, said)
        return model

    def check(self, program):
        model = self.raw(program)
        self.assertEqual(our_kinds(model.graph), kinds(program.inlined_graph))
        return model

    def test_scripted(self):
        model = self.check(torch.jit.script(Branches().eval()))
        self.assertEqual([t.name for t in model.graph.initializer], ["layer.weight", "layer.bias"])
        self.assertEqual({o.domain for o in model.opset_import}, {"", "aten", "prim"})
        self.check(torch.jit.script(Containers().eval()))

    def test_attributes_that_change(self):
        model = self.check(torch.jit.script(Counter().eval()))
        self.assertEqual([(n.op_type, n.attribute[0].s) for n in model.graph.node if n.op_type.endswith("Attr")],
                         [("GetAttr", b"steps"), ("SetAttr", b"steps"), ("GetAttr", b"steps")])

    def test_traced(self):
        net = nn.Sequential(nn.Linear(3, 4), nn.ReLU(), nn.Linear(4, 2)).eval()
        model = self.check(torch.jit.trace(net, torch.randn(4, 3)))
        self.assertEqual([n.op_type for n in model.graph.node], ["linear", "relu", "linear"])

    def test_no_onnx_nodes(self):
        model = self.raw(torch.jit.script(Returned().eval()))
        self.assertEqual((len(model.graph.node), model.graph.output[0].name), (0, "x"))

    def test_constants(self):
        model = self.raw(torch.jit.script(Branches().eval()))
        values = [onnx.helper.get_attribute_value(n.attribute[0]) if n.attribute else None
                  for n in model.graph.node if n.op_type == "Constant"]
        for value in (2.5, 0, [1, 2], None):
            self.assertIn(value, values)


unittest.main(argv=sys.argv[:1])
