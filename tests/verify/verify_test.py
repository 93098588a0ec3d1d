"""verify_test.py CAMEO: `cameo verify` and `cameo export --verify` as a user meets them."""
import os
import shutil
import subprocess
import sys
import unittest
from importlib.util import find_spec
from typing import List, Tuple

import numpy
import onnx
import torch
import torchvision
from torch import nn

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from verify_case import CAMEO, VerifyCase  # noqa: E402


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(3, 4, 3, padding=1)
        self.bn = nn.BatchNorm2d(4)
        self.bn.running_var.fill_(0.01)

    def forward(self, x):
        x = self.conv(x)
        x = self.bn(x)
        return torch.relu(x)


class Suppress(nn.Module):
    def forward(self, found: List[torch.Tensor]):
        return torchvision.ops.nms(found[0], found[1][:, 0], 0.5)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.first, self.norm, self.head = Block(), nn.LayerNorm(4), nn.Linear(4, 5)

    def forward(self, x):
        x = self.first(x).mean((2, 3))
        return self.head(self.norm(x)).softmax(1), x


class Call(nn.Module):
    """Arguments that are no tensors, in an order of their own."""

    def forward(self, x, pair: Tuple[torch.Tensor, torch.Tensor], scale: float = 1.0):
        return (x * scale + pair[0], x.size(0)), [pair[1], x > 0]


class Turned(nn.Module):
    """Complex numbers in and out, and a real result."""

    def forward(self, z):
        return z * 1j + 1, z.abs()


