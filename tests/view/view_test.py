"""view_test.py CAMEO: `cameo view` of models and programs: data, pictures, pages."""
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree as ElementTree

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

import document

CAMEO = os.path.abspath(sys.argv[1])
ROOT = pathlib.Path(__file__).resolve().parents[2]
MODELS = ROOT / "examples" / "models"
DIGITS = MODELS / "digits.pt", "--input", "image=f32[batch,1,28,28]"
TESTDATA = pathlib.Path("/usr/share/libonnx-testdata")


def run(*args):
    return subprocess.run([CAMEO, *map(str, args)], capture_output=True, text=True, timeout=120)


def value(name, dims, kind=TensorProto.FLOAT):
    return helper.make_tensor_value_info(name, kind, dims)


class ViewTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def write(self, output, *files):
        done = run("view", *files, "-o", self.folder / output)
        self.assertEqual(done.returncode, 0, done.stderr)
        return (self.folder / output).read_text(encoding="utf-8")

    def view(self, *files):
        made = document.Document(self.write("view.json", *files))
        document.check(self, made)
        return made

    def save(self, nodes, inputs, outputs, weights=(), name="model.onnx", **arguments):
        graph = helper.make_graph(nodes, "graph", inputs, outputs, list(weights))
        model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], **arguments)
        path = self.folder / name
        onnx.save(model, str(path))
        return path

    def fail_view(self, *args):
        done = run("view", *args)
        self.assertEqual(done.returncode, 1, done.stdout)
        return done.stderr


class Programs(ViewTest):
    def test_lines_and_nodes(self):
        made = self.view(*DIGITS)
        files = [each["name"] for each in made.sources["files"]]
        self.assertTrue(files[0].endswith("digits.py"), files)
        operators = made.operators_of_nodes()
        self.assertEqual(set(made.sources["node"]), set(range(len(operators))))
        calls = {"Conv": "torch._convolution", "Relu": "torch.relu", "MaxPool": "torch.max_pool2d", "Gemm": "torch.linear",
                 "LogSoftmax": "torch.log_softmax"}
        seen = set()
        for file, line, node in zip(*(made.sources[k] for k in ("file", "line", "node"))):
            source = made.sources["files"][file]
            if source["kind"] == "torchscript" and operators[node] in calls:
                self.assertIn(calls[operators[node]], made.strings[source["lines"][line - source["first"]]])
                seen.add(operators[node])
        self.assertEqual(seen, set(calls))

    def test_lines_without_nodes(self):
        made = self.view(*DIGITS)
        reasons = {}
        for file, line, reason in zip(*(made.sources[k] for k in ("emptyFile", "emptyLine", "emptyReason"))):
            source = made.sources["files"][file]
            reasons[made.strings[source["lines"][line - source["first"]]].strip() if source["lines"] else ""] = made.strings[reason]
        norm = next(reason for text, reason in reasons.items() if "torch.batch_norm" in text)
        self.assertEqual(norm, "removed by fold-batch-norm: BatchNormalization")
        self.assertIn("computed at export, or not reached", reasons.values())

    def test_program_and_its_model(self):
        done = run("export", *DIGITS, "-o", self.folder / "digits.onnx")
        self.assertEqual(done.returncode, 0, done.stderr)
        both, program = self.view(*DIGITS, self.folder / "digits.onnx"), self.view(*DIGITS)
        self.assertEqual(both.sources["node"], program.sources["node"])
        self.assertEqual([each["kind"] for each in both.files], ["torchscript", "onnx"])

    def test_exported_program(self):
        made = self.view(MODELS / "digits.pt2")
        self.assertIn("exported", [each["kind"] for each in made.sources["files"]])
        self.assertTrue(made.sources["node"])

    def test_guessed_inputs(self):
        self.assertEqual(self.view(MODELS / "digits.pt").messages["code"] != [], True)

    def test_several_programs(self):
        error = self.fail_view(MODELS / "digits.pt", MODELS / "gate.pt")
        self.assertIn("a view shows one program at a time [several-models]", error)


