"""cameo.mark: names for places of a model, and cameo.split at them."""

import json
import os
import sys
import unittest

import cameo
import numpy as np
import onnx
import torch

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))
from folder_case import FolderCase  # noqa: E402


class Head(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = torch.nn.Linear(4, 3)

    @cameo.mark("head", inputs=["feat"], outputs=["scores"])
    def forward(self, x):
        return torch.relu(self.linear(x))


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.stem, self.head = torch.nn.Linear(4, 4), Head()

    def forward(self, x):
        feat = torch.tanh(self.stem(x))
        return self.head(feat) + 1, self.head(feat * 2)


class Pair(torch.nn.Module):
    @cameo.mark("pair")
    def both(self, parts, scale):
        return {"sum": parts[0] + parts[1], "rest": parts[1] * scale}

    def forward(self, x):
        found = self.both([x * 2, x * 3], scale=4)
        return found["sum"] / found["rest"]


class Marks(FolderCase):
    def marks(self, path="m.onnx"):
        return {entry.key: entry.value for entry in onnx.load(path).metadata_props}

    def test_marks_are_metadata(self):
        model, x = Net(), torch.randn(2, 4)
        cameo.export(model, x, "m.onnx", input_names=["x"], dynamic_axes={"x": {0: "batch"}})
        marks = self.marks()
        self.assertEqual(sorted(marks), [f"cameo.mark:head[{call}]:{side}" for call in (0, 1) for side in ("input:feat", "output:scores")])
        made = onnx.load("m.onnx")
        self.assertNotIn("cameo", [each.domain for each in made.opset_import])
        self.assertEqual({each.op_type for each in made.graph.node} & {"Mark"}, set())
        for value, expected in zip(cameo.Session("m.onnx").run(None, {"x": x.numpy()}), model(x)):
            np.testing.assert_allclose(value, expected.detach().numpy(), rtol=1e-5, atol=1e-6)

    def test_split_at_marks(self):
        model, x = Net(), torch.randn(2, 4)
        cameo.export(model, x, "m.onnx", input_names=["x"], dynamic_axes={"x": {0: "batch"}})
        names = cameo.split("m.onnx", "parts", cuts=["mark:head[0]:input", "mark:head:output"])
        self.assertEqual(names, ["part1", "part2", "part3"])
        with open("parts/plan.json", encoding="utf-8") as file:
            plan = json.load(file)
        values = {"x": np.random.default_rng(0).standard_normal((5, 4)).astype(np.float32)}
        expected = cameo.Session("m.onnx").run(None, dict(values))
        for part in plan["parts"]:
            results = cameo.Session(f"parts/{part['file']}").run(part["outputs"], {each["name"]: values[each["name"]] for each in part["inputs"]})
            values.update(zip(part["outputs"], results))
        for name, value in zip(plan["outputs"], expected):
            np.testing.assert_allclose(values[name], value, rtol=1e-5)

    def test_nested_values_and_other_arguments(self):
        cameo.export(Pair(), torch.randn(2), "m.onnx")
        self.assertEqual(sorted(self.marks()), ["cameo.mark:pair[0]:input:parts.0", "cameo.mark:pair[0]:input:parts.1",
                                                "cameo.mark:pair[0]:output:output.0.rest", "cameo.mark:pair[0]:output:output.0.sum"])

    def test_a_marked_output_keeps_its_name(self):
        cameo.export(Head(), torch.randn(2, 4), "m.onnx", input_names=["in"], output_names=["out"])
        self.assertEqual(self.marks(), {"cameo.mark:head[0]:input:feat": "in", "cameo.mark:head[0]:output:scores": "out"})

    def test_nothing_happens_outside_of_an_export(self):
        x = torch.randn(2, 4)
        traced = torch.jit.trace(Net(), x)
        self.assertNotIn("cameo::", str(traced.inlined_graph))

    def test_how_to_split(self):
        with self.assertRaisesRegex(ValueError, "say how to split"):
            cameo.split("m.onnx", "parts")


unittest.main()
