"""static_test.py CAMEO: --static and --unroll-loops."""
import os
import sys

import torch

import command
from command import dims

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "models"))
from networks import Repeated  # noqa: E402


class Reshape(torch.nn.Module):
    def forward(self, x):
        return x.reshape(x.size(0), -1) * x.size(1), torch.zeros_like(x).flatten(1)


class Loops(torch.nn.Module):
    """Loops that the sizes decide: counted, with a condition, and one within the other."""

    def forward(self, x):
        for i in range(x.size(0)):
            x = torch.relu(x) + i
        n = 0
        while n < x.size(1):
            for _ in range(2):
                x = x * 0.5
            n += 2
        if x.size(1) > 3:
            x = x - 1
        return x


class WhileOnData(torch.nn.Module):
    def forward(self, x):
        n = 0
        while bool(x.sum() < 10):
            x = x * 2
            n += 1
        if bool(x.sum() > 100):
            x = -x
        return x, n


class Static(command.TestCase):
    def operators(self, *arguments):
        return {node.op_type for node in self.export_model(*arguments).graph.node}

    def test_shapes_are_numbers(self):
        program = self.script(Reshape())
        dynamic = self.export_model(program, "-i", "f32[n,c,4]").graph
        self.assertIn("Shape", [node.op_type for node in dynamic.node])
        model = self.export_model(program, "-i", "f32[2,3,4]", "--static")
        self.assertEqual({node.op_type for node in model.graph.node}, {"Reshape", "Mul", "Identity"})
        self.assertEqual([dims(v) for v in model.graph.output], [[2, 12], [2, 12]])
        self.assert_runs("model.onnx", program, torch.randn(2, 3, 4))

    def test_loops_that_sizes_decide(self):
        program = self.script(Loops())
        self.assertIn("Loop", self.operators(program, "-i", "f32[3,5]"))
        self.assertFalse(self.operators(program, "-i", "f32[3,5]", "--static") & {"Loop", "If", "Shape"})
        self.assert_runs("model.onnx", program, torch.randn(3, 5))
        self.assertFalse(self.operators(program, "-i", "f32[3,5]", "--unroll-loops") & {"Loop", "If"})
        self.assert_runs("model.onnx", program, torch.randn(3, 5))

    def test_what_data_decide_stays(self):
        program = self.script(WhileOnData())
        self.assertLessEqual({"Loop", "If"}, self.operators(program, "-i", "f32[3]", "--static"))
        for x in ([1.0, 1.0, 0.5], [9.0, 2.0, 0.0], [200.0, 1.0, 1.0]):
            self.assert_runs("model.onnx", program, torch.tensor(x))

    def test_unrolled_convolutions(self):
        for turns in (2, 3):
            program = self.script(Repeated(turns))
            nodes = [node.op_type for node in self.export_model(program, "-i", "f32[1,3,10,10]", "--static").graph.node]
            self.assertEqual(nodes, ["Conv"] * turns)
            self.assert_runs("model.onnx", program, torch.randn(1, 3, 10, 10))

    def test_dynamic_sizes_are_refused(self):
        program = self.script(Reshape())
        for spec, name in (("f32[batch,3,4]", "batch"), ("f32[?,3,4]", "?")):
            self.assertEqual(self.messages(program, "-i", spec, "--static", code=1),
                             [f"error: [evaluate] with --static every size is a number, and '{name}' of input 'x' is dynamic [dynamic-size]"])
        self.assertEqual(self.messages(program, "-i", "f32[2,3,4]", "--static", "--dynamic-axes", "{'x': [0]}", code=1),
                         ["error: [evaluate] --static fixes every size, and --dynamic-axes makes some dynamic [contradicting-options]"])


command.main()
