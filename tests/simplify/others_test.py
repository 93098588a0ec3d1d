#!/usr/bin/python3
"""usage: others_test.py CAMEO

Files as other exporters write them, in the tools that read ONNX files: sizes without a meaning, unsorted nodes,
initialisers that are inputs, graphs of operators of other domains, operators below their opset.
"""
import json
import os
import subprocess
import sys
import unittest

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))
from folder_case import FolderCase  # noqa: E402

CAMEO = os.path.abspath(sys.argv[1])
node = helper.make_node
tensor = helper.make_tensor_value_info


def constant(name, array, dtype=np.float32):
    return numpy_helper.from_array(np.asarray(array, dtype), name)


class Others(FolderCase):
    def model(self, nodes, inputs, outputs, initializers=(), opset=13, ir=8, domains=(), **graph):
        graph = helper.make_graph(nodes, "g", inputs, outputs, list(initializers), **graph)
        imports = [helper.make_opsetid("", opset), *(helper.make_opsetid(d, 1) for d in domains)]
        made = helper.make_model(graph, opset_imports=imports, ir_version=ir)
        onnx.save(made, "m.onnx")
        return made

    def cameo(self, *args, code=0):
        done = subprocess.run([CAMEO, *args], capture_output=True, text=True)
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        self.errors = done.stderr
        return done.stdout if code == 0 else done.stderr

    def simplified(self, *args):
        self.told = self.cameo("simplify", "m.onnx", "-o", "s.onnx", *args)
        return onnx.load("s.onnx")

    def operators(self, *args):
        return [n.op_type for n in self.simplified(*args).graph.node]

    def shapes(self, *args):
        values = json.loads(self.cameo("infer", "m.onnx", "--json", *args))["values"]
        return {v["name"]: v["shape"] for v in values}


class Sizes(Others):
    def expands(self, name):
        """Whether an Expand of x to the shape of z stays: it goes where both have the same sizes."""
        self.model([node("Shape", ["z"], ["s"]), node("Expand", ["x", "s"], ["e"]), node("Relu", ["e"], ["y"])],
                   [tensor("x", 1, [name, 4]), tensor("z", 1, [name, 4])], [tensor("y", 1, None)])
        return "Expand" in self.operators()

    def test_parameters_without_a_meaning_are_not_equal(self):
        for name in ("?", "None", "-1", "", "unk__7"):
            self.assertTrue(self.expands(name), name)
        for name in ("batch", "unknown", "unk__", "unk__batch"):
            self.assertFalse(self.expands(name), name)

    def test_inferred_sizes_are_apart(self):
        self.model([node("Concat", ["x", "z"], ["y"], axis=0)], [tensor("x", 1, ["?"]), tensor("z", 1, ["?"])],
                   [tensor("y", 1, ["?"])])
        self.assertEqual(self.shapes(), {"y": ["x_dim0 + z_dim0"]})

    def test_verification_gives_them_different_sizes(self):
        self.model([node("Concat", ["x", "z"], ["c"], axis=0), node("Identity", ["c"], ["y"])],
                   [tensor("x", 1, ["?"]), tensor("z", 1, ["?"])], [tensor("y", 1, ["?"])])
        self.assertEqual(self.operators("--verify"), ["Concat"])


