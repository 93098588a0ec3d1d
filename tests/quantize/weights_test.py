#!/usr/bin/python3
"""usage: weights_test.py CAMEO

`cameo quantize` on weights alone: integers, scales and errors equal those of NumPy, and ONNX Runtime computes with them.
"""
import json
import sys
import unittest

import numpy as np
import onnx
from onnx import numpy_helper

import models
from models import FLOAT, constant, model, node, tensor, values, weight
from tool import ToolCase

LIMITS = {"int8": (-128, 127), "uint8": (0, 255), "int4": (-8, 7), "uint4": (0, 15)}
NUMBERS = {"int8": 3, "uint8": 2, "int4": 22, "uint4": 21}  # TensorProto.DataType


def fit(groups, kind, symmetric):
    """Scales and zero points of groups of elements, the last axis."""
    low, high = LIMITS[kind]
    middle = {"uint8": 128, "uint4": 8}.get(kind, 0)
    least, most = np.minimum(groups.min(-1), 0), np.maximum(groups.max(-1), 0)
    if symmetric:
        scale = (np.maximum(-least, most).astype(np.float64) / (high - middle)).astype(np.float32)
        zero = np.full(scale.shape, middle)
    else:
        scale = ((most.astype(np.float64) - least) / (high - low)).astype(np.float32)
        zero = np.clip(np.rint(low - least / np.where(scale == 0, 1, scale).astype(np.float64)), low, high).astype(int)
    return np.where(scale == 0, np.float32(1), scale), np.where(scale == 0, middle, zero)


