"""diff_test.py CAMEO: `cameo diff` on pairs of models."""
import json
import os
import pathlib
import subprocess
import sys
import unittest

import numpy as np
import onnx
import torch
from onnx import TensorProto, helper, numpy_helper

for folder in ("models", "support"):
    sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", folder))
from folder_case import FolderCase  # noqa: E402
from networks import Repeated  # noqa: E402

CAMEO = os.path.abspath(sys.argv[1])
FLOAT, INT64, BOOL = TensorProto.FLOAT, TensorProto.INT64, TensorProto.BOOL


def value(name, dims=("n", 2), kind=FLOAT):
    return helper.make_tensor_value_info(name, kind, dims)


def base(prefix="", weight=(1, 2), alpha=0.5, between="Relu", opset=17, name="w"):
    nodes = [helper.make_node("Mul", ["x", name], [prefix + "a"], name="/scale"),
             helper.make_node(between, [prefix + "a"], [prefix + "b"]),
             helper.make_node("LeakyRelu", [prefix + "b"], [prefix + "c"], name="/leaky", alpha=alpha),
             helper.make_node("Add", [prefix + "c", prefix + "a"], ["y"], name="/add")]
    graph = helper.make_graph(nodes, "g", [value("x")], [value("y")], [numpy_helper.from_array(np.float32(weight), name)])
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", opset)], ir_version=8)


def branches(op="Neg", seen="x"):
    def branch(name, inner):
        return helper.make_graph([helper.make_node(inner, [seen], [name])], name, [], [value(name)])
    node = helper.make_node("If", ["flag"], ["y"], name="choose", then_branch=branch("yes", "Relu"), else_branch=branch("no", op))
    graph = helper.make_graph([node], "g", [value("x"), value("z"), value("flag", [], BOOL)], [value("y")])
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)


def function(op="Neg"):
    body = helper.make_function("own", "F", ["a"], ["b"], [helper.make_node(op, ["a"], ["b"])], [helper.make_opsetid("", 17)])
    graph = helper.make_graph([helper.make_node("F", ["x"], ["y"], domain="own")], "g", [value("x")], [value("y")])
    return helper.make_model(graph, functions=[body], ir_version=8,
                             opset_imports=[helper.make_opsetid("", 17), helper.make_opsetid("own", 1)])


