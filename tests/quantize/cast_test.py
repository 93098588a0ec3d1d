#!/usr/bin/python3
"""usage: cast_test.py CAMEO

`cameo cast`: models in f16 and bf16 and back are valid, run in ONNX Runtime and compute the same.
"""
import json
import sys
import unittest

import numpy as np
import onnx
from onnx import TensorProto

import models
from models import FLOAT, constant, model, node, tensor, values, weight
from tool import ToolCase

HALF = TensorProto.FLOAT16


def all_nodes(graph):
    for each in graph.node:
        yield each
        for attribute in each.attribute:
            if attribute.type == onnx.AttributeProto.GRAPH:
                yield from all_nodes(attribute.g)


def operators(graph):
    return [each.op_type for each in all_nodes(graph)]


class Cast(ToolCase):
    def cast(self, made, *args, code=0):
        onnx.save(made, "m.onnx")
        self.out = self.cameo("cast", "m.onnx", "-o", "c.onnx", *args, code=code)
        if code:
            return self.out
        self.warnings = self.told
        self.check("c.onnx")
        return onnx.load("c.onnx")

    def element_types(self, graph):
        return [v.type.tensor_type.elem_type for v in [*graph.input, *graph.output]]

    def test_eleven_models(self):
        self.assertEqual(len(models.ALL), 11)
        for name, make in models.ALL.items():
            for keep_io in (False, True):
                with self.subTest(name, keep_io=keep_io):
                    made, feeds = make()
                    cast = self.cast(made, *(["--keep-io"] if keep_io else []))
                    expected = self.run_model("m.onnx", feeds)
                    if not keep_io:
                        feeds = {k: v.astype(np.float16) if v.dtype == np.float32 else v for k, v in feeds.items()}
                        for info in [*cast.graph.input, *cast.graph.output]:
                            self.assertNotEqual(info.type.tensor_type.elem_type, FLOAT, info.name)
                    else:
                        self.assertEqual(self.element_types(cast.graph), self.element_types(made.graph))
                    got = self.run_model("c.onnx", feeds)
                    self.assertEqual(set(got), set(expected))
                    for output, array in expected.items():
                        if array.dtype == np.float32 and not keep_io:
                            self.assertEqual(got[output].dtype, np.float16)
                        self.near(got[output], array, 1e-3, f"{name} {output}")

    def test_bf16_and_back(self):
        made = model([node("MatMul", ["x", "w"], ["h"]), node("Add", ["h", "b"], ["a"]), node("Relu", ["a"], ["r"]),
                      node("Gemm", ["r", "v"], ["y"])], [tensor("x", FLOAT, ["n", 8])], [tensor("y", FLOAT, ["n", 4])],
                     [weight("w", 8, 8), weight("b", 8), weight("v", 8, 4)])
        cast = self.cast(made, "--to", "bf16")
        self.assertEqual({t.data_type for t in cast.graph.initializer}, {TensorProto.BFLOAT16})
        self.cameo("cast", "c.onnx", "-o", "back.onnx", "--to", "f32")
        self.check("back.onnx")
        back = onnx.load("back.onnx")
        self.assertEqual(operators(back.graph), operators(made.graph))
        for old, new in zip(made.graph.initializer, back.graph.initializer):
            a, b = onnx.numpy_helper.to_array(old), onnx.numpy_helper.to_array(new)
            self.assertEqual(b.dtype, np.float32)
            np.testing.assert_allclose(a, b, rtol=2 ** -8)

    def test_weights_are_rounded_to_nearest_even(self):
        array = np.array([[1 + 2 ** -11, 1 + 3 * 2 ** -11], [2 ** -25, 65519]], np.float32)
        made = model([node("MatMul", ["x", "w"], ["y"])], [tensor("x", FLOAT, [2, 2])], [tensor("y", FLOAT, [2, 2])],
                     [constant("w", array)])
        cast = self.cast(made)
        np.testing.assert_array_equal(onnx.numpy_helper.to_array(cast.graph.initializer[0]), array.astype(np.float16))

    def test_no_casts_without_need(self):
        made, _ = models.convolutions()
        self.assertEqual(operators(self.cast(made).graph), operators(made.graph))
        self.assertIn("9 of 9 nodes compute in f16, 0 new Cast nodes", self.out)

    def test_casts_are_not_doubled(self):
        made = model([node("Relu", ["x"], ["h"]), node("Range", ["a", "b", "c"], ["r"]), node("Add", ["h", "r"], ["y"]),
                      node("Mul", ["h", "r"], ["z"]), node("Sub", ["h", "r"], ["w"])],
                     [tensor("x", FLOAT, [4])], [tensor(n, FLOAT, [4]) for n in "yzw"],
                     [constant("a", 0), constant("b", 4), constant("c", 1)])
        cast = self.cast(made)
        self.assertEqual(operators(cast.graph), ["Relu", "Range", "Cast", "Add", "Mul", "Sub"])

    def test_casts_of_the_file_that_say_nothing_go(self):
        made = model([node("Cast", ["x"], ["a"], to=HALF), node("Exp", ["a"], ["b"]), node("Cast", ["b"], ["c"], to=FLOAT),
                      node("Relu", ["c"], ["y"])], [tensor("x", FLOAT, [4])], [tensor("y", FLOAT, [4])])
        self.assertEqual(operators(self.cast(made).graph), ["Exp", "Relu"])

    def test_values_from_outside_are_cast_outside(self):
        made, _ = models.branches()
        cast = self.cast(made, "--keep", "choice")
        self.assertEqual([n.op_type for n in cast.graph.node],
                         ["MatMul", "ReduceSum", "Greater", "Cast", "If", "Cast"])
        branches = {a.name: [n.op_type for n in a.g.node] for n in cast.graph.node for a in n.attribute if n.name == "choice"}
        self.assertEqual(branches, {"then_branch": ["MatMul"], "else_branch": ["Range", "Add"]})

    def test_keep(self):
        made, _ = models.attention()
        for pattern, kept in (("Softmax", "/Softmax"), ("lm_head", "/lm_head/MatMul"), ("/q/Mat*", "/q/MatMul"),
                              ("?", "/q/MatMul")):
            with self.subTest(pattern):
                cast = self.cast(made, "--keep", pattern)
                inferred = onnx.shape_inference.infer_shapes(cast)
                types = {v.name: v.type.tensor_type.elem_type for v in [*inferred.graph.value_info, *inferred.graph.output]}
                types.update({t.name: t.data_type for t in cast.graph.initializer})
                found = next(n for n in cast.graph.node if n.name == kept)
                self.assertEqual({types[name] for name in found.input}, {FLOAT})

    def test_keep_nothing(self):
        made, _ = models.attention()
        told = self.cast(made, "--keep", "lm_haed*", code=1)
        self.assertIn("no node, module or operator matches 'lm_haed*' [no-such-node]", told)
        self.assertFalse((self.folder / "c.onnx").exists())

    def test_beyond_range(self):
        made, _ = models.attention()
        cast = self.cast(made)
        types = {t.name: t.data_type for t in cast.graph.initializer}
        self.assertEqual((types["lowest"], types["epsilon"], types["q.weight"]), (FLOAT, FLOAT, HALF))
        self.assertIn("warning: [convert] the constant 'lowest' holds 3.403e+38, which is infinite in f16; it and the nodes "
                      "that read it stay f32 [beyond-range]", self.warnings)
        self.assertIn("the constant 'epsilon' holds 1e-12, which is 0 in f16", self.warnings)

    def test_a_constant_that_is_read_in_two_types(self):
        made = model([node("Mul", ["x", "w"], ["h"]), node("Add", ["h", "w"], ["y"], name="kept")],
                     [tensor("x", FLOAT, [4])], [tensor("y", FLOAT, [4])], [weight("w", 4)])
        cast = self.cast(made, "--keep", "kept")
        self.assertEqual([t.data_type for t in cast.graph.initializer], [FLOAT])
        self.near(self.run_model("c.onnx", {"x": values(4).astype(np.float16)})["y"],
                  self.run_model("m.onnx", {"x": values(4)})["y"], 2e-3)

    def test_sizes_stay_exact(self):
        made, feeds = models.resize()
        self.cast(made)
        got = self.run_model("c.onnx", {"x": feeds["x"].astype(np.float16)})
        self.assertEqual(got["y"].shape, (1, 1, 1, 2051))

    def test_external_data(self):
        made, feeds = models.convolutions()
        onnx.save(made, "m.onnx", save_as_external_data=True, location="m.data", size_threshold=100)
        self.cameo("cast", "m.onnx", "-o", "c.onnx", "--keep-io")
        self.check("c.onnx")
        self.near(self.run_model("c.onnx", feeds)["y"], self.run_model("m.onnx", feeds)["y"], 2e-3)
        (self.folder / "m.data").unlink()
        self.assertIn("[external-data]", self.cameo("cast", "m.onnx", "-o", "d.onnx", code=1))
        self.assertFalse((self.folder / "d.onnx").exists())

    def test_inputs_with_defaults(self):
        made = model([node("Add", ["x", "d"], ["y"])], [tensor("x", FLOAT, [4]), tensor("d", FLOAT, [4])],
                     [tensor("y", FLOAT, [4])], [weight("d", 4)])
        cast = self.cast(made)
        self.assertEqual([t.data_type for t in cast.graph.initializer], [HALF])
        self.assertEqual(self.element_types(cast.graph), [HALF] * 3)
        kept = self.cast(made, "--keep-io")
        self.assertEqual([t.data_type for t in kept.graph.initializer], [FLOAT])

    def test_old_opsets(self):
        made, _ = models.convolutions(opset=11)
        self.cast(made)
        self.assertIn("a model of opset 11 cannot hold bf16 [needs-opset]", self.cast(made, "--to", "bf16", code=1))

    def test_doubles_on_request(self):
        made = model([node("MatMul", ["x", "w"], ["y"])], [tensor("x", TensorProto.DOUBLE, [2, 2])],
                     [tensor("y", TensorProto.DOUBLE, [2, 2])], [constant("w", np.eye(2), np.float64)])
        self.assertEqual(self.element_types(self.cast(made, "--to", "f32").graph), [TensorProto.DOUBLE] * 2)
        self.assertEqual(self.element_types(self.cast(made, "--to", "f32", "--from", "f64").graph), [FLOAT] * 2)

    def test_json(self):
        made, _ = models.convolutions()
        self.cast(made, "--json")
        told = json.loads(self.out)
        self.assertEqual((told["to"], told["nodes"], told["weights"], told["casts"]),
                         ("f16", {"converted": 9, "total": 9}, 6, 0))

    def test_wrong_usage(self):
        self.assertIn("--from: 'f8' is not one of f16, bf16, f32 and f64",
                      self.cameo("cast", "m.onnx", "-o", "c.onnx", "--from", "f8", code=2))


if __name__ == "__main__":
    sys.argv[1:2] = []
    unittest.main()
