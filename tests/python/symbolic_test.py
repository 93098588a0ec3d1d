"""Symbolic functions of autograd functions and operators, and converters of one's own."""

import traceback
import unittest

import cameo
import numpy as np
import onnx.numpy_helper
import torch
from support import Case
from torch.onnx import symbolic_helper
from torch.onnx.symbolic_helper import parse_args


class MyAdd(torch.autograd.Function):
    @staticmethod
    def forward(ctx, a, b):
        return 2 * a + b

    @staticmethod
    def symbolic(g, a, b):
        two = g.op("Constant", value_t=torch.tensor([2.0]))
        return g.op("Add", g.op("Mul", two, a), b)


my_add = MyAdd.apply


class LinearInt(torch.autograd.Function):
    """A layer as quantising libraries have it: their domain, integers as attributes, a scale as a constant."""

    @staticmethod
    def forward(ctx, x, weight, scale, bits, mode, pads, missing):
        return torch.floor(x @ weight.t() * scale + 0.5)

    @staticmethod
    def symbolic(g, x, weight, scale, bits, mode, pads, missing):
        quantized = g.op("npu::Quant", x, data_bits_i=bits, scale_x_f=float(scale), platform_quant_s="luna_quant")
        quantized.setType(x.type().with_dtype(torch.int8))
        return g.op("npu::LinearInt", quantized, weight, g.op("Constant", value_t=torch.tensor(scale)),
                    scale_x_f=scale, data_bits_i=bits, pads_i=pads, quant_mode_s=mode, missing_i=missing,
                    names_s=["a", "b"])