class Diff(FolderCase):
    def diff(self, a, b, *arguments):
        for name, model in (("a.onnx", a), ("b.onnx", b)):
            onnx.save(model, str(self.folder / name))
        done = subprocess.run([CAMEO, "diff", "a.onnx", "b.onnx", *arguments], cwd=self.folder, capture_output=True, text=True)
        self.assertEqual(done.stderr, "")
        self.assertIn(done.returncode, (0, 1))
        equal = '"equal": true' in done.stdout if "--json" in arguments else "differ" not in done.stdout.splitlines()[0]
        self.assertEqual(done.returncode == 0, equal)
        return done.stdout

    def same(self, a, b, *arguments):
        text = "have the same structure" if arguments else "are equal"
        self.assertEqual(self.diff(a, b, *arguments), f"a.onnx and b.onnx {text}\n")

    def test_equal(self):
        other = base()
        other.producer_name, other.doc_string = "someone", "else"
        other.graph.node[0].name = "another"
        other.graph.value_info.append(value("a"))
        tensor = other.graph.initializer[0]
        tensor.CopyFrom(helper.make_tensor("w", FLOAT, [2], [1.0, 2.0]))  # not in raw_data
        self.same(base(), other)
        self.same(base(), other, "--structure")

    def test_weights(self):
        self.assertEqual(self.diff(base(), base(weight=(1, 2.5))), """\
a.onnx and b.onnx differ: 1 weight changed
  ~ weight 'w': 1 of 2 elements differ, by at most 0.5, relatively 0.2
""")
        self.assertEqual(self.diff(base(), base(weight=(1, 2, 3))), """\
a.onnx and b.onnx differ: 1 weight changed
  ~ weight 'w': f32[2] -> f32[3]
""")
        self.same(base(), base(weight=(1, 2.5)), "--structure")
        self.assertEqual(self.diff(base(), base(weight=(1, 2, 3)), "--structure"), """\
a.onnx and b.onnx differ in structure: 1 value changed
  ~ value input 1 of Mul '/scale': a constant, f32[2] -> a constant, f32[3]
""")

    def test_numbers_of_all_types(self):
        for dtype, one, other, text in [(np.float16, 1, 2, "1, relatively 0.5"), (np.int8, -3, 3, "6, relatively 2"),
                                        (np.float64, 1, 1 + 1e-9, "1e-09, relatively 1e-09"), (np.bool_, 0, 1, "1, relatively 1"),
                                        (np.uint64, 0, 1 << 63, "9.22e+18, relatively 1"), (np.float32, 0, np.nan, "inf, relatively inf")]:
            a, b = base(), base()
            for model, number in ((a, one), (b, other)):
                model.graph.initializer.append(numpy_helper.from_array(np.array([7, number], dtype), "k"))
            self.assertEqual(self.diff(a, b), "a.onnx and b.onnx differ: 1 weight changed\n"
                             f"  ~ weight 'k': 1 of 2 elements differ, by at most {text}\n")
        a, b = base(), base()
        for model, text in ((a, b"yes"), (b, b"no")):
            model.graph.initializer.append(helper.make_tensor("k", TensorProto.STRING, [1], [text]))
        self.assertEqual(self.diff(a, b), "a.onnx and b.onnx differ: 1 weight changed\n  ~ weight 'k': the elements differ\n")

    def test_nodes(self):
        self.assertEqual(self.diff(base(), base(alpha=0.25)), """\
a.onnx and b.onnx differ: 1 node changed
  ~ node LeakyRelu '/leaky': alpha 0.5 -> 0.25
""")
        self.assertEqual(self.diff(base(), base(between="Sigmoid")), """\
a.onnx and b.onnx differ: 1 node changed
  ~ node Relu of 'b': Relu -> Sigmoid
""")
        for arguments in ((), ("--structure",)):
            text = self.diff(base(), base(between="Sigmoid", alpha=0.1), *arguments)
            self.assertIn("alpha 0.5 -> 0.1", text)
            self.assertIn("Relu -> Sigmoid", text)

    def test_a_node_more(self):
        other = base()
        other.graph.node[3].input[0] = "d"
        other.graph.node.insert(3, helper.make_node("Tanh", ["c"], ["d"]))
        self.assertEqual(self.diff(base(), other), """\
a.onnx and b.onnx differ: 1 node changed, 1 node added
  ~ node Add '/add': input 0 'c' -> 'd'
  + node Tanh of 'd'
""")
        self.assertEqual(self.diff(other, base()), """\
a.onnx and b.onnx differ: 1 node removed, 1 node changed
  - node Tanh of 'd'
  ~ node Add '/add': input 0 'd' -> 'c'
""")

    def test_other_names(self):
        self.assertEqual(self.diff(base(), base("other_", name="weight")), """\
a.onnx and b.onnx differ: 1 weight renamed, 3 values renamed
  = weight 'w' -> 'weight'
  = value 'a' -> 'other_a'
  = value 'b' -> 'other_b'
  = value 'c' -> 'other_c'
""")
        self.same(base(), base("other_", name="weight"), "--structure")
        self.assertIn("alpha 0.5 -> 1", self.diff(base(), base("other_", alpha=1.0)))

    def test_interface_and_opsets(self):
        other = base(opset=13)
        other.graph.input[0].CopyFrom(value("x", (1, 2)))
        other.graph.input.append(value("more", (), INT64))
        self.assertEqual(self.diff(base(), other), """\
a.onnx and b.onnx differ: 1 opset changed, 1 input changed, 1 input added
  ~ opset ai.onnx: 17 -> 13
  ~ input 'x': f32[n, 2] -> f32[1, 2]
  + input 'more': i64[]
""")
        renamed = base()
        renamed.graph.input[0].name = renamed.graph.node[0].input[0] = "image"
        self.assertEqual(self.diff(base(), renamed), "a.onnx and b.onnx differ: 1 input renamed\n  = input 'x' -> 'image'\n")
        renamed.graph.input[0].type.tensor_type.shape.dim[0].dim_param = "batch"
        self.same(base(), renamed, "--structure")
        swapped = branches()
        swapped.graph.input.insert(0, swapped.graph.input.pop(1))
        self.assertEqual(self.diff(branches(), swapped), """\
a.onnx and b.onnx differ: 1 input changed
  ~ input order: x, z, flag -> z, x, flag
""")

    def test_subgraphs(self):
        self.same(branches(), branches())
        self.same(branches(), branches(), "--structure")
        self.assertEqual(self.diff(branches(), branches("Abs")), """\
a.onnx and b.onnx differ: 1 node changed
  ~ node Neg of 'no': Neg -> Abs  (in else_branch of If 'choose')
""")
        text = self.diff(branches(), branches(seen="z"))
        self.assertIn("  ~ node Relu of 'yes': input 0 'x' -> 'z'  (in then_branch of If 'choose')\n", text)
        self.assertIn("  ~ value input 0 of Relu of 'yes': input 0 -> input 1\n", self.diff(branches(), branches(seen="z"), "--structure"))

    def test_functions(self):
        self.same(function(), function())
        self.same(function(), function(), "--structure")
        for arguments in ((), ("--structure",)):
            self.assertIn("  ~ node Neg of 'b': Neg -> Abs  (in function own.F)\n", self.diff(function(), function("Abs"), *arguments))

    def test_structure_is_not_fooled(self):
        """The same operators, joined in another way."""
        def shared(twice):
            nodes = [helper.make_node("Relu", ["x"], ["a"]), helper.make_node("Relu", ["x"], ["b"]),
                     helper.make_node("Add", ["a", "a" if twice else "b"], ["y"])]
            graph = helper.make_graph(nodes, "g", [value("x")], [value("y")])
            return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)])
        self.assertEqual(self.diff(shared(False), shared(True), "--structure"), """\
a.onnx and b.onnx differ in structure: 1 value changed
  ~ value input 1 of Add of 'y': Relu of 'b' -> Relu of 'a', which is Relu of 'a' elsewhere
""")

    def test_external_data(self):
        onnx.save(base(), str(self.folder / "a.onnx"))
        onnx.save(base(), str(self.folder / "b.onnx"), save_as_external_data=True, location="b.data", size_threshold=0)
        command = [CAMEO, "diff", "a.onnx", "b.onnx"]
        self.assertEqual(subprocess.run(command, cwd=self.folder, capture_output=True).returncode, 0)
        (self.folder / "b.data").write_bytes(np.float32([1, 3]).tobytes())
        self.assertIn(b"by at most 1,", subprocess.run(command, cwd=self.folder, capture_output=True).stdout)

    def test_json(self):
        self.assertEqual(json.loads(self.diff(base(), base(), "--json")), {"equal": True, "differences": []})
        self.assertEqual(json.loads(self.diff(base(), base(weight=(1, 2.5), alpha=1.0), "--json")), {"equal": False, "differences": [
            {"kind": "changed", "what": "weight", "name": "'w'", "absolute": 0.5, "relative": 0.2,
             "detail": "1 of 2 elements differ, by at most 0.5, relatively 0.2"},
            {"kind": "changed", "what": "node", "name": "LeakyRelu '/leaky'", "detail": "alpha 0.5 -> 1"}]})

    def test_loops_traced_and_scripted(self):
        """A traced loop is unrolled; a scripted one stays a Loop, whose length is but a constant."""
        for turns in (2, 3):
            torch.manual_seed(0)
            model = Repeated(turns).eval()
            with torch.no_grad():
                torch.jit.trace(model, torch.zeros(1, 3, 10, 10)).save(str(self.folder / f"{turns}_trace.pt"))
            torch.jit.script(model).save(str(self.folder / f"{turns}_script.pt"))
            for way in ("trace", "script"):
                subprocess.run([CAMEO, "export", f"{turns}_{way}.pt", "--input", "f32[1,3,10,10]"], cwd=self.folder, check=True,
                               capture_output=True)

        def diff(way, *arguments):
            return subprocess.run([CAMEO, "diff", f"2_{way}.onnx", f"3_{way}.onnx", *arguments], cwd=self.folder,
                                  capture_output=True, text=True).stdout
        self.assertEqual(diff("script", "--structure"), "2_script.onnx and 3_script.onnx have the same structure\n")
        self.assertIn("1 of 1 elements differ, by at most 1, relatively 0.333\n", diff("script"))
        self.assertIn("+ node Conv", diff("trace"))
        self.assertIn("differ in structure", diff("trace", "--structure"))

    def test_models_of_the_onnx_project_equal_themselves(self):
        files = sorted((pathlib.Path(onnx.__file__).parent / "backend" / "test" / "data").resolve().rglob("*.onnx"))
        self.assertGreater(len(files), 1000, "install libonnx-testdata")
        for path in files[::20]:
            for arguments in ((), ("--structure",)):
                done = subprocess.run([CAMEO, "diff", path, path, *arguments], capture_output=True, text=True)
                self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def test_missing_file(self):
        done = subprocess.run([CAMEO, "diff", "a.onnx", "b.onnx"], cwd=self.folder, capture_output=True, text=True)
        self.assertEqual((done.returncode, done.stderr), (1, "a.onnx: error: [read] no such file [no-such-file]\n"
                                                             "  hint: check the path and the spelling\n"))


unittest.main(argv=sys.argv[:1])
