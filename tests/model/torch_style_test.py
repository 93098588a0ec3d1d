"""torch_style_test.py CAMEO: `cameo print --style torch` beside what torch.onnx itself prints of the same export.

Both say the same but for what no file knows, which is taken out of both: the strides of dynamic sizes and of results, which may be
views, whether a gradient is wanted, the classes of a scope, the line where a node's doc string has none, the node that stands for None, and
the node's name, which this release of PyTorch keeps among the attributes.
"""
import contextlib
import os
import re
import subprocess
import sys
import unittest
import warnings

import onnx
import torch
from onnx import TensorProto, helper, numpy_helper

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))
from folder_case import FolderCase  # noqa: E402

CAMEO = os.path.abspath(sys.argv[1])


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = torch.nn.Conv2d(1, 2, 3)
        self.norm = torch.nn.InstanceNorm2d(2, eps=1e-3)
        self.fc = torch.nn.Linear(4, 3)

    def forward(self, x):
        y = torch.nn.functional.leaky_relu(self.norm(self.conv(x)), 0.1)
        z = y.reshape(y.shape[0], -1)[:, :4]
        shifted = z + torch.tensor([1.5, 2.25, 1e6, -3])
        return self.fc(z) * 0.5, torch.nn.functional.pad(y, (1, 2)), shifted, y.permute(0, 2, 3, 1).to(torch.float64)


class Numbers(torch.nn.Module):
    def forward(self, x):
        whole, small, many = torch.tensor([[1, 20], [-3, 4]]), torch.tensor([0.001, 0.005]), torch.arange(11)
        return x + small, x.to(torch.int64) * whole, many * 2, x > torch.tensor([1e-9, 3e12]), x * torch.ones(2, 2, 2)


@torch.jit.script
def absolute(x):
    if bool(x.sum() > 0):
        y = x + 1
    else:
        y = -x
    return y


class Repeats(torch.nn.Module):
    def forward(self, x, n: int):
        for _ in range(n):
            x = absolute(x) * 0.5
        return x, [x, x]


