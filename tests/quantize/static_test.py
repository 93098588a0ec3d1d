#!/usr/bin/python3
"""usage: static_test.py CAMEO

`cameo quantize --calibrate`: ranges, scales and integers equal those of NumPy, and ONNX Runtime computes with integers.
"""
import json
import os
import sys
import unittest

import numpy as np
import onnx
import torch
from onnx import numpy_helper

import models
from models import FLOAT, constant, model, node, tensor, weight
from tool import ToolCase


class Static(ToolCase):
    def setUp(self):
        super().setUp()
        made, _ = models.convolutions()
        onnx.save(made, "m.onnx")
        self.x = np.random.default_rng(3).normal(0, 1, (8, 3, 16, 16)).astype(np.float32)
        np.savez("data.npz", x=self.x)

    def quantize(self, *args, data="data.npz", code=0):
        self.out = self.cameo("quantize", "m.onnx", "-o", "q.onnx", "--json", "--calibrate", data, *args, code=code)
        if code:
            self.assertFalse((self.folder / "q.onnx").exists())
            return self.out
        self.check("q.onnx")
        self.report = json.loads(self.out)
        return onnx.load("q.onnx")

    def tensors(self, quantized):
        return {t.name: numpy_helper.to_array(t) for t in quantized.graph.initializer}

    def float_values(self, names):
        self.cameo("run", "m.onnx", "--npz", "data.npz", "-o", "all.npz", "--opt-level", "0", "--fetch", ",".join(names))
        with np.load("all.npz") as found:
            return {name: found[name] for name in names}

    def test_ranges_and_scales(self):
        found = self.tensors(self.quantize())
        values = {**self.float_values(["r1", "c2", "r2", "g", "y"]), "x": self.x}
        for name in ("x", "r1", "c2", "r2", "g", "y"):
            least, most = min(values[name].min(), 0), max(values[name].max(), 0)
            scale = np.float32((float(most) - float(least)) / 255)
            self.assertEqual(found[f"{name}_scale"], scale, name)
            self.assertEqual(found[f"{name}_zero_point"], np.rint(-float(least) / float(scale)), name)
        bias = found["b1_scale"]
        np.testing.assert_array_equal(bias, found["x_scale"] * found["w1_scale"])
        array = numpy_helper.to_array(next(t for t in onnx.load("m.onnx").graph.initializer if t.name == "b1"))
        np.testing.assert_array_equal(found["b1_quantized"], np.rint(array.astype(np.float64) / bias).astype(np.int32))
        self.assertEqual(found["b1_quantized"].dtype, np.int32)

    def test_places(self):
        """No pair between a product and its Relu; a layout operator has the scale of its input."""
        quantized = self.quantize()
        names = {n for each in quantized.graph.node for n in each.output}
        self.assertNotIn("c1_quantized", names)
        self.assertIn("r1_quantized", names)
        found = self.tensors(quantized)
        self.assertEqual(found["m_scale"], found["r2_scale"])
        self.assertEqual([i.name for i in quantized.graph.input], ["x"])
        self.assertEqual([o.name for o in quantized.graph.output], ["y"])

    def test_results(self):
        self.quantize()
        expected, got = self.run_model("m.onnx", {"x": self.x})["y"], self.run_model("q.onnx", {"x": self.x})["y"]
        self.near(got, expected, 0.05)
        fast = self.run_model("q.onnx", {"x": self.x}, optimized=True)["y"]
        step = self.tensors(onnx.load("q.onnx"))["y_scale"]
        self.assertLessEqual(np.abs(fast - got).max(), 2.01 * step)
        error = self.report["outputs"]["y"]
        self.assertAlmostEqual(error["absolute"], float(np.abs(fast - expected).max()), delta=1e-5)

    def test_weights(self):
        """Sums of two products fit 16 bits unless all bits are asked for."""
        array = numpy_helper.to_array(next(t for t in onnx.load("m.onnx").graph.initializer if t.name == "w1"))
        largest = np.abs(array).max(axis=(1, 2, 3))
        for args, levels, dtype in (((), 64, np.int8), (("--full-range",), 127, np.int8), (("--weights", "uint8"), 127, np.uint8)):
            found = self.tensors(self.quantize(*args))
            np.testing.assert_allclose(found["w1_scale"], largest / levels, rtol=1e-6)
            self.assertEqual(found["w1_quantized"].dtype, dtype)
            self.assertEqual(set(found["w1_zero_point"]), {128 if dtype == np.uint8 else 0})
        (self.folder / "q.onnx").unlink()
        self.assertIn("static quantisation needs weights of 8 bits [bad-type]", self.quantize("--weights", "int4", code=1))

    def test_methods(self):
        self.x[0, 0, 0, 0] = 1000  # one element far from all others
        np.savez("data.npz", x=self.x)
        scales = {}
        for method in ("minmax", "entropy", "percentile"):
            with self.subTest(method):
                scales[method] = self.tensors(self.quantize("--method", method, "--percentile", "99.9"))["x_scale"]
        self.assertGreater(scales["minmax"], 3.9)
        self.assertLess(scales["entropy"], 0.8 * scales["minmax"])
        self.assertLess(scales["percentile"], 0.02 * scales["minmax"])

    def test_percentile(self):
        x = np.linspace(-1, 3, 4 * 3 * 16 * 16, dtype=np.float32).reshape(4, 3, 16, 16)
        np.savez("data.npz", x=x)
        found = self.tensors(self.quantize("--method", "percentile", "--percentile", "90"))
        low, high = np.percentile(x, [5, 95])
        np.testing.assert_allclose(found["x_scale"], (high - low) / 255, rtol=2e-3)

    def test_types(self):
        for args, zero in ((("--activations", "int8", "--symmetric-activations"), 0), (("--symmetric-activations",), 128)):
            found = self.tensors(self.quantize(*args))
            self.assertEqual(found["r1_zero_point"], zero)
            self.near(self.run_model("q.onnx", {"x": self.x})["y"], self.run_model("m.onnx", {"x": self.x})["y"], 0.05)
        found = self.tensors(self.quantize("--activations", "int8"))
        self.assertEqual(found["r1_zero_point"], -128)

    def test_data(self):
        """A file of several samples, a folder of files and one sample give the same ranges."""
        expected = self.tensors(self.quantize())["x_scale"]
        np.savez("stack.npz", x=self.x[:, None])
        os.mkdir("folder")
        for i, sample in enumerate(self.x):
            np.save(f"folder/{i}.npy", sample[None])
        samples = [torch.from_numpy(sample[None]) for sample in self.x]
        for name, content in (("list", samples), ("tuples", [(sample,) for sample in samples]), ("dicts", [{"x": sample} for sample in samples]),
                              ("stack", torch.stack(samples)), ("dict", {"x": torch.stack(samples)}), ("batch", torch.cat(samples))):
            torch.save(content, f"{name}.pt")
        for data in ("stack.npz", "folder", "list.pt", "tuples.pt", "dicts.pt", "stack.pt", "dict.pt", "batch.pt"):
            with self.subTest(data):
                self.assertEqual(self.tensors(self.quantize(data=data))["x_scale"], expected)

    def test_keep(self):
        quantized = self.quantize("--keep", "/conv1/Conv")
        self.assertNotIn("w1_quantized", self.tensors(quantized))
        self.assertIn("w2_quantized", self.tensors(quantized))

    def test_constant_operands(self):
        made = model([node("Conv", ["x", "w"], ["c"]), node("Mul", ["c", "k"], ["m"]), node("Concat", ["m", "c"], ["y"], axis=1)],
                     [tensor("x", FLOAT, ["n", 3, 16, 16])], [tensor("y", FLOAT, ["n", 8, 16, 16])],
                     [weight("w", 4, 3, 1, 1), constant("k", [[[1.0]], [[2.0]], [[-0.5]], [[0.25]]])])
        onnx.save(made, "m.onnx")
        found = self.tensors(self.quantize())
        self.assertEqual(found["k_quantized"].dtype, np.uint8)
        self.near(self.run_model("q.onnx", {"x": self.x})["y"], self.run_model("m.onnx", {"x": self.x})["y"], 0.03)

    def test_bad_data(self):
        os.mkdir("empty")
        self.assertIn("there is no sample to calibrate with [no-calibration-data]", self.quantize(data="empty", code=1))
        np.savez("none.npz", x=self.x[:0])
        self.assertIn("the array 'x' is empty [no-calibration-data]", self.quantize(data="none.npz", code=1))
        np.savez("other.npz", z=self.x)
        self.assertIn("the file has no array for the input 'x' [no-calibration-data]", self.quantize(data="other.npz", code=1))
        torch.save([(torch.zeros(1, 3, 16, 16), torch.tensor([3]))], "labelled.pt")
        self.assertIn("a sample has 2 arrays, and the model has 1 input [no-calibration-data]", self.quantize(data="labelled.pt", code=1))
        torch.save([1.5], "number.pt")
        self.assertIn("a sample holds a value that is not a tensor [no-calibration-data]", self.quantize(data="number.pt", code=1))
        torch.jit.script(torch.nn.ReLU()).save("program.pt")
        self.assertIn("the file is not a list of tensors: TorchScript program [no-calibration-data]", self.quantize(data="program.pt", code=1))
        self.x[0, 0, 0, 0] = np.nan
        np.savez("nan.npz", x=self.x)
        self.assertIn("the value 'x' has an element that is not finite [bad-range]", self.quantize(data="nan.npz", code=1))
        self.assertIn("'101' is not a number from 0 to 100", self.quantize("--percentile", "101", code=2))


if __name__ == "__main__":
    sys.argv[1:2] = []
    unittest.main()
