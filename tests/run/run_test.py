"""run_test.py CAMEO OLD_RUNTIME: `cameo run` and `cameo probe` as a user meets them."""
import os
import shutil
import subprocess
import sys
import unittest

import numpy as np
import onnx
from onnx import TensorProto, helper

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))
from folder_case import FolderCase  # noqa: E402

CAMEO = os.path.abspath(sys.argv[1])
OLD_RUNTIME = os.path.abspath(sys.argv[2])


def model(path, nodes, inputs, outputs):
    graph = helper.make_graph(nodes, "g", inputs, outputs)
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8), path)


def tensor(name, dims, kind=TensorProto.FLOAT):
    return helper.make_tensor_value_info(name, kind, dims)


class Run(FolderCase):
    def setUp(self):
        super().setUp()
        model("m.onnx", [helper.make_node("Mul", ["x", "k"], ["product"]), helper.make_node("Neg", ["product"], ["y"]),
                         helper.make_node("Add", ["product", "k"], ["z"])],
              [tensor("x", ["n", 2]), tensor("k", [])], [tensor("y", ["n", 2]), tensor("z", ["n", 2])])

    def cameo(self, *args, code=0):
        done = subprocess.run([CAMEO, *args], capture_output=True, text=True)
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        return done.stdout if code == 0 else done.stderr

    def test_arrays_from_files_go_in_and_out(self):
        x = np.arange(6, dtype=np.float32).reshape(3, 2)
        np.save("x.npy", x)
        text = self.cameo("run", "m.onnx", "x=@x.npy", "k=2", "-o", "out.npz")
        self.assertIn("y = f32[3, 2]  -0, -2, -4, -6, -8, -10", text)
        with np.load("out.npz") as out:
            self.assertEqual(list(out), ["y", "z"])
            np.testing.assert_array_equal(out["y"], -2 * x)
            np.testing.assert_array_equal(out["z"], 2 * x + 2)

    def test_one_npz_feeds_all(self):
        for save in (np.savez, np.savez_compressed):
            save("in.npz", x=np.ones((1, 2), np.float32), k=np.float32(3))
            self.cameo("run", "m.onnx", "--npz", "in.npz", "--output-names", "z", "-o", "z.npy")
            np.testing.assert_array_equal(np.load("z.npy"), [[6, 6]])

    def test_made_up_inputs(self):
        self.assertIn("x = f32[2, 2]  0, 1, 2, 3\n", self.cameo("run", "m.onnx", "x=arange[2,2]", "k=1"))
        self.assertIn("x = f32[1, 2]  1, 1\n", self.cameo("run", "m.onnx", "ones"))
        once, again, other = (self.cameo("run", "m.onnx", "--seed", seed) for seed in "001")
        self.assertEqual(once, again)
        self.assertNotEqual(once, other)

    def test_every_element_type_can_be_made_up(self):
        kinds = [getattr(TensorProto, k) for k in "FLOAT DOUBLE FLOAT16 INT8 INT16 INT32 INT64 UINT8 UINT16 UINT32 UINT64 BOOL".split()]
        for kind in kinds:
            model("i.onnx", [helper.make_node("Identity", ["a"], ["b"])], [tensor("a", [2], kind)], [tensor("b", [2], kind)])
            self.cameo("run", "i.onnx", "a=ones", "-o", "b.npy")
            np.testing.assert_array_equal(np.load("b.npy"), [1, 1])
            self.cameo("run", "i.onnx", "a=rand")

    def test_values_inside_the_model(self):
        text = self.cameo("run", "m.onnx", "x=ones", "k=5", "--fetch", "product", "--output-names", "z", "--opt-level", "0")
        self.assertIn("product = f32[1, 2]  5, 5\n", text)
        self.assertNotIn("y =", text)
        self.assertIn("Graph output (nowhere) does not exist", self.cameo("run", "m.onnx", "--fetch", "nowhere", code=1))

    def test_latencies(self):
        self.assertRegex(self.cameo("run", "m.onnx", "--repeat", "7"), r"7 runs: median [0-9.]+ ms, 90 % ")

    def test_wrong_inputs(self):
        inputs = "the model's inputs are: x: f32[n, 2]; k: f32[]"
        for spec, texts in {
            "q=1": ["the model has no input 'q' [bad-feed]", inputs],
            "x=rnd": ["'rnd' is not a way to generate an input", "there are rand, randn, zeros, ones, arange"],
            "x=rand[2,-1]": ["'[2,-1]' is not a valid shape"],
            "x=rand[99999999999,2]": ["so many random elements are not generated"],
            "x=rand[1,3]": ["[ONNXRuntimeError] : 2 : INVALID_ARGUMENT : Got invalid dimensions for input: x for the following "
                            "indices index: 1 Got: 3 Expected: 2 Please fix either the inputs/outputs or the model.",
                            "re-export with --input 'x=f32[n,dim1]'"],
        }.items():
            error = self.cameo("run", "m.onnx", spec, code=1)
            for text in texts:
                self.assertIn(text, error)
        self.assertIn("is given twice", self.cameo("run", "m.onnx", "x=ones", "x=zeros", code=1))
        self.assertIn("more inputs are given", self.cameo("run", "m.onnx", "ones", "ones", "ones", code=1))

    def test_wrong_outputs(self):
        self.assertIn("a .npy file holds one array, and there are 2 outputs [several-outputs]", self.cameo("run", "m.onnx", "-o", "y.npy", code=1))
        self.assertIn("outputs are written as .npy or .npz [unknown-extension]", self.cameo("run", "m.onnx", "-o", "y.txt", code=1))
        self.assertIn("there is no output `q`", self.cameo("run", "m.onnx", "--output-names", "q", code=1))
        self.assertEqual(sorted(os.listdir()), ["m.onnx"])

    def test_without_a_runtime(self):
        shutil.copy(CAMEO, "alone")
        environment = {**os.environ, "HOME": "/nonexistent", "XDG_CACHE_HOME": "/nonexistent"}
        environment.pop("CAMEO_ONNXRUNTIME", None)
        done = subprocess.run(["./alone", "run", "m.onnx"], capture_output=True, text=True, env=environment)
        self.assertIn("[onnxruntime-missing]", done.stderr)
        done = subprocess.run([CAMEO, "run", "m.onnx"], capture_output=True, text=True,
                              env={**environment, "CAMEO_ONNXRUNTIME": OLD_RUNTIME})
        self.assertIn("ONNX Runtime 1.2.3", done.stderr)
        self.assertIn("is too old", done.stderr)
        self.assertIn("[onnxruntime-too-old]", done.stderr)

    def test_nothing_is_left_in_the_temporary_folder(self):
        os.mkdir("temporary")
        done = subprocess.run([CAMEO, "run", "m.onnx", "x=ones[3,2]", "k=2"], capture_output=True, text=True,
                              env={**os.environ, "TMPDIR": os.path.abspath("temporary")})
        self.assertEqual((done.returncode, os.listdir("temporary")), (0, []), done.stderr)

    def test_probe(self):
        for name, dims in {"static": [1, 3], "batch": ["n", 3]}.items():
            model(f"{name}.onnx", [helper.make_node("Relu", ["in"], ["out"])], [tensor("in", dims)], [tensor("out", dims)])
        text = self.cameo("probe", "static.onnx", "batch.onnx", "--shapes", "1,3", "2,3", "--errors")
        lines = text.splitlines()
        self.assertEqual(lines[:4], ["Input[0] on model static.onnx succeed.", "Input[1] on model static.onnx error.",
                                     "Input[0] on model batch.onnx succeed.", "Input[1] on model batch.onnx succeed."])
        self.assertIn("static.onnx: error: [run] [ONNXRuntimeError] : 2 : INVALID_ARGUMENT", lines[4])


unittest.main(argv=sys.argv[:1])
