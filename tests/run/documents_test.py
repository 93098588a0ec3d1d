"""documents_test.py CAMEO BACKEND_RUN EXAMPLE_INFER: the ways to run a model that the handbooks show."""
import os
import pathlib
import re
import subprocess
import sys
import unittest
import warnings

import numpy as np
import torch
import torchvision

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))
from folder_case import FolderCase  # noqa: E402

CAMEO, BACKEND_RUN, EXAMPLE_INFER = map(os.path.abspath, sys.argv[1:4])
DIGITS = pathlib.Path(__file__).resolve().parents[2] / "examples/models/digits.pt"
warnings.filterwarnings("ignore")


class Documents(FolderCase):
    def setUp(self):
        super().setUp()
        torch.manual_seed(0)

    def run_tool(self, *command, code=0):
        done = subprocess.run(list(map(str, command)), capture_output=True, text=True)
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        return done.stdout if code == 0 else done.stderr

    def test_alexnet_with_a_batch_of_ten(self):
        model = torchvision.models.alexnet(weights=None).eval()
        images = torch.randn(10, 3, 224, 224)
        with torch.no_grad():
            torch.jit.save(torch.jit.trace(model, images, check_trace=False), "alexnet.pt")
            expected, relu = model(images), torch.relu(model.features[0](images))
        np.save("images.npy", images.numpy())
        self.run_tool(CAMEO, "export", "alexnet.pt", "-i", "f32[10,3,224,224]", "--output-names", "scores", "-o", "alexnet.proto")
        text = self.run_tool(CAMEO, "print", "alexnet.proto", "--style", "torch-0.3")
        self.assertNotIn("UNKNOWN_TYPE", text)
        self.assertTrue(text.startswith("graph(%features.0.weight : Float(64, 3, 11, 11)\n      %features.0.bias : Float(64)\n"), text[:200])
        self.assertRegex(text, r"\n      %\w+ : Float\(10, 3, 224, 224\)\) \{\n")
        name = re.search(r"%(\S+) : Float\(10, 64, 55, 55\) = Relu\(", text)[1]
        said = self.run_tool(BACKEND_RUN, "alexnet.proto", "CPU", "out.npz", name, "images.npy")
        with np.load("out.npz") as results:
            self.assertEqual(results["0"].shape, (10, 1000))
            np.testing.assert_allclose(results["0"], expected, rtol=1e-3, atol=1e-4)
            np.testing.assert_allclose(results["value"], relu, rtol=1e-3, atol=1e-4)
        count, *operators = said.splitlines()
        self.assertGreater(int(count.split()[0]), 30)
        self.assertTrue(any("Conv" in op for op in operators), operators)
        refused = self.run_tool(BACKEND_RUN, "alexnet.proto", "CUDA:0", "out.npz", name, "images.npy", code=1)
        self.assertEqual(refused, "cameo: error: [run] the device 'CUDA:0' is not supported [unsupported-device]\n"
                                  '  hint: models run on the device "CPU"\n')

    def test_other_sizes_are_refused_in_onnx_runtimes_words(self):
        torch.jit.save(torch.jit.script(torch.nn.Linear(10, 2)), "linear.pt")
        self.run_tool(CAMEO, "export", "linear.pt", "-i", "input=f32[32,10]", "--output-names", "output")
        self.assertEqual(self.run_tool(CAMEO, "io", "linear.onnx"),
                         "input 0: 'input' f32[32, 10]\noutput 0: 'output' f32[32, 2]\n")
        self.run_tool(CAMEO, "run", "linear.onnx", "input=rand[32,10]")
        refused = self.run_tool(CAMEO, "run", "linear.onnx", "input=rand[1,10]", code=1)
        self.assertRegex(refused, r"\[ONNXRuntimeError\] : 2 : INVALID_ARGUMENT : Got invalid dimensions for input: input for the "
                                  r"following indices index: 0 Got: 1 Expected: 32 Please fix either the inputs(/outputs)? or the model\. "
                                  r"\[onnxruntime-invalid-argument\]\n  hint: .*re-export with --input 'input=f32\[dim0,10\]'")
        self.run_tool(CAMEO, "export", "linear.pt", "-i", "input=f32[32,10]", "--dynamic-axes", "{'input': [0]}")
        self.run_tool(CAMEO, "run", "linear.onnx", "input=rand[1,10]")

    def test_four_steps_in_cpp(self):
        said = self.run_tool(EXAMPLE_INFER, DIGITS, "digits.onnx").splitlines()
        with torch.no_grad():
            expected = torch.jit.load(str(DIGITS))(torch.full((1, 1, 28, 28), 0.5))[0]
        torch.testing.assert_close(torch.tensor([float(score) for score in said[0].split()]), expected, rtol=1e-4, atol=1e-5)
        self.assertEqual(said[1], f"this is a {expected.argmax()}")
        source = pathlib.Path(__file__).resolve().parents[2] / "examples/infer.cpp"
        self.assertLess(len(source.read_text().splitlines()), 40)


unittest.main(argv=sys.argv[:1])
