#!/usr/bin/python3
"""usage: export_test.py CAMEO

`cameo export --dtype` and `--weights`: the same model as an export and `cameo cast` or `cameo quantize` give.
"""
import os
import sys
import unittest

import numpy as np

from tool import ToolCase

PROGRAM = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "examples", "models", "digits.pt")
INPUT = ("--input", "image=f32[batch,1,28,28]", "--quiet")


class Export(ToolCase):
    def setUp(self):
        super().setUp()
        self.cameo("export", PROGRAM, *INPUT, "-o", "f.onnx", "--opset", 21)
        self.x = np.random.default_rng(0).normal(0, 1, (3, 1, 28, 28)).astype(np.float32)
        self.expected = self.run_model("f.onnx", {"image": self.x})["output"]

    def same(self, options, *command):
        self.cameo("export", PROGRAM, *INPUT, "-o", "one.onnx", "--opset", 21, *options)
        self.cameo("check", "--full", "one.onnx")
        self.cameo(*command, "f.onnx", "-o", "two.onnx")
        self.assertEqual(self.cameo("diff", "one.onnx", "two.onnx").strip().splitlines()[-1], "one.onnx and two.onnx are equal")

    def test_half(self):
        self.same(["--dtype", "f16"], "cast")
        got = self.run_model("one.onnx", {"image": self.x.astype(np.float16)})["output"]
        self.assertEqual(got.dtype, np.float16)
        self.near(got, self.expected, 1e-3)

    def test_integers(self):
        for weights in ("int8", "int4:16"):
            self.same(["--weights", weights], "quantize", "--weights", weights)
            self.near(self.run_model("one.onnx", {"image": self.x})["output"], self.expected, 0.1)

    def test_both(self):
        self.cameo("export", PROGRAM, *INPUT, "-o", "one.onnx", "--opset", 21, "--dtype", "f16", "--weights", "int8")
        self.cameo("check", "--full", "one.onnx")
        self.near(self.run_model("one.onnx", {"image": self.x.astype(np.float16)})["output"], self.expected, 0.02)

    def test_wrong_usage(self):
        self.assertIn("--dtype: 'f8' is not f16 or bf16", self.cameo("export", PROGRAM, "--dtype", "f8", code=2))
        self.assertIn("differs from the program by design", self.cameo("export", PROGRAM, "--dtype", "f16", "--verify", code=2))
        told = self.cameo("export", PROGRAM, *INPUT, "-o", "old.onnx", "--weights", "int4", code=1)
        self.assertIn("these weights need opset 21, and the model has opset 17 [needs-opset]", told)
        self.assertFalse((self.folder / "old.onnx").exists())


if __name__ == "__main__":
    sys.argv[1:2] = []
    unittest.main()