def quantize(array, kind, symmetric, axis, block):
    """Integers, scales and zero points, the latter two in the shape that DequantizeLinear wants."""
    low, high = LIMITS[kind]
    if kind == "int8" and symmetric:
        low = -127
    if block:
        turned = np.moveaxis(array, axis, -1)
        count = -(-turned.shape[-1] // block)
        scale, zero = np.empty((*turned.shape[:-1], count), np.float32), np.empty((*turned.shape[:-1], count), int)
        for i in range(count):
            scale[..., i], zero[..., i] = fit(turned[..., i * block:(i + 1) * block], kind, symmetric)
        scale, zero = np.moveaxis(scale, -1, axis), np.moveaxis(zero, -1, axis)
    else:
        scale, zero = fit(np.moveaxis(array, axis, 0).reshape(array.shape[axis], -1), kind, symmetric)
    wide_scale, wide_zero = widened(scale, array, axis, block), widened(zero, array, axis, block)
    return np.clip(np.rint(array / wide_scale) + wide_zero, low, high).astype(int), scale, zero


def widened(parameter, array, axis, block):
    if not block:
        return parameter.reshape([-1 if i == axis else 1 for i in range(array.ndim)])
    return np.repeat(parameter, block, axis).take(np.arange(array.shape[axis]), axis)


def dequantize(integers, scale, zero, axis, block):
    return ((integers - widened(zero, integers, axis, block)).astype(np.float32) *
            widened(scale, integers, axis, block)).astype(np.float32)


def stored(tensor):
    """The elements of a tensor, also of 4 bits, which the library may not know."""
    if tensor.data_type not in (21, 22):
        return numpy_helper.to_array(tensor)
    raw = np.frombuffer(tensor.raw_data, np.uint8)
    halves = np.stack([raw & 15, raw >> 4], -1).reshape(-1)[:int(np.prod(tensor.dims))].astype(int)
    if tensor.data_type == 22:
        halves = np.where(halves > 7, halves - 16, halves)
    return halves.reshape(tensor.dims)


class Weights(ToolCase):
    def quantize(self, made, *args, code=0):
        onnx.save(made, "m.onnx")
        told = self.cameo("quantize", "m.onnx", "-o", "q.onnx", "--min-elements", 1, "--json", *args, code=code)
        if code:
            self.assertFalse((self.folder / "q.onnx").exists())
            return told
        self.table = {row["name"]: row for row in json.loads(told)["weights"]}
        self.cameo("check", "--full", "q.onnx")
        return onnx.load("q.onnx")

    def product(self, array, opset=21, left=False):
        shape = ["n", array.shape[0]]
        return model([node("MatMul", ["x", "w"], ["y"], name="/layer/MatMul")], [tensor("x", FLOAT, shape)],
                     [tensor("y", FLOAT, ["n", array.shape[1]])], [constant("w", array)], opset, ir=10 if opset >= 21 else 8)

    def tensors(self, quantized):
        return {t.name: t for t in quantized.graph.initializer}

    def compare(self, array, kind, symmetric, axis, block, quantized, name="w"):
        integers, scale, zero = quantize(array, kind, symmetric, axis, block)
        found = self.tensors(quantized)
        self.assertEqual(found[f"{name}_quantized"].data_type, NUMBERS[kind])
        np.testing.assert_array_equal(stored(found[f"{name}_scale"]), scale)
        np.testing.assert_array_equal(stored(found[f"{name}_quantized"]), integers)
        if f"{name}_zero_point" in found:
            np.testing.assert_array_equal(stored(found[f"{name}_zero_point"]), zero)
        else:
            self.assertEqual(set(zero.reshape(-1)), {0})
        result = dequantize(integers, scale, zero, axis, block)
        error = np.abs(array - result).astype(np.float64)
        row = self.table[name]
        np.testing.assert_allclose(row["error"]["max"], error.max(), rtol=1e-5)
        np.testing.assert_allclose(row["error"]["mean"], error.mean(), rtol=1e-4)
        np.testing.assert_allclose(row["error"]["relative"],
                                   np.sqrt((error ** 2).sum() / (array.astype(np.float64) ** 2).sum()), rtol=1e-4)
        self.assertEqual(row["bytes"]["before"], array.nbytes)
        self.assertEqual(row["bytes"]["after"], sum(len(found[f"{name}_{part}"].raw_data)
                                                    for part in ("quantized", "scale", "zero_point") if f"{name}_{part}" in found))
        return result

    def test_matrices(self):
        array = numpy_helper.to_array(weight("w", 96, 40)).copy()
        array[:, 3] = 0  # a channel without a scale
        array[:, 5] = np.abs(array[:, 5]) + 1
        x = values(3, 96)
        for kind in LIMITS:
            for block in (0, 32, 40):  # 40 leaves a shorter block
                for symmetric in (True, False):
                    if kind in ("int4", "uint4") and not block:
                        continue  # the command has blocks of 32 then
                    with self.subTest(kind, block=block, symmetric=symmetric):
                        text = f"{kind}:{block}" if block else kind
                        quantized = self.quantize(self.product(array), "--weights", text, "--partial-blocks",
                                                  "--symmetric" if symmetric else "--asymmetric")
                        result = self.compare(array, kind, symmetric, 0 if block else 1, block, quantized)
                        self.near(self.run_model("q.onnx", {"x": x})["y"], x @ result, 1e-6)

    def test_each_opset(self):
        array = numpy_helper.to_array(weight("w", 32, 8))
        x = values(3, 32)
        for opset in range(13, 24):
            with self.subTest(opset):
                quantized = self.quantize(self.product(array, opset))
                self.near(self.run_model("q.onnx", {"x": x})["y"], x @ self.compare(array, "int8", True, 1, 0, quantized), 1e-6)
                if opset >= 21:
                    quantized = self.quantize(self.product(array, opset), "--weights", "int4")
                    self.near(self.run_model("q.onnx", {"x": x})["y"],
                              x @ self.compare(array, "int4", True, 0, 32, quantized), 1e-6)

    def test_matmulnbits(self):
        for rows, columns, block in ((96, 40, 32), (100, 7, 16)):
            array = numpy_helper.to_array(weight("w", rows, columns))
            x = values(3, rows)
            for kind, symmetric in (("int4", True), ("uint4", False), ("uint4", True)):
                with self.subTest(kind, symmetric=symmetric, rows=rows):
                    quantized = self.quantize(self.product(array, 17), "--weights", f"{kind}:{block}", "--partial-blocks", "--form", "matmulnbits",
                                              "--symmetric" if symmetric else "--asymmetric")
                    self.assertEqual([n.op_type for n in quantized.graph.node], ["MatMulNBits"])
                    result = dequantize(*quantize(array, "uint4", symmetric, 0, block), 0, block)
                    self.near(self.run_model("q.onnx", {"x": x})["y"], x @ result, 1e-6)
        made, feeds = models.convolutions()
        self.quantize(made, "--weights", "int4:16", "--form", "matmulnbits")
        self.assertEqual(list(self.table), ["fc.weight"])
        self.near(self.run_model("q.onnx", feeds)["y"], self.run_model("m.onnx", feeds)["y"], 0.1)

    def test_layers(self):
        made, feeds = models.convolutions()
        quantized = self.quantize(made)
        self.assertEqual(set(self.table), {"w1", "w2", "fc.weight"})
        for name, axis in (("w1", 0), ("w2", 0), ("fc.weight", 0)):
            array = numpy_helper.to_array(next(t for t in made.graph.initializer if t.name == name))
            self.compare(array, "int8", True, axis, 0, quantized, name)
        self.near(self.run_model("q.onnx", feeds)["y"], self.run_model("m.onnx", feeds)["y"], 0.02)

    def test_embedding_and_recurrent(self):
        for make, names in ((models.attention, {"embed.weight", "q.weight", "k.weight", "lm_head.weight"}),
                            (models.recurrent, {"W", "R", "w"}), (models.branches, {"w1", "w2"}), (models.loop, {"w"}),
                            (models.function, {"w"})):
            with self.subTest(make.__name__):
                made, feeds = make()
                self.quantize(made)
                self.assertEqual(set(self.table), names)
                expected = self.run_model("m.onnx", feeds)
                for name, array in self.run_model("q.onnx", feeds).items():
                    self.near(array, expected[name], 0.05, name)

    def test_four_bits_of_every_layer(self):
        for make in (models.convolutions, models.recurrent):
            made, feeds = make()
            self.quantize(made, "--weights", "int4:16", "--opset", 21)
            expected = self.run_model("m.onnx", feeds)
            for name, array in self.run_model("q.onnx", feeds).items():
                self.near(array, expected[name], 0.3, name)

    def test_transposed(self):
        array = numpy_helper.to_array(weight("w", 8, 32))
        made = model([node("Transpose", ["w"], ["t"], perm=[1, 0]), node("MatMul", ["x", "t"], ["y"])],
                     [tensor("x", FLOAT, ["n", 32])], [tensor("y", FLOAT, ["n", 8])], [constant("w", array)])
        quantized = self.quantize(made)
        x = values(3, 32)
        self.near(self.run_model("q.onnx", {"x": x})["y"], x @ self.compare(array, "int8", True, 0, 0, quantized).T, 1e-6)

    def test_constants_of_nodes(self):
        array = numpy_helper.to_array(weight("w", 32, 8))
        made = model([node("Constant", [], ["w"], value=constant("", array)), node("MatMul", ["x", "w"], ["y"])],
                     [tensor("x", FLOAT, ["n", 32])], [tensor("y", FLOAT, ["n", 8])])
        self.compare(array, "int8", True, 1, 0, self.quantize(made))

    def test_half_precision(self):
        made, feeds = models.convolutions(opset=17)
        onnx.save(made, "f.onnx")
        self.cameo("cast", "f.onnx", "-o", "h.onnx")
        half = onnx.load("h.onnx")
        self.assertIn("these weights need opset 19, and the model has opset 17 [needs-opset]\n"
                      "  hint: raise the model with --opset 19", self.quantize(half, code=1))
        self.quantize(half, "--opset", 19)
        feeds = {"x": feeds["x"].astype(np.float16)}
        self.near(self.run_model("q.onnx", feeds)["y"], self.run_model("m.onnx", feeds)["y"], 0.02)

    def test_search_has_smaller_errors(self):
        array = np.random.default_rng(5).standard_t(3, (128, 32)).astype(np.float32)
        errors = {}
        for kind in ("int8", "int4:32", "uint4:32"):
            for search in (False, True):
                self.quantize(self.product(array), "--weights", kind, *(["--search"] if search else []))
                errors[kind, search] = self.table["w"]["error"]["relative"]
            self.assertLessEqual(errors[kind, True], errors[kind, False])
        self.assertLess(errors["int4:32", True], 0.95 * errors["int4:32", False])
        # The table tells what the file holds.
        found = self.tensors(onnx.load("q.onnx"))
        result = dequantize(*(stored(found[f"w_{part}"]) for part in ("quantized", "scale", "zero_point")), 0, 32)
        np.testing.assert_allclose(errors["uint4:32", True], np.sqrt(((array - result) ** 2).sum() / (array ** 2).sum()), rtol=1e-4)

    def test_keep(self):
        made, _ = models.attention()
        self.quantize(made, "--keep", "lm_head*", "--keep", "Gather", "--keep", "/q/*")
        self.assertEqual(set(self.table), {"k.weight"})
        self.assertIn("matches 'lm_haed*' [no-such-node]", self.refused(made, "--keep", "lm_haed*"))

    def refused(self, made, *args):
        (self.folder / "q.onnx").unlink(missing_ok=True)
        return self.quantize(made, *args, code=1)

    def test_small_weights_stay(self):
        made, _ = models.convolutions()
        onnx.save(made, "m.onnx")
        told = self.cameo("quantize", "m.onnx", "-o", "q.onnx")
        self.assertIn("fc.weight  Gemm ", told)
        self.assertIn("q.onnx: 2 quantised weights, ", told)
        self.assertNotIn("w1", told)

    def test_raised_opsets(self):
        """Forms of operators that changed between the opsets."""
        nodes = [node("Clip", ["x"], ["c"], min=-1.0, max=1.0), node("Squeeze", ["c"], ["s"], axes=[1]),
                 node("MatMul", ["s", "w"], ["h"]), node("Unsqueeze", ["h"], ["u"], axes=[0]), node("ReduceSum", ["u"], ["r"], axes=[0], keepdims=0),
                 node("Softmax", ["r"], ["p"], axis=1), node("Reshape", ["p", "shape"], ["y"])]
        made = model(nodes, [tensor("x", FLOAT, ["n", 1, 32])], [tensor("y", FLOAT, ["n", 8])],
                     [weight("w", 32, 8), constant("shape", [-1, 8], np.int64)], opset=10, ir=5)
        self.assertIn("these weights need opset 13, and the model has opset 10", self.refused(made))
        for opset in (13, 17, 21, 23):
            with self.subTest(opset):
                self.quantize(made, "--opset", opset)
                self.assertEqual(onnx.load("q.onnx").opset_import[0].version, opset)
                x = values(3, 1, 32)
                self.near(self.run_model("q.onnx", {"x": x})["y"], self.run_model("m.onnx", {"x": x})["y"], 0.02)

    def test_operators_that_were_replaced(self):
        made = model([node("MatMul", ["x", "w"], ["h"]), node("Upsample", ["h", "s"], ["y"])], [tensor("x", FLOAT, [4, 32])],
                     [tensor("y", FLOAT, [8, 16])], [weight("w", 32, 8), constant("s", [2, 2])], opset=9, ir=4)
        self.quantize(made, "--opset", 13)
        self.assertEqual([n.op_type for n in onnx.load("q.onnx").graph.node], ["DequantizeLinear", "MatMul", "Resize"])
        x = values(4, 32)
        self.near(self.run_model("q.onnx", {"x": x})["y"], self.run_model("m.onnx", {"x": x})["y"], 0.02)

    def test_no_sound_way_to_raise(self):
        made = model([node("MatMul", ["x", "w"], ["h"]), node("Softmax", ["h"], ["y"], axis=1, name="/Softmax")],
                     [tensor("x", FLOAT, ["n", 4, 32])], [tensor("y", FLOAT, ["n", 4, 8])], [weight("w", 32, 8)], opset=11, ir=6)
        told = self.refused(made, "--opset", 13)
        self.assertIn("the model cannot be raised from opset 11 to opset 13 [needs-opset]\n  note: Softmax '/Softmax'", told)

    def test_bad_input(self):
        array = numpy_helper.to_array(weight("w", 32, 8)).copy()
        self.assertIn("these weights need opset 21, and the model has opset 17 [needs-opset]",
                      self.refused(self.product(array, 17), "--weights", "int4"))
        self.assertIn("MatMulNBits needs blocks of a power of two of at least 16, not 24 [bad-block-size]",
                      self.refused(self.product(array), "--weights", "int4:24", "--form", "matmulnbits"))
        self.assertIn("MatMulNBits needs weights of 4 bits [bad-block-size]",
                      self.refused(self.product(array), "--form", "matmulnbits"))
        for bad in (np.nan, np.inf, -np.inf):
            array[5, 5] = bad
            self.assertIn("the weight 'w' holds NaN or an infinity [weight-not-finite]", self.refused(self.product(array)))
        made = model([node("Relu", ["x"], ["y"])], [tensor("x", FLOAT, [4])], [tensor("y", FLOAT, [4])])
        self.assertIn("the model has no weight that can be quantised [nothing-to-quantize]", self.refused(made))
        self.assertIn("Unsupported ONNX opset version: 99", self.refused(self.product(np.zeros((32, 8))), "--opset", 99))
        for text, why in (("int4:0", "'0' is not a valid block size"), ("int4:x", "'x' is not a valid block size"),
                          ("int5", "'int5' is not int8, uint8, int4 or uint4")):
            self.assertIn(why, self.cameo("quantize", "m.onnx", "-o", "q.onnx", "--weights", text, code=2))

    def test_blocks_that_do_not_divide(self):
        array = numpy_helper.to_array(weight("w", 40, 8))
        for form in ([], ["--form", "matmulnbits"]):
            told = self.refused(self.product(array), "--weights", "int4:32", *form)
            self.assertIn("blocks of 32 elements do not divide 1 weight [bad-block-size]\n"
                          "  note: axis 0 of 'w' has 40 elements\n  hint: choose another block size", told)
        self.quantize(self.product(array), "--weights", "int4:64")  # one block

    def test_numbers_at_the_limits(self):
        tiny = np.full((32, 8), 1e-42, np.float32)
        self.quantize(self.product(tiny))
        self.quantize(self.product(np.zeros((32, 8), np.float32)))
        self.assertEqual(self.table["w"]["error"], {"max": 0, "mean": 0, "relative": 0})
        huge = np.full((32, 8), np.finfo(np.float32).max, np.float32)
        self.quantize(self.product(huge))
        self.assertLess(self.table["w"]["error"]["relative"], 1e-6)


if __name__ == "__main__":
    sys.argv[1:2] = []
    unittest.main()
