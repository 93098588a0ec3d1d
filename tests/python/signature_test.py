"""The parameters that torch.onnx.export has since PyTorch 2, for models that are traced."""

import gc
import io
import json
import os
import pathlib
import tempfile
import unittest

import cameo
import numpy as np
import torch
from support import Case, export
from torch import nn

HAS_EXPORT = hasattr(torch, "export")


class Two(nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(4, 3)

    def forward(self, x, y=None, *, scale=1.0):
        x = self.linear(x) * scale
        return x if y is None else x + y


class Pair(nn.Module):
    def forward(self, pair, table):
        return pair[0] + pair[1] + table["a"]


class Keywords(nn.Module):
    def forward(self, x, *more, **named):
        return x + sum(more) + sum(named.values())


class Arguments(Case):
    def test_kwargs(self):
        model, x, y = Two(), torch.randn(2, 4), torch.randn(2, 3)
        for args, kwargs in [((x,), {"y": y, "scale": 2.0}), ((), {"y": y, "x": x, "scale": 2.0}), (None, {"x": x, "y": y, "scale": 2.0}),
                             (x, {"y": y, "scale": 2.0})]:
            self.export(model, args, kwargs=kwargs, fix_numbers=True)
            self.assertEqual(self.inputs(), ["x", "y"])
            self.assert_same(model(x, y, scale=2.0), [x, y])

    def test_a_dict_in_args_is_no_keywords_beside_kwargs(self):
        a, b, c = torch.randn(3, 2)
        self.export(Pair(), ((a, b),), kwargs={"table": {"a": c}})
        self.assertEqual(self.inputs(), ["pair_0", "pair_1", "table_a"])
        self.assert_same(a + b + c, [a, b, c])

    def test_positional_arguments_in_older_orders(self):
        model, x = Two(), torch.randn(2, 4)
        common = (model, x, None, True, False, False, ["a"], ["b"])
        axes = {"a": {0: "batch"}}
        orders = [(False, False, None, 12, True, True, None, True, axes, False),  # PyTorch 1.6 to 1.9
                  (None, 12, None, True, None, None, axes, False),  # 1.10
                  (None, 12, True, axes, False)]  # 1.13
        for rest in orders:
            report = export(*common, *rest).report
            self.assertEqual((report.opset, report.inputs[0].type), (12, "f32[batch, 4]"))
        with self.assertRaisesRegex(TypeError, "multiple values for argument 'aten'"):
            export(*common, False, aten=True)

    def test_a_name_that_is_a_parameter_and_a_buffer(self):
        model, x = Two(), torch.randn(2, 4)
        model.linear._buffers["weight"] = torch.zeros(3, 4)
        self.export(model, x)
        self.assert_same(model(x), [x])

    def test_a_model_without_arguments_needs_none(self):
        with self.assertRaisesRegex(ValueError, "args is missing"):
            self.export(Two(), None)

    @unittest.skipIf(HAS_EXPORT, "PyTorch 2")
    def test_pytorch_1_has_no_torch_export(self):
        with self.assertRaisesRegex(NotImplementedError, "dynamo=True needs torch.export, which PyTorch 1.13"):
            self.export(Two(), torch.randn(2, 4), dynamo=True)
        cameo.export(Two(), torch.randn(2, 4), io.BytesIO())

    def test_parameters_that_are_not_supported(self):
        with self.assertRaisesRegex(NotImplementedError, "cameo.converter"):
            self.export(Two(), torch.randn(2, 4), custom_translation_table={torch.relu: lambda x: x})


class DynamicShapes(Case):
    def types(self, model, args, shapes, **options):
        self.export(model, args, dynamic_shapes=shapes, **options)
        return {value.name: value.type for value in self.report.inputs}

    def test_spellings(self):
        model, x, y = Two(), torch.randn(2, 4), torch.randn(2, 3)
        for shapes in [({0: "n"}, {0: "n"}), [{0: "n"}, {0: "n"}], {"x": {0: "n"}, "y": {0: "n"}}, (("n", None), ["n", 3]),
                       {"x": {0: "n", 1: 4}, "y": {-2: "n"}}]:
            self.assertEqual(self.types(model, (x, y), shapes), {"x": "f32[n, 4]", "y": "f32[n, 3]"}, shapes)
            self.assertEqual(self.report.outputs[0].type, "f32[n, 3]")
            for rows in 1, 5:
                x5, y5 = torch.randn(rows, 4), torch.randn(rows, 3)
                self.assert_same(model(x5, y5), [x5, y5])

    def test_nothing_is_dynamic_that_is_not_named(self):
        model, x, y = Two(), torch.randn(2, 4), torch.randn(2, 3)
        self.assertEqual(self.types(model, (x, y), None), {"x": "f32[2, 4]", "y": "f32[2, 3]"})
        self.assertEqual(self.types(model, (x, y), (None, None)), {"x": "f32[2, 4]", "y": "f32[2, 3]"})
        self.assertEqual(self.types(model, (x,), {"x": None}), {"x": "f32[2, 4]"})

    def test_nested(self):
        a, b, c = torch.randn(3, 2, 5)
        args = ((a, b), {"a": c})
        types = self.types(Pair(), (*args, {}), {"pair": ({0: "n"}, {0: "n"}), "table": {"a": ["n", None]}})
        self.assertEqual(types, {"pair_0": "f32[n, 5]", "pair_1": "f32[n, 5]", "table_a": "f32[n, 5]"})
        types = self.types(Pair(), (*args, {}), {"pair": [{0: "n"}, None]}, check_trace=False)
        self.assertEqual(types, {"pair_0": "f32[n, 5]", "pair_1": "f32[2, 5]", "table_a": "f32[2, 5]"})

    def test_variable_arguments(self):
        x, y, z = torch.randn(3, 2)
        for shapes in [{"x": {0: "n"}, "more": ({0: "n"},), "named": {"z": {0: "n"}}},
                       {"x": {0: "n"}, "more": [{0: "n"}], "z": {0: "n"}}, ({0: "n"}, ({0: "n"},), {"z": {0: "n"}})]:
            types = self.types(Keywords(), (x, y), shapes, kwargs={"z": z})
            self.assertEqual(set(types.values()), {"f32[n]"}, types)
            self.assert_same(x + y + z, [x, y, z])

    def test_input_names(self):
        x = torch.randn(2, 4)
        types = self.types(Two(), x, {"x": {0: "rows"}}, input_names=["in"], output_names=["out"], dynamic_axes={"out": {0: "rows"}})
        self.assertEqual(types, {"in": "f32[rows, 4]"})
        self.assertEqual([(v.name, v.type) for v in self.report.outputs], [("out", "f32[rows, 3]")])

    def test_a_trace_that_bakes_a_size_in_is_told(self):
        class Baked(nn.Module):
            def forward(self, x):
                return x.view(4, -1)

        self.export(Baked(), torch.randn(4, 6), dynamic_shapes=({0: "n"},))
        self.assertTrue(any("stays 4 here" in message for message in self.messages()), self.messages())

    def test_errors(self):
        model, x, y = Two(), torch.randn(2, 4), torch.randn(2, 3)
        for shapes, message in [({"z": {0: "n"}}, "names arguments that the model is not called with: z"),
                                (({0: "n"},), "has 1 entries, but the model is called with 2 arguments"),
                                ({"x": {2: "n"}}, "'x' has no axis 2; it has 2"),
                                ({"x": {"a": "n"}}, "'x' has no axis 'a'"),
                                ({"x": ["n"]}, "gives 'x' 1 axes, but it has 2"),
                                ({"x": {1: 5}}, "axis 1 of 'x' is 4, not 5")]:
            with self.assertRaisesRegex(ValueError, message):
                self.export(model, (x, y), dynamic_shapes=shapes)
        with self.assertRaisesRegex(ValueError, "gives 'scale' a shape, but it is a float"):
            self.export(model, x, kwargs={"scale": 2.0}, dynamic_shapes={"scale": {0: "n"}})
        with self.assertRaisesRegex(ValueError, "'pair' is a tuple of 2; give one shape for each"):
            self.export(Pair(), ((x, x), {"a": x}, {}), dynamic_shapes={"pair": {0: "n"}})
        with self.assertRaisesRegex(ValueError, "'table' has no 'b'"):
            self.export(Pair(), ((x, x), {"a": x}, {}), dynamic_shapes={"table": {"b": {0: "n"}}})

    def test_scripted(self):
        model, x, y = torch.jit.script(nn.Linear(4, 3)), torch.randn(2, 4), torch.randn(2, 3)
        for shapes in ({0: "n"},), {"input": {0: "n"}}, {"input": ["n", None]}:
            self.assertEqual(self.types(model, x, shapes), {"input": "f32[n, 4]"})
        with self.assertRaisesRegex(ValueError, "names arguments that the program is not called with: z"):
            self.export(model, x, dynamic_shapes={"z": {0: "n"}})

        @torch.jit.script
        def add(a, b):
            return a + b

        self.assertEqual(self.types(add, (y, y), {"b": {0: "m"}}), {"a": "f32[2, 3]", "b": "f32[m, 3]"})

    def test_saved(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "linear.pt")
            torch.jit.save(torch.jit.script(nn.Linear(4, 3)), path)
            x = torch.randn(2, 4)
            for args, shapes in [((x,), ({0: "n"},)), ((x,), {"input": {0: "n"}}), (({"input": x},), {"input": {0: "n"}})]:
                self.assertEqual(self.types(path, args, shapes), {"input": "f32[n, 4]"})
            with self.assertRaisesRegex(ValueError, "needs 'args'"):
                self.export(path, None, dynamic_shapes=({0: "n"},))


class Result(Case):
    def test_without_a_place(self):
        model, x = Two(), torch.randn(2, 4)
        program = export(model, x, dynamic_shapes=({0: "n"},))
        self.assertIsInstance(program, cameo.ONNXProgram)
        self.assertEqual(repr(program), "<ONNXProgram [x: f32[n, 4]] -> [output: f32[n, 3]]>")
        self.assertIsInstance(program.report, cameo.ExportReport)
        self.assertEqual(program.nodes, len(program.model_proto.graph.node))
        self.assertIn("operators", dir(program))
        with self.assertRaises(AttributeError):
            program.nothing
        x = torch.randn(7, 4)
        for results in program(x), program(x=x):
            self.assertIsInstance(results[0], torch.Tensor)
            np.testing.assert_allclose(results[0], model(x).detach(), rtol=1e-5, atol=1e-6)
        self.assertIsInstance(program(x.numpy())[0], np.ndarray)
        program.release()
        path = program.path
        self.assertTrue(os.path.exists(path))
        del program, results
        gc.collect()
        self.assertFalse(os.path.exists(os.path.dirname(path)), "the file is removed with its owner")

    def test_nested_arguments_of_a_call(self):
        a, b, c = torch.randn(3, 2)
        program = export(Pair(), ((a, b), {"a": c}, {}))
        np.testing.assert_allclose(program((a, b), {"a": c})[0], a + b + c, rtol=1e-6)
        np.testing.assert_allclose(program((a, b), table={"a": c})[0], a + b + c, rtol=1e-6)

    def test_save(self):
        model, x = nn.Linear(64, 64), torch.randn(2, 64)
        expected = model(x).detach()
        with tempfile.TemporaryDirectory() as folder:
            place = pathlib.Path(folder)
            inside, beside = export(model, x), export(model, x, external_data=True)
            inside.save(place / "a.onnx")
            inside.save(place / "b.onnx", external_data=True)
            beside.save(place / "c.onnx")
            beside.save(place / "d.onnx", external_data=False)
            del inside, beside
            gc.collect()
            self.assertEqual(sorted(os.listdir(folder)), ["a.onnx", "b.onnx", "b.onnx.data", "c.onnx", "c.onnx.data", "d.onnx"])
            for name in "abcd":
                result, = cameo.Session(place / f"{name}.onnx").run(None, {"input": x.numpy()})
                np.testing.assert_allclose(result, expected, rtol=1e-5, atol=1e-6)
        with self.assertRaisesRegex(NotImplementedError, "export it again"):
            export(model, x).save("nowhere.onnx", include_initializers=False)

    def test_with_a_path(self):
        model, x = nn.Linear(4, 3), torch.randn(2, 4)
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "linear.onnx")
            program = export(model, (x,), path)
            self.assertEqual(program.path, path)
            np.testing.assert_allclose(program(x)[0], model(x).detach(), rtol=1e-5, atol=1e-6)

    def test_with_a_file(self):
        program = export(nn.Linear(4, 3), torch.randn(2, 4), io.BytesIO())
        self.assertEqual(program.parameters, 15)
        for use in (lambda: program.save("x.onnx"), lambda: program.model_proto, lambda: program(torch.randn(2, 4))):
            with self.assertRaisesRegex(ValueError, "written to a file object"):
                use()

    def test_external_data(self):
        model, x = nn.Linear(4, 3), torch.randn(2, 4)
        with tempfile.TemporaryDirectory() as folder:
            for value, beside in (True, True), (False, False), ("always", True), ("never", False):
                path = os.path.join(folder, f"{value}.onnx")
                export(model, x, path, external_data=value)
                self.assertEqual(os.path.exists(path + ".data"), beside, value)
        self.export(model, x, external_data=True)
        self.assert_same(model(x), [x])
        with self.assertRaisesRegex(ValueError, "external_data is True, False, or one of"):
            self.export(model, x, external_data="perhaps")

    def test_optimize(self):
        model, x = nn.Sequential(nn.Conv2d(1, 2, 3), nn.BatchNorm2d(2)), torch.randn(1, 1, 5, 5)
        self.export(model, x)
        self.assertNotIn("BatchNormalization", self.operators())
        self.assertTrue(self.report.rules)
        self.export(model, x, optimize=False)
        self.assertIn("BatchNormalization", self.operators())
        self.assertEqual(self.report.rules, [])
        self.assert_same(model.eval()(x), [x])