class Recurrent(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.cell = torch.nn.GRU(3, 4, batch_first=True)

    def forward(self, x):
        return self.cell(x)


def lines(text):
    """The dump without what no file knows."""
    text = re.sub(r"%(\S+) : [^%]*= prim::Constant\(\).*\n", lambda m: f"<none {m[1]}>\n", text)
    for name in re.findall(r"<none (.*)>", text):
        text = text.replace(f"%{name})", "%)").replace(f"%{name},", "%,")
    text = re.sub(r" *<none .*>\n", "", text)
    text = re.sub(r"(?m)(\*[^(\n]*?)strides=\[[\d, ]*\], ", r"\1", text)
    text = re.sub(r"(?m)^( +%.*?)strides=\[[\d, ]*\], (.* = onnx::)", r"\1\2", text)
    text = re.sub(r"requires_grad=\d, ", "", text)
    text = re.sub(r", scope: \S*", "", text)
    text = re.sub(r"(\[|, )onnx_name=\"[^\"]*\"", lambda m: "[" if m[1] == "[" else "", text)
    text = text.replace("[](", "(")
    return [line.rstrip() for line in text.splitlines()]


@contextlib.contextmanager
def stdout_in(path):
    """PyTorch prints behind Python's back."""
    sys.stdout.flush()
    kept = os.dup(1)
    with open(path, "w") as file:
        os.dup2(file.fileno(), 1)
    try:
        yield
    finally:
        os.dup2(kept, 1)
        os.close(kept)


class TorchStyle(FolderCase):
    def setUp(self):
        super().setUp()
        torch.manual_seed(0)

    def printed(self, path, style="torch"):
        done = subprocess.run([CAMEO, "print", path, "--style", style], capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout

    def agree(self, model, args, **options):
        with warnings.catch_warnings(), stdout_in("said.txt"):
            warnings.simplefilter("ignore")
            torch.onnx.export(model, args, "m.onnx", verbose=True, **options)
        with open("said.txt") as said:
            expected = lines(said.read().split("Exported graph: ")[1].split("\n\n")[0])
        typed = onnx.shape_inference.infer_shapes(onnx.load("m.onnx"))
        onnx.save(typed, "typed.onnx")
        got = lines(self.printed("typed.onnx"))
        self.assertGreater(len(got), 3)
        for line, other in zip(got, expected):
            # Where shape inference knows more or less than PyTorch's own, sizes are not compared.
            self.assertEqual(self.sizes_aside(line, other), self.sizes_aside(other, line))
        self.assertEqual(len(got), len(expected))
        return got

    @staticmethod
    def sizes_aside(line, other):
        if "*" in line or "*" in other or ": Tensor" in line or ": Tensor" in other:
            line = re.sub(r" : (Tensor|\w+\([^()]*\)(\[\])?)", " : ?", line)
        return line

    def test_fixed_and_dynamic_sizes(self):
        got = self.agree(Net().eval(), torch.randn(2, 1, 6, 6))
        self.assertIn("  %/norm/InstanceNormalization_output_0 : Float(2, 2, 4, 4, device=cpu) = "
                      "onnx::InstanceNormalization[epsilon=0.001]", "\n".join(got))
        self.agree(Net().eval(), torch.randn(2, 1, 6, 6), input_names=["x"], dynamic_axes={"x": [0]})

    def test_tensors(self):
        got = "\n".join(self.agree(Numbers(), torch.randn(2, 2)))
        for text in ("0.001 *  1.0000  5.0000 [ CPUFloatType{2} ]", "  1  20  -3   4 [ CPULongType{2,2} ]",
                     "1.0000e-09  3.0000e+12 [ CPUFloatType{2} ]", "(1,.,.) =    1  1   1  1  (2,.,.) =    1  1   1  1 [ CPUFloatType{2,2,2} ]"):
            self.assertIn(text, got)

    def test_blocks(self):
        got = self.agree(torch.jit.script(Repeats()), (torch.randn(2, 3), torch.tensor(3)))
        self.assertEqual(sum("block" in line for line in got), 3)

    def test_recurrent(self):
        self.agree(Recurrent().eval(), torch.randn(2, 5, 3))

    def test_every_kind_of_attribute(self):
        inner = helper.make_graph([helper.make_node("Neg", ["a"], ["b"])], "inner", [], [helper.make_tensor_value_info("b", 1, None)])
        node = helper.make_node("Odd", ["a", "", "b"], ["c"], domain="odd", r=0.1, whole=2.0, i=-3, s='it"s\n', rs=[1.0, 1e-5], ns=[1, 2],
                                ss=["x", "y"], none=numpy_helper.from_array(torch.zeros(2, 0).numpy()),
                                big=helper.make_tensor("", TensorProto.INT64, [], [2**62 + 1]), g=inner, gs=[inner, inner],
                                t=helper.make_tensor("", TensorProto.FLOAT16, [1], [1.5]))
        empty = node.attribute.add()
        empty.name, empty.type = "none_at_all", onnx.AttributeProto.INTS
        graph = helper.make_graph([node], "g", [helper.make_tensor_value_info("a", 1, ["n"])], [helper.make_tensor_value_info("c", 1, None)])
        onnx.save(helper.make_model(graph), "odd.onnx")
        attributes = {each.split("=")[0] for each in ("big", "i", "none", "ns", "r", "rs", "s", "ss", "t", "whole")}
        text = self.printed("odd.onnx")
        for part in ('r=0.10000000000000001', 'whole=2.', 'i=-3', r's="it\"s\n"', 'rs=[1., 1.0000000000000001e-05]', 'ns=[1, 2]',
                     'ss=["x", "y"]', 'none=[ CPUFloatType{2,0} ]', f'big={{{2**62 + 1}}}', 't={1.5}',
                     'none_at_all=annotate(List[int], [])', '](%a, %, %b)', ' = odd::Odd[', '%c : Float(requires_grad=0, device=cpu)',
                     '    block2():\n      %b : Float(requires_grad=0, device=cpu) = onnx::Neg(%a)\n      -> (%b)\n'):
            self.assertIn(part, text)
        self.assertTrue(all(f"{name}=" in text for name in attributes))
        old = self.printed("odd.onnx", "torch-0.3")
        for part in ("r=0.1,", "whole=2]", "ss=[x, y]", "g=<Graph>", "gs=[<Graphs>]", "none_at_all=[]", "uses = [%0.i0];"):
            self.assertIn(part, old.replace("whole=2,", "whole=2]"))

    def test_lines_from_metadata(self):
        node = helper.make_node("Neg", ["a"], ["b"], doc_string="aten::neg\n/home/net.py:12 in forward\n/home/net.py:30")
        graph = helper.make_graph([node], "g", [helper.make_tensor_value_info("a", 1, [3])], [helper.make_tensor_value_info("b", 1, [3])])
        onnx.save(helper.make_model(graph), "m.onnx")
        self.assertIn("= onnx::Neg(%a) # /home/net.py:12:0\n", self.printed("m.onnx"))

    def test_a_file_says_what_its_export_said(self):
        """All but the column, which its metadata leave out."""
        torch.jit.save(torch.jit.script(Repeats()), "repeats.pt")
        said = subprocess.run([CAMEO, "export", "repeats.pt", "-i", "f32[n,3]", "-i", "3", "--verbose", "--quiet", "--metadata", "full"],
                              capture_output=True, text=True)
        self.assertIn("block1():", said.stdout, said.stderr)
        self.assertEqual(self.printed("repeats.onnx"), re.sub(r"(?m)( # .*):\d+$", r"\1:0", said.stdout))

    def test_the_dump_of_0_3(self):
        class Small(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.conv = torch.nn.Conv2d(3, 4, 3, padding=1)

            def forward(self, x):
                return torch.max_pool2d(torch.relu(self.conv(x)), 2), x.split(1, 1)[0]

        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            torch.onnx.export(Small().eval(), torch.randn(10, 3, 8, 8), "s.onnx", input_names=["image"], output_names=["pooled", "first"])
        onnx.save(onnx.shape_inference.infer_shapes(onnx.load("s.onnx")), "s.onnx")
        text = self.printed("s.onnx", "torch-0.3")
        self.assertEqual(text, """\
graph(%conv.weight : Float(4, 3, 3, 3)
      %conv.bias : Float(4)
      %image : Float(10, 3, 8, 8)) {
  %/conv/Conv_output_0 : Float(10, 4, 8, 8) = Conv[dilations=[1, 1], group=1, kernel_shape=[3, 3], pads=[1, 1, 1, 1], strides=[1, 1]]\
(%image, %conv.weight, %conv.bias), uses = [%/Relu_output_0.i0];
  %/Relu_output_0 : Float(10, 4, 8, 8) = Relu(%/conv/Conv_output_0), uses = [%pooled.i0];
  %pooled : Float(10, 4, 4, 4) = MaxPool[ceil_mode=0, kernel_shape=[2, 2], pads=[0, 0, 0, 0], strides=[2, 2]](%/Relu_output_0), uses = [%0.i0];
  %/Constant_output_0 : Long(3) = Constant[value= 1  1  1 [ CPULongType{3} ]](), uses = [%first.i1];
  %first : Float(10, 1, 8, 8), %/Split_output_1 : Float(10, 1, 8, 8), %/Split_output_2 : Float(10, 1, 8, 8) = Split[axis=1]\
(%image, %/Constant_output_0), uses = [[%0.i1], [], []];
  return (%pooled, %first);
}
""")
        remarks = self.printed("s.onnx", "annotated")
        self.assertIn("the actual inputs are last", remarks)
        self.assertEqual([line for line in remarks.splitlines() if not line.lstrip().startswith("#")], text.splitlines())


unittest.main(argv=sys.argv[:1])
