"""fallback_test.py CAMEO: operators without a conversion become nodes of PyTorch's."""
import io
import sys
import unittest
import warnings

import onnx
import torch
from exported import export, run
from onnx import numpy_helper
from torch.onnx import OperatorExportTypes

CAMEO = sys.argv[1]
library = torch.library.Library("mylib", "DEF")
library.define("twice(Tensor x, int n) -> Tensor")
library.impl("twice", lambda x, n: x * n, "CPU")


def airy_ai(x):
    return torch.special.airy_ai(x) * 2


def choose_qparams(x):
    return torch.ops.aten.choose_qparams_optimized(x, 6, 10, 0.5, 8)[0]


def frexp(x):
    mantissa, exponent = torch.frexp(x)
    return mantissa, exponent + 1


def in_place(x):
    y = x.clone()
    y.igamma_(x)
    return y


def needs_size(x):
    return x.view(torch.special.airy_ai(x).size(0), 3)


def needs_rank(x):
    return torch.argmax(torch.softmax(torch.special.airy_ai(x), 0), 1)


def of_integers(x):
    return torch.special.airy_ai(x)


def of_list(x):
    return torch.ops.aten._histogramdd_from_bin_tensors(x, [x, x])


def custom(x):
    return torch.ops.mylib.twice(x, 2) + 1


def kept(model):
    """(kind, attributes, inputs) of each node outside of ONNX's own domain; a constant input is its value."""
    constants = {t.name: numpy_helper.to_array(t) for t in model.graph.initializer}
    for node in model.graph.node:
        if node.op_type == "Constant":
            constants[node.output[0]] = numpy_helper.to_array(node.attribute[0].t)
    text = lambda name: f"{constants[name].dtype} {constants[name].tolist()}" if name in constants else "tensor"
    return [(f"{node.domain}::{node.op_type}", [(a.name, a.s.decode()) for a in node.attribute], [text(i) for i in node.input])
            for node in model.graph.node if node.domain]


class Fallback(unittest.TestCase):
    def export(self, function, *arguments, spec="f32[n,3]"):
        model, said = export(CAMEO, torch.jit.script(function), "-i", spec, *arguments)
        self.assertIsNotNone(model, said)
        return model, said

    def refused(self, function, *arguments, spec="f32[n,3]"):
        model, said = export(CAMEO, torch.jit.script(function), "-i", spec, *arguments)
        self.assertIsNone(model)
        return said

    def test_nodes_are_those_of_torch(self):
        for function in (airy_ai, choose_qparams):
            for kind in ("ONNX_ATEN", "ONNX_ATEN_FALLBACK", "ONNX_FALLTHROUGH"):
                buffer = io.BytesIO()
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore")
                    torch.onnx.export(torch.jit.script(function), (torch.randn(2, 3),), buffer, opset_version=13,
                                      operator_export_type=getattr(OperatorExportTypes, kind))
                expected = onnx.load_model_from_string(buffer.getvalue())
                model, _ = self.export(function, "--operator-export-type", kind)
                ours, theirs = kept(model), kept(expected)
                if kind == "ONNX_ATEN" and function is airy_ai:  # PyTorch names the overload of mul by no name there
                    ours, theirs = ours[:1], theirs[:1]
                self.assertEqual(ours, theirs, f"{function.__name__} {kind}")
                domains = {opset.domain: opset.version for opset in model.opset_import}
                self.assertEqual(domains["org.pytorch.aten"], 1)

    def test_aten_is_for_every_operator(self):
        model, said = self.export(lambda_of_two(), "--aten")
        self.assertEqual([attributes[0][1] for _, attributes, _ in kept(model)], ["relu", "chunk", "cat"])
        self.assertIn("SequenceAt", [node.op_type for node in model.graph.node])

    def test_several_results(self):
        model, _ = self.export(frexp, "--operator-export-type", "ONNX_ATEN")
        self.assertEqual([len(node.output) for node in model.graph.node if node.domain], [2, 1])
        self.assertEqual([output.type.tensor_type.elem_type for output in model.graph.output], [1, 6])

    def test_in_place(self):
        model, _ = self.export(in_place, "--operator-export-type", "ONNX_FALLTHROUGH")
        self.assertEqual(kept(model), [("org.pytorch.aten::igamma", [], ["tensor", "tensor"])])

    def test_lists(self):
        model, _ = self.export(of_list, "--operator-export-type", "ONNX_FALLTHROUGH")
        self.assertEqual([node.op_type for node in model.graph.node], ["SequenceConstruct", "_histogramdd_from_bin_tensors"])

    def test_what_is_not_known_is_not_guessed(self):
        model, _ = self.export(needs_rank, "--operator-export-type", "ONNX_ATEN_FALLBACK")
        self.assertEqual([attributes[0][1] for _, attributes, _ in kept(model)], ["special_airy_ai", "softmax", "argmax"])
        self.assertEqual(model.graph.output[0].type.tensor_type.elem_type, 7)
        said = self.refused(needs_size, "--operator-export-type", "ONNX_ATEN_FALLBACK")
        self.assertIn("the number of dimensions of a tensor must be known here", said)
        said = self.refused(of_integers, "--operator-export-type", "ONNX_ATEN_FALLBACK", spec="i64[n]")
        self.assertIn("the type of its result for integers is unknown", said)

    def test_own_domain(self):
        model, said = self.export(custom, "--operator-export-type", "ONNX_FALLTHROUGH")
        self.assertEqual(kept(model), [("mylib::twice", [], ["tensor", "int64 2"])])
        self.assertIn(("mylib", 1), [(o.domain, o.version) for o in model.opset_import])
        self.assertIn("mylib::twice stays an operator of PyTorch; its result is taken to be f32 of any shape", said)
        self.assertIn("mylib::twice cannot be converted to ONNX", self.refused(custom))
        self.assertIn("mylib::twice cannot be converted to ONNX",
                      self.refused(custom, "--operator-export-type", "ONNX_ATEN_FALLBACK"))

    def test_custom_opsets(self):
        model, said = self.export(custom, "--operator-export-type", "ONNX_FALLTHROUGH", "--custom-opset", "mylib=3",
                                  "--custom-opset", "x=2")
        self.assertEqual({o.domain: o.version for o in model.opset_import}, {"": 17, "mylib": 3})
        self.assertIn("Custom opset domain: 'x' provided is not used in the model. Please verify custom opset domain names.", said)

    def test_side_effects(self):
        _, said = self.export(airy_ai, "--operator-export-type", "ONNX_FALLTHROUGH")
        self.assertEqual(said.count("'do_constant_folding' can be set to True only when 'operator_export_type' is `ONNX`. Since "
                                    "'operator_export_type' is not set to 'ONNX', 'do_constant_folding' argument will be "
                                    "ignored."), 1)

    def test_command_line(self):
        self.assertIn("--aten excludes --raw-ir", run(CAMEO, "export", "x.pt", "--aten", "--raw-ir").stderr)
        self.assertEqual(run(CAMEO, "export", "x.pt", "--aten", "--operator-export-type", "RAW").returncode, 2)
        self.assertIn("'CAFFE2' is not one of ONNX, ONNX_ATEN", run(CAMEO, "export", "x.pt", "--operator-export-type", "CAFFE2").stderr)
        self.assertIn("'linger' is not DOMAIN=VERSION", run(CAMEO, "export", "x.pt", "--custom-opset", "linger").stderr)


def lambda_of_two():
    @torch.jit.script
    def two(x):
        a, b = torch.chunk(torch.relu(x), 2, 1)
        return torch.cat([b, a], 1)
    return two


unittest.main(argv=sys.argv[:1])
