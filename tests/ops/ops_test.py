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
        def nodes(*arguments):
            return self.overload("__lshift__.Tensor", *arguments)["nodes"]
        self.assertEqual(nodes("--opset", 11, "--dtype", "u8"), ["BitShift"])
        self.assertNotIn("BitShift", nodes("--opset", 10, "--dtype", "u8"))
        self.assertNotIn("BitShift", nodes("--opset", 11, "--dtype", "i64"))
        text = self.text("--onnx", "BitShift", "--opset", 11)
        self.assertIn("BitShift  ai.onnx, version 11\n", text)
        self.assertIn("aten::__lshift__.Tensor (tensors of u8)", text)

    def test_scale_factors_become_the_scales_of_resize(self):
        text = self.text("--explain", "upsample_bicubic2d.vec", "--opset", 11, "--arg", "output_size=None",
                         "--arg", "scale_factors=[2.0, 3.0]")
        self.assertIn("\n    scales                          [1.0, 1.0, 2.0, 3.0]", text)
        self.assertIn("\n    cubic_coeff_a                   -0.75", text)
        self.assertIn("\n    mode                            cubic", text)


def main():
    unittest.main(argv=sys.argv[:1])


main()
