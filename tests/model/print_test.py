"""print_test.py CAMEO: `cameo print` and `cameo io` on ONNX files, held against the onnx package."""
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

CAMEO = os.path.abspath(sys.argv[1])
ROOT = pathlib.Path(__file__).resolve().parents[2]
TESTDATA = pathlib.Path("/usr/share/libonnx-testdata")


def value(name, dims, kind=TensorProto.FLOAT):
    return helper.make_tensor_value_info(name, kind, dims)


def odd_model():
    """Every kind of attribute, names that need escapes, subgraphs, inputs with and without defaults."""
    branch = helper.make_graph([helper.make_node("Identity", ["a"], ["b"])], "branch", [], [value("b", None)])
    nodes = [
        helper.make_node("Odd", ["a", "", "w"], ["c", "d"], domain="odd", f=0.1, i=-3, s="it's", fs=[1.0, 1e-5, 1e20, float("inf")],
                         ints=[1, 2], texts=["x", 'y"\n\\'], long="ä" * 70, t=numpy_helper.from_array(np.ones((2, 2), np.float32)),
                         raw=numpy_helper.from_array(np.float32(3)),
                         scalar=helper.make_tensor("s", TensorProto.FLOAT, [], [0.1]),
                         whole=helper.make_tensor("s", TensorProto.INT64, [], [-7])),
        helper.make_node("If", ["d"], ["e"], then_branch=branch, else_branch=branch),
        helper.make_node("Sink", ["e"], []),
    ]
    weights = [numpy_helper.from_array(np.zeros((2, 3), np.int8), "w"), numpy_helper.from_array(np.float64(1), "k")]
    inputs = [value("a", ["n", 3]), value("w", [2, 3], TensorProto.INT8), value("q", [])]
    graph = helper.make_graph(nodes, "odd graph", inputs, [value("e", [1])], weights)
    return helper.make_model(graph)


def run(*args):
    return subprocess.run([CAMEO, *map(str, args)], capture_output=True)


class Print(unittest.TestCase):
    def agree(self, path):
        done = run("print", path)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(done.stdout.decode(), helper.printable_graph(onnx.load(str(path), load_external_data=False).graph) + "\n", path)

    def test_everything_odd(self):
        with tempfile.TemporaryDirectory() as scratch:
            path = os.path.join(scratch, "odd.onnx")
            onnx.save(odd_model(), path)
            self.agree(path)

    def test_our_export(self):
        with tempfile.TemporaryDirectory() as scratch:
            path = os.path.join(scratch, "digits.onnx")
            done = run("export", ROOT / "examples/models/digits.pt", "--input", "image=f32[batch,1,28,28]", "-o", path)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.agree(path)
            text = run("io", path).stdout.decode()
            self.assertEqual(text, "input 0: 'image' f32[batch, 1, 28, 28]\noutput 0: 'output' f32[batch, 10]\n")

    def test_models_of_the_onnx_project(self):
        files = sorted(TESTDATA.rglob("model.onnx"))
        self.assertGreater(len(files), 1000, f"{TESTDATA}: install libonnx-testdata")
        for path in files[::40]:
            with self.subTest(path=path):
                self.agree(path)

    def test_io_of_other_types(self):
        sequence = helper.make_tensor_sequence_value_info("xs", TensorProto.INT64, ["n"])
        graph = helper.make_graph([helper.make_node("SequenceLength", ["xs"], ["n"])], "g", [sequence, value("unused", None)],
                                  [value("n", [], TensorProto.INT64)])
        with tempfile.TemporaryDirectory() as scratch:
            path = os.path.join(scratch, "s.onnx")
            onnx.save(helper.make_model(graph), path)
            self.assertEqual(run("io", path).stdout.decode(),
                             "input 0: 'xs' sequence of i64[n]\ninput 1: 'unused' f32[…]\noutput 0: 'n' i64[]\n")
            self.assertEqual(json.loads(run("io", path, "--json").stdout)["inputs"],
                             [{"name": "xs", "type": "sequence of i64", "shape": ["n"]}, {"name": "unused", "type": "f32", "shape": None}])

    def test_no_onnx_file(self):
        for command in ("print", "io"):
            done = run(command, __file__)
            self.assertEqual(done.returncode, 1)
            self.assertIn(b"error: [read]", done.stderr)


unittest.main(argv=sys.argv[:1])