class Weights(ViewTest):
    def test_statistics(self):
        rng = np.random.default_rng(0)
        arrays = {
            "plain": rng.normal(size=(300, 20)).astype(np.float32),
            "half": rng.normal(size=(40, 40)).astype(np.float16),
            "integers": rng.integers(-5, 100, size=(1000,)),
            "odd": np.array([np.nan, 1, np.inf, 0, -2, -np.inf, 0], np.float32),
            "same": np.full((400,), 7, np.float64),
            "booleans": np.array([True, False, False]),
            "empty": np.zeros((0, 3), np.float32),
        }
        nodes = [helper.make_node("Identity", [name], [name + "_out"]) for name in arrays]
        path = self.save(nodes, [], [value("plain_out", None)], [numpy_helper.from_array(v, k) for k, v in arrays.items()])
        made = self.view(path)
        w = made.weights
        for row, ref in enumerate(w["value"]):
            array = arrays[made.strings[made.values["name"][ref]]].astype(np.float64)
            finite = array[np.isfinite(array)]
            self.assertEqual((w["elements"][row], w["zeros"][row], w["nans"][row]),
                             (array.size, int((array == 0).sum()), array.size - finite.size))
            if not finite.size:
                self.assertIsNone(w["min"][row])
                continue
            self.assertEqual((w["min"][row], w["max"][row]), (finite.min(), finite.max()))
            np.testing.assert_allclose([w["mean"][row], w["deviation"][row]], [finite.mean(), finite.std()], rtol=1e-9, atol=1e-12)
            histogram = document.lists(w["histogram"])[row]
            if finite.min() == finite.max():
                self.assertEqual(histogram, [])
            else:
                self.assertEqual((len(histogram), sum(histogram)), (64, finite.size))
                edges = np.cumsum(histogram)[15]
                quarter = finite.min() + (finite.max() - finite.min()) / 4
                self.assertAlmostEqual(edges, (finite < quarter).sum(), delta=1 + (finite == quarter).sum())

    def test_picture(self):
        array = np.arange(12, dtype=np.float32).reshape(3, 4) * np.ones((100, 1, 1), np.float32)
        path = self.save([helper.make_node("Identity", ["w"], ["y"])], [], [value("y", None)],
                         [numpy_helper.from_array(array.reshape(300, 4), "w")])
        picture = self.view(path).weights["picture"]
        self.assertEqual((picture["width"], picture["height"]), ([4], [24]))

    def test_limits(self):
        path = self.save([helper.make_node("Identity", ["w"], ["y"])], [], [value("y", None)],
                         [numpy_helper.from_array(np.ones((3,), np.float32), "w")])
        done = run("view", path, "-o", self.folder / "x.json", "--weights", "none")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(document.Document((self.folder / "x.json").read_text()).weights["state"], [1])

    def test_missing_data(self):
        path = self.save([helper.make_node("Identity", ["w"], ["y"])], [], [value("y", None)],
                         [numpy_helper.from_array(np.ones((3000,), np.float32), "w")])
        model = onnx.load(str(path))
        onnx.save(model, str(path), save_as_external_data=True, location="data.bin", size_threshold=0)
        (self.folder / "data.bin").unlink()
        self.assertEqual(self.view(path).weights["state"], [3])


