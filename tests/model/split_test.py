"""split_test.py CAMEO: `cameo split` and the chains that it writes, held against the whole model in ONNX Runtime."""
import json
import os
import resource
import subprocess
import sys
import unittest

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))
from folder_case import FolderCase  # noqa: E402

CAMEO = os.path.abspath(sys.argv[1])
FLOAT, BOOL = TensorProto.FLOAT, TensorProto.BOOL
OPSETS = [helper.make_opsetid("", 17), helper.make_opsetid("my", 1), helper.make_opsetid("unused", 3)]


def value(name, dims=("batch", 4), kind=FLOAT):
    return helper.make_tensor_value_info(name, kind, dims)


def node(op, inputs, output, module="", **attributes):
    scope = f"/{module.replace('.', '/')}/" if module else ""
    return helper.make_node(op, inputs.split(), [output], name=f"{scope}{op}_{output}", **attributes)


def weight(name, *shape):
    return numpy_helper.from_array(np.random.default_rng(len(name)).standard_normal(shape).astype(np.float32), name)


def twice():
    """A function of a domain of the model's own, which ONNX Runtime can run."""
    return helper.make_function("my", "Twice", ["x"], ["y"], [helper.make_node("Add", ["x", "x"], ["y"])],
                                [helper.make_opsetid("", 17)])


def branch(name, op):
    return helper.make_graph([node(op, "e skip", name)], name, [], [value(name)])


def model(nodes, inputs=(), outputs=(), weights=(), **more):
    graph = helper.make_graph(nodes, "net", [value(name) for name in inputs], [value(name) for name in outputs],
                              list(weights), **more)
    return helper.make_model(graph, opset_imports=OPSETS, ir_version=8, functions=[twice()])


def network():
    """A stem, a backbone with a skip connection around it, a neck of a custom operator, and two heads."""
    made = model([node("MatMul", "x w1", "a", "stem"), node("Relu", "a", "skip", "stem"),
                  node("MatMul", "skip w2", "b", "backbone.0"), node("Tanh", "b", "c", "backbone.1"),
                  node("Add", "c skip", "d", "backbone"), node("Twice", "d", "e", "neck", domain="my"),
                  node("Constant", "", "half", value_float=0.5), node("Mul", "e half", "f", "head"),
                  node("If", "flag", "g", "head", then_branch=branch("yes", "Add"), else_branch=branch("no", "Mul")),
                  node("MatMul", "f w1", "y", "head"), node("Mul", "g half", "z", "head")],
                 ["x"], ["y", "z", "a"], [weight("w1", 4, 4), weight("w2", 4, 4), weight("idle", 3)])
    made.graph.input.append(value("flag", (), BOOL))
    return made


def mark(source, output, kind, function="head", call=0):
    made = helper.make_node("Mark", [source], [output], domain="mmdeploy", func=function, func_id=call, type=kind, id=0,
                            dtype=1, shape=[1, 4])
    made.attribute.append(helper.make_attribute("name", "feat"))
    return made


