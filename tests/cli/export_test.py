"""export_test.py CAMEO EXAMPLE_EXPORT EXAMPLE_RUN: `cameo export` as a user meets it."""
import os
import pathlib
import pty
import re
import subprocess
import sys
import zipfile

import torch

import command
from command import CAMEO, dims

EXAMPLE_EXPORT, EXAMPLE_RUN = [os.path.abspath(path) for path in sys.argv[2:4]]
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


class OnDevice(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("shift", torch.tensor([1.0, 2.0]))

    def forward(self, x):
        return torch.relu((x.to(torch.device("cuda:0")) + self.shift).to("cuda"))


class Joined(torch.nn.Module):
    def forward(self, xs: list[torch.Tensor]):
        return torch.cat(xs)


class Unsupported(torch.nn.Module):
    def forward(self, x):
        a = torch.special.airy_ai(x)
        b = torch.igamma(x, x)
        return a + b


class Export(command.TestCase):
    def operators(self, path):
        return [node.op_type for node in self.checked(path).graph.node]

    def test_default_output_and_closing_words(self):
        result = self.export(DIGITS, "--input", IMAGE)
        model = self.checked("digits.onnx")
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
        model = self.checked("out.onnx")
        self.assertEqual(model.opset_import[0].version, 13)
        self.assertEqual([model.graph.input[0].name, model.graph.output[0].name], ["pixels", "digit"])

    def test_loops(self):
        model = self.script(Repeat())
        self.assertIn("--unroll-loops", self.export(model, "-i", "f32[n]").stdout)
        self.assertIn("Loop", self.operators("model.onnx"))
        self.export(model, "-i", "f32[n]", "--unroll-loops=2")
        self.assertIn("Loop", self.operators("model.onnx"))
        self.export("--unroll-loops", model, "-i", "f32[n]")
        self.assertEqual(self.operators("model.onnx").count("Relu"), 3)
        self.assertIn("is not a valid number of iterations", self.export(model, "--unroll-loops=some", code=2).stderr)

    def test_devices_leave_no_trace(self):
        program = self.script(OnDevice())
        with zipfile.ZipFile(program) as archive:
            contents = {name: archive.read(name) for name in archive.namelist()}
        data = next(name for name in contents if name.endswith("/data.pkl"))
        contents[data] = contents[data].replace(b"X\x03\x00\x00\x00cpu", b"X\x06\x00\x00\x00cuda:0")
        self.assertIn(b"cuda:0", contents[data])
        with zipfile.ZipFile("cuda.pt", "w") as archive:
            for name, content in contents.items():
                archive.writestr(name, content)
        model = self.export_model("cuda.pt", "-i", "f32[n,2]", path="cuda.onnx")
        self.assertEqual([node.op_type for node in model.graph.node], ["Add", "Relu"])
        self.assertNotIn(b"cuda", model.SerializeToString().replace(b"cuda.pt", b""))
        x = torch.randn(3, 2)
        torch.testing.assert_close(command.run_onnx("cuda.onnx", x)[0], torch.relu(x + torch.tensor([1.0, 2.0])))

    def test_any_extension(self):
        self.export(DIGITS, "--input", IMAGE, "-o", "digits.proto", "-q")
        self.assertEqual(os.listdir("."), ["digits.proto"])
        self.assertEqual(dims(self.checked("digits.proto").graph.output[0]), ["batch", 10])

    def test_list_of_inputs(self):
        self.export(self.script(Joined()), "--input", "[f32[2,3],f32[n,3]]")
        self.assertEqual([dims(value) for value in self.checked("model.onnx").graph.input], [[2, 3], ["n", 3]])

    def test_assumptions_and_changed_buffers(self):
        printed = self.export(self.script(Bounded()), "--input", "f32[n,2]").stdout
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
        error = self.export(self.script(Unsupported()), "--input", "f32[n]", code=1).stderr
        self.assertIn("aten::special_airy_ai cannot be converted", error)
        self.assertIn("aten::igamma cannot be converted", error)
        self.assertIn("b = torch.igamma(x, x)", error)
        self.assertEqual(pathlib.Path("model.onnx").read_text(), "old")

    def test_faults_of_the_user(self):
        model = self.script(Repeat())
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

    def on_terminal(self, colors):
        def child(descriptor):
            data = os.read(descriptor, 1024)
            printed.append(data)
            return data

        printed = []
        os.environ["TERM"] = "xterm"
        if colors:
            os.environ.pop("NO_COLOR", None)
        else:
            os.environ["NO_COLOR"] = "1"
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
        return text

    def test_terminal(self):
        for colors in (True, False):
            text = self.on_terminal(colors)
            self.assertRegex(text, "\r\033\\[Kevaluating …\r\033\\[K")
            self.assertEqual("\033[1" in text, colors)

    def test_examples(self):
        made = subprocess.run([EXAMPLE_EXPORT, str(DIGITS), "digits.onnx", IMAGE], capture_output=True, text=True)
        self.assertEqual(made.stdout, "in   image: f32[batch, 1, 28, 28]\nout  output: f32[batch, 10]\n", made.stderr)
        ran = subprocess.run([EXAMPLE_RUN, "digits.onnx"], capture_output=True, text=True)
        self.assertEqual(ran.returncode, 0, ran.stderr)
        shown = [float(number) for number in re.search(r"output = f32\[1, 10\](.*)", ran.stdout)[1].split()]
        with torch.no_grad():
            expected = torch.jit.load(str(DIGITS))(torch.zeros(1, 1, 28, 28))[0]
        torch.testing.assert_close(torch.tensor(shown), expected, rtol=1e-3, atol=1e-3)


command.main()
