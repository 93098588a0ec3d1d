"""What the tests of `cameo cast` and `cameo quantize` share."""
import os
import subprocess
import sys

import numpy as np
import onnx

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))
from folder_case import FolderCase  # noqa: E402

CAMEO = os.path.abspath(sys.argv[1])


class ToolCase(FolderCase):
    def cameo(self, *args, code=0):
        done = subprocess.run([CAMEO, *map(str, args)], capture_output=True, text=True)
        self.assertEqual(done.returncode, code, f"{args}\n{done.stdout}{done.stderr}")
        self.told = done.stderr
        return done.stdout if code == 0 else done.stderr

    def run_model(self, path, feeds, optimized=False):
        np.savez("in.npz", **feeds)
        self.cameo("run", path, "--npz", "in.npz", "-o", "out.npz", "--opt-level", "99" if optimized else "0")
        with np.load("out.npz") as found:
            return {name: found[name] for name in found.files}

    def check(self, path, opset=17):
        """Valid, with the nodes in order."""
        self.assertEqual(self.cameo("check", "--full", path).count("error"), 0)
        if opset <= onnx.defs.onnx_opset_version():
            onnx.checker.check_model(onnx.load(path), full_check=True)

    def near(self, got, expected, tolerance, name=""):
        self.assertEqual(got.shape, expected.shape, name)
        error = np.abs(got.astype(np.float64) - expected.astype(np.float64)).max(initial=0)
        self.assertLessEqual(error, tolerance * max(np.abs(expected).max(initial=0), 1e-9), name)
