"""converters_test.py CAMEO PLUGINS EXAMPLE: operators that plug-ins convert. What becomes operators of ONNX's own is run."""
import os
import sys

import onnx
import onnx.numpy_helper
import torch

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "cli"))
import command
import library
from library import EXAMPLE, MANY

OPS = torch.ops.many


class Scaled(torch.nn.Module):
    def forward(self, x):
        return torch.ops.mylib.scaled_relu(x, 2.5) + torch.ops.mylib.scaled_relu(x)


class Pooled(torch.nn.Module):
    def forward(self, x):
        return torch.relu(torch.ops.mylib.pool(x, 2)).flatten(1)


class Numbers(torch.nn.Module):
    def forward(self, x):
        low, high = OPS.extremes(x, [0, 2])
        first, second = OPS.pieces(x, 2)
        return low * OPS.mean(x), high, second - first, OPS.flattened(x) + OPS.count(x)


class Arguments(torch.nn.Module):
    def forward(self, x):
        shifted = OPS.shifted(x, [1.5, float(x.size(0)), float(x.sum().item())])
        return OPS.joined([shifted, x], 1), OPS.joined([x, x]), OPS.as_type(x, torch.int64)


class Control(torch.nn.Module):
    def forward(self, x, n):
        for i in range(int(n)):
            x = torch.ops.mylib.scaled_relu(x + float(i), 0.5)
            if bool(x.sum() > 3):
                x = torch.ops.mylib.scaled_relu(x - 1)
        return x


class PooledInside(torch.nn.Module):
    def forward(self, x):
        if bool(x.sum() > 0):
            x = torch.ops.mylib.pool(x, 2)
        return x


class InPlace(torch.nn.Module):
    def forward(self, x):
        y = x + 1
        OPS.twice_(y[0])
        return y, torch.relu_(y)


