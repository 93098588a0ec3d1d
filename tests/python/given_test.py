"""Models and programs as users have them, and what the tools return."""

import io
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import typing
import unittest
from collections import OrderedDict, namedtuple

import cameo
import numpy as np
import onnx
import torch
from support import Case
from torch import nn

PROGRAM = pathlib.Path(__file__).resolve().parents[2] / "examples" / "models" / "digits.pt"
IMAGE = cameo.Input("f32[batch,1,28,28]")


class Given(unittest.TestCase):
    """Each form in which a model is given has the same result."""

    def setUp(self):
        torch.manual_seed(0)
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.path = self.folder / "model.onnx"
        self.program = cameo.export(PROGRAM, IMAGE, self.path)
        self.bytes = self.path.read_bytes()

    def models(self):
        with open(self.path, "rb") as file:
            yield from (self.path, str(self.path), self.bytes, bytearray(self.bytes), memoryview(self.bytes),
                        io.BytesIO(self.bytes), file, onnx.load(self.path), self.program)

    def test_tools_that_read(self):
        expected = cameo.stats(self.path)
        for model in self.models():
            with self.subTest(type=type(model).__name__):
                self.assertEqual(cameo.stats(model), expected)
        for model in self.models():
            self.assertEqual(cameo.io(model).inputs[0].shape, ["batch", 1, 28, 28])
        for model in self.models():
            cameo.check(model)
        for model in self.models():
            self.assertEqual(cameo.diff(model, self.path), [])
        for model in self.models():
            self.assertIn("%image", cameo.printable_graph(model))
        for model in self.models():
            self.assertEqual(cameo.infer(model)[-1].name, "output")

    def test_tools_that_run(self):
        x = np.zeros((2, 1, 28, 28), np.float32)
        expected, = cameo.Session(self.path).run(None, {"image": x})
        for model in self.models():
            result, = cameo.Session(model).run(None, {"image": x})
            np.testing.assert_array_equal(result, expected)
        for model in self.models():
            np.testing.assert_array_equal(cameo.backend.prepare(model).run(x)[0], expected)

    def test_tools_that_write(self):
        def writers(model, to):
            yield lambda: cameo.simplify(model(), to())
            yield lambda: cameo.cast(model(), to())
            yield lambda: cameo.quantize(model(), to(), min_elements=1)
            yield lambda: cameo.extract(model(), to(), outputs=["output"])
            yield lambda: cameo.infer(model(), to())
            yield lambda: self.program.save(to())

        there = self.folder / "there.onnx"
        targets = []

        def memory():
            targets.append(io.BytesIO())
            return targets[-1]

        for to_file, to_memory in zip(writers(lambda: self.path, lambda: there), writers(lambda: io.BytesIO(self.bytes), memory)):
            to_file()
            to_memory()
            self.assertEqual(targets[-1].getvalue(), there.read_bytes())
            onnx.checker.check_model(onnx.load_from_string(targets[-1].getvalue()))

    def test_programs(self):
        saved = PROGRAM.read_bytes()
        for program in (PROGRAM, saved, io.BytesIO(saved)):
            self.assertEqual(cameo.inspect(program).operators["aten::relu"], 2)
        for program in (saved, bytearray(saved), io.BytesIO(saved)):
            cameo.export(program, IMAGE, self.folder / "again.onnx")
            self.assertEqual((self.folder / "again.onnx").read_bytes(), self.bytes)

    def test_mistakes(self):
        for call in cameo.check, cameo.stats, cameo.Session, cameo.inspect:
            with self.assertRaisesRegex(TypeError, "a model is a path, bytes, .*, not int"):
                call(3)
        with self.assertRaises(cameo.Error) as raised:
            cameo.check(b"\x00secret bytes")
        self.assertNotIn("secret", str(raised.exception))
        with self.assertRaises(cameo.Error) as raised:
            cameo.export(b"secret bytes", IMAGE, self.folder / "x.onnx")
        self.assertNotIn("secret", str(raised.exception))