class Groups(ViewTest):
    def chain(self, names):
        nodes, last = [], "x"
        for i, name in enumerate(names):
            nodes.append(helper.make_node("Relu", [last], [f"v{i}"], name=name))
            last = f"v{i}"
        return self.save(nodes, [value("x", [3])], [value(last, [3])])

    def paths(self, made):
        return [p for p, kind in zip(made.texts(made.groups["path"]), made.groups["kind"]) if kind in (1, 2)]

    def test_scopes(self):
        made = self.view(self.chain(["/a/b/Relu", "/a/b/Relu_1", "/a/c/Relu", "/a/c/Relu_1", "/d/Relu"]))
        self.assertEqual(self.paths(made), ["a", "a.b", "a.c"])
        self.assertEqual(made.texts(made.nodes["module"]), ["a.b", "a.b", "a.c", "a.c", "d"])

    def test_repeated_paths(self):
        made = self.view(self.chain(["/layer1/layer1.0/Relu", "/layer1/layer1.0/Relu_1", "/layer1/Relu"]))
        self.assertEqual(self.paths(made), ["layer1", "layer1.0"])

    def test_group_in_a_cycle_is_divided(self):
        made = self.view(self.chain(["/a/1", "/a/2", "/b/1", "/b/2", "/a/3", "/a/4"]))
        self.assertEqual(self.paths(made), ["a", "b", "a#2"])

    def test_torch_onnx_metadata(self):
        path = self.chain(["node_conv", "node_relu", "node_add"])
        model = onnx.load(str(path))
        for node, scopes in zip(model.graph.node, (["", "layer1", "layer1.0", "c"], ["", "layer1", "layer1.0", "r"], ["", "add"])):
            for key, text in (("pkg.torch.onnx.name_scopes", repr(scopes)),
                              ("pkg.torch.onnx.class_hierarchy", repr(["net.Net", "torch.nn.modules.Sequential", "net.Block", "aten"][:len(scopes)]))):
                encode_metadata(node, key, text)
        path.write_bytes(model.SerializeToString())
        made = self.view(path)
        self.assertEqual(self.paths(made), ["layer1", "layer1.0"])
        self.assertEqual(made.texts(made.groups["type"])[1:], ["Sequential", "Block"])

    def test_long_rows_are_cut(self):
        made = self.view(self.chain([f"n{i}" for i in range(1000)]))
        parts = [g for g, kind in enumerate(made.groups["kind"]) if kind == 3]
        self.assertGreater(len(parts), 5)
        for group in range(len(made.groups["parent"])):
            self.assertLessEqual(len([i for i in made.items_of(group) if made.items["kind"][i] < 2]), 200)

    def test_cut_at_the_narrowest_place(self):
        # Blocks of 70 nodes that read the first node of their block: between two blocks, only one value flows.
        nodes, last = [], "x"
        for block in range(5):
            first = f"b{block}_0"
            nodes.append(helper.make_node("Relu", [last], [first]))
            last = first
            for i in range(1, 70):
                nodes.append(helper.make_node("Add", [last, first], [f"b{block}_{i}"]))
                last = f"b{block}_{i}"
        made = self.view(self.save(nodes, [value("x", [3])], [value(last, [3])]))
        sizes = [made.groups["nodes"][g] for g, kind in enumerate(made.groups["kind"]) if kind == 3]
        self.assertTrue(sizes and all(size % 70 in (0, 1, 69) for size in sizes[:-1]), sizes)

    def test_equal_groups(self):
        nodes, last = [], "x"
        for layer in range(4):
            for i, op in enumerate(["Relu", "Sigmoid" if layer == 2 else "Tanh"]):
                nodes.append(helper.make_node(op, [last], [f"l{layer}_{i}"], name=f"/l{layer}/{op}"))
                last = f"l{layer}_{i}"
        made = self.view(self.save(nodes, [value("x", [3])], [value(last, [3])]))
        a, b, c, d = made.groups["equal"][1:]
        self.assertEqual((a, b, d), (a, a, a))
        self.assertNotEqual(a, -1)
        self.assertEqual(c, -1)

    def test_sums(self):
        w = numpy_helper.from_array(np.ones((4, 4), np.float32), "w")
        nodes = [helper.make_node("MatMul", ["x", "w"], ["a"], name="/l/1"), helper.make_node("MatMul", ["a", "w"], ["y"], name="/l/2")]
        made = self.view(self.save(nodes, [value("x", ["n", 4])], [value("y", ["n", 4])], [w]))
        self.assertEqual((made.groups["parameters"], made.groups["bytes"]), ([16, 16], [64, 64]))
        self.assertEqual(made.texts(made.groups["multiplyAdds"]), ["32*n", "32*n"])

    def test_bodies(self):
        made = self.view(self.control_flow())
        kinds = made.groups["kind"]
        self.assertEqual([made.strings[t] for t, kind in zip(made.groups["type"], kinds) if kind == 4], ["Loop", "If"])
        bodies = [made.strings[n] for n, kind in zip(made.groups["name"], kinds) if kind == 5]
        self.assertEqual(bodies, ["body", "then_branch", "else_branch"])
        loop = kinds.index(4)
        ports = [made.strings[made.items["title"][i]] for i in made.items_of(loop) if made.items["kind"][i] == document.INPUT]
        self.assertEqual(sorted(ports), ["outside", "x"])
        # What the loop carries arrives at the input of its body, and the body's result at the output of the loop.
        lines = {(made.strings[made.values["name"][made.edges["value"][line]]], self.port(made, made.edges["fromPort"][line]),
                  self.port(made, made.edges["toPort"][line]))
                 for edge in made.edges_of(loop) for line in range(made.edges["lines"][edge], made.edges["lines"][edge + 1])}
        self.assertEqual(lines, {("x", None, "carried"), ("outside", None, "outside"), ("y", "next", None)})

    @staticmethod
    def port(made, item):
        return None if item < 0 else made.strings[made.items["title"][item]]

    def control_flow(self):
        """A loop that reads a value from outside, with an If in it."""
        def branch(op, name):
            return helper.make_graph([helper.make_node(op, ["carried"], [name])], name, [], [value(name, [3])])
        body = helper.make_graph(
            [helper.make_node("If", ["condition"], ["chosen"], then_branch=branch("Relu", "t"), else_branch=branch("Neg", "e")),
             helper.make_node("Add", ["chosen", "outside"], ["next"]), helper.make_node("Identity", ["condition"], ["go_on"])],
            "body", [value("i", [], TensorProto.INT64), value("condition", [], TensorProto.BOOL), value("carried", [3])],
            [value("go_on", [], TensorProto.BOOL), value("next", [3])])
        nodes = [helper.make_node("Neg", ["x"], ["outside"]), helper.make_node("Loop", ["trips", "", "x"], ["y"], body=body)]
        return self.save(nodes, [value("x", [3])], [value("y", [3])], [numpy_helper.from_array(np.int64(4), "trips")])

    def test_function_calls(self):
        function = helper.make_function("own", "Twice", ["a"], ["c"],
                                        [helper.make_node("Relu", ["a"], ["b"]), helper.make_node("Relu", ["b"], ["c"])],
                                        [helper.make_opsetid("", 17)])
        nodes = [helper.make_node("Twice", ["x"], ["m"], domain="own"), helper.make_node("Twice", ["m"], ["y"], domain="own")]
        path = self.save(nodes, [value("x", [3])], [value("y", [3])], functions=[function])
        made = self.view(path)
        self.assertEqual(sorted(made.operators_of_nodes()), ["Relu"] * 4 + ["Twice"] * 2)


