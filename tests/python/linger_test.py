"""cameo.linger.export: models whose modules quantise as those of linger 3 and linger 1 do."""

import filecmp
import io
import os
import sys
import unittest

import cameo
import numpy as np
import onnx
import torch
from onnx import numpy_helper

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))
from folder_case import FolderCase  # noqa: E402


class Quantized(torch.autograd.Function):
    """A layer of linger 3."""
    @staticmethod
    def forward(ctx, x, weight, bias):
        return torch.nn.functional.linear(x, weight, bias)

    @staticmethod
    def symbolic(g, x, weight, bias):
        x = g.op("linger::Quant", x, data_bits_i=8, scale_x_f=64.0, platform_s="venusA", zero_point_i=0)
        return g.op("linger::QLinear", x, weight, bias, x_bits_i=8, scale_x_f=64.0, w_bits_i=8, scale_w_f=128.0, o_bits_i=8,
                    scale_o_f=32.0, platform_s="venusA", quant_mode_s="floor_add")


class Integer(torch.autograd.Function):
    """A layer of linger 1, whose weights are integers already."""
    @staticmethod
    def forward(ctx, x, weight):
        return torch.nn.functional.linear(x, weight)

    @staticmethod
    def symbolic(g, x, weight):
        x = g.op("thinker::Quant", x, data_bits_i=8, scale_x_f=64.0, platform_quant_s="luna_quant")
        weight = g.op("Constant", value_t=torch.ones(3, 4, dtype=torch.int8))
        return g.op("thinker::LinearInt", x, weight, scale_x_f=64.0, scale_w_f=128.0, scale_o_f=32.0, data_bits_i=8, o_bits_i=8)


class Net(torch.nn.Module):
    def __init__(self, function=Quantized):
        super().__init__()
        self.layer, self.function, self.prepared = torch.nn.Linear(4, 3), function, []

    def forward(self, x, scale=1.0):
        self.prepared.append(getattr(self, "_linger_prepare_onnx_export", False))
        given = (self.layer.weight, self.layer.bias) if self.function is Quantized else (self.layer.weight,)
        return torch.softmax(torch.relu(self.function.apply(x, *given)) * scale, -1)


class Growing(Net):
    """A buffer appears in the first run."""
    def forward(self, x):
        if not hasattr(self, "offset"):
            self.register_buffer("offset", torch.ones(3))
        return super().forward(x) + self.offset