class Reports(unittest.TestCase):
    def setUp(self):
        self.model = io.BytesIO()
        cameo.export(PROGRAM, IMAGE, self.model)

    def test_stats(self):
        stats = cameo.stats(self.model)
        self.assertEqual((stats.nodes, stats.operators["Conv"], stats.parameters), (9, 2, 1418))
        self.assertEqual(stats.weights["f32"].elements, 1418)
        self.assertEqual(stats.multiply_adds[0].sizes, ["batch"])
        self.assertRegex(str(stats), r"Conv +2\n")

    def test_inspect(self):
        report = cameo.inspect(PROGRAM)
        self.assertEqual((report.origin, report.entry_points[0].arguments[0].name), ("traced", "image"))
        self.assertEqual([module.class_ for module in report.modules if module.path == "classify"],
                         ["torch.nn.modules.linear.Linear"])
        self.assertEqual(report.weights.parameters.elements, 1442)
        self.assertIn("saved by     PyTorch 1.12", str(report))

    def test_operators(self):
        self.assertEqual(cameo.ops("asinh", opset=9)[0].overloads[0].first_opset, 9)
        self.assertIn("converts     one to one", str(cameo.ops("asinh")))
        self.assertGreater(cameo.ops().operators, 1000)
        relu, = cameo.ops("Relu", onnx=True)
        self.assertEqual(relu.versions[0].inputs[0].name, "X")

    def test_differences(self):
        other = io.BytesIO()
        cameo.export(PROGRAM, IMAGE, other, opset_version=13)
        found, = cameo.diff(self.model, other)
        self.assertEqual((found.kind, found.what), ("changed", "opset"))
        self.assertIn("opset", str(cameo.diff(self.model, other)))
        self.assertEqual(str(cameo.diff(self.model, self.model)), "the models are equal")

    def test_notebooks(self):
        program = cameo.export(nn.Linear(2, 2), torch.zeros(1, 2), dynamo=False, input_names=["<b>"])
        for report in (cameo.stats(self.model), cameo.io(self.model), cameo.inspect(PROGRAM), cameo.ops("relu"),
                       cameo.ops("Relu", onnx=True), cameo.ops(), cameo.infer(self.model), program,
                       cameo.verify(PROGRAM, torch.zeros(1, 1, 28, 28), self.model)):
            with self.subTest(report=type(report).__name__):
                html = report._repr_html_()
                self.assertRegex(html, r"<table>.*<td>.*</table>")
                self.assertTrue(str(report))
        self.assertIn("&lt;b&gt;", program._repr_html_())

    def test_every_function_has_types_and_a_description(self):
        for name in cameo.__all__:
            value = getattr(cameo, name)
            if callable(value) and not isinstance(value, type):
                self.assertTrue(value.__doc__, name)
                self.assertIn("return", getattr(value, "__wrapped__", value).__annotations__, name)
        parameters = set(typing.get_type_hints(cameo.export.__wrapped__)) - {"return"}
        named = {"model", "args", "f", "dynamo", "fix_numbers", "progress", "state_as_io", "external_data"}
        self.assertLessEqual(named, parameters)


class Verify(unittest.TestCase):
    def test_a_module(self):
        model, x = nn.Linear(4, 3), torch.randn(2, 4)
        result = cameo.verify(model, x, dynamo=False, input_names=["x"], dynamic_axes={"x": {0: "batch"}})
        self.assertTrue(result)
        self.assertEqual([run.sizes for run in result.runs], [{"batch": 2}, {"batch": 3}])
        self.assertLess(result.runs[1].outputs[0].relative, 1e-5)

    def test_another_model(self):
        model, x, other = nn.Linear(4, 3), torch.randn(2, 4), io.BytesIO()
        cameo.export(nn.Linear(4, 3), x, other, dynamo=False)
        result = cameo.verify(model, x, other, dynamo=False)
        self.assertFalse(result)
        self.assertRegex(result.runs[0].outputs[0].fault, "has an error of")
        self.assertTrue(cameo.verify(model, x, other, dynamo=False, tolerance=100))

    def test_a_saved_program(self):
        for program in (PROGRAM, PROGRAM.read_bytes()):
            self.assertTrue(cameo.verify(program, torch.randn(2, 1, 28, 28)))
        with self.assertRaisesRegex((ValueError, cameo.Error), "args|inputs"):
            cameo.verify(PROGRAM)

    def test_numbers(self):
        self.assertTrue(cameo.verify(lambda x, k: x * k + int(k), (torch.randn(3), 2), dynamo=False))