def encode_metadata(node, key, text):
    """Adds NodeProto.metadata_props (field 9), which older onnx packages do not know."""
    def field(number, data):
        return bytes([number << 3 | 2]) + varint(len(data)) + data
    def varint(n):
        return bytes([n]) if n < 128 else bytes([n & 127 | 128]) + varint(n >> 7)
    node.MergeFromString(field(9, field(1, key.encode()) + field(2, text.encode())))


class Hostile(ViewTest):
    NAME = "</script><script>alert(1)</script>\x00\x1b[31m<img src=x onerror=alert(2)>\"'&\ufffe\uffff"

    def hostile_model(self):
        inner = helper.make_graph([helper.make_node(self.NAME, ["x"], ["z"], domain=self.NAME)], self.NAME, [], [value("z", None)])
        nodes = [helper.make_node("Relu", ["x"], [self.NAME], name="/" + self.NAME + "/" + self.NAME, doc_string=self.NAME),
                 helper.make_node("Relu", [self.NAME], ["q"], name="/" + self.NAME + "/b"),
                 helper.make_node(self.NAME, ["q", "x"], ["y"], domain=self.NAME, **{self.NAME: self.NAME}),
                 helper.make_node("If", ["y"], ["k"], name=self.NAME, then_branch=inner, else_branch=inner)]
        return self.save(nodes, [value("x", [self.NAME, 3])], [value("k", None)], producer_name=self.NAME)

    def test_page(self):
        path = self.hostile_model()
        page = self.write("x.html", path)
        for text in ("alert(1)", "onerror=alert"):
            self.assertNotIn(text, page)
        self.view(path)

    def test_hostile_title(self):
        path = self.folder / "<script>alert(1)<script>.onnx"
        path.write_bytes(self.hostile_model().read_bytes())
        self.assertIn("<title>&lt;script&gt;alert(1)&lt;script&gt;.onnx", self.write("x.html", path))

    def test_pictures(self):
        path = self.hostile_model()
        svg = self.write("x.svg", path)
        tree = ElementTree.fromstring(svg)
        names = {element.tag.split("}")[1] for element in tree.iter()}
        self.assertEqual(names, {"svg", "title", "style", "rect", "text", "path"})
        self.assertIn("digraph", self.write("x.dot", path))

    def test_long_texts(self):
        name = "n" * 10_000_000
        path = self.save([helper.make_node("Relu", ["x"], ["y"], name=name, doc_string=name)], [value("x", [3])], [value("y", [3])])
        for output in ("x.html", "x.svg", "x.json"):
            self.assertLess(len(self.write(output, path)), 400_000)

    def test_cycles_and_undefined_values(self):
        nodes = [helper.make_node("Add", ["b", "x"], ["a"]), helper.make_node("Relu", ["a"], ["b"]), helper.make_node("Relu", ["nowhere"], ["c"]),
                 helper.make_node("Relu", ["a"], ["b"]), helper.make_node("Relu", ["d"], ["d"])]
        made = self.view(self.save(nodes, [value("x", [3])], [value("c", [3]), value("lost", None)]))
        self.assertEqual(len(made.nodes["operator"]), 5)
        self.assertIn(1, made.edges["stub"])

    def test_function_that_calls_itself(self):
        function = helper.make_function("own", "Loop", ["a"], ["b"], [helper.make_node("Loop", ["a"], ["b"], domain="own"),
                                                                     helper.make_node("Loop", ["a"], ["c"], domain="own")],
                                        [helper.make_opsetid("", 17), helper.make_opsetid("own", 1)])
        path = self.save([helper.make_node("Loop", ["x"], ["y"], domain="own")], [value("x", [3])], [value("y", [3])], functions=[function])
        self.assertEqual(len(self.view(path).nodes["operator"]), 3)

    def test_no_model(self):
        (self.folder / "x.onnx").write_bytes(b"no model")
        self.assertIn("[", self.fail_view(self.folder / "x.onnx", "-o", self.folder / "x.html"))
        self.assertFalse((self.folder / "x.html").exists())


