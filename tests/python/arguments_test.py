"""What a model may be given, and where the result may go."""

import collections
import dataclasses
import io
import os
import pathlib
import tempfile
import unittest
from typing import Dict

import cameo
import numpy as np
import onnx.numpy_helper
import torch
from support import Case, export

Point = collections.namedtuple("Point", "x y")


class Weighted(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = torch.nn.Linear(4, 3)

    def forward(self, x, k=2, *, mask=None):
        y = self.linear(x) * k
        return y if mask is None else y + mask


class Nested(torch.nn.Module):
    def forward(self, pair, table, point=None, mode="sum"):
        a, (b, c) = pair
        total = a + b * c + table["left"] - table["right"][0]
        if point is not None:
            total = total + point.x * point.y
        return {"total": total, "parts": [a, None], "text": (b,)} if mode == "all" else total


class Arguments(Case):
    def test_a_tensor_is_a_tuple_of_one(self):
        model, x = Weighted(), torch.randn(2, 4)
        self.export(model, x)
        alone = self.bytes
        self.export(model, (x,))
        self.assertEqual(alone, self.bytes)
        self.assert_same(model(x), [x])

    def test_keywords_come_last(self):
        model, x, mask = Weighted(), torch.randn(2, 4), torch.randn(3)
        self.export(model, (x, {"mask": mask}))
        self.assertEqual(self.inputs(), ["x", "mask"])
        self.assert_same(model(x, mask=mask), [x, mask])
        self.export(model, (x, {"mask": None, "k": 3}), fix_numbers=True)
        self.assertEqual(self.inputs(), ["x"])
        self.assert_same(model(x, 3), [x])

    def test_numbers_are_inputs(self):
        model, x = Weighted(), torch.randn(2, 4)
        self.export(model, (x, 5))
        self.assertEqual([str(value) for value in map(repr, self.report.inputs)], ["x: f32[2, 4]", "k: i64[]"])
        self.assert_same(model(x, 7), [x, torch.tensor(7)])
        self.export(lambda x, pair: x * pair[0] + pair[1]["a"], (x, (2.5, {"a": 3})))
        self.assertEqual([str(value) for value in map(repr, self.report.inputs)],
                         ["x: f32[2, 4]", "pair_0: f64[]", "pair_1_a: i64[]"])
        self.assert_same(x * 0.5 + 4, [x, torch.tensor(0.5, dtype=torch.float64), torch.tensor(4)])

    def test_numbers_that_are_no_tensors(self):
        """A number is a constant if the result of the model would have another type, or if Python reads it."""
        x = torch.arange(4)
        for function in (lambda x, k: x * k, lambda x, k: x + [1, 2, 3][int(k)]):
            for k in (2.0, 1):
                self.export(function, (x, k))
                if self.inputs() == ["x"]:
                    self.assertEqual([d.code for d in self.report.warnings], ["fixed-argument"])
                    self.assert_same(function(x, k), [x])
        self.export(lambda x, k: x * k, (x, 2.0))
        self.assertEqual(self.inputs(), ["x"])
        self.assertEqual(self.run_exported(x)[0].dtype, "float32")

    def test_numbers_with_dynamic_axes(self):
        model, x = Weighted(), torch.randn(2, 4)
        self.export(model, (x, 5), dynamic_axes={"x": {0: "batch"}})
        self.assertEqual(self.inputs(), ["x", "k"])
        y = torch.randn(3, 4)
        self.assert_same(model(y, 2), [y, torch.tensor(2)])

    def test_fixed_numbers_are_noted(self):
        model, x = Weighted(), torch.randn(2, 4)
        self.export(model, (x, 5), fix_numbers=True)
        self.assertEqual(self.inputs(), ["x"])
        self.assert_same(model(x, 5), [x])
        note, = [d for d in self.report.warnings if d.code == "fixed-argument"]
        self.assertEqual(note.message,
                         "argument 'k' is a Python int: stored as constant 5; pass a tensor to keep it as input")
        self.assertEqual(self.messages(), [])

    def test_a_number_as_a_tensor_is_an_input(self):
        model, x = Weighted(), torch.randn(2, 4)
        self.export(model, (x, torch.tensor(5.0)))
        self.assertEqual(self.inputs(), ["x", "k"])
        self.assert_same(model(x, 7.0), [x, torch.tensor(7.0)])

    def test_tensors_within_tuples_lists_and_dicts(self):
        a, b, c, d, e, f, g = torch.randn(7, 2, 3)
        args = ((a, [b, c]), {"left": d, "right": (e,)}, Point(f, g), "all")
        self.export(Nested(), args, output_names=["total"])
        self.assertEqual(self.inputs(), ["pair_0", "pair_1_0", "pair_1_1", "table_left", "table_right_0", "point_0",
                                         "point_1"])
        expected = Nested()(*args)
        self.assert_same([expected["total"], a, b], [a, b, c, d, e, f, g])

    def test_a_dict_that_is_no_keywords_is_an_argument(self):
        a, b, c, d, e = torch.randn(5, 2, 3)
        table = {"left": d, "right": [e]}
        for args in ((a, (b, c)), table, {}), ((a, (b, c)), table):
            self.export(Nested(), args)
            self.assert_same(Nested()(*args[:2]), [a, b, c, d, e])

    def test_data_classes_and_other_dicts(self):
        @dataclasses.dataclass
        class Pair:
            left: torch.Tensor
            right: torch.Tensor
            scale: float = 2.0

        def combine(pair, table):
            return pair.left * pair.scale - pair.right + table["a"] * table["missing"]

        a, b, c = torch.randn(3, 4)
        table = collections.defaultdict(lambda: 3.0, a=c)
        self.export(combine, (Pair(a, b), table, {}))
        self.assertEqual(self.inputs(), ["pair_left", "pair_right", "pair_scale", "table_a"])
        self.assert_same(4 * a - b + 3 * c, [a, b, torch.tensor(4.0, dtype=torch.float64), c])

    def test_further_arguments(self):
        class Sum(torch.nn.Module):
            def forward(self, *terms, **named):
                return sum(terms) * named["scale"]

        a, b, scale = torch.randn(3, 4)
        self.export(Sum(), (a, b, {"scale": scale}))
        self.assertEqual(self.inputs(), ["terms_0", "terms_1", "scale"])
        self.assert_same((a + b) * scale, [a, b, scale])

    def test_what_does_not_fit(self):
        with self.assertRaisesRegex(TypeError, "cannot be called with these arguments: missing a required .*'x'"):
            self.export(Weighted(), ())
        with self.assertRaisesRegex(ValueError, "example inputs are required for tracing"):
            self.export(Weighted(), None)
        with self.assertRaisesRegex(RuntimeError, "unsupported type: str"):
            self.export(lambda x: (x, "three"), torch.randn(2))

    def test_functions(self):
        x, y = torch.randn(2, 3)
        self.export(lambda x, y: torch.maximum(x, y), (x, y))
        self.assert_same(torch.maximum(x, y), [x, y])


class Programs(Case):
    def test_script_modules_are_not_run(self):
        class Raises(torch.nn.Module):
            def forward(self, x, n: int):
                if bool(x.sum() > -1e30):
                    x = x * n
                return x

        model, x = torch.jit.script(Raises()), torch.randn(2, 3)
        self.export(model, (x, 2))
        self.assertIn("If", self.operators())
        self.assert_same(x * 2, [x])

    def test_script_functions(self):
        @torch.jit.script
        def double(x, n: int = 3):
            return x * n

        x = torch.randn(3)
        self.export(double, x)
        self.assertEqual(self.messages(), [])
        self.assert_same(x * 3, [x])

    def test_script_modules_that_take_dicts(self):
        class Table(torch.nn.Module):
            def forward(self, x, table: Dict[str, torch.Tensor]):
                return x + table["a"]

        x, a = torch.randn(2, 3)
        for args in (x, {"a": a}), (x, {"a": a}, {}), (x, {"table": {"a": a}}):
            self.export(torch.jit.script(Table()), args)
            self.assert_same(x + a, [x, a])

    def test_saved_programs(self):
        model, x = torch.nn.Linear(4, 2).eval(), torch.randn(3, 4)
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "model.pt"
            torch.jit.save(torch.jit.trace(model, x), str(path))
            self.export(path, x, input_names=["x"], dynamic_axes={"x": {0: "batch"}})
            self.assert_same(model(x[:1]), [x[:1]])
            torch.jit.save(torch.jit.script(model), str(path))
            with self.assertRaisesRegex(cameo.Error, "the inputs must be specified"):
                self.export(str(path), None)

    def test_inputs_as_text(self):
        class Small(torch.nn.Module):
            def forward(self, x, y):
                if x.size(0) > 8:
                    x = x * 2
                return x.sum() + y

        program = torch.jit.script(Small())
        arguments = (cameo.Input("f32[n<=8]"), {"y": cameo.Input("f32[2*n + 1]")})
        self.export(program, arguments)
        self.assertEqual([str(value) for value in self.report.inputs], ["x: f32[n]", "y: f32[2*n + 1]"])
        self.assertNotIn("If", self.operators())
        x, y = torch.randn(3), torch.randn(7)
        np.testing.assert_allclose(self.run_exported(x, y)[0], program(x, y).numpy(), rtol=1e-5)
        with self.assertRaisesRegex(cameo.Error, "the range is empty"):
            self.export(program, (cameo.Input("f32[n=8..2]"), torch.randn(3)))
        with self.assertRaisesRegex(TypeError, "'x' is a cameo.Input, and a model that is run needs a tensor"):
            self.export(Small(), arguments)

    def test_traced_modules_are_as_modules(self):
        model = torch.nn.Sequential(torch.nn.Conv2d(3, 4, 3), torch.nn.ReLU()).eval()
        x = torch.randn(1, 3, 8, 8)
        self.export(model, x)
        direct = self.operators()
        self.export(torch.jit.trace(model, x), x)
        self.assertEqual(direct, self.operators())

    def test_weights_of_modules_are_unchanged_and_exact(self):
        model = torch.nn.Sequential(torch.nn.Linear(64, 64), torch.nn.Linear(64, 64))
        model[1].weight = torch.nn.Parameter(torch.randn(64, 64).t())
        before = {name: value.clone() for name, value in model.state_dict().items()}
        for exported in model, torch.jit.script(model):
            self.export(exported, torch.randn(2, 64), do_constant_folding=False)
            stored = {i.name: onnx.numpy_helper.to_array(i) for i in self.model.graph.initializer}
            for name, value in before.items():
                self.assertTrue(torch.equal(value, exported.state_dict()[name]), name)
            self.assertTrue((stored["0.weight"] == before["0.weight"].numpy()).all())
            x = torch.randn(2, 64)
            self.assert_same(model(x), [x])

    def test_weights_that_are_tied_or_share_a_storage(self):
        class Tied(torch.nn.Module):
            def __init__(self):
                super().__init__()
                flat = torch.randn(2 * 64 * 64)
                self.one = torch.nn.Parameter(flat[:4096].view(64, 64))
                self.two = torch.nn.Parameter(flat[4096:].view(64, 64))
                self.same = self.one
                self.register_buffer("strided", torch.randn(64, 128)[:, ::2])

            def forward(self, x):
                return x @ self.one + x @ self.two - x @ self.same.t() + self.strided

        model, x = Tied(), torch.randn(64, 64)
        self.export(model, x)
        self.assert_same(model(x), [x], 1e-4)
        sizes = [i.dims[0] * i.dims[1] for i in self.model.graph.initializer if len(i.dims) == 2]
        self.assertEqual(len(sizes), 3, "the tied weight is written once")


class Outputs(Case):
    def test_paths_files_and_descriptors(self):
        model, x = torch.nn.Linear(4, 2), torch.randn(3, 4)
        self.export(model, x)
        with tempfile.TemporaryDirectory() as folder:
            paths = [os.path.join(folder, name) for name in ("model.proto", "file", "fd")]
            export(model, x, pathlib.Path(paths[0]))
            with open(paths[1], "wb") as file:
                export(model, x, file)
            with open(paths[2], "wb") as file:
                only_number = type("Only", (), {"fileno": lambda self: file.fileno()})()
                export(model, x, only_number)
            for path in paths:
                self.assertEqual(pathlib.Path(path).read_bytes(), self.bytes)
            cameo.check(paths[0])

    def test_external_data_needs_a_path(self):
        model, x = torch.nn.Linear(4, 2), torch.randn(3, 4)
        with self.assertRaisesRegex(ValueError, "'f' must be a path"):
            export(model, x, io.BytesIO(), external_data="always")
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "m.onnx")
            export(model, x, path, external_data="always")
            self.assertTrue(os.path.exists(path + ".data"))
            self.assertEqual(cameo.Session(path).run(None, {"input": x.numpy()})[0].shape, (3, 2))
            with self.assertRaisesRegex(cameo.Error, "the program is in memory"):
                export(model, x, path, external_data="link")


if __name__ == "__main__":
    unittest.main()
