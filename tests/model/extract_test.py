"""extract_test.py CAMEO: `cameo extract` on models of all kinds, held against the onnx package and ONNX Runtime."""
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
FLOAT, INT64, BOOL = TensorProto.FLOAT, TensorProto.INT64, TensorProto.BOOL


def value(name, dims=(2,), kind=FLOAT):
    return helper.make_tensor_value_info(name, kind, dims)


def node(op, inputs, output, **attributes):
    return helper.make_node(op, inputs.split(), [output], name=f"/{output}", **attributes)


def ladder():
    """x -> a -> b -> c -> y with a way from a to c around b, and something beside it all."""
    nodes = [node("Add", "x w1", "a"), node("Relu", "a", "b"), node("Add", "b a", "c"), node("Mul", "c w2", "y"),
             node("Neg", "z", "other")]
    weights = [numpy_helper.from_array(np.float32([1, 2]), "w1"), numpy_helper.from_array(np.float32([3, 4]), "w2")]
    graph = helper.make_graph(nodes, "ladder", [value("x"), value("z")], [value("y"), value("other")], weights,
                              value_info=[value("a"), value("b"), value("c")])
    note = graph.quantization_annotation.add(tensor_name="w1")
    note.quant_parameter_tensor_names.add(key="SCALE_TENSOR", value="w1")
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)


def branching():
    """An If whose branches take h and w from around them; h comes from x."""
    def branch(name, op):
        return helper.make_graph([node(op, "h w", name)], name, [], [value(name)])
    nodes = [node("Relu", "x", "h"), node("If", "flag", "y", then_branch=branch("yes", "Add"), else_branch=branch("no", "Mul"))]
    graph = helper.make_graph(nodes, "branching", [value("x"), value("flag", [], BOOL)], [value("y")],
                              [numpy_helper.from_array(np.float32([5, 6]), "w"), numpy_helper.from_array(np.float32(7), "unused")],
                              value_info=[value("h")])
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)


