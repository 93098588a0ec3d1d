"""package_test.py: the Python package with PyTorch 2, whose models are captured by torch.export. Runs in the root of PyTorch 2."""

import collections
import io
import os
import pathlib
import sys
import tempfile
import unittest

import cameo
import numpy as np
import onnx.numpy_helper
import torch
from torch import nn
from torch.export import Dim

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "python"))
import support  # noqa: E402


class Case(support.Case):
    def export(self, model, args=None, **options):
        return super().export(model, args, **{"dynamo": None, **options})

    def types(self):
        return {value.name: value.type for value in self.report.inputs}

    def same(self, model, args=(), kwargs=None, tolerance=1e-5):
        """The exported model gives the results of the model for these arguments."""
        leaves = torch.utils._pytree.tree_leaves
        with torch.no_grad():
            expected = leaves(model(*args, **(kwargs or {})))
        tensors = [value for value in leaves((args, kwargs or {})) if isinstance(value, torch.Tensor)]
        self.assert_same(expected, tensors, tolerance)


Pair = collections.namedtuple("Pair", "a b")


class Two(nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(4, 3)

    def forward(self, x, y=None, *, scale=1.0):
        x = self.linear(x) * scale
        return x if y is None else x + y


class Nested(nn.Module):
    def forward(self, pair, table):
        return {"sum": pair[0] + pair[1], "rest": (table["a"] * 2, [pair[0] - table["b"]])}


class Keywords(nn.Module):
    def forward(self, x, *more, **named):
        return x + sum(more) + sum(named.values())


class Models(Case):
    def test_the_default_is_pytorchs_own(self):
        program = cameo.export(Two(), (torch.randn(2, 4),))
        self.assertIsInstance(program.exported_program, torch.export.ExportedProgram)
        self.assertIsNone(cameo.export(Two(), (torch.randn(2, 4),), dynamo=False).exported_program)

    def test_a_module(self):
        model, x = Two(), torch.randn(2, 4)
        self.export(model, x)
        self.assertEqual(self.types(), {"x": "f32[2, 4]"})
        self.assertEqual([i.name for i in self.model.graph.initializer], ["linear.weight", "linear.bias"])
        self.same(model, (x,))

    def test_a_function(self):
        x, y = torch.randn(2, 3), torch.randn(3)
        self.export(lambda x, y: torch.relu(x) + y, (x, y))
        self.assertEqual(self.inputs(), ["x", "y"])
        self.same(lambda x, y: torch.relu(x) + y, (x, y))

    def test_an_exported_program(self):
        model, x = Two().eval(), torch.randn(2, 4)
        program = torch.export.export(model, (x,), dynamic_shapes=({0: Dim("rows")},))
        self.export(program)
        self.assertEqual(self.types()["x"].count("4"), 1)
        for rows in 1, 5:
            self.same(model, (torch.randn(rows, 4),))
        self.export(program, dynamic_shapes={"x": {0: "rows"}}, verify=True)
        self.assertEqual(self.types(), {"x": "f32[rows, 4]"})
        self.export(program.run_decompositions())
        self.same(model, (x,))

    def test_a_script_module(self):
        model, x = torch.jit.script(nn.Linear(4, 3)), torch.randn(2, 4)
        for dynamo in None, True, False:
            self.export(model, x, dynamo=dynamo, dynamic_shapes=({0: "rows"},))
            self.assertEqual(self.types(), {"input": "f32[rows, 4]"})
            self.same(model, (x,))

    def test_paths(self):
        model, x = nn.Linear(4, 3).eval(), torch.randn(2, 4)
        with tempfile.TemporaryDirectory() as folder:
            script, exported = os.path.join(folder, "model.pt"), os.path.join(folder, "model.pt2")
            torch.jit.save(torch.jit.trace(model, x), script)
            torch.export.save(torch.export.export(model, (x,), dynamic_shapes=({0: Dim("rows")},)), exported)
            self.export(script, (x,), verify=True)
            self.same(model, (x,))
            self.export(exported, verify=True)
            self.same(model, (torch.randn(7, 4),))
            self.export(exported, (x,), dynamic_shapes={"input": {0: "rows"}})
            self.assertEqual(self.types(), {"input": "f32[rows, 4]"})

    def test_a_model_in_training_is_exported_for_inference(self):
        model, x = nn.Sequential(nn.Linear(4, 4), nn.BatchNorm1d(4), nn.Dropout(0.5)), torch.randn(3, 4)
        self.export(model, x)
        self.assertTrue(model.training)
        self.same(model.eval(), (x,))
        model.train()
        statistics = model[1].running_mean.clone()
        self.export(model, x, training=torch.onnx.TrainingMode.TRAINING, do_constant_folding=False)
        self.assertIn("Dropout", self.operators())
        self.assertTrue(torch.equal(statistics, model[1].running_mean))

    def test_the_flag_of_an_export(self):
        class Asks(nn.Module):
            def forward(self, x):
                return x + 1 if cameo.is_in_onnx_export() and torch.onnx.is_in_onnx_export() else x

        x = torch.randn(2)
        self.export(Asks(), x)
        self.assert_same(x + 1, [x])
        self.assertFalse(torch.onnx.is_in_onnx_export())

    def test_an_exportable_module(self):
        class Exportable(torch.onnx.ExportableModule):
            def forward(self, x):
                return x * 2

            def example_arguments(self):
                return (torch.randn(2, 3),), None

            def input_names(self):
                return ("in",)

            def output_names(self):
                return ("out",)

            def dynamic_shapes(self):
                return ({0: "rows"},)

        self.export(Exportable())
        self.assertEqual(self.types(), {"in": "f32[rows, 3]"})
        self.assertEqual(self.report.outputs[0].name, "out")
        self.export(Exportable(), torch.randn(4, 5))
        self.assertEqual(self.types(), {"x": "f32[4, 5]"})

    def test_fallback(self):
        class Refused(nn.Module):
            def forward(self, x):
                return x * 2 if x.sum().item() > -1e9 else x

        x = torch.randn(3)
        with self.assertRaises(Exception):
            self.export(Refused(), x)
        self.export(Refused(), x, fallback=True)
        self.assertTrue(any("torch.export does not capture the model" in message for message in self.messages()))
        self.assert_same(x * 2, [x])

    def test_everything_that_cannot_be_converted_is_told(self):
        class Odd(nn.Module):
            def forward(self, x):
                return torch.igamma(x, x) + torch.special.airy_ai(x)

        with self.assertRaises(cameo.Error) as caught:
            self.export(Odd(), torch.eye(3))
        self.assertEqual(len(caught.exception.diagnostics), 2)
        self.assertEqual({d.python[0].line for d in caught.exception.diagnostics}, {Odd.forward.__code__.co_firstlineno + 1})
        self.assertEqual({d.python[0].file for d in caught.exception.diagnostics}, {__file__})


class Arguments(Case):
    def test_kwargs(self):
        model, x, y = Two(), torch.randn(2, 4), torch.randn(2, 3)
        for args, kwargs in [((x,), {"y": y, "scale": 2.0}), ((), {"y": y, "x": x, "scale": 2.0}), ((x, {"y": y, "scale": 2.0}), None)]:
            self.export(model, args, kwargs=kwargs)
            self.assertEqual(self.inputs(), ["x", "y"])
            self.assert_same(model(x, y, scale=2.0), [x, y])
            notes = [d.message for d in self.report.warnings if d.code == "fixed-argument"]
            self.assertEqual(len(notes), 1, notes)

    def test_nested(self):
        a, b, c, d = torch.randn(4, 2, 3)
        args = ((a, b), {"a": c, "b": d})
        self.export(Nested(), (*args, {}))
        self.assertEqual(self.inputs(), ["pair_0", "pair_1", "table_a", "table_b"])
        self.same(Nested(), args)

    def test_variable_arguments(self):
        x, y, z = torch.randn(3, 2)
        for shapes in None, {"x": {0: "n"}, "more": ({0: "n"},), "named": {"z": {0: "n"}}}, {"x": {0: "n"}, "more": [{0: "n"}], "z": {0: "n"}}:
            self.export(Keywords(), (x, y), kwargs={"z": z}, dynamic_shapes=shapes)
            self.same(Keywords(), (x, y), {"z": z})
        with self.assertRaisesRegex(TypeError, "'x' is a cameo.Input, and a model that is run needs a tensor"):
            self.export(Keywords(), cameo.Input("f32[n]"))

    def test_names(self):
        model, x, y = Two(), torch.randn(2, 4), torch.randn(2, 3)
        self.export(model, (x, y), input_names=["in", "shift"], output_names=["out"])
        self.assertEqual(self.inputs(), ["in", "shift"])
        self.assertEqual([v.name for v in self.report.outputs], ["out"])
        self.same(model, (x, y))

    def test_options_of_both_exporters(self):
        model, x = Two(), torch.randn(2, 4)
        self.export(model, x, export_params=False)
        self.assertEqual(self.inputs(), ["x", "linear.weight", "linear.bias"])
        self.export(model, x, keep_initializers_as_inputs=True, opset_version=13)
        self.assertEqual([o.version for o in self.model.opset_import if not o.domain], [13])
        self.same(model, (x,))
        self.export(nn.Sequential(nn.Conv2d(1, 2, 3), nn.BatchNorm2d(2)), torch.randn(1, 1, 5, 5), optimize=False)
        self.assertEqual(self.report.rules, [])


class DynamicShapes(Case):
    def test_spellings(self):
        model, x, y = Two(), torch.randn(2, 4), torch.randn(2, 3)
        n = Dim("n", min=1, max=64)
        for shapes in [({0: n}, {0: n}), [{0: n}, {0: n}], {"x": {0: n}, "y": {0: n}}, ((n, None), (n, None)), {"x": {0: "n"}, "y": {0: "n"}},
                       {"x": [n, Dim.STATIC], "y": {0: n, 1: 3}}]:
            self.export(model, (x, y), dynamic_shapes=shapes)
            self.assertEqual(self.types(), {"x": "f32[n, 4]", "y": "f32[n, 3]"}, shapes)
            self.assertEqual(self.report.outputs[0].type, "f32[n, 3]")
            for rows in 1, 5:
                self.same(model, (torch.randn(rows, 4), torch.randn(rows, 3)))

    def test_sizes_without_names(self):
        model, x = Two(), torch.randn(2, 4)
        for hint in Dim.AUTO, Dim.DYNAMIC:
            for shapes in {"x": {0: hint}}, ({0: hint},), ([hint, None],):
                self.export(model, (x,), dynamic_shapes=shapes)
                self.assertNotIn("f32[2, 4]", self.types().values())
                for rows in 1, 5:
                    self.same(model, (torch.randn(rows, 4),))
        self.export(model, (x,), dynamic_shapes=({0: Dim.STATIC},))
        self.assertEqual(self.types(), {"x": "f32[2, 4]"})

    def test_arguments_that_are_left_out_are_fixed(self):
        model, x, y = Two(), torch.randn(2, 4), torch.randn(1, 3)
        self.export(model, (x, y), dynamic_shapes={"x": {0: "rows"}})
        self.assertEqual(self.types(), {"x": "f32[rows, 4]", "y": "f32[1, 3]"})

    def test_two_names_of_one_size(self):
        class Add(nn.Module):
            def forward(self, x, y):
                return x + y

        self.export(Add(), (torch.randn(2, 3), torch.randn(2, 3)), dynamic_shapes=({0: "a"}, {0: "b"}))
        types = self.types()
        self.assertEqual(types["x"], "f32[a, 3]")
        self.same(Add(), (torch.randn(5, 3), torch.randn(5, 3)))

    def test_nested(self):
        a, b, c, d = torch.randn(4, 2, 3)
        args = ((a, b), {"a": c, "b": d})
        self.export(Nested(), (*args, {}), dynamic_shapes={"pair": ({0: "n"}, {0: "n"}), "table": {"a": {1: "m"}, "b": {0: "n"}}})
        self.assertEqual(self.types(), {"pair_0": "f32[n, 3]", "pair_1": "f32[n, 3]", "table_a": "f32[2, m]", "table_b": "f32[n, 3]"})
        args = ((torch.randn(5, 3), torch.randn(5, 3)), {"a": torch.randn(2, 7), "b": torch.randn(5, 3)})
        self.same(Nested(), args)

    def test_an_example_of_one_row(self):
        model = Two()
        self.export(model, torch.randn(1, 4), dynamic_shapes=({0: "rows"},))
        self.assertEqual(self.types(), {"x": "f32[rows, 4]"})
        self.same(model, (torch.randn(5, 4),))

    def test_dynamic_axes(self):
        model, x = Two(), torch.randn(2, 4)
        for axes in {"in": {0: "rows"}, "out": {0: "rows"}}, {"in": {0: "rows"}}:
            self.export(model, x, input_names=["in"], output_names=["out"], dynamic_axes=axes)
            self.assertEqual(self.types(), {"in": "f32[rows, 4]"})
            self.assertEqual(self.report.outputs[0].type, "f32[rows, 3]")
            self.same(model, (torch.randn(5, 4),))
        y = torch.randn(2, 3)
        self.export(model, (x, y), dynamic_axes={"x": {0: "a"}, "y": {0: "b"}})
        self.assertEqual(self.types(), {"x": "f32[a, 4]", "y": "f32[a, 3]"})
        self.export(model, x, input_names=["in"], dynamic_axes={"in": [0]})
        self.same(model, (torch.randn(5, 4),))

    def test_a_collection_of_shapes(self):
        model, x = Two(), torch.randn(2, 4)
        shapes = torch.export.ShapesCollection()
        shapes[x] = {0: Dim("rows")}
        for dynamo in True, False:
            self.export(model, (x,), dynamic_shapes=shapes, dynamo=dynamo)
            self.assertEqual(self.types(), {"x": "f32[rows, 4]"})

    def test_hints_when_the_model_is_traced(self):
        model, x = Two(), torch.randn(2, 4)
        for dim, name in (Dim("rows"), "rows"), (Dim.AUTO, "x_dim_0"), (Dim.DYNAMIC, "x_dim_0"), (Dim.STATIC, "2"), (2 * Dim("half"), "x_dim_0"):
            self.export(model, (x,), dynamic_shapes=({0: dim},), dynamo=False)
            self.assertEqual(self.types(), {"x": f"f32[{name}, 4]"})
            self.same(model, (x,))


class Captures(Case):
    def test_one_name_of_two_sizes(self):
        class Apart(nn.Module):
            def forward(self, x, y):
                return x * 2, y + 1

        self.export(Apart(), (torch.randn(2, 3), torch.randn(2, 4)), dynamic_shapes=({0: "n"}, {0: "n"}))
        self.assertEqual(self.types(), {"x": "f32[n, 3]", "y": "f32[n, 4]"})
        self.same(Apart(), (torch.randn(5, 3), torch.randn(5, 4)))

    def test_sizes_that_the_model_does_not_take(self):
        class Fixed(nn.Module):
            def forward(self, x):
                return x.view(4, 3)

        for size in "n", Dim("n"), Dim.DYNAMIC:
            with self.assertRaisesRegex(Exception, "(?s)Constraints violated.*specialized"):
                self.export(Fixed(), torch.randn(4, 3), dynamic_shapes=({0: size},))
        self.export(Fixed(), torch.randn(4, 3), dynamic_shapes=({0: Dim.AUTO},))
        self.assertEqual(self.types(), {"x": "f32[4, 3]"})

    def test_a_size_that_is_computed_from_another(self):
        class Halves(nn.Module):
            def forward(self, x):
                return x.reshape(-1, 2, 3).sum(1)

        self.export(Halves(), torch.randn(4, 3), dynamic_shapes=({0: 2 * Dim("half")},), verify=True)
        self.assertEqual(self.types(), {"x": "f32[2*half, 3]"})
        self.same(Halves(), (torch.randn(6, 3),))

    def test_recurrent_layers_over_any_length(self):
        class Last(nn.Module):
            def __init__(self, layer):
                super().__init__()
                self.layer = layer(4, 5, batch_first=True)

            def forward(self, x):
                return self.layer(x)[0]

        for layer in nn.LSTM, nn.GRU:
            model = Last(layer)
            self.export(model, torch.randn(2, 3, 4))
            self.same(model, (torch.randn(2, 3, 4),))
            self.export(model, torch.randn(2, 3, 4), dynamic_shapes=({0: "batch", 1: "length"},), verify=True)
            self.assertEqual(self.types(), {"x": "f32[batch, length, 4]"})
            self.assertIn(layer.__name__, self.operators())
            self.same(model, (torch.randn(3, 7, 4),))

    def test_control_flow(self):
        class Branches(nn.Module):
            def forward(self, x):
                return torch.cond(x.sum() > 0, lambda x: x + 1, lambda x: x - 1, (x,))

        self.export(Branches(), torch.ones(4, 3), dynamic_shapes=({0: "n"},))
        for sign in 1, -1:
            self.same(Branches(), (sign * torch.ones(2, 3),))

    def test_classes_that_pytorch_does_not_save(self):
        class Point(nn.Module):
            def forward(self, pair):
                return Pair(pair.a + 1, pair.b * 2)

        args = Pair(torch.randn(2), torch.randn(3))
        for shapes in (Pair({0: "n"}, {0: "m"}),), {"pair": [{0: "n"}, {0: "m"}]}:
            self.export(Point(), (args,), dynamic_shapes=shapes, verify=True)
            self.assertEqual(sorted(self.types().values()), ["f32[m]", "f32[n]"])

    def test_an_operator_of_ones_own(self):
        @torch.library.custom_op("cameo_tests::scaled", mutates_args=())
        def scaled(x: torch.Tensor, a: float) -> torch.Tensor:
            return torch.relu(x) * a

        scaled.register_fake(lambda x, a: torch.empty_like(x))

        @cameo.converter("cameo_tests::scaled(Tensor x, float a) -> Tensor")
        def convert(g, x, a):
            return g.op("Mul", g.op("Relu", x), g.constant(a))

        model, x = lambda x: scaled(x, 2.5) + 1, torch.randn(4, 3)
        self.export(model, x, dynamic_shapes=({0: "n"},))
        self.same(model, (x,))


class Weights(Case):
    def test_pytorch_loads_the_archive(self):
        from cameo import exported

        model, x = Two().eval(), torch.randn(2, 4)
        program = torch.export.export(model, (x,), dynamic_shapes=({0: Dim("rows")},))
        names = exported.names_of(exported.inputs_of(program), [{0: "rows"}])
        data, borrowed = exported.save(program, names)
        self.assertEqual(borrowed, [], "the weights are too small to be left out")
        loaded = torch.export.load(io.BytesIO(data))
        self.assertEqual([str(symbol) for symbol in loaded.range_constraints], ["rows"])
        x = torch.randn(5, 4)
        self.assertTrue(torch.equal(loaded.module()(x), model(x)))

    def test_weights_that_are_tied_strided_or_share_a_storage(self):
        class Odd(nn.Module):
            def __init__(self):
                super().__init__()
                flat = torch.randn(2 * 64 * 64)
                self.one = nn.Parameter(flat[:4096].view(64, 64))
                self.two = nn.Parameter(flat[4096:].view(64, 64))
                self.same = self.one
                self.turned = nn.Parameter(torch.randn(64, 64).t())
                self.register_buffer("strided", torch.randn(64, 128)[:, ::2])
                self.register_buffer("kept", torch.randn(64, 64), persistent=False)
                self.small = torch.tensor([2.0])
                self.register_buffer("empty", torch.zeros(0, 64))

            def forward(self, x):
                y = x @ self.one + x @ self.two - x @ self.same.t() + self.strided + x @ self.turned
                return y * self.small + self.kept, torch.cat([x, self.empty])

        model, x = Odd(), torch.randn(64, 64)
        before = {name: value.clone() for name, value in model.state_dict().items()}
        self.export(model, x, do_constant_folding=False)
        self.same(model, (x,), tolerance=1e-4)
        for name, value in before.items():
            self.assertTrue(torch.equal(value, model.state_dict()[name]), name)
        stored = {i.name: onnx.numpy_helper.to_array(i) for i in self.model.graph.initializer}
        self.assertTrue((stored["two"] == before["two"].numpy()).all())

    def test_numbers_of_other_types(self):
        class Types(nn.Module):
            def __init__(self):
                super().__init__()
                for name in ("float16", "bfloat16", "float64", "int64", "int8", "bool"):
                    self.register_buffer(f"a_{name}", torch.randn(100, 100).to(getattr(torch, name)))

            def forward(self, x):
                return tuple(buffer.float() * x for buffer in self.buffers())

        model, x = Types(), torch.randn(100)
        self.export(model, x)
        self.same(model, (x,))


class Result(Case):
    def test_a_program_that_can_be_called(self):
        model, x = Two(), torch.randn(2, 4)
        program = cameo.export(model, (x,), kwargs={"y": torch.randn(2, 3)}, dynamic_shapes={"x": {0: "n"}, "y": {0: "n"}})
        x, y = torch.randn(5, 4), torch.randn(5, 3)
        for results in program(x, y), program(x, y=y), program(y=y, x=x):
            np.testing.assert_allclose(results[0], model(x, y).detach(), rtol=1e-5, atol=1e-6)
        self.assertEqual(len(program.model_proto.graph.input), 2)

    def test_verify(self):
        class Dynamic(nn.Module):
            def forward(self, x, i):
                return x.flip(0)[i], x.mean(0), x > 0, x.shape[0] * 2 + x

        self.export(Dynamic(), (torch.randn(4, 3), torch.tensor([0, 3])), dynamic_shapes=({0: "n"}, {0: "k"}), verify=True)
        self.export(Nested(), (tuple(torch.randn(2, 2, 3)), dict(zip("ab", torch.randn(2, 2, 3))), {}), verify=True)

    def test_report_and_program_as_files(self):
        with tempfile.TemporaryDirectory() as folder:
            place = pathlib.Path(folder)
            self.export(Two(), (torch.randn(2, 4),), report=True, dump_exported_program=True, artifacts_dir=place)
            report, = place.glob("onnx_export_*_success.md")
            self.assertIn("| `x` | `f32[2, 4]` |", report.read_text())
            saved, = place.glob("onnx_export_*.pt2")
            self.assertIsInstance(torch.export.load(saved), torch.export.ExportedProgram)


class Large(Case):
    def test_resnet(self):
        import torchvision

        model, x = torchvision.models.resnet18(weights=None).eval(), torch.randn(2, 3, 64, 64)
        for dynamo in True, False:
            self.export(model, (x,), dynamo=dynamo, dynamic_shapes=({0: "batch"},), input_names=["image"], verify=True)
            self.assertEqual(self.types(), {"image": "f32[batch, 3, 64, 64]"})
            self.assertEqual(self.report.outputs[0].type, "f32[batch, 1000]")
            self.same(model, (torch.randn(3, 3, 64, 64),), tolerance=1e-4)
            self.assertIn("conv1.weight", {i.name for i in self.model.graph.initializer})

    def test_bert(self):
        import transformers

        config = transformers.BertConfig(hidden_size=32, num_hidden_layers=2, num_attention_heads=4, intermediate_size=64, vocab_size=100)
        model = transformers.BertModel(config).eval()
        inputs = {"input_ids": torch.randint(0, 100, (2, 7)), "attention_mask": torch.ones(2, 7, dtype=torch.int64)}
        shapes = {name: {0: "batch", 1: "sequence"} for name in inputs}
        self.export(model, (), kwargs=inputs, dynamic_shapes=shapes, verify=True)
        self.assertEqual(self.types(), dict.fromkeys(inputs, "i64[batch, sequence]"))
        others = {"input_ids": torch.randint(0, 100, (3, 11)), "attention_mask": torch.ones(3, 11, dtype=torch.int64)}
        self.same(lambda **given: model(**given).to_tuple(), (), others)


if __name__ == "__main__":
    unittest.main()