class Verify(Case):
    def test_agreement(self):
        class Model(nn.Module):
            def forward(self, x, k):
                y = x / 0
                return x * 2, k + 1, y, x.argmax(1), x > 0, {"none": None, "half": x.half()}

        args = torch.randn(2, 4), torch.tensor([1, 2])
        self.export(Model(), args, verify=True)
        self.export(Model(), args, verify=True, dynamic_shapes=({0: "n"}, {0: "n"}))
        self.export(torch.jit.script(nn.Linear(4, 3)), args[0], verify=True)
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "linear.pt")
            torch.jit.save(torch.jit.script(nn.Linear(4, 3)), path)
            self.export(path, (args[0],), verify=True)
            export(nn.Linear(4, 3), args[0], os.path.join(folder, "m.onnx"), verify=True, external_data=True)

    def test_a_model_that_computes_something_else(self):
        class Impure(nn.Module):
            calls = 0

            def forward(self, x):
                self.calls += 1
                return x + self.calls

        with self.assertRaisesRegex(cameo.Error, "the ONNX model does not compute what the PyTorch program does: output "
                                                 "'output' has an error of 1, relative") as caught:
            self.export(Impure(), torch.zeros(2, 4), verify=True)
        self.assertEqual([d.code for d in caught.exception.diagnostics], ["departs"])

    def test_a_size_that_is_baked_in(self):
        class Baked(nn.Module):
            def forward(self, x):
                return x * float(x.shape[0])

        with self.assertRaisesRegex(cameo.Error, "output 'output' at n = 3 has an error"):
            self.export(Baked(), torch.ones(2, 4), dynamic_shapes=({0: "n"},), verify=True)

    def test_parameters_as_inputs(self):
        with self.assertRaisesRegex(ValueError, "leave out export_params=False"):
            self.export(nn.Linear(4, 3), torch.randn(2, 4), export_params=False, verify=True)
        self.export(nn.Linear(4, 3), torch.randn(2, 4), keep_initializers_as_inputs=True, verify=True)


class Report(Case):
    def test_files(self):
        model, x = nn.Linear(4, 3), torch.randn(2, 4)
        with tempfile.TemporaryDirectory() as folder:
            place = pathlib.Path(folder)
            self.export(model, x, report=True, artifacts_dir=place / "new")
            written, = (place / "new").iterdir()
            self.assertRegex(written.name, r"^onnx_export_[\d_-]+_success\.md$")
            self.assertIn("| `input` | `f32[2, 4]` |", written.read_text())
            self.export(model, x, report=place / "report.json")
            self.assertEqual(json.loads((place / "report.json").read_text())["model"], "Linear")
            with self.assertRaises(cameo.Error):
                self.export(lambda x: torch.igamma(x, x), x, report=True, artifacts_dir=place / "failed")
            written, = (place / "failed").iterdir()
            self.assertRegex(written.name, r"_failure\.md$")
            self.assertIn("igamma", written.read_text())
            self.export(model, x, artifacts_dir=place / "none")
            self.assertFalse((place / "none").exists())


if __name__ == "__main__":
    unittest.main()
