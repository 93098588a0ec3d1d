"""What tutorials on torch.onnx.export do, done with cameo.export."""

import os
import sys
import unittest
import warnings

import cameo
import numpy as np
import onnx
import torch
import torchvision
from support import Case, export
from torch import nn

for folder in ("models", "support"):
    sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", folder))
from folder_case import FolderCase  # noqa: E402
from networks import Repeated  # noqa: E402


class FromFolder(FolderCase, Case):
    def setUp(self):
        super().setUp()
        caught = warnings.catch_warnings()
        caught.__enter__()
        self.addCleanup(caught.__exit__, None, None, None)
        warnings.simplefilter("ignore")


class OneSizeOrAny(FromFolder):
    def setUp(self):
        super().setUp()
        self.linear, self.example = nn.Linear(10, 2), torch.randn(32, 10)

    def test_only_the_size_of_the_example_fits(self):
        export(self.linear, self.example, "linear.onnx", input_names=["input"], output_names=["output"])
        session = cameo.Session("linear.onnx")
        self.assertEqual(session.run(None, {"input": self.example.numpy()})[0].shape, (32, 2))
        with self.assertRaisesRegex(cameo.errors.InvalidArgument,
                                    r"\[ONNXRuntimeError\] : 2 : INVALID_ARGUMENT : Got invalid dimensions for input: "
                                    r"input for the following indices\s+index: 0 Got: 1 Expected: 32\s+Please fix "
                                    r"either the inputs(/outputs)? or the model\."):
            session.run(None, {"input": np.zeros((1, 10), np.float32)})

    def test_a_dynamic_axis_takes_any(self):
        export(self.linear, self.example, "linear.onnx", input_names=["input"], output_names=["output"],
                     dynamic_axes={"input": [0]})
        session = cameo.Session("linear.onnx")
        self.assertEqual(session.get_inputs()[0].name, "input")
        self.assertEqual(session.get_outputs()[0].shape, ["input_dynamic_axes_1", 2])
        for batch in 32, 1:
            x = torch.randn(batch, 10)
            result, = session.run(None, {"input": x.numpy()})
            np.testing.assert_allclose(result, self.linear(x).detach().numpy(), rtol=1e-5, atol=1e-6)

    def test_pooling_over_the_whole_length(self):
        class Text(nn.Module):
            def forward(self, x):
                return nn.functional.max_pool1d(x, int(x.size(2))).squeeze()

        x = torch.randn(3, 4, 9)
        export(Text(), x, "text.onnx")
        result, = cameo.Session("text.onnx").run(None, {"x": x.numpy()})
        np.testing.assert_array_equal(result, Text()(x).numpy())


class BranchInAScriptedFunction(FromFolder):
    def test_both_sides_are_in_the_graph(self):
        class Test(nn.Module):
            def __init__(self):
                super().__init__()
                self.linear, self.relu = nn.Linear(4, 2), nn.ReLU()

            @torch.jit.script
            def _abs(x):
                if x.sum() > 0:
                    return x
                else:
                    return -x

            def forward(self, x, h):
                x1 = self.linear(self._abs(x)) + h
                return x1, self.relu(x1)

        model = Test().eval()
        batch = {0: "batch"}
        export(model, (torch.randn(1, 4), torch.randn(1, 2)), "model.onnx", input_names=["in_x", "in_h"],
                     output_names=["out0", "out1"],
                     dynamic_axes={"in_x": batch, "in_h": batch, "out0": batch, "out1": batch})
        loaded = onnx.load("model.onnx")
        onnx.checker.check_model(loaded)
        self.assertEqual([node.op_type for node in loaded.graph.node].count("If"), 1)
        session = cameo.Session("model.onnx")
        for x in torch.rand(3, 4), -torch.rand(7, 4):
            h = torch.randn(len(x), 2)
            results = session.run(["out0", "out1"], {"in_x": x.numpy(), "in_h": h.numpy()})
            for result, expected in zip(results, model(x, h)):
                np.testing.assert_allclose(result, expected.detach().numpy(), rtol=1e-5, atol=1e-6)


