#!/usr/bin/python3
"""usage: memory_test.py CAMEO

The memory of `cameo cast` and `cameo quantize` does not grow with the weights, however a file stores them.
"""
import os
import subprocess
import sys
import unittest

import numpy as np
import onnx

from models import FLOAT, model, node, tensor
from tool import CAMEO, ToolCase

MOST = 96 << 20  # bytes beside the mapped file, which the system may drop
SIZE = 4096  # of a matrix of 64 MB


class Memory(ToolCase):
    def setUp(self):
        super().setUp()
        block = np.random.default_rng(0).normal(0, 1, (SIZE, SIZE)).astype(np.float32)
        weights = [onnx.numpy_helper.from_array(block, f"w{i}") for i in range(2)]
        names = ["x", *(f"h{i}" for i in range(1)), "y"]
        made = model([node("MatMul", [names[i], f"w{i}"], [names[i + 1]]) for i in range(2)],
                     [tensor("x", FLOAT, ["n", SIZE])], [tensor("y", FLOAT, ["n", SIZE])], weights, opset=21, ir=10)
        onnx.save(made, "m.onnx")
        self.bytes = os.path.getsize("m.onnx")

    def peak(self, *args):
        """The largest size of memory of the command."""
        code = ("import os, resource, subprocess, sys\n"
                "done = subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL)\n"
                "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss * 1024)\n"
                "sys.exit(done.returncode)\n")
        done = subprocess.run([sys.executable, "-c", code, CAMEO, *args], capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        return int(done.stdout)

    def test_peak(self):
        self.assertGreater(self.bytes, 128 << 20)
        for args in (["cast"], ["quantize"], ["quantize", "--weights", "int4:32"],
                     ["quantize", "--weights", "uint4:32", "--form", "matmulnbits"]):
            with self.subTest(" ".join(args)):
                self.assertLess(self.peak(args[0], "m.onnx", "-o", "o.onnx", *args[1:]), MOST)


if __name__ == "__main__":
    sys.argv[1:2] = []
    unittest.main()
