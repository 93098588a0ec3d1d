"""exported_test.py CAMEO: `cameo verify` with torch.export programs as a user meets it."""
import os
import sys
import unittest

import numpy
import onnx
import torch

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from verify_case import VerifyCase  # noqa: E402
from exported_program import node, write_program  # noqa: E402


def write_network(**options):
    """A linear layer, ReLU and layer norm, with a dynamic batch size."""
    weights = {"layer.weight": torch.randn(4, 3), "layer.bias": torch.randn(4), "norm.weight": torch.randn(4)}
    nodes = [node("aten.linear.default", ["linear"], module="layer", input="x", weight="p_layer_weight", bias="p_layer_bias"),
             node("aten.relu.default", ["relu"], self="linear"),
             node("aten.layer_norm.default", ["layer_norm"], module="norm", input="relu", normalized_shape=[4], weight="p_norm_weight")]
    write_program("model.pt2", {"x": ("float32", ["n", 3])}, nodes, ["layer_norm"], weights, **{"ranges": {"n": (2, 64)}, **options})


def write_unary(op, sizes=(2,), **options):
    write_program("model.pt2", {"x": ("float32", list(sizes))}, [node(op, ["y"], self="x")], ["y"], **options)


def sizes(report):
    return [run["sizes"] for run in report["runs"]]