class ThingsToSay(FromFolder):
    def setUp(self):
        super().setUp()
        self.model = nn.Sequential(nn.Conv2d(1, 4, 3, padding=1), nn.PixelShuffle(2)).eval()

    def test_a_batch_with_a_name(self):
        export(self.model, torch.randn(1, 1, 6, 6), "super_resolution.onnx", export_params=True, opset_version=12,
                     do_constant_folding=True, input_names=["input"], output_names=["output"],
                     dynamic_axes={"input": {0: "batch_size"}, "output": {0: "batch_size"}})
        session = cameo.Session("super_resolution.onnx")
        self.assertEqual(session.get_inputs()[0].shape, ["batch_size", 1, 6, 6])
        self.assertEqual(session.get_outputs()[0].shape, ["batch_size", 1, 12, 12])
        x = torch.randn(5, 1, 6, 6)
        np.testing.assert_allclose(session.run(None, {"input": x.numpy()})[0], self.model(x).detach().numpy(), atol=1e-5)

    def test_names_made_up_given_and_mixed(self):
        class Two(nn.Module):
            def forward(self, a, b):
                return a.mean((2, 3)) + b

        args = torch.randn(2, 3, 4, 5), torch.randn(2, 3)
        self.export(Two(), args, input_names=["input_1", "input_2"], output_names=["output"],
                    dynamic_axes={"input_1": [0, 2, 3], "input_2": {0: "batch"}, "output": [0, 1]})
        shapes = {v.name: v.type for v in self.report.inputs}
        self.assertEqual(shapes["input_1"], "f32[input_1_dynamic_axes_1, 3, input_1_dynamic_axes_2, input_1_dynamic_axes_3]")
        self.assertEqual(shapes["input_2"], "f32[batch, 3]")
        text = ("No names were found for specified dynamic axes of provided input.Automatically generated names will be "
                "applied to each dynamic axes of input ")
        self.assertEqual([m for m in self.messages() if m.startswith(text)], [text + "input_1", text + "output"])

    def test_operators_that_may_stay_pytorchs(self):
        with torch.no_grad():
            export(self.model, torch.randn(1, 1, 6, 6), "test.onnx", opset_version=11, input_names=["input"],
                         output_names=["output"],
                         operator_export_type=torch.onnx.OperatorExportTypes.ONNX_ATEN_FALLBACK)
        self.assertEqual(onnx.load("test.onnx").opset_import[0].version, 11)

    def test_gradients_are_no_matter(self):
        class Whole(nn.Module):
            def __init__(self):
                super().__init__()
                self.weight = nn.Parameter(torch.arange(4, dtype=torch.int8), requires_grad=False)

            def forward(self, x):
                return x * self.weight

        x = torch.randn(2, 4, requires_grad=True)
        self.export(Whole(), x)
        self.assert_same(Whole()(x), [x])


class FirstSteps(FromFolder):
    def test_alexnet_printed_checked_and_run(self):
        model = torchvision.models.alexnet(weights=None).eval()
        example = torch.randn(10, 3, 224, 224)
        report = export(model, example, "alexnet.proto")
        self.assertAlmostEqual(report.parameters, sum(p.numel() for p in model.parameters()), delta=4)
        cameo.check("alexnet.proto")
        text = cameo.printable_graph("alexnet.proto")
        self.assertTrue(text.startswith("graph "))
        self.assertIn("= Conv[", text)
        rep = cameo.backend.prepare("alexnet.proto", device="CPU")
        outputs = rep.run(example.numpy())
        self.assertEqual(outputs[0].shape, (10, 1000))
        np.testing.assert_allclose(outputs[0], model(example).detach().numpy(), atol=1e-4)
        hidden = next(name for name in rep.workspace if name.endswith("Relu_output_0"))
        self.assertEqual(rep.workspace[hidden].shape[0], 10)
        self.assertTrue(onnx.load_from_string(rep.predict_net).graph.node)
        with self.assertRaisesRegex(cameo.Error, "CUDA:0"):
            cameo.backend.prepare("alexnet.proto", device="CUDA:0")

    def test_several_inputs_of_a_backend(self):
        export(lambda a, b: a - b, (torch.ones(2), torch.ones(2)), "minus.onnx")
        rep = cameo.backend.prepare(onnx.load("minus.onnx"))
        np.testing.assert_array_equal(rep.run((np.float32([3, 4]), np.float32([1, 1])))[0], [2, 3])
        np.testing.assert_array_equal(rep.workspace["a"], [3, 4])
        with self.assertRaises(cameo.Error):
            rep.run(np.float32([3, 4]))

    def test_a_structure_without_parameters(self):
        self.export(nn.Linear(3, 2), torch.randn(1, 3), export_params=False)
        self.assertEqual(self.inputs(), ["input", "weight", "bias"])
        self.export(nn.Linear(3, 2), torch.randn(1, 3), export_params=False, parameters_first=True)
        self.assertEqual(self.inputs(), ["weight", "bias", "input"])
        self.assertEqual(len(self.model.graph.initializer), 0)


