"""ops_test.py CAMEO: the operator map, by its exact words."""
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

import torch

CAMEO = os.path.abspath(sys.argv[1])
EXAMPLE = pathlib.Path(__file__).resolve().parents[2] / "examples/models/digits.pt"


def ops(*arguments):
    return subprocess.run([CAMEO, "ops", *map(str, arguments)], capture_output=True, text=True, timeout=300, check=False)


class TestCase(unittest.TestCase):
    maxDiff = None

    def text(self, *arguments, code=0):
        result = ops(*arguments)
        self.assertEqual(result.returncode, code, result.stdout + result.stderr)
        return result.stdout

    def error(self, *arguments, code=1):
        result = ops(*arguments)
        self.assertEqual(result.returncode, code, result.stdout + result.stderr)
        self.assertEqual(result.stdout, "")
        return result.stderr

    def json(self, *arguments):
        return json.loads(self.text(*arguments, "--json"))

    def overload(self, *arguments):
        (found,) = self.json(*arguments)
        return found["overloads"][0]


class Exercises(TestCase):
    """The three questions of MMDeploy's chapter on operators."""

    def test_asinh_in_opset_9(self):
        self.assertEqual(self.text("aten::asinh", "--opset", 9), """\
aten::asinh(Tensor self) -> Tensor
  The inverse hyperbolic sine.
  converts     one to one, from opset 9
  opset 9      Asinh
  tried with   self=f32[4,6,10,12]
""")

    def test_bit_shift_in_opset_11(self):
        def nodes(opset, dtype):
            return self.overload("__rshift__.Tensor", "--opset", opset, "--dtype", dtype)["nodes"]
        self.assertEqual(nodes(11, "u8"), ["BitShift"])
        self.assertEqual(sorted(set(nodes(10, "u8"))), ["Cast", "Div", "Floor", "Pow"])
        self.assertNotIn("BitShift", nodes(11, "i64"))
        head, users = self.text("--onnx", "BitShift", "--opset", 11).split("\n\nPyTorch's operators that become it\n")
        self.assertEqual(head, """\
BitShift  ai.onnx, version 11

BitShift-11
  inputs      X          T
              Y          T
  outputs     Z          T
  attributes  direction  STRING          required
  types       T          u8 u16 u32 u64""")
        self.assertIn("  aten::__rshift__.Tensor (tensors of u8)\n", users)

    def test_scale_factors_become_the_scales_of_resize(self):
        self.assertEqual(self.text("--explain", "upsample_bicubic2d.vec", "--opset", 11, "--arg", "output_size=None",
                                   "--arg", "scale_factors=[2.0, 3.0]"), """\
aten::upsample_bicubic2d.vec(Tensor input, int[]? output_size, bool align_corners, float[]? scale_factors) -> Tensor
  Resizes two dimensions by cubic interpolation.
  converts     one to one, from opset 11
  opset 11     Resize
  known        align_corners, scale_factors must be known at export time
  but          tensors of i64, u8, bool: no conversion
  tried with   input=f32[4,6,10,12], output_size=None, align_corners=False, scale_factors=[2.0, 3.0]

  output = Resize, version 11
    X                               input
    roi                             f32[0]
    scales                          [1.0, 1.0, 2.0, 3.0]  by scale_factors
    coordinate_transformation_mode  half_pixel (default)  by align_corners
    cubic_coeff_a                   -0.75
    exclude_outside                 0 (default)
    extrapolation_value             0.0 (default)
    mode                            cubic
    nearest_mode                    round_prefer_floor (default)

  Arguments
    input          X of Resize
    output_size    no effect on the nodes
    align_corners  coordinate_transformation_mode of Resize
    scale_factors  scales of Resize
""")