class VerifyExported(VerifyCase):
    def test_the_inputs_of_the_file_and_other_sizes_within_the_range(self):
        write_network(samples=[torch.randn(7, 3)], ranges={"n": (4, 8)})
        report = self.report("model.pt2")
        self.assertTrue(report["agrees"])
        self.assertEqual(sizes(report), [{"n": 7}, {"n": 4}, {"n": 5}])
        self.assertEqual([run.get("samples", False) for run in report["runs"]], [True, False, False])
        self.assertEqual(report["runs"][0]["outputs"][0]["type"], "f32[7, 4]")
        text = self.cameo("verify", "model.pt2")
        self.assertIn("  n = 7, on the inputs of the file\n    output: f32[7, 4]  agrees, largest error ", text)
        self.assertIn("  n = 4\n    output: f32[4, 4]  agrees", text)

    def test_a_program_without_inputs_in_the_file(self):
        write_network()
        self.assertEqual(sizes(self.report("model.pt2")), [{"n": 2}, {"n": 3}, {"n": 5}])

    def test_sizes_that_the_user_names(self):
        write_network()
        self.assertEqual(sizes(self.report("model.pt2", "--size", "n=3,9")), [{"n": 3}, {"n": 9}])
        error = self.cameo("verify", "model.pt2", "--size", "n=65", code=1)
        self.assertIn("the program does not allow these sizes: n must be from 2 to 64 [bad-input]", error)
        self.assertIn("has no dynamic size 'm'", self.cameo("verify", "model.pt2", "--size", "m=2", code=1))

    def test_sizes_follow_formulas(self):
        """The second input has 2*n + 1 elements; m occurs in a formula only."""
        nodes = [node("aten.slice.Tensor", ["odd"], self="y", dim=0, start=1, step=2), node("aten.add.Tensor", ["sum"], self="x", other="odd"),
                 node("aten.sum.default", ["total"], self="z")]
        write_program("model.pt2", {"x": ("float32", ["n"]), "y": ("float32", ["2*n + 1"]), "z": ("float32", ["4*m"])}, nodes, ["sum", "total"],
                      ranges={"n": (2, 20), "m": (1, 5)}, samples=[torch.randn(3), torch.randn(7), torch.randn(8)])
        report = self.report("model.pt2")
        self.assertTrue(report["agrees"])
        self.assertEqual(sizes(report), [{"n": 3, "m": 2}, {"n": 2, "m": 3}, {"n": 2, "m": 2}])

    def test_indices_are_drawn_from_those_of_the_file(self):
        """Random integers would be too large for the table."""
        nodes = [node("aten.embedding.default", ["embedding"], weight="p_table", indices="i")]
        write_program("model.pt2", {"i": ("int64", ["n"])}, nodes, ["embedding"], {"table": torch.randn(3, 2)}, {"n": (2, 64)},
                      samples=[torch.tensor([2, 0, 1, 2])])
        report = self.report("model.pt2")
        self.assertTrue(report["agrees"])
        self.assertEqual(sizes(report), [{"n": 4}, {"n": 2}, {"n": 3}])

    def test_inputs_of_zeros_are_replaced_in_a_second_run(self):
        write_unary("aten.sin.default", samples=[torch.zeros(2)])
        self.assertEqual(len(self.report("model.pt2")["runs"]), 2)
        write_unary("aten.sin.default", samples=[torch.randn(2)])
        self.assertEqual(len(self.report("model.pt2")["runs"]), 1)

    def test_an_array_of_the_user(self):
        write_network(samples=[torch.randn(7, 3)])
        numpy.save("x.npy", numpy.ones((6, 3), numpy.float32))
        self.cameo("export", "model.pt2")
        report = self.report("model.pt2", "model.onnx", "--input", "x=@x.npy")
        self.assertEqual(report["runs"][0]["outputs"][0]["type"], "f32[6, 4]")
        self.assertIn("has no place for the argument 'z' [bad-input]", self.cameo("verify", "model.pt2", "model.onnx", "-i", "z=@x.npy", code=1))

    def test_a_changed_epsilon_is_found(self):
        write_network(samples=[torch.randn(7, 3)])
        for metadata in ("full", "names"):
            self.cameo("export", "model.pt2", "--metadata", metadata, "--opset", "17")
            name = self.change("LayerNormalization", "epsilon", 0.5)
            departure = self.report("model.pt2", "model.onnx", "--per-layer", code=1)["departure"]
            self.assertEqual((departure["node"], departure["operator"], departure["module"]), (name, "aten::layer_norm", "norm"))
            self.assertGreater(departure["relative"], 1e-3)
        error = self.cameo("verify", "model.pt2", "model.onnx", "--per-layer", code=1)
        self.assertIn("output 'output' at n = 7 has an error of", error)
        self.assertIn("[departs]", error)

    def test_writes_change_neither_the_inputs_nor_the_weights(self):
        """Each run starts from the weights of the file."""
        nodes = [node("aten.add_.Tensor", ["add_"], self="p_state", other=1.0), node("aten.mul_.Tensor", ["mul_"], self="x", other="p_state"),
                 node("aten.add.Tensor", ["sum"], self="x", other="p_state")]
        write_program("model.pt2", {"x": ("float32", ["n", 2])}, nodes, ["sum"], {"state": torch.randn(2)}, {"n": (2, 9)}, [torch.randn(3, 2)])
        report = self.report("model.pt2")
        self.assertTrue(report["agrees"])
        self.assertEqual(len(report["runs"]), 3)

    def test_operators_that_libtorch_lacks_are_named_together(self):
        nodes = [node("mine.twice.default", ["a"], x="x"), node("mine.half.some", ["b"], x="a"), node("mine.twice.default", ["c"], x="b")]
        write_program("model.pt2", {"x": ("float32", [2])}, nodes, ["c"])
        error = self.cameo("verify", "model.pt2", code=1)
        self.assertRegex(error, r"libtorch \S+ cannot run the program, because it lacks these operators: mine::half.some, mine::twice \[torch-cannot-load\]")
        self.assertIn("newer libtorch", error)
        self.assertIn("--load", error)

    def test_a_failure_names_the_node(self):
        nodes = [node("aten.reshape.default", ["shaped"], self="x", shape=[7])]
        write_program("model.pt2", {"x": ("float32", [6])}, nodes, ["shaped"], samples=[torch.randn(6)])
        write_unary("aten.sin.default", sizes=[6])
        self.cameo("export", "model.pt2")
        write_program("model.pt2", {"x": ("float32", [6])}, nodes, ["shaped"], samples=[torch.randn(6)])
        error = self.cameo("verify", "model.pt2", "model.onnx", code=1)
        self.assertIn("invalid for input of size 6 [torch-refuses]", error)
        self.assertIn("at the node 'shaped', a call of aten::reshape", error)

    def test_faults_are_explained(self):
        write_unary("aten.sin.default")
        self.cameo("export", "model.pt2")
        error = self.cameo("verify", "model.pt2", "model.onnx", "--method", "other", code=1)
        self.assertIn("the program has no method 'other' [no-such-method]", error)
        self.assertIn("the only method of a torch.export program is forward", error)
        model = onnx.load("model.onnx")
        model.graph.input.append(onnx.helper.make_tensor_value_info("more", onnx.TensorProto.FLOAT, [2]))
        onnx.save(model, "model.onnx")
        error = self.cameo("verify", "model.pt2", "model.onnx", code=1)
        self.assertIn("the program has 1 inputs, and the ONNX model 2 [bad-input]", error)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
