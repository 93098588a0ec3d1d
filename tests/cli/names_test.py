"""names_test.py CAMEO: arguments, and the names of inputs, outputs, nodes and values."""
import pathlib
from typing import Optional

import onnx
import torch

import command
from command import names


class Three(torch.nn.Module):
    def forward(self, x, k: int, y):
        return x * k + y, x - y


class Masked(torch.nn.Module):
    def forward(self, x, mask: Optional[torch.Tensor] = None):
        return x if mask is None else x * mask


class Scaled(torch.nn.Module):
    def forward(self, x, n):
        return x * n


class Turned(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("turn", torch.tensor([1j, 1 + 1j, -2j]))

    def forward(self, z):
        return z * self.turn


class Branches(torch.nn.Module):
    """One output is also what the other is computed from."""

    def __init__(self):
        super().__init__()
        self.linear = torch.nn.Linear(4, 4)

    def forward(self, x):
        x1 = self.linear(x)
        return x1, torch.relu(x1)


class Arguments(command.TestCase):
    def test_numbers_are_fixed(self):
        program = self.script(Three())
        self.assertEqual(self.messages(program, "-i", "f32[2]", "-i", "3", "-i", "f32[2]"),
                         ["note: [evaluate] argument 'k' is a Python int: stored as constant 3; pass a tensor to keep it as input "
                          "[fixed-argument]"])
        self.assertEqual(names(self.checked("model.onnx").graph.input), ["x", "y"])
        self.assertEqual(self.export("-q", program, "-i", "f32[2]", "-i", "3", "-i", "f32[2]").stderr, "")

    def test_tensors_without_dimensions_stay_inputs(self):
        program = self.script(Scaled())
        self.assertEqual(self.messages(program, "-i", "f32[2]", "-i", "f32[]"), [])
        self.assertEqual(names(self.checked("model.onnx").graph.input), ["x", "n"])
        self.assert_runs("model.onnx", program, torch.randn(2), torch.tensor(2.5))
        self.assertIn("argument 'n' is a Python float: stored as constant 2.5", self.messages(program, "-i", "f32[2]", "-i", "n=2.5")[0])

    def test_complex_numbers_become_pairs(self):
        program = self.script(Turned())
        parts = "with a last dimension of 2, which holds real and imaginary parts"
        self.assertEqual(self.messages(program, "-i", "z=c64[n,3]"),
                         [f"note: [evaluate] input 'z' is complex: it becomes f32 {parts} [complex-input]",
                          f"note: [evaluate] output 'output' is complex: it becomes f32 {parts} [complex-output]"])
        graph = self.checked("model.onnx").graph
        for value in [*graph.input, *graph.output]:
            self.assertEqual([d.dim_param or d.dim_value for d in value.type.tensor_type.shape.dim], ["n", 3, 2])
        self.assertNotIn(onnx.TensorProto.COMPLEX64, [tensor.data_type for tensor in graph.initializer])
        self.messages(program, "-i", "z=c64[n,3]", "--no-params")
        weight = next(value for value in self.checked("model.onnx").graph.input if value.name == "turn")
        self.assertEqual([d.dim_value for d in weight.type.tensor_type.shape.dim], [3, 2])

    def test_by_name_and_by_default(self):
        program = self.script(Masked())
        self.assertEqual(names(self.export_model(program, "-i", "x=f32[2]").graph.input), ["x"])
        self.assertEqual(names(self.export_model(program, "-i", "mask=f32[2]", "-i", "x=f32[2]").graph.input), ["x", "mask"])


class Names(command.TestCase):
    def test_chosen(self):
        program = self.script(Three())
        given = ["-i", "f32[2]", "-i", "3", "-i", "f32[2]"]
        graph = self.export_model(program, *given, "--input-names", "a,b", "--output-names", "c,d").graph
        self.assertEqual([names(graph.input), names(graph.output)], [["a", "b"], ["c", "d"]])
        graph = self.export_model(program, *given, "--input-names", "a", "--output-names", "c").graph
        self.assertEqual([names(graph.input), names(graph.output)], [["a", "y"], ["c", "output_1"]])

    def test_deterministic(self):
        program = self.script(Branches())
        self.export(program, "-i", "f32[n,4]", "-o", "a.onnx")
        self.export(program, "-i", "f32[n,4]", "-o", "b.onnx")
        self.assertEqual(pathlib.Path("a.onnx").read_bytes(), pathlib.Path("b.onnx").read_bytes())

    def test_an_output_that_is_read_inside(self):
        program = self.script(Branches())
        graph = self.export_model(program, "-i", "f32[n,4]", "--output-names", "out0,out1").graph
        self.assertEqual([node.op_type for node in graph.node], ["Gemm", "Relu"])
        self.assertEqual(list(graph.node[1].input), ["out0"])
        self.assert_runs("model.onnx", program, torch.randn(3, 4))

    def test_refused(self):
        program = self.script(Branches())
        reason = "error: [evaluate] '{}' cannot be the name of an input or output: {} [bad-name]"
        for options, name, why in ((["--output-names", "a,a"], "a", "it is given twice"),
                                   (["--input-names", "a", "--output-names", "a"], "a", "it is given twice"),
                                   (["--output-names", "x"], "x", "an input has it already")):
            self.assertEqual(self.messages(program, "-i", "f32[n,4]", *options, code=1), [reason.format(name, why)])
        self.assertIn("3 output names are given for 2 outputs [too-many-names]",
                      self.messages(program, "-i", "f32[n,4]", "--output-names", "a,b,c", code=1)[0])


class Origins(command.TestCase):
    """What a node tells of where it comes from."""

    def node(self, *options):
        return self.export_model(self.script(Branches()), "-i", "f32[n,4]", *options).graph.node[0]

    def test_names(self):
        node = self.node()
        self.assertEqual([node.name, node.doc_string], ["/linear/Gemm", ""])

    def test_none(self):
        graph = self.export_model(self.script(Branches()), "-i", "f32[n,4]", "--metadata", "none", "--param-names", "numbers").graph
        self.assertEqual([node.name for node in graph.node], ["Gemm_0", "Relu_1"])
        self.assertEqual(sorted(names(graph.initializer)), ["1", "2"])

    def test_full(self):
        program = self.script(Branches())
        for opset in ("13", "21"):
            self.export(program, "-i", "f32[n,4]", "--metadata", "full", "--opset", opset)
            if opset == "13":
                self.checked("model.onnx")
            self.assert_runs("model.onnx", program, torch.randn(3, 4))
            data = pathlib.Path("model.onnx").read_bytes()
            for text in (b"operator", b"aten::linear", b"module", b"linear.py:", b"names_test.py:"):
                self.assertIn(text, data)

    def test_doc_strings(self):
        self.assertRegex(self.node("--doc-strings").doc_string, r"^aten::linear\n\S*linear\.py:\d+")


command.main()