class Names(Case):
    """Results that have names keep them in a trace."""

    def outputs(self, function):
        self.export(function, torch.randn(2))
        self.assert_same([value for value in _flat(function(self.x))], [self.x])
        return [value.name for value in self.report.outputs]

    def setUp(self):
        super().setUp()
        self.x = torch.randn(2)

    def test_dicts_and_named_tuples(self):
        Pair = namedtuple("Pair", "low high")
        self.assertEqual(self.outputs(lambda x: {"a": x + 1, "b.c": [x + 2, None, x + 3]}), ["a", "b_c_0", "b_c_2"])
        self.assertEqual(self.outputs(lambda x: OrderedDict(z=x + 1, y=x + 2)), ["z", "y"])
        self.assertEqual(self.outputs(lambda x: Pair(x + 1, {"in": x + 2})), ["low", "high_in"])
        self.assertEqual(self.outputs(lambda x: {"x": x + 1}), ["x_out"])
        self.assertEqual(self.outputs(lambda x: (x + 1, x + 2)), ["output", "output_1"])

    def test_names_of_the_user(self):
        self.export(lambda x: {"a": x + 1, "b": x + 2}, self.x, output_names=["first", "second"])
        self.assertEqual([value.name for value in self.report.outputs], ["first", "second"])


def _flat(value):
    if isinstance(value, dict):
        value = tuple(value.values())
    return [item for part in value for item in _flat(part)] if isinstance(value, (tuple, list)) else \
        [] if value is None else [value]


class Counter(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("total", torch.tensor([1.0, 2.0]))

    def forward(self, x):
        self.total += x
        return self.total * 2


class State(Case):
    def test_state(self):
        program = torch.jit.script(Counter())
        self.export(program, torch.ones(2))
        self.assertEqual([d.code for d in self.report.warnings], ["state-not-kept"])
        self.assertIn("state_as_io=True makes each", self.messages()[0])
        self.export(program, torch.ones(2), state_as_io=True)
        self.assertEqual(self.report.warnings, [])
        self.assertEqual(self.inputs(), ["x", "total"])
        result, total = self.run_exported(torch.tensor([3.0, 4.0]), torch.tensor([5.0, 6.0]))
        np.testing.assert_array_equal(total, [8, 10])
        np.testing.assert_array_equal(result, [16, 20])


SLOW = """
import sys, torch, cameo
def slow(stage, part):
    print(stage, part, flush=True)
    if stage == "writing":
        for _ in range(100): __import__("time").sleep(0.1)
model = torch.nn.Linear(3000, 3000)
try:
    cameo.export(model, torch.zeros(1, 3000), sys.argv[1], dynamo=False, progress=slow)
except KeyboardInterrupt:
    sys.exit(7)
"""


class Progress(unittest.TestCase):
    def test_stages(self):
        seen = []
        cameo.export(nn.Linear(300, 300), torch.zeros(1, 300), dynamo=False, progress=lambda *each: seen.append(each))
        self.assertEqual([stage for stage, part in seen if part == 0],
                         ["capturing the model", "reading the program", "evaluating", "simplifying the graph",
                          "checking the model", "writing"])
        self.assertEqual(seen[-1], ("writing", 1.0))

    def test_control_c_while_writing(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "model.onnx")
            pathlib.Path(path).write_text("old")
            run = subprocess.Popen([sys.executable, "-W", "ignore", "-c", SLOW, path], stdout=subprocess.PIPE, text=True)
            for line in run.stdout:
                if line.startswith("writing"):
                    break
            run.send_signal(signal.SIGINT)
            run.stdout.read()
            self.assertEqual(run.wait(timeout=60), 7)
            self.assertEqual(os.listdir(folder), ["model.onnx"])
            self.assertEqual(pathlib.Path(path).read_text(), "old")

    def test_what_a_function_raises(self):
        def fail(stage, part):
            if stage == "writing":
                raise LookupError("mine")

        with tempfile.TemporaryDirectory() as folder, self.assertRaisesRegex(LookupError, "mine"):
            cameo.export(nn.Linear(300, 300), torch.zeros(1, 300), os.path.join(folder, "m.onnx"), dynamo=False, progress=fail)

    def test_a_bar(self):
        program = ("import torch, cameo; cameo.export(torch.nn.Linear(300, 300), torch.zeros(1, 300), dynamo=False, progress=%s)")
        for wanted, shown in (("True", True), ("None", False), ("False", False)):
            done = subprocess.run([sys.executable, "-W", "ignore", "-c", program % wanted], capture_output=True, text=True, check=True)
            self.assertEqual("writing [####" in done.stderr, shown)


if __name__ == "__main__":
    unittest.main()