class Verify(VerifyCase):
    def trace(self, module, *inputs):
        torch.jit.save(torch.jit.trace(module.eval(), inputs, check_trace=False), "model.pt")

    def script(self, module):
        torch.jit.save(torch.jit.script(module.eval()), "model.pt")

    def test_a_program_agrees_with_its_export_at_several_sizes(self):
        self.trace(Net(), torch.randn(2, 3, 8, 8))
        report = self.report("model.pt", "--input", "f32[batch,3,h,w]")
        self.assertTrue(report["agrees"])
        self.assertEqual([run["sizes"] for run in report["runs"]],
                         [{"batch": 1, "h": 2, "w": 3}, {"batch": 1, "h": 1, "w": 1}, {"batch": 2, "h": 3, "w": 4}])
        for run in report["runs"]:
            self.assertEqual([output["name"] for output in run["outputs"]], ["output", "output_1"])
            self.assertTrue(all(output["relative"] < 1e-5 for output in run["outputs"]))
        text = self.cameo("verify", "model.pt", "-i", "f32[batch,3,8,8]", "--size", "batch=4,7")
        self.assertIn("  batch = 4\n    output: f32[4, 5]  agrees, largest error ", text)
        self.assertIn("  batch = 7\n", text)

    def test_larger_sizes_are_tried_where_small_ones_are_refused(self):
        self.trace(nn.Sequential(nn.Conv2d(1, 1, 7), nn.AvgPool2d(3)), torch.randn(1, 1, 20, 20))
        report = self.report("model.pt", "--input", "f32[1,1,h,w]")
        self.assertEqual([run["sizes"]["h"] for run in report["runs"]], [16, 16, 32])

    def test_ranges_and_formulas_of_sizes(self):
        class Halves(nn.Module):
            def forward(self, x, y):
                return x.reshape(2, -1).sum(0) + y

        self.script(Halves())
        inputs = ["--input", "x=f32[2*n]", "--input", "y=f32[n=4..12 step 4]"]
        report = self.report("model.pt", *inputs)
        self.assertTrue(report["agrees"])
        self.assertEqual([run["sizes"] for run in report["runs"]], [{"n": 4}, {"n": 8}])
        numpy.save("x.npy", numpy.ones(10, numpy.float32))
        self.cameo("export", "model.pt", *inputs)
        report = self.report("model.pt", "model.onnx", "--input", "x=@x.npy", "--input", "y=f32[n]")
        self.assertEqual([run["sizes"] for run in report["runs"]], [{}])
        self.assertTrue(report["agrees"])

    def test_arguments_of_every_kind(self):
        self.script(Call())
        arguments = ["--input", "x=f32[n,2]", "--input", "scale=0.5", "--input", "pair=(f32[2],i64[3])"]
        report = self.report("model.pt", *arguments)
        self.assertTrue(report["agrees"])
        self.assertEqual([output["type"] for output in report["runs"][0]["outputs"]],
                         ["f32[1, 2]", "i64[]", "i64[3]", "bool[1, 2]"])
        numpy.save("x.npy", numpy.ones((6, 2), numpy.float32))
        report = self.report("model.pt", "--input", "x=@x.npy", *arguments[2:])
        self.assertEqual(report["runs"][0]["outputs"][0]["type"], "f32[6, 2]")

    def test_complex_numbers(self):
        self.script(Turned())
        report = self.report("model.pt", "--input", "z=c64[n,3]")
        self.assertTrue(report["agrees"])
        self.assertEqual([output["type"] for output in report["runs"][0]["outputs"]], ["f32[1, 3, 2]", "f32[1, 3]"])
        numpy.save("z.npy", (numpy.arange(8) + 1j).reshape(4, 2))
        report = self.report("model.pt", "--input", "z=@z.npy")
        self.assertTrue(report["agrees"])
        self.assertEqual([output["type"] for output in report["runs"][0]["outputs"]], ["f64[4, 2, 2]", "f64[4, 2]"])

    def test_a_changed_epsilon_is_found(self):
        self.trace(Net(), torch.randn(2, 3, 8, 8))
        inputs = ["--input", "f32[batch,3,8,8]"]
        for metadata in ("full", "names"):
            self.cameo("export", "model.pt", *inputs, "--no-rule", "fold-batch-norm", "--metadata", metadata)
            node = self.change("BatchNormalization", "epsilon", 1e-3)
            self.assertEqual(node, "/first/bn/BatchNormalization")
            departure = self.report("model.pt", "model.onnx", *inputs, "--per-layer", code=1)["departure"]
            self.assertEqual((departure["node"], departure["op_type"], departure["module"], departure["operator"]),
                             (node, "BatchNormalization", "first.bn", "aten::batch_norm"))
            self.assertRegex(departure["python"], r"\.py:\d+$")
            self.assertGreater(departure["relative"], 1e-3)
        error = self.cameo("verify", "model.pt", "model.onnx", *inputs, "--per-layer", code=1)
        self.assertIn("error: [run] the ONNX model does not compute what the PyTorch program does: output 'output_1' at "
                      "batch = 1 has an error of", error)
        self.assertIn("the first node that differs is '/first/bn/BatchNormalization', a BatchNormalization, from "
                      "aten::batch_norm; its error is", error)
        self.assertIn("first.bn", error)
        self.cameo("verify", "model.pt", "model.onnx", *inputs, "--tolerance", "0.9")

    def test_an_operator_of_several_nodes_is_found_and_correct_ones_are_passed_over(self):
        self.trace(Net(), torch.randn(2, 3, 8, 8))
        self.cameo("export", "model.pt", "--input", "f32[2,3,8,8]", "--opset", "13")  # LayerNorm in small nodes
        model = onnx.load("model.onnx")
        power = next(node for node in model.graph.node if node.name.startswith("/norm/") and node.op_type == "Sqrt")
        power.op_type = "Abs"
        onnx.save(model, "model.onnx")
        departure = self.report("model.pt", "model.onnx", "--input", "f32[2,3,8,8]", "--per-layer", code=1)["departure"]
        self.assertEqual((departure["module"], departure["operator"]), ("norm", "aten::layer_norm"))
        self.assertIn(power.name, departure["nodes"])

    def test_shapes_and_types_are_exact(self):
        self.script(Halved())
        self.cameo("export", "model.pt", "--input", "f32[2,3]")
        model = onnx.load("model.onnx")
        node = next(node for node in model.graph.node if node.op_type == "Mul")
        node.output[0], last = "inner", node.output[0]
        model.graph.node.append(onnx.helper.make_node("Cast", ["inner"], [last], to=onnx.TensorProto.DOUBLE))
        model.graph.output[0].type.tensor_type.elem_type = onnx.TensorProto.DOUBLE
        onnx.save(model, "model.onnx")
        error = self.cameo("verify", "model.pt", "model.onnx", code=1)
        self.assertIn("PyTorch gives f32[2, 3], and the model f64[2, 3]", error)

    def test_a_size_that_was_baked_in_is_found(self):
        self.script(Flat())
        self.cameo("export", "model.pt", "--input", "f32[4,2]")
        model = onnx.load("model.onnx")
        for value in (model.graph.input[0], model.graph.output[0]):
            value.type.tensor_type.shape.dim[0].dim_param = "n"
        del model.graph.value_info[:]
        onnx.save(model, "model.onnx")
        error = self.cameo("verify", "model.pt", "model.onnx", code=1)
        self.assertIn("ONNX Runtime refuses what PyTorch takes at n = 1: [ONNXRuntimeError]", error)

    def test_export_verifies_at_once(self):
        self.trace(Net(), torch.randn(2, 3, 8, 8))
        self.assertIn("agrees, largest error", self.cameo("export", "model.pt", "-i", "f32[b,3,8,8]", "--verify"))
        self.script(Random())
        error = self.cameo("export", "model.pt", "-i", "f32[9]", "--verify", code=1)
        self.assertIn("does not compute what the PyTorch program does", error)
        self.assertIn("[departs]", error)
        self.assertTrue(os.path.exists("model.onnx"))

    def test_faults_are_explained(self):
        self.script(Halved())
        self.assertIn("has no dynamic size 'n'",
                      self.cameo("verify", "model.pt", "-i", "f32[2]", "--size", "n=1", code=1))
        self.assertIn("names no sizes", self.cameo("verify", "model.pt", "-i", "f32[n]", "--size", "n=one", code=1))
        self.assertIn("has no place for the argument 'y' [bad-input]",
                      self.cameo("verify", "model.pt", self.exported("f32[2]"), "-i", "y=f32[2]", code=1))
        self.assertIn("[no-such-file]", self.cameo("verify", "none.pt", "-i", "f32[2]", code=1))
        self.assertIn("PyTorch has no tensors of type u16 [unfit-value]", self.cameo("verify", "model.pt", "-i", "u16[2]", code=1))
        self.script(Checked())
        self.assertIn("[torch-refuses]", self.cameo("verify", "model.pt", "model.onnx", "-i", "f32[2]", code=1))

    def test_operators_of_another_library(self):
        self.script(Suppress())
        arguments = ("verify", "model.pt", "-i", "[f32[8,4], f32[8,1]]")
        words = self.cameo(*arguments, code=1)
        self.assertIn("Unknown builtin op: torchvision::nms", words)
        self.assertIn("[torch-cannot-load]", words)
        self.assertIn("--load", words)
        self.assertNotIn("\\x0a", words)
        self.assertIn("agrees", self.cameo(*arguments, "--load", find_spec("torchvision._C").origin))
        self.assertIn("`/no/such/library.so` cannot be loaded [library-not-loadable]", self.cameo(*arguments, "--load", "/no/such/library.so", code=1))

    def test_without_the_bridge_it_says_what_to_install(self):
        self.script(Halved())
        shutil.copy(CAMEO, "alone")
        done = subprocess.run(["./alone", "verify", "model.pt", "-i", "f32[2]"], capture_output=True, text=True)
        self.assertEqual(done.returncode, 1)
        self.assertIn("[torch-bridge-missing]", done.stderr)
        self.assertIn("apt install libtorch-dev", done.stderr)
        error = self.cameo("verify", "model.pt", "-i", "f32[2]", code=1, CAMEO_TORCH="/no/such.so")
        self.assertIn("`/no/such.so`, which CAMEO_TORCH names, cannot be loaded [torch-bridge-not-loadable]", error)

    def exported(self, spec):
        self.cameo("export", "model.pt", "--input", spec)
        return "model.onnx"


class Halved(nn.Module):
    def forward(self, x):
        return x * 0.5


class Checked(nn.Module):
    def forward(self, x):
        assert x.size(0) == 3
        return x


class Flat(nn.Module):
    def forward(self, x):
        return x.reshape(x.size(0) * 2)


class Random(nn.Module):
    def forward(self, x):
        return torch.rand_like(x)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