class Pictures(ViewTest):
    def test_depth_and_module(self):
        outer = self.write("outer.svg", *DIGITS)
        done = run("view", *DIGITS, "-o", self.folder / "deep.svg", "--depth", "9")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertGreater((self.folder / "deep.svg").read_text().count("<rect"), outer.count("<rect"))
        error = self.fail_view(*DIGITS, "-o", self.folder / "x.svg", "--only", "nothing.like.it")
        self.assertIn("the model has no module or scope 'nothing.like.it'", error)

    def test_boxes_do_not_overlap(self):
        done = run("view", *DIGITS, "-o", self.folder / "x.svg", "--depth", "9")
        self.assertEqual(done.returncode, 0, done.stderr)
        tree = ElementTree.fromstring((self.folder / "x.svg").read_text())
        rects = [tuple(int(e.get(k)) for k in ("x", "y", "width", "height")) for e in tree.iter() if e.tag.endswith("rect")][1:]
        for i, (ax, ay, aw, ah) in enumerate(rects):
            for bx, by, bw, bh in rects[i + 1:]:
                apart = ax + aw < bx or bx + bw < ax or ay + ah < by or by + bh < ay
                within = (ax < bx and ay < by and bx + bw < ax + aw and by + bh < ay + ah) or \
                         (bx < ax and by < ay and ax + aw < bx + bw and ay + ah < by + bh)
                self.assertTrue(apart or within, (rects[i], (bx, by, bw, bh)))

    def test_wrong_usage(self):
        done = run("view", MODELS / "digits.pt", "-o", "x.html", "--depth", "2")
        self.assertEqual(done.returncode, 2)
        self.assertIn("--depth and --only: apply to pictures only", done.stderr)
        done = run("view", MODELS / "digits.pt", "--weights", "some")
        self.assertEqual(done.returncode, 2)
        self.assertIn("[unknown-extension]", self.fail_view(MODELS / "digits.pt", "-o", "x.pdf"))


    def test_no_browser(self):
        done = subprocess.run([CAMEO, "view", *map(str, DIGITS), "-o", self.folder / "x.png"], capture_output=True, text=True,
                              env={"PATH": str(self.folder)})
        self.assertEqual(done.returncode, 1)
        self.assertIn("no Chromium or Chrome could draw the picture [no-browser]", done.stderr)

    def test_png(self):
        done = run("view", *DIGITS, "-o", self.folder / "x.png")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual((self.folder / "x.png").read_bytes()[:8], b"\x89PNG\r\n\x1a\n")


