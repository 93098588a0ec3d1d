"""What the tests share: exports into memory, and a look at them."""

import io
import unittest
import warnings

import cameo
import numpy as np
import onnx
import torch


def export(*args, **options):
    """Models are traced, whatever the version of PyTorch does by default."""
    return cameo.export(*args, **{"dynamo": False, **options})


def numpy(value):
    return value.detach().numpy() if isinstance(value, torch.Tensor) else np.asarray(value)


class Case(unittest.TestCase):
    def setUp(self):
        torch.manual_seed(0)

    def export(self, model, args, **options):
        """The model as ONNX has it, its bytes, the report, and the warnings that were given."""
        file = io.BytesIO()
        with warnings.catch_warnings(record=True) as told:
            warnings.simplefilter("always")
            self.report = export(model, args, file, **options)
        self.told = told
        self.bytes = file.getvalue()
        self.model = onnx.load_from_string(self.bytes)
        return self.model

    def messages(self):
        return [str(warning.message) for warning in self.told]

    def operators(self):
        return [node.op_type for node in self.model.graph.node]

    def node(self, op_type):
        found, = [node for node in self.model.graph.node if node.op_type == op_type]
        return found

    def attributes(self, op_type):
        return {a.name: onnx.helper.get_attribute_value(a) for a in self.node(op_type).attribute}

    def inputs(self):
        return [value.name for value in self.report.inputs]

    def run_exported(self, *inputs):
        session = cameo.Session(self.bytes)
        return session.run(None, {info.name: numpy(x) for info, x in zip(session.get_inputs(), inputs)})

    def assert_same(self, expected, inputs, tolerance=1e-5):
        """The exported model gives on these inputs what PyTorch gave."""
        results = self.run_exported(*inputs)
        expected = expected if isinstance(expected, (tuple, list)) else [expected]
        self.assertEqual(len(results), len(expected))
        for result, wanted in zip(results, expected):
            np.testing.assert_allclose(result, numpy(wanted), rtol=tolerance, atol=tolerance)
