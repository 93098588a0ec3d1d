"""options_test.py CAMEO: the options of `cameo export` for programs that declare their inputs, and programs that PyTorch 2.14 no
longer writes.
"""
import json
import pathlib
import subprocess
import sys
import tempfile
import unittest
import zipfile

import numpy
import onnx

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent / "support")]
from judge import judge  # noqa: E402

CAMEO = None


class Options(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        zipfile.ZipFile(HERE / "programs/2.14.zip").extractall(cls.folder.name)

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def export(self, program, *options):
        model = pathlib.Path(self.folder.name) / "model.onnx"
        done = subprocess.run([CAMEO, "export", pathlib.Path(self.folder.name) / f"{program}.pt2", "-q", "-o", model, *options],
                              capture_output=True, text=True)
        return done, model

    def shapes(self, program, *options):
        done, model = self.export(program, *options)
        self.assertEqual(done.returncode, 0, done.stderr)
        graph = onnx.load(model).graph
        return {value.name: [d.dim_param or d.dim_value for d in value.type.tensor_type.shape.dim] for value in (*graph.input, *graph.output)}

    def refused(self, message, program, *options):
        done, _ = self.export(program, *options)
        self.assertEqual(done.returncode, 1)
        self.assertIn(message, done.stderr)
        self.assertIn("[declared-input]", done.stderr)

    def test_as_the_file_declares(self):
        self.assertEqual(self.shapes("derived_size"), {"x": ["s77"], "y": ["s77 + 1"], "output": ["s77"]})

    def test_a_name_applies_everywhere(self):
        self.assertEqual(self.shapes("derived_size", "--input", "x=f32[n]"), {"x": ["n"], "y": ["n + 1"], "output": ["n"]})

    def test_a_name_of_an_axis(self):
        self.assertEqual(self.shapes("derived_size", "--dynamic-axes", '{"x": {0: "n"}}'), {"x": ["n"], "y": ["n + 1"], "output": ["n"]})

    def test_a_name_of_an_axis_with_an_example_size(self):
        names = "--dynamic-axes", '{"x": {0: "n"}}'
        self.assertEqual(self.shapes("derived_size", "--input", "f32[5]", *names), {"x": ["n"], "y": ["n + 1"], "output": ["n"]})
        self.refused("the size s77 of the program cannot be m and n", "derived_size", "--input", "x=f32[m]", *names)

    def test_a_fixed_size(self):
        self.assertEqual(self.shapes("derived_size", "--input", "f32[5]"), {"x": [5], "y": [6], "output": [5]})

    def test_a_restricted_range(self):
        self.assertEqual(self.shapes("derived_size", "--input", "x=f32[n=4..8]"), {"x": ["n"], "y": ["n + 1"], "output": ["n"]})

    def test_contradictions(self):
        self.refused("dimension 0 of input 'x' can be 2..64, not 100", "derived_size", "--input", "f32[100]")
        self.refused("dimension 0 of input 'x' can be 2..64, not 0..8", "derived_size", "--input", "f32[n=0..8]")
        self.refused("dimension 0 of input 'y' is s77 + 1: its size follows from other sizes", "derived_size", "--input", "y=f32[n]")
        self.refused("input 'x' has another type in the file", "derived_size", "--input", "f64[n]")
        self.refused("input 'x' has another type in the file", "derived_size", "--input", "f32[n,2]")
        self.refused("input 'x' is a tensor", "derived_size", "--input", "x=3")
        self.refused("the program has no input 'z'", "derived_size", "--input", "z=f32[n]")
        self.refused("there are 3 inputs, but the program has 2", "derived_size", *["--input", "f32[?]"] * 3)
        self.refused("the size s17 of the program cannot be n and 4", "two_inputs_of_one_size", "--input", "f32[n,?]", "--input", "f32[4,?]")

    def test_a_fixed_size_of_the_file(self):
        self.refused("has the fixed size", "mlp_fixed", "--input", "f32[batch,?]")

    def with_last_node(self, name, change):
        """A program of two nodes, of which change(node) changes the last."""
        folder = pathlib.Path(self.folder.name)
        changed = folder / f"{name}.pt2"
        with zipfile.ZipFile(folder / "custom_operator_that_writes-decomposed.pt2") as old, zipfile.ZipFile(changed, "w") as new:
            for record in old.namelist():
                data = old.read(record)
                if record.endswith("models/model.json"):
                    program = json.loads(data)
                    change(program["graph_module"]["graph"]["nodes"][-1])
                    data = json.dumps(program)
                new.writestr(record, data)
        return changed

    def functionalized(self, target, *arguments):
        """What is wrong with the export of y = x * 2, y + 3, in which `target` calls add_ of y."""
        def change(node):
            given = [("", {"as_operator": "torch.ops.aten.add_.Scalar"}), *arguments]
            node.update(target=f"torch.ops.higher_order.{target}", inputs=[{"name": name, "arg": value, "kind": 2} for name, value in given],
                        outputs=[{"as_tensor": {"name": "result"}}, *node["outputs"][1:]])

        folder, case = pathlib.Path(self.folder.name), "custom_operator_that_writes"
        changed = self.with_last_node(target, change)
        entry = next(entry for entry in json.loads((HERE / "programs/2.14.json").read_text())["cases"] if entry["case"] == case)
        entry.pop("refused")
        return judge(pathlib.Path(CAMEO), changed, numpy.load(folder / f"{case}.npz"), entry)

    def test_an_operator_that_writes(self):
        self.assertIsNone(self.functionalized("auto_functionalized_v2", ("other", {"as_int": 3}), ("_self_base_index", {"as_int": 0}),
                                              ("_all_bases", {"as_tensors": [{"name": "mul"}]})))

    def test_an_operator_that_writes_without_base_indices(self):
        self.assertIsNone(self.functionalized("auto_functionalized", ("self", {"as_tensor": {"name": "mul"}}), ("other", {"as_int": 3})))

    def test_a_call_without_arguments(self):
        for target in ("aten.sym_constrain_range_for_size.default", "aten._assert_scalar.default", "aten.append.t", "aten.size.int"):
            with self.subTest(target):
                self.with_last_node("without", lambda node: node.update(target=f"torch.ops.{target}", inputs=[]))
                done, _ = self.export("without")
                self.assertEqual(done.returncode, 1, done.stderr)


if __name__ == "__main__":
    CAMEO = sys.argv.pop(1)
    unittest.main()
