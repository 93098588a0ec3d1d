"""verbose_test.py CAMEO: --verbose, --timings and what else is printed."""
import re

import torch

import command


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = torch.nn.Conv2d(1, 2, 3)

    def forward(self, x):
        return torch.max_pool2d(torch.relu(self.conv(x)), 2)


class Abs(torch.nn.Module):
    def forward(self, x):
        if bool(x.sum() > 0):
            y = x + 1
        else:
            y = -x
        return y


class Repeat(torch.nn.Module):
    def forward(self, x, n: int):
        for _ in range(n):
            x = torch.relu(x) * 0.5
        return x


class Verbose(command.TestCase):
    def graph(self, *arguments):
        """What is printed, with the folders and lines of Python files left out."""
        text = self.export("--quiet", "--verbose", *arguments).stdout
        return re.sub(r" # \S*?(\w+\.py):\d+:\d+", r" # \1", text)

    def test_nodes_and_types(self):
        self.assertEqual(self.graph(self.script(Net()), "-i", "f32[n,1,6,6]", "--output-names", "y"), """\
graph(%x : Float(*, 1, 6, 6, requires_grad=0, device=cpu),
      %conv.weight : Float(2, 1, 3, 3, strides=[9, 9, 3, 1], requires_grad=0, device=cpu),
      %conv.bias : Float(2, strides=[1], requires_grad=0, device=cpu)):
  %/conv/Conv_output_0 : Float(*, 2, 4, 4, requires_grad=0, device=cpu) = onnx::Conv[\
kernel_shape=[3, 3]](%x, %conv.weight, %conv.bias), scope: conv # conv.py
  %/Relu_output_0 : Float(*, 2, 4, 4, requires_grad=0, device=cpu) = onnx::Relu(%/conv/Conv_output_0) # verbose_test.py
  %y : Float(*, 2, 2, 2, requires_grad=0, device=cpu) = onnx::MaxPool[kernel_shape=[2, 2], strides=[2, 2]](%/Relu_output_0) # verbose_test.py
  return (%y)
""")

    def test_blocks(self):
        text = self.graph(self.script(Abs()), "-i", "f32[2]")
        self.assertTrue(text.startswith("graph(%x : Float(2, strides=[1], requires_grad=0, device=cpu),\n"), text)
        self.assertRegex(text, r"""(?x)\n\ \ %\S+\ :\ Float\(2,.*=\ onnx::If\(%\S+\)\ \#\ verbose_test.py\n
                                   \ {4}block0\(\):\n\ {6}%\S+\ :.*=\ onnx::Add\(%x,\ %\S+\).*\n\ {6}->\ \(%\S+\)\n
                                   \ {4}block1\(\):\n\ {6}%\S+\ :.*=\ onnx::Neg\(%x\).*\n\ {6}->\ \(%\S+\)\n""")
        text = self.graph(self.script(Repeat()), "-i", "f32[2]", "-i", "3")
        self.assertRegex(text, r"block0\(%\S+ : Long\(requires_grad=0, device=cpu\), %\S+ : Bool\(.*\), %\S+ : Float\(2, ")

    def test_silent_by_default(self):
        self.assertNotIn("graph(%", self.export(self.script(Net()), "-i", "f32[n,1,6,6]").stdout)

    def test_timings(self):
        text = self.export(self.script(Net()), "-i", "f32[n,1,6,6]", "--timings").stdout
        stages = re.findall(r"(?m)^  (\w+) +[\d.]+ s$", text[text.index("Timings"):])
        self.assertEqual(stages[:2] + stages[-1:], ["read", "evaluate", "write"])

    def test_help_has_groups_and_examples(self):
        text = command.cameo("export", "--help").stdout
        for heading in ("Program:", "Sizes:", "Exported model:", "Parameters and constants:", "Names:", "Report:",
                        "Examples:"):
            self.assertIn(f"\n{heading}\n", text)


command.main()