class Order(Others):
    def test_unsorted_nodes(self):
        inner = helper.make_graph([node("Neg", ["b"], ["q"]), node("Abs", ["x"], ["b"])], "inner", [],
                                  [tensor("q", 1, [2])])
        other = helper.make_graph([node("Add", ["x", "h"], ["r"])], "other", [], [tensor("r", 1, [2])])
        made = self.model([node("Mul", ["a", "i"], ["y"], name="last"),
                           node("If", ["c"], ["i"], then_branch=inner, else_branch=other),
                           node("Sqrt", ["x"], ["h"]), node("Relu", ["x"], ["a"])],
                          [tensor("x", 1, [2]), tensor("c", 9, [])], [tensor("y", 1, [2])])
        result = self.simplified()
        onnx.checker.check_model(result)
        self.assertEqual(sorted(n.op_type for n in result.graph.node), ["If", "Mul", "Relu", "Sqrt"])
        self.assertIn("note: [check] Neg (node 0) stands before a node that it needs", self.errors)
        self.assertIn("[not-sorted]", self.errors)
        self.assertEqual(self.shapes()["y"], ["2"])
        self.cameo("infer", "m.onnx", "-o", "typed.onnx")
        onnx.checker.check_model(onnx.load("typed.onnx"))
        self.cameo("extract", "m.onnx", "--to", "i", "-o", "part.onnx")
        onnx.checker.check_model(onnx.load("part.onnx"))
        # The same model in order computes the same.
        made.graph.node.sort(key=lambda n: ["Relu", "Sqrt", "If", "Mul"].index(n.op_type))
        for branch in made.graph.node[2].attribute:
            branch.g.node.sort(key=lambda n: n.op_type)
        onnx.checker.check_model(made)
        onnx.save(made, "m.onnx")
        self.assertEqual(sorted(self.operators("--verify")), ["If", "Mul", "Relu", "Sqrt"])
        self.assertEqual(self.errors, "")

    def test_a_cycle_is_an_error(self):
        self.model([node("Add", ["x", "b"], ["a"]), node("Relu", ["a"], ["b"])], [tensor("x", 1, [2])],
                   [tensor("b", 1, [2])])
        self.assertIn("no node defines 'b' before it is used [undefined-value]",
                      self.cameo("simplify", "m.onnx", "-o", "s.onnx", code=1))


class InitializersThatAreInputs(Others):
    def convolution(self, ir):
        weight = np.random.rand(2, 3, 3, 3)
        self.model([node("Conv", ["x", "w"], ["c"]), node("Add", ["c", "b"], ["a"]), node("Relu", ["a"], ["y"])],
                   [tensor("x", 1, [1, 3, 8, 8]), tensor("w", 1, [2, 3, 3, 3]), tensor("b", 1, [2, 1, 1])],
                   [tensor("y", 1, [1, 2, 6, 6])], [constant("w", weight), constant("b", [[[1]], [[2]]])], opset=8, ir=ir)

    def test_inputs_have_the_types_of_changed_initializers(self):
        self.convolution(3)
        result = self.simplified("--verify")
        onnx.checker.check_model(result)
        self.assertEqual([n.op_type for n in result.graph.node], ["Conv", "Relu"])
        sizes = {t.name: list(t.dims) for t in result.graph.initializer}
        declared = {i.name: [d.dim_value for d in i.type.tensor_type.shape.dim] for i in result.graph.input}
        self.assertEqual(sizes, {name: declared[name] for name in sizes})
        self.assertEqual(declared["b"], [2])

    def test_folding_by_option_and_its_advice(self):
        self.convolution(8)
        self.assertEqual(self.operators(), ["Conv", "Add", "Relu"])
        self.assertIn("--fold-inputs would leave 2 nodes", self.told)
        report = json.loads(self.cameo("simplify", "m.onnx", "-o", "s.onnx", "--json"))
        self.assertEqual(report["nodes"], {"before": 3, "after": 3, "with_folded_inputs": 2})
        self.assertEqual(self.operators("--fold-inputs", "--verify"), ["Conv", "Relu"])
        self.assertNotIn("--fold-inputs", self.told)

    def test_inference(self):
        self.model([node("Reshape", ["x", "s"], ["y"])], [tensor("x", 1, [6]), tensor("s", 7, [2])],
                   [tensor("y", 1, None)], [constant("s", [2, 3], np.int64)])
        self.assertNotEqual(self.shapes()["y"], ["2", "3"])
        self.assertEqual(self.shapes("--fold-inputs")["y"], ["2", "3"])


