"""export_test.py CAMEO EXAMPLE_EXPORT EXAMPLE_RUN: `cameo export` as a user meets it."""
import os
import pathlib
import pty
import re
import subprocess
import sys
import tempfile
import unittest

import onnx
import torch

CAMEO, EXAMPLE_EXPORT, EXAMPLE_RUN = [os.path.abspath(path) for path in sys.argv[1:4]]
DIGITS = pathlib.Path(__file__).resolve().parents[2] / "examples/models/digits.pt"
IMAGE = "image=f32[batch,1,28,28]"


class Repeat(torch.nn.Module):
    def forward(self, x):
        for _ in range(3):
            x = torch.relu(x) * 0.5 + x
        return x


class Bounded(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("seen", torch.zeros(1))

    def forward(self, x):
        if x.size(0) > 100:
            raise ValueError("too many rows")
        self.seen += 1
        return x + self.seen


class Joined(torch.nn.Module):
    def forward(self, xs: list[torch.Tensor]):
        return torch.cat(xs)


class Unsupported(torch.nn.Module):
    def forward(self, x):
        a = torch.lgamma(x)
        b = torch.digamma(x)
        return a + b


def cameo(*arguments):
    return subprocess.run([CAMEO, *map(str, arguments)], capture_output=True, text=True, timeout=120)


def dims(value):
    return [dim.dim_param or dim.dim_value for dim in value.type.tensor_type.shape.dim]


class Export(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        os.chdir(self.folder.name)

    def export(self, *arguments, code=0):
        result = cameo("export", *arguments)
        self.assertEqual(result.returncode, code, result.stdout + result.stderr)
        return result

    def saved(self, module):
        torch.jit.save(torch.jit.script(module.eval()), "model.pt")
        return "model.pt"

    def model(self, path):
        model = onnx.load(path)
        onnx.checker.check_model(model, full_check=True)
        return model

    def operators(self, path):
        return [node.op_type for node in self.model(path).graph.node]

    def test_default_output_and_closing_words(self):
        result = self.export(DIGITS, "--input", IMAGE)
        model = self.model("digits.onnx")
        self.assertEqual(dims(model.graph.input[0]), ["batch", 1, 28, 28])
        self.assertEqual(dims(model.graph.output[0]), ["batch", 10])
        self.assertEqual(model.opset_import[0].version, 17)
        self.assertEqual(result.stderr, "")
        self.assertNotIn("\033", result.stdout)
        self.assertIn("image  f32[batch, 1, 28, 28]", result.stdout)
        self.assertIn("output  f32[batch, 10]", result.stdout)
        nodes = int(re.search(r"Operators  (\d+) nodes", result.stdout)[1])
        self.assertEqual(nodes, len(model.graph.node))
        for command in re.findall(r"(?m)^  cameo (\w+.*?)  ", result.stdout):
            self.assertEqual(subprocess.run(f"{CAMEO} {command}", shell=True, capture_output=True).returncode, 0, command)

    def test_names_opset_and_quiet(self):
        result = self.export("-q", "-o", "out.onnx", "--opset", "13", "--input-names", "pixels", "--output-names=digit",
                             "--input", IMAGE, DIGITS)
        self.assertEqual((result.stdout, result.stderr), ("", ""))
        model = self.model("out.onnx")
        self.assertEqual(model.opset_import[0].version, 13)
        self.assertEqual([model.graph.input[0].name, model.graph.output[0].name], ["pixels", "digit"])

    def test_loops(self):
        model = self.saved(Repeat())
        self.assertIn("--unroll-loops", self.export(model, "-i", "f32[n]").stdout)
        self.assertIn("Loop", self.operators("model.onnx"))
        self.export(model, "-i", "f32[n]", "--unroll-loops=2")
        self.assertIn("Loop", self.operators("model.onnx"))
        self.export("--unroll-loops", model, "-i", "f32[n]")
        self.assertEqual(self.operators("model.onnx").count("Relu"), 3)
        self.assertIn("no number of turns", self.export(model, "--unroll-loops=some", code=2).stderr)

    def test_list_of_inputs(self):
        self.export(self.saved(Joined()), "--input", "[f32[2,3],f32[n,3]]")
        self.assertEqual([dims(value) for value in self.model("model.onnx").graph.input], [[2, 3], ["n", 3]])

    def test_assumptions_and_changed_buffers(self):
        printed = self.export(self.saved(Bounded()), "--input", "f32[n,2]").stdout
        self.assertRegex(printed, r"Assumptions .*\n  .*n.*100.*\n")
        self.assertRegex(printed, r"Changed buffers .*\n  seen\n")

    def test_inputs_needed(self):
        error = self.export(DIGITS, code=1).stderr
        self.assertIn("[inputs-needed]", error)
        self.assertIn("forward(image: Tensor)", error)
        self.assertRegex(error, r"cameo export \S*digits.pt --input 'image=f32\[")
        self.assertFalse(os.path.exists("digits.onnx"))

    def test_every_unsupported_operator_is_reported_and_the_old_file_stays(self):
        pathlib.Path("model.onnx").write_text("old")
        error = self.export(self.saved(Unsupported()), "--input", "f32[n]", code=1).stderr
        self.assertIn("aten::lgamma cannot be converted", error)
        self.assertIn("aten::digamma cannot be converted", error)
        self.assertIn("b = torch.digamma(x)", error)
        self.assertEqual(pathlib.Path("model.onnx").read_text(), "old")

    def test_faults_of_the_user(self):
        model = self.saved(Repeat())
        before = pathlib.Path(model).read_bytes()
        self.assertIn("[output-is-input]", self.export(model, "-i", "f32[n]", "-o", "./model.pt", code=1).stderr)
        self.assertEqual(pathlib.Path(model).read_bytes(), before)
        self.assertIn("[no-such-method]", self.export(model, "--method", "predict", code=1).stderr)
        self.assertIn("[bad-input-spec]", self.export(model, "--input", "x=f33[1]", code=1).stderr)
        self.export(model, "-i", "f32[n]", "-o", "no/such/folder/out.onnx", code=1)
        self.export("missing.pt", code=1)
        for opset in ("6", "99"):
            error = self.export(model, "-i", "f32[n]", "--opset", opset, code=1).stderr
            self.assertIn(f"Unsupported ONNX opset version: {opset} [unsupported-opset]", error)
            self.assertIn("hint: choose one from 9 to 27", error)
        self.export(code=2)

    def test_terminal(self):
        def child(descriptor):
            data = os.read(descriptor, 1024)
            printed.append(data)
            return data

        printed = []
        os.environ["TERM"] = "xterm"
        os.environ.pop("NO_COLOR", None)
        sys.stdout.flush()
        keep = os.dup(1)
        with open(os.devnull, "w") as nowhere:
            os.dup2(nowhere.fileno(), 1)
            try:
                status = pty.spawn([CAMEO, "export", str(DIGITS), "--input", IMAGE], child, lambda _: b"")
            finally:
                os.dup2(keep, 1)
                os.close(keep)
        text = b"".join(printed).decode()
        self.assertEqual(status, 0, text)
        self.assertRegex(text, "\r\033\\[Kevaluating …\r\033\\[K")
        self.assertIn("\033[1", text)

    def test_examples(self):
        made = subprocess.run([EXAMPLE_EXPORT, str(DIGITS), "digits.onnx", IMAGE], capture_output=True, text=True)
        self.assertEqual(made.stdout, "in   image: f32[batch, 1, 28, 28]\nout  output: f32[batch, 10]\n", made.stderr)
        ran = subprocess.run([EXAMPLE_RUN, "digits.onnx"], capture_output=True, text=True)
        self.assertEqual(ran.returncode, 0, ran.stderr)
        shown = [float(number) for number in re.search(r"output = f32\[1,10\](.*)", ran.stdout)[1].split()]
        with torch.no_grad():
            expected = torch.jit.load(str(DIGITS))(torch.zeros(1, 1, 28, 28))[0]
        torch.testing.assert_close(torch.tensor(shown), expected, rtol=1e-3, atol=1e-3)


unittest.main(argv=sys.argv[:1])
