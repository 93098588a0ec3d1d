#!/usr/bin/python3
"""usage: command_test.py CAMEO

`cameo simplify` as a user meets it, on models made by hand.
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


class Simplify(FolderCase):
    def model(self, nodes, inputs, outputs, initializers=(), opset=13, ir=8, **graph):
        graph = helper.make_graph(nodes, "g", inputs, outputs, list(initializers), **graph)
        made = helper.make_model(graph, opset_imports=[helper.make_opsetid("", opset)], ir_version=ir,
                                 producer_name="hand", doc_string="about it")
        helper.set_model_props(made, {"key": "value"})
        onnx.save(made, "m.onnx")
        return made

    def cameo(self, *args, code=0):
        done = subprocess.run([CAMEO, *args], capture_output=True, text=True)
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        return done.stdout if code == 0 else done.stderr

    def simplified(self, *args):
        told = self.cameo("simplify", "m.onnx", "-o", "s.onnx", "--verify=2", *args)
        result = onnx.load("s.onnx")
        onnx.checker.check_model(result)
        self.told = told
        return result

    def operators(self, *args):
        return [n.op_type for n in self.simplified(*args).graph.node]

    def test_convolution_and_batch_norm(self):
        statistics = [constant(n, a) for n, a in zip("abcd", ([1, 2], [3, 4], [.5, .1], [1, 2]))]
        self.model([node("Conv", ["x", "w"], ["v"], name="conv", doc_string="kept"),
                    node("BatchNormalization", ["v", *"abcd"], ["n"]), node("Identity", ["n"], ["i"]),
                    node("Relu", ["i"], ["y"])],
                   [tensor("x", 1, ["n", 3, 8, 8])], [tensor("y", 1, ["n", 2, 6, 6])],
                   [constant("w", np.random.rand(2, 3, 3, 3)), *statistics])
        result = self.simplified()
        self.assertEqual([n.op_type for n in result.graph.node], ["Conv", "Relu"])
        self.assertEqual((result.graph.node[0].name, result.graph.node[0].doc_string), ("conv", "kept"))
        self.assertEqual({t.name for t in result.graph.initializer} & set("abcd"), set())
        self.assertEqual((result.producer_name, result.doc_string, result.metadata_props[0].value),
                         ("hand", "about it", "value"))
        self.assertIn("BatchNormalization       1      0\n", self.told)
        self.assertIn("total                    4      2\n", self.told)
        self.assertIn("compared on 2 inputs", self.told)

    def test_initializers_that_are_no_inputs(self):  # https://github.com/onnx/onnx/issues/2198
        self.model([node("Add", ["a", "b"], ["y"])], [tensor("a", 1, [2])], [tensor("y", 1, [2])],
                   [constant("b", [1, 2])])
        self.assertEqual(self.operators(), ["Add"])

    def test_inputs_of_types_that_do_not_fit(self):
        for op, given in (("Expand", [2.5]), ("ReduceSum", [0.0]), ("Add", np.float64([1, 2]))):
            self.model([node(op, ["a", "b"], ["y"])], [], [tensor("y", 1, None)],
                       [constant("a", [1, 2]), numpy_helper.from_array(np.asarray(given, None if op == "Add" else np.float32), "b")])
            self.cameo("simplify", "m.onnx", "-o", "s.onnx")
            self.assertEqual([n.op_type for n in onnx.load("s.onnx").graph.node], [op])

    def test_a_scan_with_more_states_than_results(self):
        body = helper.make_graph([node("Add", ["s", "e"], ["u"])], "body", [tensor(name, 1, [4]) for name in "ste"], [tensor("u", 1, [4])])
        self.model([node("Scan", ["x", "x", "x"], ["y"], num_scan_inputs=1, body=body)], [tensor("x", 1, [2, 4])], [tensor("y", 1, None)])
        self.cameo("simplify", "m.onnx", "-o", "s.onnx")
        self.assertEqual([n.op_type for n in onnx.load("s.onnx").graph.node], ["Scan"])

    def test_sizes(self):
        self.model([node("Shape", ["x"], ["s"]), node("Gather", ["s", "zero"], ["n"]),
                    node("Unsqueeze", ["n", "axis"], ["u"]), node("Concat", ["u", "rest"], ["t"], axis=0),
                    node("Reshape", ["x", "t"], ["r"]), node("Relu", ["r"], ["y"])],
                   [tensor("x", 1, ["batch", 3, 4])], [tensor("y", 1, ["batch", 12])],
                   [constant("zero", 0, np.int64), constant("axis", [0], np.int64), constant("rest", [-1], np.int64)])
        result = self.simplified()
        self.assertEqual([n.op_type for n in result.graph.node], ["Reshape", "Relu"])
        self.assertEqual(len(result.graph.initializer), 1)

    def test_one_rule_at_a_time(self):
        self.model([node("Identity", ["x"], ["a"]), node("Relu", ["a"], ["b"]), node("Relu", ["b"], ["c"]),
                    node("Neg", ["c"], ["y"]), node("Neg", ["c"], ["unused"])],
                   [tensor("x", 1, [2])], [tensor("y", 1, [2])])
        self.assertEqual(self.operators(), ["Relu", "Neg"])
        self.assertEqual(self.operators("--only", "remove-identity"), ["Relu", "Relu", "Neg", "Neg"])
        self.assertEqual(self.operators("--only", "remove-dead"), ["Identity", "Relu", "Relu", "Neg"])
        self.assertEqual(self.operators("--no-rule", "remove-repeated"), ["Relu", "Relu", "Neg"])
        counts = [len(self.operators("--stop-after", str(n))) for n in range(5)]
        self.assertEqual((counts[0], counts[-1]), (5, 2))
        self.assertEqual(counts, sorted(counts, reverse=True))
        rules = json.loads(self.cameo("simplify", "m.onnx", "-o", "s.onnx", "--json"))["rules"]
        self.assertEqual(rules["remove-identity"], 1)
        self.assertIn("no rule 'remove-dad', did you mean 'remove-dead'",
                      self.cameo("simplify", "m.onnx", "-o", "s.onnx", "--only", "remove-dad", code=2))
        for rule in ("fold-constants", "share-nodes", "merge-gemm", "remove-monotone"):
            self.assertIn(rule, self.cameo("simplify", "--list"))

    def test_nothing_but_the_form_changes(self):
        made = self.model([node("Constant", [], ["k"], value=constant("", [1, 2])), node("Add", ["x", "k"], ["a"]),
                           node("Mul", ["k", "k"], ["kk"]), node("Add", ["a", "kk"], ["y"], name="last"),
                           node("Identity", ["y"], ["z"])],
                          [tensor("x", 1, [2])], [tensor("z", 1, [2])])
        result = self.simplified("--stop-after", "0")
        self.assertEqual(list(result.graph.node), list(made.graph.node)[1:])
        self.assertEqual(numpy_helper.to_array(result.graph.initializer[0]).tolist(), [1, 2])

    def test_names_of_outputs(self):
        self.model([node("Relu", ["x"], ["a"]), node("Relu", ["x"], ["b"]), node("Identity", ["x"], ["c"]),
                    node("Add", ["k", "k"], ["d"]), node("Shape", ["x"], ["e"])],
                   [tensor("x", 1, ["n", 2])],
                   [*(tensor(n, 1, ["n", 2]) for n in "abc"), tensor("d", 1, [2]), tensor("e", 7, [2])],
                   [constant("k", [1, 2])])
        result = self.simplified()
        self.assertEqual([o.name for o in result.graph.output], list("abcde"))
        self.assertEqual(sorted(n.op_type for n in result.graph.node), ["Identity"] * 2 + ["Relu", "Shape"])

    def test_defaults_can_be_overridden(self):
        values = [tensor("x", 1, [2]), tensor("k", 1, [2])]
        self.model([node("Mul", ["k", "k"], ["kk"]), node("Add", ["x", "kk"], ["y"])], values,
                   [tensor("y", 1, [2])], [constant("k", [2, 3])])
        self.assertEqual(self.operators(), ["Mul", "Add"])
        result = self.simplified("--fold-inputs")
        self.assertEqual([n.op_type for n in result.graph.node], ["Add"])
        self.assertEqual([i.name for i in result.graph.input], ["x"])

    def test_where_every_initializer_is_an_input(self):
        values = [tensor("x", 1, [2]), tensor("k", 1, [2]), tensor("unused", 1, [2])]
        self.model([node("Mul", ["k", "k"], ["kk"]), node("Add", ["x", "kk"], ["a"]), node("Add", ["a", "k"], ["y"])],
                   values, [tensor("y", 1, [2])], [constant("k", [2, 3]), constant("unused", [1, 2])], opset=8, ir=3)
        result = self.simplified()
        self.assertEqual([n.op_type for n in result.graph.node], ["Constant", "Add", "Add"])
        self.assertEqual([i.name for i in result.graph.input], ["x", "k"])

    def test_integers_where_a_constant_is_of_floats(self):
        self.model([node("Shape", ["x"], ["s"]), node("Reshape", ["k", "s"], ["r"]), node("Mul", ["r", "x"], ["y"])],
                   [tensor("x", 1, [2, 2]), tensor("k", 1, [4])], [tensor("y", 1, [2, 2])], opset=8, ir=3)
        result = self.simplified()
        self.assertEqual([n.op_type for n in result.graph.node], ["Reshape", "Mul"])
        self.assertEqual([(i.name, i.type.tensor_type.elem_type) for i in result.graph.input],
                         [("x", 1), ("k", 1), ("s", TensorProto.INT64)])

    def test_quantized_layers_keep_their_form(self):
        scale, zero = constant("s", .5), constant("z", 3, np.uint8)
        nodes = [node("QuantizeLinear", ["x", "s", "z"], ["q"]), node("DequantizeLinear", ["q", "s", "z"], ["d"]),
                 node("DequantizeLinear", ["q", "s", "z"], ["e"]), node("DequantizeLinear", ["w", "s", "z"], ["v"]),
                 node("MatMul", ["d", "v"], ["m"]), node("Add", ["m", "b"], ["a"]), node("Add", ["a", "e"], ["f"]),
                 node("QuantizeLinear", ["f", "s", "z"], ["g"]), node("DequantizeLinear", ["g", "s", "z"], ["y"])]
        made = self.model(nodes, [tensor("x", 1, [2, 2])], [tensor("y", 1, [2, 2])],
                          [scale, zero, constant("w", [[1, 2], [3, 4]], np.uint8), constant("b", [1, 2])])
        self.assertEqual(list(self.simplified().graph.node), list(made.graph.node))

    def test_random_numbers_are_drawn_as_often(self):
        self.model([node("RandomNormal", [], [n], shape=[2], seed=1.0) for n in "ab"]
                   + [node("Sub", ["a", "b"], ["y"])], [], [tensor("y", 1, [2])])
        self.cameo("simplify", "m.onnx", "-o", "s.onnx")
        self.assertEqual([n.op_type for n in onnx.load("s.onnx").graph.node], ["RandomNormal", "RandomNormal", "Sub"])

    def test_large_results_stay_nodes(self):
        self.model([node("ConstantOfShape", ["n"], ["c"]), node("Add", ["x", "c"], ["y"])],
                   [tensor("x", 1, [1])], [tensor("y", 1, [100000])], [constant("n", [100000], np.int64)])
        self.assertEqual(self.operators(), ["ConstantOfShape", "Add"])

    def test_a_tied_weight_is_there_once(self):
        weight = constant("w", np.random.rand(200, 100))
        nodes = [node("Gather", ["w", "i"], ["e"]), node("Transpose", ["w"], ["t"]), node("MatMul", ["e", "t"], ["y"])]
        self.model(nodes, [tensor("i", 7, [3])], [tensor("y", 1, [3, 200])], [weight])
        self.assertEqual(self.operators(), ["Gather", "Transpose", "MatMul"])
        self.model(nodes[1:], [tensor("e", 1, [3, 100])], [tensor("y", 1, [3, 200])], [weight])
        self.assertEqual(self.operators(), ["MatMul"])

    def test_branches(self):
        def branch(op, name):
            return helper.make_graph([node("Mul", ["k", "k"], ["t"]), node(op, ["x", "t"], ["r"])], name, [],
                                     [tensor("r", 1, [2])], [constant("k", [2, 3])])
        nodes = [node("If", [c], [y], then_branch=branch("Add", "yes"), else_branch=branch("Sub", "no"))
                 for c, y in (("known", "a"), ("asked", "b"))]
        self.model([*nodes, node("Add", ["a", "b"], ["y"])], [tensor("x", 1, [2]), tensor("asked", 9, [])],
                   [tensor("y", 1, [2])], [constant("known", True, bool)])
        result = self.simplified()
        self.assertEqual([n.op_type for n in result.graph.node], ["Add", "If", "Add"])
        inside = {a.name: [n.op_type for n in a.g.node] for a in result.graph.node[1].attribute}
        self.assertEqual(inside, {"then_branch": ["Identity"], "else_branch": ["Sub"]})  # the sum is there already

    def test_loops(self):
        body = helper.make_graph(
            [node("Identity", ["go"], ["on"]), node("Identity", ["c"], ["copy"]), node("Mul", ["two", "two"], ["four"]),
             node("Add", ["copy", "four"], ["next"]), node("Neg", ["next"], ["each"])], "body",
            [tensor("i", 7, []), tensor("go", 9, []), tensor("c", 1, [2])],
            [tensor("on", 9, []), tensor("next", 1, [2]), tensor("each", 1, [2])], [constant("two", 2)])
        self.model([node("Loop", ["n", "", "x"], ["last", "all"], body=body)], [tensor("x", 1, [2]), tensor("n", 7, [])],
                   [tensor("last", 1, [2]), tensor("all", 1, ["n", 2])])
        inner = self.simplified().graph.node[0].attribute[0].g
        self.assertEqual([n.op_type for n in inner.node], ["Identity", "Add", "Neg"])

    def test_other_domains_stay(self):
        made = self.model([node("Foo", ["x", "", "k"], ["a", "", "b"], domain="my", strange=helper.make_tensor(
            "t", TensorProto.STRING, [1], [b"text"])), node("Identity", ["b"], ["y"])],
            [tensor("x", 1, [2])], [tensor("y", 1, [2])], [constant("k", [1, 2])])
        made.opset_import.append(helper.make_opsetid("my", 1))
        onnx.save(made, "m.onnx")
        self.cameo("simplify", "m.onnx", "-o", "s.onnx")
        result = onnx.load("s.onnx")
        made.graph.node[0].output[2] = "y"
        self.assertEqual(list(result.graph.node), [made.graph.node[0]])

    def test_fixed_sizes(self):
        self.model([node("Shape", ["x"], ["s"]), node("ConstantOfShape", ["s"], ["z"]), node("Add", ["x", "z"], ["y"])],
                   [tensor("x", 1, ["n", "m"])], [tensor("y", 1, ["n", "m"])])
        self.assertEqual(self.operators(), ["Shape", "ConstantOfShape", "Add"])
        result = self.simplified("--input", "x=2,3", "--no-rule", "remove-neutral")
        self.assertEqual([n.op_type for n in result.graph.node], ["Add"])
        self.assertEqual([d.dim_value for d in result.graph.input[0].type.tensor_type.shape.dim], [2, 3])
        self.assertIn("has no input 'z' [no-such-input]",
                      self.cameo("simplify", "m.onnx", "-o", "s.onnx", "--input", "z=2,3", code=1))
        self.assertIn("cannot have the shape [2] [shape-contradicts]",
                      self.cameo("simplify", "m.onnx", "-o", "s.onnx", "--input", "x=2", code=1))

    def refused(self, code, *arguments):
        self.assertIn(f"[{code}]", self.cameo("simplify", "m.onnx", "-o", "s.onnx", *arguments, code=1))

    def test_broken_files(self):
        x, y = [tensor("x", 1, [2])], [tensor("y", 1, [2])]
        self.model([node("Add", ["x", "nobody"], ["y"])], x, y)
        self.refused("undefined-value")
        self.model([node("Add", ["x"], ["y"])], x, y)
        self.refused("broken-node")
        branch = helper.make_graph([], "branch", [], [])
        self.model([node("If", ["c"], ["y"], then_branch=branch, else_branch=branch)], [*x, tensor("c", 9, [])], y)
        self.refused("broken-control-flow")
        made = self.model([node("Add", ["x", "w"], ["y"])], [tensor("x", 7, [2])], [tensor("y", 7, [2])],
                          [helper.make_tensor("w", TensorProto.INT64, [2], [1, 2])])
        initializer = made.graph.initializer[0].SerializeToString()
        number = b"\xff" * 11 + b"\x01"  # too long for 64 bits
        broken = initializer.replace(b"\x3a\x02\x01\x02", b"\x3a\x0d\x01" + number)
        data = made.SerializeToString()
        graph = made.graph.SerializeToString()
        longer = graph.replace(bytes([len(initializer)]) + initializer, bytes([len(broken)]) + broken)
        with open("m.onnx", "wb") as file:
            file.write(data.replace(bytes([len(graph)]) + graph, bytes([len(longer)]) + longer))
        self.refused("damaged-onnx")
        made = self.model([node("Identity", ["x"], ["y"])], x, y)
        made.training_info.add()
        onnx.save(made, "m.onnx")
        self.refused("holds-training")

    def test_inputs_that_are_no_tensors(self):
        sequence = helper.make_tensor_sequence_value_info("x", 1, None)
        self.model([node("SequenceLength", ["x"], ["y"])], [sequence], [tensor("y", 7, [])])
        self.refused("no-tensor", "--input", "x=2")

    def test_explain(self):
        statistics = [constant(n, a) for n, a in zip("abcd", ([1, 2], [3, 4], [.5, .1], [1, 2]))]
        self.model([node("Conv", ["x", "w"], ["v"], name="conv"),
                    node("BatchNormalization", ["v", *"abcd"], ["n"], name="norm"), node("Relu", ["v"], ["r"], name="relu"),
                    node("Identity", ["n"], ["i"], name="copy"), node("Add", ["i", "r"], ["y"])],
                   [tensor("x", 1, ["n", 3, 8, 8])], [tensor("y", 1, ["n", 2, 6, 6])],
                   [constant("w", np.random.rand(2, 3, 3, 3)), *statistics])
        explain = ("simplify", "m.onnx", "--explain")
        self.assertEqual(self.cameo(*explain, "norm"),
                         "BatchNormalization 'norm'\n"
                         "  fold-batch-norm            another node reads the result of the convolution\n"
                         "  fold-batch-norm-linear     another node reads its input\n"
                         "  fold-batch-norm-quantized  its input is not the result of a convolution with quantised weights\n")
        self.assertEqual(self.cameo(*explain, "n"), self.cameo(*explain, "norm").replace("'norm'", "'n'"))
        self.assertEqual(self.cameo(*explain, "relu"), "Relu 'relu'\n  remove-repeated  its input is not the result of the same operator\n")
        self.assertEqual(self.cameo(*explain, "copy"), "Identity 'copy'\n  remove-identity  applied\n")
        self.assertEqual(self.cameo(*explain, "conv"), "Conv 'conv'\n  merge-pad  its input is not the result of a Pad\n")
        rules = json.loads(self.cameo(*explain, "norm", "--json"))["explained"]["rules"]
        self.assertEqual(rules["fold-batch-norm"], "another node reads the result of the convolution")
        self.assertEqual(os.listdir(), ["m.onnx"])
        told = self.cameo(*explain, "nrom", code=1)
        self.assertIn("the model has no node and no node output 'nrom' [no-such-node]\n  hint: did you mean 'norm'?", told)
        self.assertIn("--output is required", self.cameo("simplify", "m.onnx", code=2))

    def test_weights_beside_the_model(self):
        made = self.model([node("Add", ["x", "w"], ["a"]), node("Identity", ["a"], ["y"])], [tensor("x", 1, [2000])],
                          [tensor("y", 1, [2000])], [constant("w", np.arange(2000))])
        onnx.save(made, "m.onnx", save_as_external_data=True, location="m.data", size_threshold=0)
        result = self.simplified()
        self.assertEqual([n.op_type for n in result.graph.node], ["Add"])
        self.assertEqual(numpy_helper.to_array(result.graph.initializer[0])[1999], 1999)
        self.assertLess(os.path.getsize("s.onnx"), 4000)

    def test_what_differs_is_not_written(self):
        # ONNX Runtime draws other numbers for a node at another place.
        self.model([node("Identity", ["x"], ["i"]), node("RandomNormal", [], ["r"], shape=[2]),
                    node("Add", ["i", "r"], ["y"])], [tensor("x", 1, [2])], [tensor("y", 1, [2])])
        told = self.cameo("simplify", "m.onnx", "-o", "s.onnx", "--verify", code=1)
        self.assertIn("the simplified model computes other results than the original [simplified-differs]", told)
        self.assertEqual(os.listdir(), ["m.onnx"])


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1] + sys.argv[2:])