class Overlays(ViewTest):
    def overlay(self, data):
        nodes = [helper.make_node("Relu", ["x"], ["a"], name="/l/first"), helper.make_node("Neg", ["a"], ["y"], name="/l/second")]
        path = self.save(nodes, [value("x", [3])], [value("y", [3])])
        (self.folder / "numbers.json").write_text(json.dumps(data))
        return path, self.folder / "numbers.json"

    def test_values(self):
        path, numbers = self.overlay({"unit": "ms", "name": "latency", "values": {"/l/first": 3, "y": 5, "nothing": 1}})
        made = self.view(path, "--overlay", numbers)
        overlay = made.overlay("numbers")
        self.assertEqual((overlay["name"], overlay["unit"], overlay["node"]), ("latency", "ms", [3, 5]))
        self.assertEqual((overlay["groupMax"], overlay["groupSum"], overlay["least"], overlay["most"]), ([5, 5], [8, 8], 3, 5))
        self.assertEqual(made.shownOverlay, "numbers")

    def test_profile(self):
        events = [{"cat": "Session", "name": "model_run", "dur": 9, "args": {}}] * 2
        events += [{"cat": "Node", "name": "/l/first_kernel_time", "dur": 10, "args": {"op_name": "Relu"}}] * 2
        path, numbers = self.overlay(events + [{"cat": "Node", "name": "/l/first_fence_before", "dur": 99}])
        self.assertEqual(self.view(path, "--overlay", numbers).overlay("time")["node"], [10, None])

    def test_misfits(self):
        for data, text in (("text", "the file holds neither a list nor an object [bad-overlay]"),
                           ({"values": {"nothing": 1}}, "of the 1 names in the file, the model has none [bad-overlay]")):
            path, numbers = self.overlay(data)
            self.assertIn(text, self.fail_view(path, "--overlay", numbers, "-o", self.folder / "x.json"))


