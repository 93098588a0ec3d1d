"""The parameters of cameo.export, those that torch.onnx.export no longer has among them."""

import contextlib
import io
import unittest
import warnings

import cameo
import torch
from support import Case, export
from torch import nn


class Options(Case):
    def test_every_parameter_that_there_ever_was(self):
        model, x = nn.Linear(3, 2), torch.randn(4, 3)
        self.export(model, x, export_params=True, verbose=False, training=torch.onnx.TrainingMode.EVAL, input_names=["x"],
                    output_names=["y"], aten=False, export_raw_ir=False, operator_export_type=None, opset_version=None,
                    _retain_param_name=True, do_constant_folding=True, example_outputs=None, strip_doc_string=True,
                    dynamic_axes=None, keep_initializers_as_inputs=None, custom_opsets=None, enable_onnx_checker=True,
                    use_external_data_format=False)
        removed = [w for w in self.told if w.category is DeprecationWarning]
        self.assertEqual([str(w.message).split("'")[1] for w in removed],
                         ["aten", "export_raw_ir", "_retain_param_name", "example_outputs", "strip_doc_string",
                          "enable_onnx_checker", "use_external_data_format"])
        self.assert_same(model(x), [x])

    def test_removed_parameters_mean_what_they_meant(self):
        model, x = nn.Linear(3, 2), torch.randn(4, 3)
        self.export(model, x, _retain_param_name=False)
        self.assertTrue(all(i.name.isdigit() for i in self.model.graph.initializer))
        self.export(model, x, strip_doc_string=False)
        self.assertTrue(any(node.doc_string for node in self.model.graph.node))
        self.export(model, x, aten=True)
        self.assertEqual({node.domain for node in self.model.graph.node}, {"org.pytorch.aten"})
        self.export(model, x, export_raw_ir=True)
        self.assertIn("aten", {node.domain for node in self.model.graph.node})
        with self.assertRaisesRegex(ValueError, "exclude one another"):
            self.export(model, x, aten=True, export_raw_ir=True)
        self.export(model, x, example_outputs=torch.randn(9, 2))
        self.assertIn("example_outputs shape [9, 2] differs from inferred [4, 2] of output 'output'", self.messages())

    def test_errors_have_pytorchs_words(self):
        model, x = nn.Linear(3, 2), torch.randn(4, 3)
        for opset in 6, 99:
            with self.assertRaisesRegex((ValueError, cameo.Error), f"Unsupported ONNX opset version: {opset}"):
                self.export(model, x, opset_version=opset)
        with self.assertRaisesRegex(ValueError, "torch.nn.DataParallel is not supported by ONNX exporter, please use "
                                                "'attribute' module to unwrap model from torch.nn.DataParallel. Try "
                                                r"torch.onnx.export\(model.module, ...\)"):
            self.export(nn.DataParallel(model), x)
        with self.assertRaisesRegex(ValueError, "The type of axis index is expected to be an integer"):
            self.export(model, x, input_names=["x"], dynamic_axes={"x": {"a": "b"}})
        with self.assertRaisesRegex(TypeError, "'mode' should be a torch.onnx.TrainingMode enum"):
            self.export(model, x, training="sometimes")
        self.export(model, x, dynamic_axes={"z": [0]}, custom_opsets={"mine": 2})
        self.assertTrue(any(m.startswith("Provided key z for dynamic axes is not a valid input/output name")
                            for m in self.messages()))
        self.assertIn("Custom opset domain: 'mine' provided is not used in the model. Please verify custom opset domain "
                      "names.", self.messages())

    def test_everything_that_cannot_be_converted_is_told_at_once(self):
        class Odd(nn.Module):
            def forward(self, x):
                return torch.special.airy_ai(torch.igamma(x, x)) + torch.linalg.eigvals(x).real

        with self.assertRaises(cameo.Error) as caught:
            self.export(Odd(), torch.eye(3))
        lines = {(d.code, d.python[0].line) for d in caught.exception.diagnostics}
        self.assertGreaterEqual(len(caught.exception.diagnostics), 2)
        self.assertEqual({line for _, line in lines}, {Odd.forward.__code__.co_firstlineno + 1})
        self.assertIn(__file__, str(caught.exception))

    def test_verbose_prints_the_graph(self):
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            self.export(nn.Linear(3, 2), torch.randn(4, 3), verbose=True)
        self.assertTrue(printed.getvalue().startswith("graph(%"), printed.getvalue())

    def test_names(self):
        self.export(nn.Sequential(nn.Conv2d(1, 1, 3)), torch.randn(1, 1, 4, 4))
        self.assertEqual([i.name for i in self.model.graph.initializer], ["0.weight", "0.bias"])
        self.assertEqual(self.inputs(), ["input"])
        with self.assertRaisesRegex(cameo.Error, "given twice"):
            self.export(nn.Linear(3, 2), torch.randn(4, 3), output_names=["a", "a"])


class Modes(Case):
    def setUp(self):
        super().setUp()
        self.net = nn.Sequential(nn.Linear(3, 3), nn.BatchNorm1d(3), nn.Dropout(0.5))
        self.net[1].eval()
        self.modes = [module.training for module in self.net.modules()]
        self.x = torch.randn(5, 3)

    def tearDown(self):
        self.assertEqual([module.training for module in self.net.modules()], self.modes)

    def test_inference_unless_asked(self):
        for training in torch.onnx.TrainingMode.EVAL, False:
            self.export(self.net, self.x, training=training)
            self.assertNotIn("Dropout", self.operators())

    def test_training(self):
        statistics = self.net[1].running_mean.clone()
        for training in torch.onnx.TrainingMode.TRAINING, True:
            self.export(self.net, self.x, training=training, do_constant_folding=False)
            self.assertIn("Dropout", self.operators())
        self.assertTrue(torch.equal(statistics, self.net[1].running_mean))

    def test_the_models_own(self):
        self.export(self.net, self.x, training=torch.onnx.TrainingMode.PRESERVE, do_constant_folding=False)
        self.assertIn("Dropout", self.operators())

    def test_after_exceptions_too(self):
        class Fails(nn.Module):
            def __init__(self, net):
                super().__init__()
                self.net = net

            def forward(self, x):
                self.seen = torch.onnx.is_in_onnx_export(), cameo.is_in_onnx_export(), self.net.training
                raise KeyError("on purpose")

        model = Fails(self.net)
        with self.assertRaises(KeyError):
            export(model, self.x, io.BytesIO())
        self.assertEqual(model.seen, (True, True, False))
        self.assertFalse(torch.onnx.is_in_onnx_export() or cameo.is_in_onnx_export())

    def test_no_export_within_an_export(self):
        net, x = self.net, self.x

        class Inner(nn.Module):
            def forward(self, y):
                export(net, x, io.BytesIO())
                return y

        with self.assertRaisesRegex(RuntimeError, "an export is under way already"):
            self.export(Inner(), self.x)
        self.assertFalse(cameo.is_in_onnx_export())

    def test_state_that_appears_with_the_first_run(self):
        class Lazy(nn.Module):
            def forward(self, x):
                if not hasattr(self, "scale"):
                    self.register_buffer("scale", torch.full((3,), 2.0))
                return x * self.scale

        model = Lazy()
        self.export(model, self.x)
        self.assertEqual([i.name for i in self.model.graph.initializer], ["scale"])
        self.assert_same(self.x * 2, [self.x])


if __name__ == "__main__":
    unittest.main()