class Split(FolderCase):
    def run_cameo(self, *arguments):
        return subprocess.run([CAMEO, *map(str, arguments)], cwd=self.folder, capture_output=True, text=True)

    def split(self, whole, *arguments):
        """The plan, and the parts in its order, which agree with the whole."""
        onnx.save(whole, str(self.folder / "m.onnx"))
        done = self.run_cameo("split", "m.onnx", "-o", "parts", "--verify", *arguments)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertIn("verified: the parts agree with the whole model on 1 sample", done.stdout)
        plan = json.loads((self.folder / "parts/plan.json").read_text())
        parts = [onnx.load(str(self.folder / "parts" / part["file"])) for part in plan["parts"]]
        for part in parts:
            onnx.checker.check_model(part, full_check=True)
        return plan, parts

    def fails(self, whole, *arguments, code=1):
        onnx.save(whole, str(self.folder / "m.onnx"))
        done = self.run_cameo("split", "m.onnx", "-o", "parts", *arguments)
        self.assertEqual((done.returncode, done.stdout), (code, ""))
        return done.stderr

    def test_four_cuts(self):
        plan, parts = self.split(network(), "--cut", "value:e", "--cut", "module:backbone", "--cut", "value:f,g")
        self.assertEqual([part["name"] for part in plan["parts"]], ["part1", "backbone", "part3", "part4", "part5"])
        self.assertEqual([[each.name for each in part.graph.input] for part in parts],
                         [["x"], ["skip"], ["d"], ["e", "flag", "skip"], ["f", "g"]])
        self.assertEqual(plan["parts"][3]["inputs"], [{"name": "e", "from": "part3"}, {"name": "flag", "from": ""},
                                                      {"name": "skip", "from": "part1"}])
        self.assertEqual([part["outputs"] for part in plan["parts"]],
                         [["skip", "a"], ["d"], ["e"], ["f", "g"], ["y", "z"]])
        self.assertEqual([[each.name for each in part.graph.initializer] for part in parts],
                         [["w1"], ["w2"], [], [], ["w1"]])

    def test_chain_at_other_sizes(self):
        self.split(network(), "--cut", "module:backbone", "--cut", "value:e")
        x = np.random.default_rng(1).standard_normal((5, 4)).astype(np.float32)
        np.savez(self.folder / "in.npz", x=x, flag=np.array(True))
        for file, out in ("m.onnx", "whole.npz"), ("parts/plan.json", "chain.npz"):
            done = self.run_cameo("run", file, "--npz", "in.npz", "-o", out)
            self.assertEqual((done.returncode, done.stderr), (0, ""))
        whole, chain = (np.load(self.folder / name) for name in ("whole.npz", "chain.npz"))
        self.assertEqual(sorted(chain), ["a", "y", "z"])
        for name in whole:
            np.testing.assert_allclose(chain[name], whole[name], rtol=1e-5)

    def test_imports_functions_and_shapes(self):
        _, parts = self.split(network(), "--cut", "value:d", "--cut", "value:e")
        self.assertEqual([[each.domain for each in part.opset_import] for part in parts], [[""], ["", "my"], [""]])
        self.assertEqual([len(part.functions) for part in parts], [0, 1, 0])
        shape = parts[1].graph.input[0].type.tensor_type.shape
        self.assertEqual([each.dim_param or each.dim_value for each in shape.dim], ["batch", 4])

    def test_a_custom_node_keeps_its_import(self):
        custom = model([node("Relu", "x", "a"), node("Strange", "a", "b", domain="my"), node("Relu", "b", "y")], ["x"],
                       ["y"], value_info=[value("b")])
        del custom.functions[:]
        onnx.save(custom, str(self.folder / "m.onnx"))
        done = self.run_cameo("split", "m.onnx", "-o", "parts", "--cut", "value:a", "--cut", "value:b")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        parts = [onnx.load(str(self.folder / f"parts/part{i}.onnx")) for i in (1, 2, 3)]
        self.assertEqual([[each.domain for each in part.opset_import] for part in parts], [[""], ["", "my"], [""]])
        for part in parts:
            onnx.checker.check_model(part)

    def test_untyped_values(self):
        custom = model([node("Strange", "x", "b", domain="other"), node("Relu", "b", "y")], ["x"], ["y"])
        custom.opset_import.add(domain="other", version=1)
        self.assertEqual(self.fails(custom, "--cut", "value:b"),
                         "m.onnx: error: [check] the type of the new input 'b' is neither declared nor known [unknown-type]\n"
                         "  hint: add it to the model's value_info\n")

    def test_targets(self):
        plan, parts = self.split(network(), "--assign", "npu=backbone.*", "--assign", "npu=neck", "--assign", "cpu=*")
        self.assertEqual([(part["name"], part["target"]) for part in plan["parts"]],
                         [("cpu", "cpu"), ("npu", "npu"), ("cpu_2", "cpu")])
        self.assertEqual([each.op_type for each in parts[1].graph.node], ["MatMul", "Tanh", "Add", "Twice"])
        self.assertEqual(self.fails(network(), "--assign", "npu=backbone.*"),
                         "m.onnx: error: [check] no --assign matches the node '/stem/MatMul_a' (MatMul) [bad-cut]\n"
                         "  hint: assign all other nodes to a target: --assign 'cpu=*'\n")
        self.assertIn("[no-such-node]", self.fails(network(), "--assign", "npu=nothing", "--assign", "cpu=*"))

    def chain(self, count=8, width=4):
        nodes, last = [], "x"
        for i in range(count):
            nodes.append(node("MatMul", f"{last} w{i}", f"v{i}"))
            last = f"v{i}"
        return model(nodes, ["x"], [last], [weight(f"w{i}", width, width) for i in range(count)])

    def test_equal_parts(self):
        _, parts = self.split(self.chain(), "--parts", "3")
        self.assertEqual([len(part.graph.node) for part in parts], [3, 3, 2])
        self.assertIn("2 nodes cannot be split in 3 parts [bad-cut]", self.fails(self.chain(2), "--parts", "3"))

    def test_size_of_parts(self):
        whole = self.chain(8, 64)
        whole.graph.input[0].CopyFrom(value("x", ("batch", 64)))
        whole.graph.output[0].CopyFrom(value("v7", ("batch", 64)))
        _, parts = self.split(whole, "--max-size", "40kB")
        self.assertEqual([len(part.graph.node) for part in parts], [2, 2, 2, 2])
        for file in (self.folder / "parts").glob("*.onnx"):
            self.assertLessEqual(file.stat().st_size, 40000)
        self.assertIn("'MatMul_v0' alone take 16384 bytes, and a part may take", self.fails(whole, "--max-size", "10kB"))
        self.assertIn("[part-too-large]", self.fails(whole, "--max-size", "1kB"))

    def test_marks_of_mmdeploy(self):
        whole = model([node("Relu", "x", "a"), mark("a", "am", "input"), node("Tanh", "am", "b"), mark("b", "bm", "output"),
                       node("Neg", "bm", "c"), mark("c", "cm", "input", call=1), node("Exp", "cm", "y")], ["x"], ["y"])
        whole.opset_import.add(domain="mmdeploy", version=1)
        _, parts = self.split(whole, "--cut", "mark:head[0]:input", "--cut", "mark:head:output", "--cut", "mark:head[1]:input")
        self.assertEqual([[each.op_type for each in part.graph.node] for part in parts],
                         [["Relu"], ["Identity", "Tanh", "Identity"], ["Neg"], ["Identity", "Exp"]])
        self.assertTrue(all(len(part.opset_import) == 1 for part in parts))
        self.assertEqual(self.fails(whole, "--cut", "mark:tail:input"),
                         "m.onnx: error: [check] the model has no mark 'tail:input' [bad-cut]\n"
                         "  hint: its marks are head[0]:input, head[0]:output, head[1]:input\n")

    def test_marks_in_metadata(self):
        whole = network()
        whole.metadata_props.add(key="cameo.mark:neck[0]:input:x", value="d")
        _, parts = self.split(whole, "--cut", "mark:neck[0]:input")
        self.assertEqual([each.name for each in parts[1].graph.input], ["d", "flag", "skip"])
        self.assertEqual([[each.value for each in part.metadata_props] for part in parts], [["d"], ["d"]])

    def test_outputs_that_no_node_computes(self):
        whole = model([node("Relu", "x", "a"), node("Neg", "a", "y")], ["x", "idle"], ["y", "x", "w", "a"], [weight("w", 1, 4)])
        plan, parts = self.split(whole, "--cut", "value:a")
        self.assertEqual(plan["outputs"], ["y", "x", "w", "a"])
        self.assertEqual([part["outputs"] for part in plan["parts"]], [["a"], ["y", "w"]])
        self.assertEqual([each.name for each in parts[0].graph.input], ["x", "idle"])

    def test_inputs_of_parts(self):
        onnx.save(network(), str(self.folder / "m.onnx"))
        x = np.random.default_rng(1).standard_normal((3, 2, 4)).astype(np.float32)
        np.savez(self.folder / "samples.npz", x=x, flag=np.array([True, False, True]))
        done = self.run_cameo("split", "m.onnx", "-o", "parts", "--cut", "module:backbone", "--verify", "--data",
                              "samples.npz", "--inputs-of-parts", "fed")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertIn("on 3 samples", done.stdout)
        stored = np.load(self.folder / "fed/backbone/000001.npz")
        weights = numpy_helper.to_array(network().graph.initializer[0])
        np.testing.assert_allclose(stored["skip"], np.maximum(x[1] @ weights, 0), rtol=1e-5)
        done = self.run_cameo("quantize", "parts/backbone.onnx", "-o", "q.onnx", "--calibrate", "fed/backbone")
        self.assertEqual((done.returncode, done.stderr), (0, ""))

    def test_faults(self):
        whole = network()
        for arguments, code, text in [
                (["--cut", "here"], 1, "'here' is not a cut [bad-cut]"),
                (["--cut", "value:nothing"], 1, "[unknown-value]"),
                (["--cut", "value:x"], 1, "nothing lies before 'value:x' [bad-cut]"),
                (["--cut", "value:y,z,a"], 1, "nothing lies behind 'value:y,z,a' [bad-cut]"),
                (["--cut", "module:nowhere"], 1, "[no-such-node]"),
                (["--cut", "module:*"], 1, "all nodes belong to the module '*' [bad-cut]"),
                (["--cut", "mark:neck:input"], 1, "the model has no mark 'neck:input' [bad-cut]"),
                ([], 2, "say how to split: --cut, --assign, --parts or --max-size"),
                (["--parts", "2", "--max-size", "1GB"], 2, "say how to split"),
                (["--max-size", "big"], 2, "'big' is not a size"),
                (["--assign", "npu"], 2, "'npu' is not TARGET=PATTERN")]:
            with self.subTest(arguments=arguments):
                self.assertIn(text, self.fails(whole, *arguments, code=code))

    def test_random_numbers_differ(self):
        noise = node("RandomUniformLike", "a", "b")
        whole = model([node("Relu", "x", "a"), noise, node("Neg", "b", "y")], ["x"], ["y"])
        onnx.save(whole, str(self.folder / "m.onnx"))
        done = self.run_cameo("split", "m.onnx", "-o", "parts", "--cut", "value:a", "--verify")
        self.assertEqual(done.returncode, 1)
        self.assertIn("[split-differs]", done.stderr)

    def test_damaged_plan(self):
        self.split(network(), "--cut", "value:e")
        path = self.folder / "parts/plan.json"
        good = path.read_text()
        for old, new, text in [('"parts"', '"pieces"', "the plan lacks 'parts'"), ('"part1.onnx"', "3", "'file' of the plan"),
                               ('"part1.onnx"', '"../part1.onnx"', "does not lie in the folder of the plan"),
                               ('"e"', '"lost"', "reads"), ("{", "", "[bad-plan]")]:
            path.write_text(good.replace(old, new, 1) if old != '"e"' else good.replace('"name": "e"', '"name": "lost"'))
            done = self.run_cameo("run", "parts/plan.json")
            self.assertEqual(done.returncode, 1)
            self.assertIn(text, done.stderr)
            self.assertIn("[bad-plan]", done.stderr)
        path.write_text(good)
        done = self.run_cameo("run", "parts/plan.json", "--output-names", "nothing")
        self.assertIn("[no-such-value]", done.stderr)

    def test_memory_does_not_grow_with_the_weights(self):
        """Weights of 400 MB, in a file with holes, are split with at most 100 MB of memory."""
        size, count = 50_000_000, 2
        nodes = [node("Add", f"x w{i}", f"v{i}") for i in range(count)] + [node("Sub", "v0 v1", "y")]
        whole = model(nodes, ["x"], ["y"])
        for info in (*whole.graph.input, *whole.graph.output):
            info.CopyFrom(value(info.name, (size,)))
        for i in range(count):
            tensor = whole.graph.initializer.add(name=f"w{i}", data_type=FLOAT, dims=[size],
                                                 data_location=TensorProto.EXTERNAL)
            for key, entry in ("location", "m.data"), ("offset", str(i * size * 4)), ("length", str(size * 4)):
                tensor.external_data.add(key=key, value=entry)
        (self.folder / "m.onnx").write_bytes(whole.SerializeToString())
        with open(self.folder / "m.data", "wb") as data:
            data.truncate(count * size * 4)
        done = self.run_cameo("split", "m.onnx", "-o", "parts", "--cut", "value:v0")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertLess(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss, 100_000)
        self.assertEqual((self.folder / "parts/part2.onnx.data").stat().st_size, size * 4)


unittest.main(argv=sys.argv[:1])