class Extract(FolderCase):
    def run_cameo(self, *arguments):
        return subprocess.run([CAMEO, *map(str, arguments)], cwd=self.folder, capture_output=True, text=True)

    def extract(self, model, *arguments):
        onnx.save(model, str(self.folder / "m.onnx"))
        done = self.run_cameo("extract", "m.onnx", "-o", "part.onnx", *arguments)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        part = onnx.load(str(self.folder / "part.onnx"))
        onnx.checker.check_model(part, full_check=True)
        return part

    def refused(self, model, message, *arguments):
        onnx.save(model, str(self.folder / "m.onnx"))
        done = self.run_cameo("extract", "m.onnx", "-o", "part.onnx", *arguments)
        self.assertEqual((done.returncode, done.stdout, done.stderr), (1, "", message))
        self.assertFalse((self.folder / "part.onnx").exists())

    def names(self, part):
        graph = part.graph
        return tuple(" ".join(each.name for each in list) for list in (graph.input, graph.output, graph.initializer)) + (
            " ".join(each.output[0] for each in graph.node),)

    def result(self, path, *arguments):
        done = self.run_cameo("run", path, *arguments, "-o", "out.npz")
        self.assertEqual(done.returncode, 0, done.stderr)
        return {name: array.tolist() for name, array in np.load(self.folder / "out.npz").items()}

    def test_a_part(self):
        part = self.extract(ladder(), "--from", "a", "--to", "y")
        self.assertEqual(self.names(part), ("a", "y", "w2", "b c y"))
        self.assertEqual([each.name for each in part.graph.value_info], ["b", "c"])
        self.assertEqual(len(part.graph.quantization_annotation), 0)
        self.assertEqual(part.graph.input[0], value("a"))
        np.save(self.folder / "a.npy", np.float32([1, -1]))
        self.assertEqual(self.result("part.onnx", "a=@a.npy"), {"y": [6.0, -4.0]})

    def test_ends_alone(self):
        self.assertEqual(self.names(self.extract(ladder(), "--to", "b")), ("x", "b", "w1", "a b"))
        self.assertEqual(self.names(self.extract(ladder(), "--to", "c,b")), ("x", "c b", "w1", "a b c"))
        self.assertEqual(len(self.extract(ladder(), "--to", "b").graph.quantization_annotation), 1)

    def test_by_node(self):
        self.assertEqual(self.names(self.extract(ladder(), "--from", "/b", "--to", "/c")), ("a", "c", "", "b c"))
        self.assertEqual(self.names(self.extract(ladder(), "--from", "/c", "--to", "/c")), ("b a", "c", "", "c"))
        self.assertEqual(self.names(self.extract(ladder(), "--from", "/a", "--to", "/a")), ("x", "a", "w1", "a"))

    def test_a_weight_becomes_an_input(self):
        part = self.extract(ladder(), "--from", "c,w2", "--to", "y")
        self.assertEqual(self.names(part), ("c w2", "y", "", "y"))
        self.assertEqual(part.graph.input[1], value("w2"))

    def test_missing_inputs(self):
        self.refused(ladder(), "m.onnx: error: [check] 'b' is not enough to compute 'y': 'a' is needed too [missing-inputs]\n"
                     "  hint: cut there as well: --from b,a\n", "--from", "b", "--to", "y")
        self.assertEqual(self.names(self.extract(ladder(), "--from", "b,a", "--to", "y")), ("b a", "y", "w2", "c y"))

    def test_an_output_beside_the_cut(self):
        self.refused(ladder(), "m.onnx: error: [check] 'other' does not depend on 'a' [independent-output]\n"
                     "  hint: begin at what it is computed from: --from a,z\n", "--from", "a")
        self.assertEqual(self.names(self.extract(ladder(), "--from", "a,z"))[:2], ("a z", "y other"))

    def test_an_input_that_is_not_needed(self):
        self.refused(ladder(), "m.onnx: error: [check] 'x' is not needed to compute 'y' [unneeded-input]\n"
                     "  hint: leave it out: --from a\n", "--from", "a,x", "--to", "y")

    def test_unknown_names(self):
        model = ladder()
        model.graph.node[1].name = "relu_of_a"
        self.refused(model, "m.onnx: error: [check] the model has no value and no node 'relu_of_b' [unknown-value]\n"
                     "  hint: did you mean 'relu_of_a'?\n"
                     "m.onnx: error: [check] the model has no value and no node '65' [unknown-value]\n"
                     "  hint: see the names: cameo print m.onnx\n", "--to", "relu_of_b,65")
        self.refused(branching(), "m.onnx: error: [check] 'yes' is a value within a subgraph, which only that can see "
                     "[unknown-value]\n  hint: name a result of the node that holds the subgraph\n", "--add-output", "yes")

    def test_more_outputs(self):
        part = self.extract(ladder(), "--add-output", "b", "--add-output", "y")
        self.assertEqual(self.names(part), ("x z", "y other b", "w1 w2", "a b c y other"))
        self.assertEqual(part.graph.output[2], value("b"))
        self.assertEqual(self.result("part.onnx", "x=1")["b"], [2.0, 3.0])
        self.assertEqual(self.result("m.onnx", "x=1", "--fetch", "b")["b"], [2.0, 3.0])
        part = self.extract(ladder(), "--all-outputs")
        self.assertEqual(self.names(part)[1], "y other a b c")
        part = self.extract(ladder(), "--to", "c", "--all-outputs")
        self.assertEqual(self.names(part)[1:], ("c a b", "w1", "a b c"))

    def test_types_that_the_file_does_not_say(self):
        model = ladder()
        del model.graph.value_info[:]
        self.assertEqual(self.extract(model, "--add-output", "b").graph.output[2], value("b"))
        self.assertEqual(self.result("part.onnx", "x=1")["b"], [2.0, 3.0])
        self.assertEqual(self.extract(model, "--from", "b,a", "--to", "y").graph.input[0], value("b"))

    def test_types_that_nobody_knows(self):
        model = ladder()
        del model.graph.value_info[:]
        model.graph.node[0].domain = "own"
        model.opset_import.add(domain="own", version=1)
        self.refused(model, "m.onnx: error: [check] the type of the new input 'b' is neither declared nor known [unknown-type]\n"
                     "  hint: add it to the model's value_info\n", "--from", "b", "--to", "b")
        done = self.run_cameo("extract", "m.onnx", "-o", "part.onnx", "--add-output", "b")
        self.assertEqual((done.returncode, done.stderr), (0, """\
m.onnx: warning: [check] the type of the new output 'b' is neither declared nor known [unknown-type]
  hint: add it to the model's value_info
"""))

    def test_nothing_asked_is_a_copy(self):
        model = ladder()
        model.training_info.add()
        self.assertEqual(self.extract(model), model)
        model.graph.output[0].ClearField("type")
        onnx.save(model, str(self.folder / "m.onnx"))
        self.assertEqual(self.run_cameo("extract", "m.onnx", "-o", "part.onnx").stderr, "")
        self.assertEqual((self.folder / "m.onnx").read_bytes(), (self.folder / "part.onnx").read_bytes())

    def test_branches_capture(self):
        part = self.extract(branching(), "--from", "h,flag")
        self.assertEqual(self.names(part), ("h flag", "y", "w", "y"))
        self.assertEqual(self.result("part.onnx", "h=2", "flag=ones"), {"y": [7.0, 8.0]})
        self.refused_branch()

    def refused_branch(self):
        (self.folder / "part.onnx").unlink()
        self.refused(branching(), "m.onnx: error: [check] 'h' is not enough to compute 'y': 'flag' is needed too "
                     "[missing-inputs]\n  hint: cut there as well: --from h,flag\n", "--from", "h")

    def test_functions(self):
        def function(name, op):
            return helper.make_function("own", name, ["a"], ["b"], [op], [helper.make_opsetid("", 17), helper.make_opsetid("own", 1)])
        functions = [function("Inner", helper.make_node("Relu", ["a"], ["b"])),
                     function("Outer", helper.make_node("Inner", ["a"], ["b"], domain="own")),
                     function("Idle", helper.make_node("Neg", ["a"], ["b"]))]
        nodes = [node("Outer", "x", "y", domain="own"), node("Idle", "y", "z", domain="own")]
        graph = helper.make_graph(nodes, "calls", [value("x")], [value("z")], value_info=[value("y")])
        model = helper.make_model(graph, functions=functions, ir_version=8,
                                  opset_imports=[helper.make_opsetid("", 17), helper.make_opsetid("own", 1)])
        self.assertEqual([each.name for each in self.extract(model, "--to", "y").functions], ["Inner", "Outer"])

    def test_initialisers_that_are_inputs(self):
        model = ladder()
        model.graph.input.extend([value("w1"), value("w2")])
        model.ir_version = 3
        self.assertEqual(self.names(self.extract(model, "--from", "a", "--to", "y")), ("a w2", "y", "w2", "b c y"))
        self.assertEqual(self.names(self.extract(model, "--to", "a")), ("x w1", "a", "w1", "a"))

    def test_external_data_of_the_part(self):
        model = ladder()
        for tensor in model.graph.initializer:
            tensor.CopyFrom(numpy_helper.from_array(numpy_helper.to_array(tensor), tensor.name))
        onnx.save(model, str(self.folder / "m.onnx"), save_as_external_data=True, location="m.data", size_threshold=0)
        (self.folder / "new").mkdir()
        done = self.run_cameo("extract", "m.onnx", "-o", "new/part.onnx", "--from", "c", "--to", "y")
        self.assertEqual((done.returncode, done.stdout), (0, f"new/part.onnx: 1 of 5 nodes, "
                         f"{(self.folder / 'new/part.onnx').stat().st_size} B, and 8 B in new/part.onnx.data\n"))
        self.assertEqual((self.folder / "new/part.onnx.data").read_bytes(), np.float32([3, 4]).tobytes())
        self.assertEqual(self.result("new/part.onnx", "c=2"), {"y": [6.0, 8.0]})

    def test_usage(self):
        done = self.run_cameo("extract", "m.onnx")
        self.assertEqual(done.returncode, 2)
        self.assertIn("--output is required", done.stderr)


unittest.main(argv=sys.argv[:1])
