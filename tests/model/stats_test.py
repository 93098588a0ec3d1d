"""stats_test.py CAMEO: `cameo stats`, its multiply-adds counted by hand."""
import json
import os
import pathlib
import subprocess
import sys
import unittest

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))
from folder_case import FolderCase  # noqa: E402

CAMEO = os.path.abspath(sys.argv[1])
ROOT = pathlib.Path(__file__).resolve().parents[2]
FLOAT, BOOL, INT64 = TensorProto.FLOAT, TensorProto.BOOL, TensorProto.INT64


def value(name, dims, kind=FLOAT):
    return helper.make_tensor_value_info(name, kind, dims)


def weight(name, *dims, dtype=np.float32):
    return numpy_helper.from_array(np.zeros(dims, dtype), name)


def model(nodes, inputs, outputs, weights, domains=(), **arguments):
    graph = helper.make_graph(nodes, "g", inputs, outputs, weights)
    imports = [helper.make_opsetid("", 17), *(helper.make_opsetid(domain, 1) for domain in domains)]
    return helper.make_model(graph, opset_imports=imports, ir_version=8, **arguments)


class Stats(FolderCase):
    def cameo(self, *arguments):
        done = subprocess.run([CAMEO, *map(str, arguments)], cwd=self.folder, capture_output=True, text=True)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return done.stdout

    def stats(self, of):
        onnx.save(of, str(self.folder / "m.onnx"))
        return json.loads(self.cameo("stats", "m.onnx", "--json"))

    def multiply_adds(self, node, inputs, weights=(), output=None):
        """Of one node; its result need not be typed."""
        stats = self.stats(model([node], inputs, [value(node.output[0], output) if output else onnx.ValueInfoProto(name=node.output[0])],
                                 list(weights)))
        self.assertEqual(stats["uncounted"], [])
        return {"*".join(term["sizes"]): term["factor"] for term in stats["multiply_adds"]}

    def test_text(self):
        self.cameo("export", ROOT / "examples/models/digits.pt", "--input", "image=f32[batch,1,28,28]", "-o", "digits.onnx")
        self.assertEqual(self.cameo("stats", "digits.onnx"), """\
digits.onnx  ONNX model

  parameters   1,418
  bytes        5.7 kB
  work         282,400*batch multiply-adds

Operators  9 nodes
  2 Conv   2 MaxPool   2 Relu   1 Gemm   1 LogSoftmax   1 ReduceMean

Parameters by type
  f32          1,418, 5.7 kB
""")

    def test_convolutions(self):
        x, w = value("x", ["n", 4, 10, 10]), weight("w", 6, 2, 3, 3)
        node = helper.make_node("Conv", ["x", "w"], ["y"], group=2)
        self.assertEqual(self.multiply_adds(node, [x], [w]), {"n": 6 * 8 * 8 * 2 * 9})
        w = weight("w", 4, 3, 2, 2)
        node = helper.make_node("ConvTranspose", ["x", "w"], ["y"], strides=[2, 2])
        self.assertEqual(self.multiply_adds(node, [x], [w]), {"n": 4 * 10 * 10 * 3 * 4})
        small = [weight("s", dtype=np.float32), weight("z", dtype=np.uint8)]
        node = helper.make_node("QLinearConv", ["x", "s", "z", "w", "s", "z", "s", "z"], ["y"])
        w = weight("w", 6, 4, 3, 3, dtype=np.uint8)
        self.assertEqual(self.multiply_adds(node, [value("x", [1, 4, 10, 10], TensorProto.UINT8)], [w, *small]), {"": 6 * 64 * 36})

    def test_matrices(self):
        node = helper.make_node("MatMul", ["x", "w"], ["y"])
        self.assertEqual(self.multiply_adds(node, [value("x", ["b", "t", 5])], [weight("w", 5, 7)]), {"b*t": 35})
        node = helper.make_node("MatMul", ["x", "z"], ["y"])
        self.assertEqual(self.multiply_adds(node, [value("x", ["t", "k"]), value("z", ["k", "t"])]), {"k*t*t": 1})
        node = helper.make_node("Gemm", ["x", "w"], ["y"], transA=1)
        self.assertEqual(self.multiply_adds(node, [value("x", [5, 3])], [weight("w", 5, 7)]), {"": 105})
        node = helper.make_node("Einsum", ["x", "z"], ["y"], equation="bij, bjk -> bik")
        inputs = [value("x", ["n", 3, 4]), value("z", ["n", 4, 5])]
        self.assertEqual(self.multiply_adds(node, inputs, output=["n", 3, 5]), {"n": 60})

    def test_recurrent(self):
        for op, gates in (("LSTM", 4), ("GRU", 3), ("RNN", 1)):
            node = helper.make_node(op, ["x", "w", "r"], ["y"], hidden_size=8)
            weights = [weight("w", 1, gates * 8, 5), weight("r", 1, gates * 8, 8)]
            self.assertEqual(self.multiply_adds(node, [value("x", ["t", "n", 5])], weights), {"n*t": gates * 8 * (5 + 8)})

    def test_what_is_not_counted(self):
        inner = helper.make_graph([helper.make_node("MatMul", ["x", "x"], ["m"])], "b", [], [value("m", [3, 3])])
        nodes = [helper.make_node("If", ["c"], ["y"], then_branch=inner, else_branch=inner),
                 helper.make_node("MatMul", ["u", "u"], ["v"]), helper.make_node("Magic", ["y"], ["z"], domain="own")]
        stats = self.stats(model(nodes, [value("x", [3, 3]), value("c", [], BOOL), value("u", None)],
                                 [value("z", None), value("v", None)], [], ["own"]))
        self.assertEqual(stats["multiply_adds"], [])
        self.assertEqual(stats["uncounted"], [
            {"operator": "MatMul", "nodes": 2, "why": "in a subgraph, which may run any number of times"},
            {"operator": "MatMul", "nodes": 1, "why": "sizes that are not known"},
            {"operator": "own.Magic", "nodes": 1, "why": "of another domain"}])
        self.assertEqual((stats["nodes"], stats["operators"]), (5, {"MatMul": 3, "If": 1, "own.Magic": 1}))
        self.assertTrue(self.cameo("stats", "m.onnx").endswith("""\
Not counted  multiply-adds of these
  2 MatMul: in a subgraph, which may run any number of times
  1 MatMul: sizes that are not known
  1 own.Magic: of another domain
"""))

    def test_weights(self):
        constant = helper.make_node("Constant", [], ["k"], value=weight("", 5, dtype=np.int64))
        names = helper.make_tensor("names", TensorProto.STRING, [2], [b"one", b"three"])
        stats = self.stats(model([constant, helper.make_node("Identity", ["k"], ["y"])], [], [value("y", [5], INT64)],
                                 [weight("a", 10, 10), weight("h", 3, dtype=np.float16), names]))
        self.assertEqual(stats["weights"], {"f32": {"elements": 100, "bytes": 400}, "i64": {"elements": 5, "bytes": 40},
                                            "string": {"elements": 2, "bytes": 8}, "f16": {"elements": 3, "bytes": 6}})
        self.assertEqual((stats["parameters"], stats["bytes"]), (110, 454))

    def test_dimensions_that_cannot_be(self):
        tensor = TensorProto(name="w", data_type=FLOAT, dims=[1 << 40, 1 << 40])
        stats = self.stats(model([helper.make_node("MatMul", ["x", "w"], ["y"])], [value("x", [1, 1 << 40])], [value("y", None)], [tensor]))
        self.assertEqual(stats["parameters"], (1 << 64) - 1)
        self.assertEqual([each["operator"] for each in stats["uncounted"]], ["MatMul"])


unittest.main(argv=sys.argv[:1])