class Names(TestCase):
    def test_ways_to_say_a_name(self):
        expected = self.text("aten::add.Tensor")
        for name in ("add.Tensor", "torch.add.Tensor", "aten.add.Tensor"):
            self.assertEqual(self.text(name), expected)
        self.assertEqual(expected.splitlines()[0],
                         "aten::add.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor")

    def test_overloads_and_several_names(self):
        self.assertEqual([overload["overload"] for overload in self.json("add")[0]["overloads"]],
                         ["Tensor", "Scalar", "Scalar_Tensor"])
        self.assertEqual([found["name"] for found in self.json("relu", "aten::asinh")], ["aten::relu", "aten::asinh"])
        self.assertEqual([found["name"] for found in self.json("mT")], ["aten::mT", "prim::mT"])

    def test_in_place(self):
        self.assertTrue(self.text("relu_").startswith("aten::relu_ writes to its first argument what this gives:\n"))
        self.assertEqual(self.json("relu_")[0]["overloads"][0]["nodes"], ["Relu"])

    def test_evaluated_when_exporting(self):
        self.assertEqual(self.text("aten::size"), """\
aten::size
  converts     no node: numbers, lists, strings and sizes are evaluated when exporting
""")

    def test_unknown(self):
        self.assertEqual(self.error("asin_h"), """\
cameo: error: [convert] Cameo knows no operator 'asin_h' [no-such-operator]
  hint: did you mean asinh?
""")
        self.assertEqual(self.error("rshift"), """\
cameo: error: [convert] Cameo knows no operator 'rshift' [no-such-operator]
  hint: did you mean aten::__rshift__?
""")
        self.assertEqual(self.error("relu", "upsample"), """\
cameo: error: [convert] Cameo knows no operator 'upsample' [no-such-operator]
  hint: 12 names hold this word: cameo ops --grep upsample
""")
        self.assertEqual(self.error("add.Foo"), """\
cameo: error: [convert] aten::add has no overload 'Foo' [no-such-operator]
  hint: there is aten::add.Tensor, aten::add.Scalar, aten::add.Scalar_Tensor
""")

    def test_wrong_options(self):
        self.assertEqual(self.error("relu", "--arg", "foo=3"),
                         "cameo: error: [convert] no overload has an argument 'foo' [unknown-argument]\n")
        self.assertEqual(self.error("relu", "--dtype", "q9"), """\
cameo: error: [convert] 'q9' is not a type [bad-dtype]
  hint: types are f32, f16, i64, u8, bool and so on
""")
        self.assertEqual(self.error("relu", "--opset", 8), """\
cameo: error: [convert] Unsupported ONNX opset version: 8 [unsupported-opset]
  hint: choose one from 9 to 27
""")
        self.error("relu", "--grep", "x", code=2)


class Outcomes(TestCase):
    def test_forms_by_opset(self):
        self.assertEqual(self.text("hardswish"), """\
aten::hardswish(Tensor self) -> Tensor
  x hardsigmoid(x).
  converts     one to one, from opset 9
  opset 9-13   HardSigmoid, Mul
  opset 14-27  HardSwish
  tried with   self=f32[4,6,10,12]
""")
        self.assertEqual(self.overload("hardswish", "--opset", 9)["outcome"], "one to many")

    def test_an_opset_that_is_too_old(self):
        text = self.text("upsample_bicubic2d", "--opset", 10)
        self.assertIn("  opset 10     no: Resize needs opset 11 or newer, because no older operator interpolates "
                      "cubically\n", text)
        self.assertEqual(self.overload("upsample_bicubic2d", "--opset", 10)["first_opset"], 11)

    def test_versions_differ_between_opsets(self):
        def attributes(opset):
            node, = self.overload("clamp", "--opset", opset, "--explain")["explained"]["nodes"]
            return node["operator"], node["version"], [slot["name"] for slot in node["inputs"]]
        self.assertEqual(attributes(9), ("Clip", 6, ["input"]))
        self.assertEqual(attributes(11), ("Clip", 11, ["input", "min", "max"]))

    def test_no_node(self):
        self.assertEqual(self.overload("detach")["outcome"], "no node")
        self.assertIn("  opset 17     no node: self\n", self.text("detach", "--opset", 17))
        zeros = self.overload("zeros")
        self.assertEqual((zeros["forms"][0]["nodes"], zeros["outcome"]), ([], "no node"))
        self.assertIn("ConstantOfShape", zeros["dynamic_forms"][-1]["nodes"])

    def test_limits(self):
        pool = self.overload("max_pool2d")
        self.assertEqual(pool["known"], ["kernel_size", "stride", "padding", "dilation", "ceil_mode"])
        self.assertEqual(pool["notes"], [{"argument": "tensors of i64, bool", "reason": "no conversion"}])

    def test_arguments_reach_attributes(self):
        explained = self.overload("max_pool2d", "--explain")["explained"]["arguments"]
        self.assertEqual(explained["self"], ["X of MaxPool"])
        self.assertIn("ceil_mode of MaxPool", explained["ceil_mode"])
        self.assertIn("kernel_shape of MaxPool", explained["kernel_size"])