class Weighted(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = torch.nn.Parameter(torch.randn(5))

    def forward(self, x):
        return OPS.scaled_by(x, self.weight)


class Quantised(torch.nn.Module):
    def forward(self, x):
        return OPS.quant(x, 8), OPS.quant(x, bits=4, mode="floor", scale=0.25, ranges=[1.0, 2.0])


class Overridden(torch.nn.Module):
    def forward(self, x):
        return torch.nn.functional.gelu(x), torch.nn.functional.hardswish(x)


class Untold(torch.nn.Module):
    def forward(self, x):
        return OPS.untold(x) * 2


def operators(model):
    return [f"{node.domain}::{node.op_type}" if node.domain else node.op_type for node in model.graph.node]


def domains(model):
    return {each.domain: each.version for each in model.opset_import}


class Converters(command.TestCase):
    def test_own_operators_of_onnx(self):
        for opset in 9, 13, 17, 20:
            self.export(self.script(Scaled()), "--input", "f32[n,3]", "--plugin", EXAMPLE, "--opset", opset)
            self.assertEqual(operators(onnx.load("model.onnx")), ["Relu", "Mul", "Add"])
            self.assert_runs("model.onnx", "model.pt", torch.randn(2, 3))

    def test_numbers_lists_and_older_forms(self):
        for opset in 9, 11, 13, 17, 18:
            self.export(self.script(Numbers()), "--input", "f32[n,3,k]", "--plugin", MANY, "--opset", opset)
            self.assert_runs("model.onnx", "model.pt", torch.randn(4, 3, 2))

    def test_arguments(self):
        self.export_model(self.script(Arguments()), "--input", "f32[n,3]", "--plugin", MANY)
        self.assert_runs("model.onnx", "model.pt", torch.randn(4, 3))

    def test_in_loops_and_branches(self):
        self.export_model(self.script(Control()), "--input", "f32[k]", "--input", "i64[]", "--plugin", EXAMPLE)
        self.assert_runs("model.onnx", "model.pt", torch.rand(5) * 3, torch.tensor(4))
        model = self.export_model(self.script(PooledInside()), "--input", "f32[2,8]", "--plugin", EXAMPLE)
        branch = [node for node in model.graph.node if node.op_type == "If"][0].attribute[0].g
        self.assertEqual([node.domain for node in branch.node], ["mylib"])
        self.assertEqual(domains(model), {"": 17, "mylib": 2})

    def test_traced(self):
        self.export_model(self.trace(Scaled(), torch.randn(2, 3)), "--input", "f32[n,3]", "--plugin", EXAMPLE)
        self.assert_runs("model.onnx", "model.pt", torch.randn(5, 3))

    def test_in_place(self):
        self.export_model(self.script(InPlace()), "--input", "f32[2,n]", "--plugin", MANY)
        self.assert_runs("model.onnx", "model.pt", torch.randn(2, 3))

    def test_reads_weights(self):
        model = self.export_model(self.script(Weighted()), "--input", "f32[n]", "--plugin", MANY)
        self.assertEqual([list(tensor.dims) for tensor in model.graph.initializer], [[]])
        self.assert_runs("model.onnx", "model.pt", torch.randn(4))

    def test_domain(self):
        model = self.export_model(self.script(Pooled()), "--input", "f32[n,3,w]", "--plugin", EXAMPLE)
        pool = model.graph.node[0]
        self.assertEqual(operators(model)[:2], ["mylib::Pool", "Relu"])
        self.assertEqual({a.name: onnx.helper.get_attribute_value(a) for a in pool.attribute}, {"size": 2, "mode": b"mean"})
        self.assertEqual(domains(model), {"": 17, "mylib": 2})
        self.assertEqual(command.dims(model.graph.output[0]), ["n", "3*floor(w/2)"])
        model = self.export_model("model.pt", "-i", "f32[n,3,w]", "--plugin", EXAMPLE, "--custom-opset", "mylib=5")
        self.assertEqual(domains(model), {"": 17, "mylib": 5})

    def test_attributes_and_types(self):
        model = self.export_model(self.script(Quantised()), "--input", "f32[n,3]", "--plugin", MANY)
        default, other = model.graph.node
        values = [{a.name: onnx.helper.get_attribute_value(a) for a in node.attribute} for node in (default, other)]
        self.assertEqual(onnx.numpy_helper.to_array(values[0].pop("table")).tolist(), [1, 2])
        del values[1]["table"]
        self.assertEqual(values[0], {"bits": 8, "mode": b"round", "zero": 0.5, "ranges": [0.5, 1]})
        self.assertEqual(values[1], {"bits": 4, "mode": b"floor", "zero": 0.5, "ranges": [1, 2]})
        self.assertEqual([len(default.input), len(other.input)], [1, 2])
        self.assertEqual([o.type.tensor_type.elem_type for o in model.graph.output], [onnx.TensorProto.INT8] * 2)
        self.assertEqual(command.dims(model.graph.output[0]), ["n", 3])
        self.assertEqual(domains(model), {"": 17, "npu": 1})

    def test_in_place_of_own(self):
        self.script(Overridden())
        for opset, swish in (12, "a::HardSwish"), (14, "b::HardSwish"), (17, "a::HardSwish"):
            model = self.export_model("model.pt", "-i", "f32[n]", "--plugin", MANY, "--opset", opset)
            self.assertEqual(operators(model), ["com.example::Gelu", swish])
        self.export("model.pt", "-i", "f32[n]")
        self.assert_runs("model.onnx", "model.pt", torch.randn(4))

    def test_two_plugins(self):
        class Both(torch.nn.Module):
            def forward(self, x):
                return torch.ops.mylib.scaled_relu(OPS.untold(x))
        self.export(self.script(Both()), "-i", "f32[2]", "--plugin", EXAMPLE, "--plugin", MANY)
        self.assertEqual(operators(onnx.load("model.onnx")), ["npu::Any", "Relu"])

    def test_untold_type(self):
        result = self.export(self.script(Untold()), "-i", "f16[2]", "--plugin", MANY)
        self.assertIn("many::untold: the type of the result of npu::Any is not stated; f16 of any shape is assumed [converter]", result.stderr)
        self.assertIn("hint: state it in the converter with set_type", result.stderr)
        self.assertEqual(onnx.load("model.onnx").graph.output[0].type.tensor_type.elem_type, onnx.TensorProto.FLOAT16)

    def test_other_export_types(self):
        for mode in "ONNX_FALLTHROUGH", "ONNX_ATEN_FALLBACK", "ONNX_ATEN":
            self.export(self.script(Scaled()), "-i", "f32[2]", "--plugin", EXAMPLE, "--operator-export-type", mode)
            self.assertIn("Relu", operators(onnx.load("model.onnx")))


class Broken(torch.nn.Module):
    def forward(self, x):
        return OPS.broken(x)


class Outer(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.inner = Broken()

    def forward(self, x):
        return self.inner(x), OPS.scaled_by(x, x)


class Refusals(command.TestCase):
    def test_exceptions_have_their_place(self):
        error = self.export(self.script(Outer()), "-i", "f32[2]", "--plugin", MANY, code=1).stderr
        self.assertIn("error: [convert] many::broken: its converter failed: something broke [unsupported-operator]", error)
        self.assertIn("many::scaled_by: 'w' must be a parameter", error)
        self.assertIn("hint: do not compute it from the inputs", error)
        self.assertIn("return OPS.broken(x)", error)
        self.assertIn("return self.inner(x), OPS.scaled_by(x, x)", error)
        self.assertIn("module inner", error)

    def test_arguments_that_do_not_fit(self):
        class Text(torch.nn.Module):
            def forward(self, x):
                return torch.ops.mylib.pool(x, 2, "mean")
        self.script(Text())
        self.assertEqual(self.messages("model.pt", "-i", "f32[2]", code=1),
                         ["error: [convert] mylib::pool cannot be converted to ONNX [unsupported-operator]"])

    def test_what_converters_get_wrong(self):
        for what, said in {
                "operator": "ONNX has no operator 'Relux'",
                "attribute": "Relu has no attribute 'alpha'",
                "kind": "the attribute 'axis' of Softmax is INT, not STRING",
                "missing": "Concat needs the attribute 'axis'",
                "inputs": "Relu has at most 1 inputs, and 2 are given",
                "few": "Add has at least 2 inputs, and 1 is given",
                "left out": "Add needs its input 'A'",
                "outputs": "Relu has at most 1 outputs, and 2 are given",
                "shapes": "Add: sizes 2 and 7 do not broadcast",
                "results": "its schema has 1 results, and its converter returns 2",
                "empty": "result 1 of its converter is empty",
                "parameter": "the schema has no parameter 'y'",
                "argument": "'what' is not a tensor",
                "type": "a tensor of f32 is said to be of i64",
                "shape": "a tensor f32[2] is said to have the shape [9, 9]",
                "bytes": "f32[3] needs 12 bytes, and there are 0",
                "no type": "its converter does not state the type of the result of npu::Source",
        }.items():
            with self.subTest(what):
                self.script(Wrong(what))
                self.assertEqual(self.messages("model.pt", "-i", "f32[2]", "--plugin", MANY, code=1),
                                 [f"error: [convert] many::wrong: {said} [unsupported-operator]"])


class Wrong(torch.nn.Module):
    def __init__(self, what: str):
        super().__init__()
        self.what = what

    def forward(self, x):
        return OPS.wrong(x, self.what)


command.main()
