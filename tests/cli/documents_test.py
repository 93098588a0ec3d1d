"""documents_test.py CAMEO: smaller promises of PyTorch's own pages on exporting, one test each."""
import os
import subprocess

import command
import onnx
import torch
from onnx import numpy_helper


@torch.jit.script
def looped(x, turns: int):
    for i in range(turns):
        x = x + i
    return x


class Mixed(torch.nn.Module):
    """A scripted loop within a traced module."""

    def forward(self, x):
        return looped(x, 9)


class Decides(torch.nn.Module):
    def forward(self, x):
        return x * 2 if x.sum() > 0 else x - 1


class Bicubic(torch.nn.Module):
    def forward(self, x):
        return torch.nn.functional.interpolate(x, scale_factor=2.0, mode="bicubic", align_corners=False)


class Shared(torch.nn.Module):
    """One value is an output and is read on."""

    def forward(self, x, h):
        x1 = x + h
        return x1, torch.relu(x1)


class Documents(command.TestCase):
    def test_scripted_loop_within_a_trace(self):
        program = self.trace(Mixed(), torch.ones(2, 3))
        self.export_model(program, "-i", "f32[2,3]")
        self.assert_runs("model.onnx", program, torch.ones(2, 3))
        result, = command.run_onnx("model.onnx", torch.ones(2, 3))
        self.assertTrue(torch.equal(result, torch.full((2, 3), 37.0)))

    def test_a_trace_has_no_condition(self):
        model = self.export_model(self.trace(Decides(), torch.ones(2)), "-i", "f32[2]")
        self.assertEqual([node.op_type for node in model.graph.node], ["Mul"])

    def test_weights_are_kept_bit_by_bit(self):
        linear = torch.nn.Linear(10, 2)
        for suffix in ("onnx", "proto"):
            model = self.export_model(self.trace(linear, torch.zeros(1, 10)), "-i", "f32[1,10]", "-o", f"linear.{suffix}",
                                      path=f"linear.{suffix}")
            weights = {t.name: torch.from_numpy(numpy_helper.to_array(t).copy()) for t in model.graph.initializer}
            self.assertEqual(sorted(weights), ["bias", "weight"])
            for name, parameter in linear.named_parameters():
                self.assertTrue(torch.equal(weights[name], parameter.detach()))
            self.assertEqual(subprocess.run([command.CAMEO, "check", f"linear.{suffix}"], capture_output=True).returncode, 0)

    def test_the_same_export_twice(self):
        program = self.trace(torch.nn.Linear(3, 2), torch.zeros(1, 3))
        self.export(program, "-i", "f32[n,3]", "-o", "a.onnx")
        self.export(program, "-i", "f32[n,3]", "-o", "b.onnx")
        with open("a.onnx", "rb") as a, open("b.onnx", "rb") as b:
            self.assertEqual(a.read(), b.read())
        self.assertEqual(sorted(os.listdir()), ["a.onnx", "b.onnx", "model.pt"])

    def test_one_value_is_output_and_input(self):
        program = self.script(Shared())
        model = self.export_model(program, "-i", "x=f32[batch,4]", "-i", "h=f32[batch,4]", "--output-names", "out0,out1")
        self.assertEqual([(node.op_type, list(node.input), list(node.output)) for node in model.graph.node],
                         [("Add", ["x", "h"], ["out0"]), ("Relu", ["out0"], ["out1"])])
        for batch in (1, 7):
            self.assert_runs("model.onnx", program, torch.randn(batch, 4), torch.randn(batch, 4))
        self.assertIn("ONNXRuntimeError", command.run_onnx("model.onnx", torch.randn(2, 4), torch.randn(3, 4)))

    def test_bicubic_from_opset_11_on(self):
        program = self.trace(Bicubic(), torch.zeros(1, 1, 4, 5))
        error, = self.messages(program, "-i", "f32[1,1,4,5]", "--opset", 10, code=1)
        self.assertIn("Resize needs opset 11 or newer, because ", error)
        model = self.export_model(program, "-i", "f32[1,1,4,5]", "--opset", 11)
        resize, = (node for node in model.graph.node if node.op_type == "Resize")
        attributes = {a.name: onnx.helper.get_attribute_value(a) for a in resize.attribute}
        self.assertEqual(attributes["mode"], b"cubic")
        self.assertAlmostEqual(attributes["cubic_coeff_a"], -0.75)
        self.assert_runs("model.onnx", program, torch.randn(1, 1, 4, 5))


command.main()