class Lists(TestCase):
    def test_summary(self):
        summary = self.json()
        self.assertEqual(sum(summary["outcomes"].values()), summary["overloads"])
        self.assertNotIn("no", summary["outcomes"])
        self.assertIn("become one ONNX node\n", self.text())

    def test_grep(self):
        self.assertEqual(self.text("--grep", "BiCubic"), """\
  operator                          ONNX nodes  from opset
  aten::upsample_bicubic2d.vec      Resize      11
  aten::upsample_bicubic2d          Resize      11
  aten::_upsample_bicubic2d_aa.vec  MatMul (2)  9
  aten::_upsample_bicubic2d_aa      MatMul (2)  9
""")
        self.assertIn("aten::silu", [found["name"] for found in self.json("--grep", "sigmoid")])
        self.assertEqual(self.error("--grep", "zzzz"),
                         "cameo: error: [convert] nothing holds the word 'zzzz' [no-such-operator]\n")

    def test_onnx_versions(self):
        for name, versions in {"Asinh": [9, 22], "BitShift": [11], "Relu": [1, 6, 13, 14],
                               "Resize": [10, 11, 13, 18, 19]}.items():
            found, = self.json("--onnx", name)
            self.assertEqual([version["since"] for version in found["versions"]], versions)
        self.assertTrue(self.text("--onnx", "Relu", "--opset", 13).startswith("""\
Relu  ai.onnx, versions 1, 6, 13, 14

Relu-13
  inputs   X  T
  outputs  Y  T
  types    T  f32 f16 f64 bf16

PyTorch's operators that become it
  aten::relu
"""))
        self.assertIn("\nClip-12\n", self.text("--onnx", "Clip", "--opset", 12))
        self.assertIn("\nnot in opset 10: it came with 11\n", self.text("--onnx", "BitShift", "--opset", 10))
        self.assertEqual(self.error("--onnx", "Relux"), """\
cameo: error: [convert] ONNX has no operator 'Relux' [no-such-operator]
  hint: did you mean Relu?
""")

    def test_added_in(self):
        news = self.json("--added-in", 11)
        self.assertIn("BitShift", news["onnx_added"])
        self.assertIn("Clip", news["onnx_changed"])
        self.assertIn("aten::upsample_bicubic2d", news["converts_from"])
        self.assertIn("aten::round", news["other_nodes"])
        self.assertIn("\nPyTorch's operators that convert from here on  ", self.text("--added-in", 11))
        self.assertEqual(self.error("--added-in", 99), """\
cameo: error: [convert] opset 99 does not exist [unsupported-opset]
  hint: choose one from 1 to 28
""")


class Upsampled(torch.nn.Module):
    def forward(self, x):
        x = torch.nn.functional.interpolate(x, scale_factor=2.0, mode="bicubic", align_corners=False)
        return torch.special.airy_ai(x.relu_())


class Scan(TestCase):
    def test_all_convert(self):
        self.assertEqual(self.text("--scan", EXAMPLE).split("\n", 1)[1], """
  calls  operator            outcome     from opset  ONNX nodes
  2      aten::_convolution  one to one  9           Conv
  2      aten::batch_norm    one to one  9           BatchNormalization
  2      aten::max_pool2d    one to one  9           MaxPool
  2      aten::relu          one to one  9           Relu
  1      aten::linear        one to one  9           Gemm
  1      aten::log_softmax   one to one  9           LogSoftmax
  1      aten::mean          one to one  9           ReduceMean

all of them convert at opset 17
""")

    def test_some_do_not(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "model.pt")
            torch.jit.save(torch.jit.trace(Upsampled(), torch.zeros(1, 3, 4, 4)), path)
            old, new = (json.loads(self.text("--scan", path, "--opset", opset, "--json", code=1)) for opset in (10, 11))
            self.assertIn("\nno conversion at opset 10: ", self.text("--scan", path, "--opset", 10, code=1))
        rows = {row["name"]: row for row in old["operators"]}
        self.assertEqual({name: row["outcome"] for name, row in rows.items()},
                         {"aten::special_airy_ai": "no", "aten::relu_": "one to one", "aten::upsample_bicubic2d": "no"})
        self.assertEqual(rows["aten::upsample_bicubic2d"]["first_opset"], 11)
        rows = {row["name"]: row for row in new["operators"]}
        self.assertEqual(rows["aten::upsample_bicubic2d"]["outcome"], "one to one")
        self.assertEqual(rows["aten::upsample_bicubic2d"]["nodes"], ["Resize"])


def main():
    unittest.main(argv=sys.argv[:1])


main()