class Comparisons(ViewTest):
    SAME, ADDED, GONE, CHANGED, RENAMED = range(5)

    def compare(self, old, new):
        made = self.view(new, "--against", old)
        marks = {}
        for node, mark in enumerate(made.compare["node"]):
            name = made.strings[made.nodes["name"][node]]
            marks[name] = mark, made.strings[made.compare["nodeText"][node]]
        return made, marks

    def node(self, op, source, target, **attributes):
        return helper.make_node(op, [source] if isinstance(source, str) else source, [target], name=op.lower() + "_" + target, **attributes)

    def save_chain(self, nodes, name, weights=()):
        return self.save(nodes, [value("x", [3, 4])], [value("y", None)], weights, name)

    def test_marks(self):
        old = self.save_chain([self.node("Relu", "x", "a"), self.node("Softmax", "a", "b", axis=0), self.node("Neg", "b", "c"),
                               self.node("Abs", "c", "d"), self.node("Exp", "d", "y")], "old.onnx")
        new = self.save_chain([self.node("Relu", "x", "a"), self.node("Softmax", "a", "b", axis=1), self.node("Abs", "b", "e"),
                               self.node("Sqrt", "e", "f"), self.node("Exp", "f", "y")], "new.onnx")
        made, marks = self.compare(old, new)
        self.assertEqual(marks["relu_a"], (self.SAME, ""))
        self.assertEqual(marks["softmax_b"], (self.CHANGED, "axis 0 -> 1"))
        self.assertEqual(marks["neg_c"][0], self.GONE)
        self.assertEqual(marks["sqrt_f"][0], self.ADDED)
        self.assertEqual(marks["exp_y"][0], self.CHANGED)
        self.assertEqual(made.title, "new.onnx against old.onnx")
        # The node that is gone stands between its neighbours.
        flows = {(made.nodes_name(edge, "from"), made.nodes_name(edge, "to")) for edge in range(len(made.edges["from"]))}
        self.assertIn(("softmax_b", "neg_c"), flows)
        counts = document.lists(made.compare["group"])[0]
        self.assertEqual((counts[self.GONE], sum(counts)), (1, len(marks)) if marks.get("abs_d") is None else (2, len(marks)))

    def test_a_removed_node_flows_into_its_readers(self):
        old = self.save_chain([self.node("Relu", "x", "a"), self.node("Identity", "a", "b"), self.node("Neg", "b", "y")], "old.onnx")
        new = self.save_chain([self.node("Relu", "x", "a"), self.node("Neg", "a", "y")], "new.onnx")
        made, marks = self.compare(old, new)
        self.assertEqual(marks["identity_b"][0], self.GONE)
        flows = {(made.nodes_name(edge, "from"), made.nodes_name(edge, "to")) for edge in range(len(made.edges["from"]))}
        self.assertLessEqual({("relu_a", "identity_b"), ("identity_b", "neg_y"), ("relu_a", "neg_y")}, flows)

    def test_equal_models(self):
        old = self.save_chain([self.node("Relu", "x", "y")], "old.onnx")
        made, marks = self.compare(old, old)
        self.assertEqual(marks, {"relu_y": (self.SAME, "")})

    def test_weights(self):
        def weights(names, change):
            return [numpy_helper.from_array(np.arange(12, dtype=np.float32).reshape(3, 4) * (i + 1) + (change if i == 0 else 0), name)
                    for i, name in enumerate(names)]
        def nodes(names):
            return [helper.make_node("Add", ["x", names[0]], ["a"]), helper.make_node("Add", ["a", names[1]], ["y"])]
        old = self.save_chain(nodes(["u", "v"]), "old.onnx", weights(["u", "v"], 0))
        new = self.save_chain(nodes(["u", "w"]), "new.onnx", weights(["u", "w"], 1))
        made = self.view(new, "--against", old)
        marks = {made.strings[made.values["name"][ref]]: mark for ref, mark in zip(made.weights["value"], made.compare["weight"])}
        self.assertEqual(marks, {"u": self.CHANGED, "w": self.RENAMED})

    def test_gone_control_flow(self):
        branch = lambda name: helper.make_graph([helper.make_node("Neg", ["x"], [name], name="neg_" + name)], name, [], [value(name, None)])
        old = self.save_chain([helper.make_node("Cast", ["x"], ["c"], to=TensorProto.BOOL),
                               helper.make_node("If", ["c"], ["k"], name="if", then_branch=branch("t"), else_branch=branch("e")),
                               self.node("Relu", "k", "y")], "old.onnx")
        new = self.save_chain([self.node("Relu", "x", "y")], "new.onnx")
        made, marks = self.compare(old, new)
        self.assertEqual((marks["neg_t"][0], marks["neg_e"][0]), (self.GONE, self.GONE))

    def test_simplify(self):
        old = self.save_chain([self.node("Relu", "x", "a"), self.node("Identity", "a", "b"), self.node("Neg", "b", "y")], "old.onnx")
        done = run("simplify", old, "-o", self.folder / "new.onnx", "--view", self.folder / "x.html")
        self.assertEqual(done.returncode, 0, done.stderr)
        made = document.from_page((self.folder / "x.html").read_text())
        rules = {made.strings[made.nodes["name"][i]]: made.strings[rule] for i, rule in enumerate(made.compare["nodeRule"]) if rule}
        self.assertEqual(rules, {"identity_b": "remove-identity"})
        done = run("simplify", old, "-o", "-", "--view", self.folder / "x.html")
        self.assertEqual(done.returncode, 2)

    def test_simplify_many(self):
        for path in sorted(TESTDATA.rglob("test_loop*/model.onnx")) + sorted(TESTDATA.rglob("test_if*/model.onnx")):
            done = run("simplify", path, "-o", self.folder / "new.onnx")
            self.assertEqual(done.returncode, 0, done.stderr)
            self.view(self.folder / "new.onnx", "--against", path)


