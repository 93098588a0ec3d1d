"""options_test.py CAMEO: the options of `cameo export` for programs that declare their inputs."""
import pathlib
import subprocess
import sys
import tempfile
import unittest
import zipfile

import onnx

HERE = pathlib.Path(__file__).resolve().parent
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


if __name__ == "__main__":
    CAMEO = sys.argv.pop(1)
    unittest.main()
