"""program_test.py CAMEO: `cameo print model.pt`, a program beside the nodes that each line becomes."""
import os
import pty
import re
import struct
import subprocess
import sys
import unittest

import onnx
import torch

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))
from folder_case import FolderCase  # noqa: E402

CAMEO = os.path.abspath(sys.argv[1])


def halved(x, n: int):
    for _ in range(n):
        x = torch.relu(x) * 0.5
    return x


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = torch.nn.Conv2d(1, 2, 3)
        self.again = torch.nn.Conv2d(2, 2, 3)

    def forward(self, x, n: int):
        y = self.again(self.conv(x))
        if bool(y.sum() > 0):
            y = y + 1
        else:
            y = halved(y, n)
        return y.flatten(1)


def nodes(graph):
    for node in graph.node:
        yield node
        for attribute in node.attribute:
            if attribute.HasField("g"):
                yield from nodes(attribute.g)


class Program(FolderCase):
    arguments = ("model.pt", "-i", "f32[n,1,8,8]", "-i", "3")

    def setUp(self):
        super().setUp()
        torch.manual_seed(0)
        torch.jit.save(torch.jit.script(Net().eval()), "model.pt")

    def cameo(self, *arguments, code=0):
        done = subprocess.run([CAMEO, *arguments], capture_output=True, text=True)
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        return done.stdout if code == 0 else done.stderr

    def test_every_node_stands_below_its_line(self):
        text = self.cameo("print", *self.arguments)
        self.cameo("export", *self.arguments)
        results = [output for node in nodes(onnx.load("model.onnx").graph) for output in node.output]
        self.assertGreater(len(results), 8)
        for name in results:
            self.assertEqual(len(re.findall(rf"=> .*-> .*%{re.escape(name)} : ", text)), 1, f"{name}\n{text}")
        self.assertTrue(text.startswith("__torch__.Net.forward  code/__torch__.py:"), text)
        self.assertRegex(text, r"(?m)^ +y\d* = torch.add\(.*\n +=> Add\(.*\) -> %\S+ : f32\[n, 2, 4, 4\]$")
        self.assertRegex(text, r"(?m)^ +# program_test.py:\d+  return y.flatten\(1\)\n +return torch.flatten\(.*\n +=> Reshape\(")
        self.assertEqual(len(re.findall(r"torch.conv2d\(.*\n +=> Conv\[kernel_shape=\[3, 3\]\]\(", text)), 2, text)
        self.assertEqual(sorted(os.listdir()), ["model.onnx", "model.pt"])

    def test_beside_on_a_terminal(self):
        import fcntl
        import termios
        leader, follower = pty.openpty()
        fcntl.ioctl(follower, termios.TIOCSWINSZ, struct.pack("HHHH", 50, 160, 0, 0))
        environment = dict(os.environ, LC_ALL="C.UTF-8", TERM="xterm")
        with subprocess.Popen([CAMEO, "print", *self.arguments], stdout=follower, env=environment) as process:
            os.close(follower)
            text = b""
            while True:
                try:
                    piece = os.read(leader, 65536)
                except OSError:
                    break
                text += piece
        os.close(leader)
        self.assertEqual(process.returncode, 0)
        self.assertIn("\033[", text.decode())
        plain = re.sub(r"\033\[[0-9;]*m", "", text.decode()).replace("\r", "").splitlines()
        self.assertTrue(all(len(line) <= 160 for line in plain))
        self.assertTrue(any(re.search(r"torch\.add\(.* │ Add\(", line) for line in plain), "\n".join(plain))

    def test_what_cannot_be_converted_is_told(self):
        self.assertIn("error: [", self.cameo("print", "model.pt", "-i", "f32[2]", "-i", "3", code=1))
        self.assertIn("--style: applies to ONNX models only", self.cameo("print", *self.arguments, "--style", "torch", code=2))
        torch.save({"w": torch.zeros(2)}, "weights.pt")
        self.assertIn("[read]", self.cameo("print", "weights.pt", code=1))


unittest.main(argv=sys.argv[:1])