class Reports(ViewTest):
    def test_export(self):
        done = run("export", *DIGITS, "-o", self.folder / "digits.onnx", "--report", self.folder / "x.html")
        self.assertEqual(done.returncode, 0, done.stderr)
        made = document.from_page((self.folder / "x.html").read_text())
        document.check(self, made)
        self.assertEqual([each["kind"] for each in made.files], ["torchscript", "onnx"])

    def test_inspect(self):
        done = run("inspect", MODELS / "digits.pt", "--report", self.folder / "x.html")
        self.assertEqual(done.returncode, 0, done.stderr)
        document.check(self, document.from_page((self.folder / "x.html").read_text()))
        done = run("inspect", MODELS / "digits.pt", "--report", self.folder / "x.pdf")
        self.assertIn("the extension of the page is not .html [unknown-report]", done.stderr)

    def test_verify(self):
        done = run("verify", *DIGITS, "--report", self.folder / "x.html")
        if "[torch-bridge-missing]" in done.stderr:
            self.skipTest("without libtorch")
        self.assertEqual(done.returncode, 0, done.stderr)
        made = document.from_page((self.folder / "x.html").read_text())
        error = made.overlay("error")
        self.assertEqual(made.shownOverlay, "error")
        measured = [number for number in error["node"] if number is not None]
        self.assertGreaterEqual(len(measured), 7)
        self.assertLess(max(measured), error["limit"])


    def test_errors_of_all_layers(self):
        done = run("verify", *DIGITS, "--per-layer", "--json")
        if "[torch-bridge-missing]" in done.stderr:
            self.skipTest("without libtorch")
        layers = json.loads(done.stdout)["layers"]
        self.assertGreaterEqual(len(layers), 7)
        self.assertLess(max(each["relative"] for each in layers), 1e-5)
        self.assertEqual(layers[-1]["value"], "output")


class Faults(ViewTest):
    def test_faults_are_on_their_nodes(self):
        path = self.save([helper.make_node("Relu", ["x"], ["a"]), helper.make_node("Nothing", ["a"], ["y"], name="odd")],
                         [value("x", [3])], [value("y", [3])])
        made = self.view(path)
        self.assertEqual(made.overlay("check")["node"], [None, 1])
        row = made.messages["node"].index(1)
        self.assertEqual(made.strings[made.messages["code"][row]], "unknown-operator")


class ManyModels(ViewTest):
    """Models of ONNX's own tests, with every operator."""

    def test_all(self):
        paths = sorted(TESTDATA.rglob("*.onnx"))[::12]
        self.assertTrue(paths)
        for path in paths:
            with self.subTest(path.parent.name):
                self.view(path)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[2:]])