class Split(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x + 1, x.argmax(1)

    @staticmethod
    def symbolic(g, x):
        return g.op("mine::Split", x, outputs=2)


class WithoutSymbolic(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, n):
        return my_add(x, x) * n


class Functions(Case):
    def test_my_add(self):
        class Model(torch.nn.Module):
            def forward(self, a, b):
                return my_add(a, b)

        a, b = torch.rand(1, 3, 10, 10), torch.rand(1, 3, 10, 10)
        self.export(Model(), (a, b))
        self.assertEqual(self.operators(), ["Mul", "Add"])
        self.assert_same(2 * a + b, [a, b])

    def test_a_quantised_layer(self):
        class Net(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.layer = torch.nn.Linear(4, 3, bias=False)

            def forward(self, x):
                return torch.relu(LinearInt.apply(x, self.layer.weight, 128.0, 8, "floor_add", [1, 2], None))

        self.export(Net(), torch.randn(2, 4), custom_opsets={"npu": 1})
        self.assertEqual([(node.domain, node.op_type) for node in self.model.graph.node],
                         [("npu", "Quant"), ("npu", "LinearInt"), ("", "Relu")])
        self.assertEqual(self.attributes("Quant"), {"data_bits": 8, "platform_quant": b"luna_quant", "scale_x": 128.0})
        self.assertEqual(self.attributes("LinearInt"), {"data_bits": 8, "names": [b"a", b"b"], "pads": [1, 2],
                                                        "quant_mode": b"floor_add", "scale_x": 128.0})
        self.assertIn(("npu", 1), [(o.domain, o.version) for o in self.model.opset_import])
        weight, scale = self.node("LinearInt").input[1:]
        self.assertEqual(weight, "layer.weight")
        stored = {i.name: onnx.numpy_helper.to_array(i) for i in self.model.graph.initializer}
        constants = {n.output[0]: onnx.numpy_helper.to_array(n.attribute[0].t) for n in self.model.graph.node
                     if n.op_type == "Constant"}
        self.assertEqual({**stored, **constants}[scale], np.float32(128))
        self.assertEqual(self.report.outputs[0].type, "f32[2, 3]")

    def test_several_results_with_the_types_of_the_run(self):
        self.export(lambda x: Split.apply(x), torch.randn(2, 4), output_names=["a", "b"])
        self.assertEqual([v.type for v in self.report.outputs], ["f32[2, 4]", "i64[2]"])
        self.export(lambda x: Split.apply(x), torch.randn(2, 4), dynamic_axes={"x": [0]})
        self.assertEqual(self.report.outputs[1].type.split("[")[0], "i64")

    def test_dynamic_sizes_from_two_traces(self):
        class Halves(torch.autograd.Function):
            @staticmethod
            def forward(ctx, x):
                return x[:, :10, ::2].repeat(3, 1, 1)

            @staticmethod
            def symbolic(g, x):
                return g.op("mine::Halves", x)

        self.export(lambda x: Halves.apply(x), torch.randn(2, 4, 16), dynamic_axes={"x": {0: "batch", 2: "width"}})
        self.assertRegex(self.report.outputs[0].type, r"^f32\[3\*batch, 4, size\w*\]$")
        self.export(lambda x: Halves.apply(x), torch.randn(2, 4, 16), dynamic_axes={"x": {0: "batch"}})
        self.assertEqual(self.report.outputs[0].type, "f32[3*batch, 4, 8]")

    def test_a_function_without_symbolic_is_what_it_does(self):
        x = torch.randn(3)
        self.export(lambda x: WithoutSymbolic.apply(x, 4), x)
        self.assert_same(12 * x, [x])

    def test_a_suffix_that_is_missing(self):
        class Wrong(torch.autograd.Function):
            @staticmethod
            def forward(ctx, x):
                return x

            @staticmethod
            def symbolic(g, x):
                return g.op("mine::Wrong", x, size=3)

        with self.assertRaises(cameo.Error) as caught:
            self.export(lambda x: Wrong.apply(x), torch.randn(3))
        diagnostic = caught.exception.diagnostics[0]
        self.assertIn("Invalid attribute specifier 'size' names  must be suffixed with type, e.g. 'dim_i' or 'dims_i'",
                      diagnostic.message)
        self.assertEqual(diagnostic.python[0].file, __file__)


library = torch.library.Library("cameo_test", "DEF")
library.define("scaled_relu(Tensor x, float a=1.0) -> Tensor")
library.impl("scaled_relu", lambda x, a=1.0: torch.relu(x) * a, "CompositeExplicitAutograd")


class Operators(Case):
    def relu(self, x):
        return torch.ops.cameo_test.scaled_relu(x, 3.0)

    def test_a_converter(self):
        @cameo.converter("cameo_test::scaled_relu(Tensor x, float a=1.0) -> Tensor")
        def convert(g, x, a):
            self.assertEqual((x.type().scalarType(), x.type().sizes(), a), ("Float", [4], 3.0))
            return g.op("Mul", g.op("Relu", x), g.constant(a))

        self.addCleanup(cameo.converters.unregister, convert)
        x = torch.randn(4)
        self.export(torch.jit.trace(self.relu, x), x)
        self.assertEqual(self.operators(), ["Relu", "Mul"])
        self.assert_same(self.relu(x), [x])

    def test_what_torch_onnx_was_told(self):
        @parse_args("v", "f")
        def symbolic(g, x, a):
            return g.op("mine::ScaledRelu", x, alpha_f=a).setTypeAs(x)

        torch.onnx.register_custom_op_symbolic("cameo_test::scaled_relu", symbolic, 9)
        self.addCleanup(torch.onnx.unregister_custom_op_symbolic, "cameo_test::scaled_relu", 9)
        self.export(lambda x: self.relu(x), torch.randn(2, 4))
        self.assertEqual(self.attributes("ScaledRelu"), {"alpha": 3.0})
        self.assertEqual(self.report.outputs[0].type, "f32[2, 4]")

    def test_an_operator_of_pytorchs_own(self):
        torch.onnx.register_custom_op_symbolic("::asinh", lambda g, x, *, out=None: g.op("Asinh", x), 9)
        self.addCleanup(torch.onnx.unregister_custom_op_symbolic, "::asinh", 9)
        x = torch.randn(4)
        self.export(lambda x: torch.asinh(x), x, opset_version=9)
        self.assertEqual(self.operators(), ["Asinh"])
        self.assert_same(torch.asinh(x), [x])

    def register(self, name, symbolic):
        torch.onnx.register_custom_op_symbolic(name, symbolic, 9)
        self.addCleanup(torch.onnx.unregister_custom_op_symbolic, name, 9)

    def test_an_overload_whose_schema_cannot_be_read(self):
        self.register("::copy", lambda g, x, *rest: g.op("Identity", x))
        x = torch.randn(4)
        self.export(lambda x: torch.relu(x), x)
        self.assert_same(torch.relu(x), [x])

    def test_the_type_of_cameos_own_conversion(self):
        self.register("::argmax", lambda g, x, dim, keepdim: g.op("mine::ArgMax", x))
        self.export(lambda x: torch.argmax(x, 1).unsqueeze(-1), torch.randn(2, 4), dynamic_axes={"x": {0: "batch"}})
        self.assertEqual(self.report.outputs[0].type, "i64[batch, 1]")
        self.assertEqual(self.operators(), ["ArgMax", "Unsqueeze"])

    def test_the_type_of_the_trace(self):
        self.register("cameo_test::scaled_relu", lambda g, x, a: g.op("mine::ScaledRelu", x))
        self.export(lambda x: self.relu(x).flatten(1), torch.randn(2, 4, 3), dynamic_axes={"x": {0: "batch"}})
        self.assertEqual(self.report.outputs[0].type, "f32[batch, 12]")

    def test_functions_of_symbolic_helper(self):
        seen = {}

        def roll(g, x, shifts, dims):
            shifts = symbolic_helper._unpack_list(shifts)
            seen["shifts"] = [int(symbolic_helper._node_get(s.node(), "value")) for s in shifts]
            seen["dims"] = symbolic_helper._parse_arg(dims, "is")
            seen["x"] = symbolic_helper._is_value(x), symbolic_helper._get_tensor_rank(x), x.type().dtype()
            seen["constant"] = symbolic_helper._is_constant(x), symbolic_helper._maybe_get_const(g.constant(2), "i")
            added = g.op("Add", x, x)
            seen["node"] = added.node().kind(), [v.debugName() for v in added.node().inputs()] == [x.debugName()] * 2
            return added

        self.register("::roll", roll)
        x = torch.randn(4, 3)
        self.export(lambda x: torch.roll(x, 1, 0), x)
        self.assertEqual(seen, {"shifts": [1], "dims": [0], "x": (True, 2, torch.float32), "constant": (False, 2),
                                "node": ("onnx::Add", True)})
        self.assert_same(2 * x, [x])

    def test_symbolic_functions_of_pytorch(self):
        from torch.onnx import symbolic_opset9

        self.register("::cat", symbolic_opset9.cat)
        self.register("::hardtanh", symbolic_opset9.hardtanh)
        x = torch.randn(2, 3)
        self.export(lambda x: torch.cat([x, torch.nn.functional.hardtanh(x)], 1), x, opset_version=9)
        self.assert_same(torch.cat([x, torch.nn.functional.hardtanh(x)], 1), [x])

    def test_numbers_have_the_type_of_the_tensors(self):
        def relu(g, x):
            return g.op("Add", x, g.op("Constant", value_t=torch.tensor(0.5, dtype=torch.float64)))

        self.register("::relu", relu)
        x = torch.randn(4)
        self.export(lambda x: torch.relu(x), x)
        self.assert_same(x + 0.5, [x])

    def test_a_list_whose_elements_are_replaced(self):
        def cat(g, tensors, dim):
            first, second = symbolic_helper._unpack_list(tensors)
            node = tensors.node()
            node.removeAllInputs()
            for value in second, first, second:
                self.assertIs(node.addInput(value), value)
            self.assertEqual((node.inputsSize(), tensors.node().inputsSize()), (3, 3))
            return g.op("Concat", *symbolic_helper._unpack_list(tensors), axis_i=0)

        self.register("::cat", cat)
        x, y = torch.randn(2, 3), torch.randn(4, 3)
        self.export(lambda x, y: torch.cat([x, y]), (x, y), opset_version=9)
        self.assert_same(torch.cat([y, x, y]), [x, y])

    def test_one_that_nobody_converts(self):
        with self.assertRaisesRegex(cameo.Error, "cameo_test::scaled_relu"):
            self.export(lambda x: self.relu(x), torch.randn(4))

    def test_a_scale_that_is_an_input(self):
        class Resized(torch.autograd.Function):
            @staticmethod
            def forward(ctx, x, scales):
                scales = scales.tolist()[-2:]
                return torch.nn.functional.interpolate(x, scale_factor=scales, mode="bicubic", align_corners=False)

            @staticmethod
            def symbolic(g, x, scales):
                return g.op("Resize", x, g.op("Constant", value_t=torch.tensor([], dtype=torch.float32)), scales,
                            coordinate_transformation_mode_s="pytorch_half_pixel", cubic_coeff_a_f=-0.75, mode_s="cubic",
                            nearest_mode_s="floor")

        x = torch.rand(1, 3, 8, 8)
        self.export(lambda x, factor: Resized.apply(x, factor), (x, torch.tensor([1, 1, 2, 2.0])), opset_version=11)
        self.assertEqual(self.inputs(), ["x", "factor"])
        for scale in 2.0, 3.0:
            expected = torch.nn.functional.interpolate(x, scale_factor=scale, mode="bicubic", align_corners=False)
            self.assert_same(expected, [x, torch.tensor([1, 1, scale, scale])], 1e-4)



class Mistakes(Case):
    def test_an_exception_keeps_its_traceback(self):
        def fails(g, x):
            raise LookupError("mine")

        class Function(torch.autograd.Function):
            @staticmethod
            def forward(ctx, x):
                return x * 2

            symbolic = staticmethod(fails)

        with self.assertRaisesRegex(cameo.Error, "LookupError: mine") as raised:
            self.export(lambda x: Function.apply(x), torch.ones(2))
        cause = raised.exception.__cause__
        self.assertIsInstance(cause, LookupError)
        frames = traceback.extract_tb(cause.__traceback__)
        self.assertEqual(frames[-1].name, "fails")

    def test_an_invalid_schema_is_refused(self):
        for schema in "nonsense", "mylib::f(Tenzor x) -> Tensor", "mylib::f(Tensor x":
            with self.assertRaisesRegex(cameo.Error, "schema"):
                cameo.converter(schema)


if __name__ == "__main__":
    unittest.main()