class TracedAndScripted(FromFolder):
    def test_a_loop_is_unrolled_or_kept(self):
        for n in 2, 3:
            model, x = Repeated(n), torch.rand(1, 3, 10, 10)
            result = model(x)
            self.export(torch.jit.trace(model, x), x, example_outputs=result)
            self.assertEqual(self.operators(), ["Conv"] * n)
            self.assert_same(result, [x])
            self.export(torch.jit.script(model), x, example_outputs=result)
            self.assertEqual(self.operators().count("Loop"), 1)
            self.assertNotIn("Conv", self.operators())
            self.assert_same(result, [x])

    def test_three_models_and_three_inputs(self):
        model, example = nn.Conv2d(3, 3, 3), torch.rand(1, 3, 10, 10)
        names = ["model_static.onnx", "model_dynamic_0.onnx", "model_dynamic_23.onnx"]
        for name, axes in zip(names, (None, [0], [2, 3])):
            export(model, example, name, input_names=["in"], output_names=["out"],
                         dynamic_axes=axes and {"in": axes, "out": axes})
        inputs = [np.random.rand(*shape).astype(np.float32) for shape in ((1, 3, 10, 10), (2, 3, 10, 10), (1, 3, 20, 20))]
        lines, exceptions = [], {}
        for name in names:
            for i, x in enumerate(inputs):
                try:
                    cameo.Session(name).run(["out"], {"in": x})
                except Exception as e:
                    exceptions[(i, name)] = e
                lines.append(f"{i} {name} {'error' if (i, name) in exceptions else 'succeed'}")
        self.assertEqual([line.split()[2] for line in lines],
                         "succeed error error succeed succeed error succeed error succeed".split())
        self.assertRegex(str(exceptions[(1, names[0])]), r"input: in .*index: 0 Got: 2 Expected: 1")

    def test_another_behaviour_in_the_exported_model(self):
        for asked in torch.onnx.is_in_onnx_export, cameo.is_in_onnx_export:
            class Clipped(nn.Module):
                def __init__(self):
                    super().__init__()
                    self.conv = nn.Conv2d(3, 3, 3)

                def forward(self, x):
                    x = self.conv(x)
                    return torch.clip(x, 0, 1) if asked() else x

            model, x = Clipped(), 10 * torch.randn(1, 3, 8, 8)
            self.export(model, x)
            self.assertIn("Clip", self.operators())
            result, = self.run_exported(x)
            self.assertTrue(0 <= result.min() and result.max() <= 1)
            self.assertTrue(model(x).min() < 0 and model(x).max() > 1)
            self.assertFalse(asked())

    def test_values_that_leave_the_trace(self):
        class Interrupted(nn.Module):
            def forward(self, x):
                x = x * x[0].item()
                return x, torch.Tensor([i for i in x])

        self.export(Interrupted(), torch.rand(10))
        lines = {(w.category.__name__, w.lineno) for w in self.told if w.filename == __file__}
        first = Interrupted.forward.__code__.co_firstlineno
        self.assertLessEqual({("TracerWarning", first + 1), ("TracerWarning", first + 2), ("ExportWarning", first + 1)}, lines)
        texts = " ".join(self.messages())
        self.assertIn("Converting a tensor to a Python number might cause the trace to be incorrect", texts)
        self.assertIn("Iterating over a tensor might cause the trace to be incorrect", texts)
        self.assertIn("torch.Tensor results are registered as constants in the trace", texts)
        self.assertIn("output 'output_1' does not depend on any input (10 constants)", texts)

    def test_bicubic_needs_opset_11(self):
        model, x = nn.Upsample(scale_factor=2.0, mode="bicubic"), torch.randn(1, 3, 6, 6)
        with self.assertRaisesRegex(cameo.Error, "opset"):
            self.export(model, x, opset_version=10)
        self.export(model, x, opset_version=11)
        attributes = self.attributes("Resize")
        self.assertEqual((attributes["mode"], attributes["cubic_coeff_a"]), (b"cubic", -0.75))
        self.assert_same(model(x), [x], 1e-4)


if __name__ == "__main__":
    unittest.main()