class ForeignGraphs(Others):
    def search(self, then=()):
        """A node of another domain whose graph reads values around it."""
        body = helper.make_graph(
            [node("Identity", ["i"], ["j"]), node("Add", ["j", "outer"], ["k"]), node("Mul", ["k", "folded"], ["l"]),
             node("Add", ["l", "weight"], ["o"]), node("Neg", ["o"], ["unused"])],
            "decoder", [tensor("i", 1, [2])], [tensor("o", 1, [2])], [constant("own", [1, 2])])
        return [node("Identity", ["x"], ["outer"]), node("Add", ["weight", "weight"], ["folded"]),
                node("Search", ["x"], ["found"], domain="com.example", decoder=body), *then]

    def same_graph(self, made, result):
        before = next(n for n in made.graph.node if n.op_type == "Search")
        after = next(n for n in result.graph.node if n.op_type == "Search")
        self.assertEqual(before.attribute[0], after.attribute[0])

    def test_they_are_left_whole(self):
        made = self.model(self.search([node("Identity", ["found"], ["y"])]), [tensor("x", 1, [2])],
                          [tensor("y", 1, [2])], [constant("weight", [3, 4])], domains=["com.example"])
        result = self.simplified()
        self.same_graph(made, result)
        names = {o for n in result.graph.node for o in n.output} | {t.name for t in result.graph.initializer}
        self.assertLessEqual({"outer", "folded", "weight"}, names)
        self.assertEqual([o.name for o in result.graph.output], ["y"])
        self.assertEqual(sorted(n.op_type for n in result.graph.node), ["Identity", "Search"])

    def test_within_a_branch(self):
        yes = helper.make_graph(self.search(), "yes", [], [tensor("found", 1, [2])])
        no = helper.make_graph([node("Identity", ["weight"], ["w"]), node("Relu", ["w"], ["r"])], "no", [],
                               [tensor("r", 1, [2])])
        for initial in ([], [constant("c", True, bool)]):
            made = self.model([node("If", ["c"], ["y"], then_branch=yes, else_branch=no)],
                              [tensor("x", 1, [2])] + ([] if initial else [tensor("c", 9, [])]),
                              [tensor("y", 1, [2])], [constant("weight", [3, 4]), *initial], domains=["com.example"])
            result = self.simplified()
            self.assertEqual(list(result.graph.node), list(made.graph.node))
            self.assertEqual({t.name for t in result.graph.initializer}, {t.name for t in made.graph.initializer})

    def test_new_names_are_not_those_of_the_graph(self):
        body = helper.make_graph([node("Relu", ["x"], ["Shape_output"])], "b", [], [tensor("Shape_output", 1, None)])
        made = self.model([node("Search", ["x"], ["f"], domain="com.example", decoder=body),
                           node("Shape", ["f"], ["s"]), node("Identity", ["s"], ["y"])], [tensor("x", 1, [2])],
                          [tensor("y", 7, [1])], domains=["com.example"])
        result = self.simplified()
        self.same_graph(made, result)
        self.assertNotIn("Shape_output", [o for n in result.graph.node for o in n.output])


class BelowTheirOpset(Others):
    def test_they_stay_and_have_types(self):
        made = self.model([node("LayerNormalization", ["x", "s"], ["n"], axis=-1), node("Shape", ["n"], ["h"]),
                           node("Identity", ["n"], ["y"])],
                          [tensor("x", 1, ["batch", 4])], [tensor("y", 1, None), tensor("h", 7, [2])],
                          [constant("s", [1, 2, 3, 4])], opset=16)
        result = self.simplified("--verify")
        made.graph.node[0].output[0] = "y"
        self.assertEqual(result.graph.node[0], made.graph.node[0])
        self.assertEqual(sorted(n.op_type for n in result.graph.node), ["LayerNormalization", "Shape"])
        self.assertEqual(self.shapes()["y"], ["batch", "4"])

    def test_experimental_operators(self):
        for op, attributes in (("ImageScaler", {"scale": 2.0, "bias": [1.0]}), ("Affine", {"alpha": 2.0, "beta": 1.0}),
                               ("ParametricSoftplus", {"alpha": 1.0, "beta": 2.0}), ("ScaledTanh", {"alpha": 2.0})):
            made = self.model([node(op, ["x"], ["n"], **attributes), node("Identity", ["n"], ["y"])],
                              [tensor("x", 1, [1, 1, 2, 2])], [tensor("y", 1, None)], opset=8)
            result = self.simplified()
            made.graph.node[0].output[0] = "y"
            self.assertEqual(list(result.graph.node), [made.graph.node[0]])
            self.assertIn("y", self.shapes())


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1] + sys.argv[2:])