class Linger(FolderCase):
    def setUp(self):
        super().setUp()
        torch.manual_seed(0)

    def test_version_3(self):
        model, x = Net(), torch.randn(2, 4)
        program = cameo.linger.export(model, x, "m.onnx", input_names=["x"], output_names=["y"], dynamic_axes={"x": {0: "batch"}})
        made = onnx.load("m.onnx")
        onnx.checker.check_model(made)
        self.assertEqual(program.path, "m.onnx")
        self.assertEqual([each.op_type for each in made.graph.node], ["Quant", "QLinear", "Relu", "Dequant", "Softmax"])
        weights = {each.name: numpy_helper.to_array(each) for each in made.graph.initializer}
        self.assertEqual({name: array.dtype for name, array in weights.items()},
                         {"layer.weight": np.int8, "layer.bias": np.int32})
        expected = np.clip(np.round(model.layer.weight.detach().numpy() * 128), -128, 127)
        np.testing.assert_array_equal(weights["layer.weight"], expected)
        np.testing.assert_array_equal(weights["layer.bias"], np.round(model.layer.bias.detach().numpy() * 64 * 128))
        shape = made.graph.output[0].type.tensor_type.shape
        self.assertEqual([each.dim_param or each.dim_value for each in shape.dim], ["batch", 3])

    def test_modules_are_prepared(self):
        model = Net()
        cameo.linger.export(model, torch.randn(2, 4), io.BytesIO())
        self.assertEqual(model.prepared[:2], [False, True])
        self.assertFalse(any(model.prepared[2:]))

    def test_what_the_first_run_adds(self):
        cameo.linger.export(Growing(), torch.randn(2, 4), "m.onnx")
        self.assertEqual([each.op_type for each in onnx.load("m.onnx").graph.node][-1], "Add")

    def test_file_objects(self):
        file = io.BytesIO()
        cameo.linger.export(Net(), (torch.randn(2, 4),), file)
        cameo.linger.export(Net(), (torch.randn(2, 4),), "m.onnx")
        made = onnx.load_from_string(file.getvalue())
        self.assertEqual([each.op_type for each in made.graph.node], [each.op_type for each in onnx.load("m.onnx").graph.node])

    def test_version_1(self):
        cameo.linger.export(Net(Integer), torch.randn(2, 4), "m.onnx", is_scoped_info=True, debug_dump=True, output_names=["y"])
        made = onnx.load("m.onnx")
        self.assertEqual([each.op_type for each in made.graph.node], ["Quant", "LinearInt", "Relu", "Dequant", "Softmax"])
        self.assertTrue(made.graph.node[-1].name.startswith("."))
        self.assertTrue(made.graph.node[-1].name.endswith("Softmax_y"))
        self.assertEqual([each.op_type for each in onnx.load("debug_onnx_torch_export.onnx").graph.node],
                         ["Quant", "LinearInt", "Relu", "Softmax"])
        self.assertTrue(filecmp.cmp("debug_onnx_update_dequant.onnx", "m.onnx", shallow=False))

    def test_quantized_inputs_and_outputs(self):
        class Plain(Net):
            def forward(self, x):
                return Quantized.apply(x, self.layer.weight, self.layer.bias)

        cameo.linger.export(Plain(), torch.randn(2, 4), "m.onnx", is_input_quant=True)
        made = onnx.load("m.onnx")
        self.assertEqual([each.op_type for each in made.graph.node], ["Quant", "QLinear"])
        self.assertEqual(made.graph.output[0].type.tensor_type.elem_type, onnx.TensorProto.INT8)

    def test_functions(self):
        """ONNX Runtime computes with the integers what the scales say."""
        model, x = Net(), torch.randn(5, 4)
        cameo.linger.export(model, x, "m.onnx", input_names=["x"], opset_version=14, functions=True)
        onnx.checker.check_model(onnx.load("m.onnx"))
        given = np.clip(np.floor(x.numpy() * 64 + 0.5), -128, 127)
        weight = np.clip(np.round(model.layer.weight.detach().numpy() * 128), -128, 127)
        sums = given @ weight.T + np.round(model.layer.bias.detach().numpy() * 64 * 128)
        found = np.clip(np.floor(sums.astype(np.float64) / (64 * 128) * 32 + 0.5), -128, 127) / 32
        expected = torch.softmax(torch.relu(torch.tensor(found, dtype=torch.float32)), -1)
        result, = cameo.Session("m.onnx").run(None, {"x": x.numpy()})
        np.testing.assert_allclose(result, expected.numpy(), rtol=1e-5)

    def test_functions_that_do_not_exist(self):
        with self.assertRaisesRegex(cameo.Error, "functions need opset 14, and the model has 12"):
            cameo.linger.export(Net(), torch.randn(2, 4), "m.onnx", functions=True)
        with self.assertRaisesRegex(cameo.Error, "there is no function for these operators.*: .*thinker::LinearInt, thinker::Quant"):
            cameo.linger.export(Net(Integer), torch.randn(2, 4), "m.onnx", opset_version=14, functions=True)

    def test_float_arguments_are_tensors(self):
        cameo.linger.export(Net(), (torch.randn(2, 4), 2.0), "m.onnx")
        self.assertEqual(len(onnx.load("m.onnx").graph.input), 2)

    def test_refusals(self):
        with self.assertRaisesRegex(NotImplementedError, "call cameo.export"):
            cameo.linger.export(Net(), torch.randn(2, 4), "m.onnx", is_update_dequant=False)
        self.assertFalse(os.path.exists("m.onnx"))

    def test_a_model_without_operators_of_linger(self):
        cameo.linger.export(torch.nn.Linear(4, 3), torch.randn(2, 4), "m.onnx")
        self.assertEqual([each.op_type for each in onnx.load("m.onnx").graph.node], ["Gemm"])


unittest.main()
