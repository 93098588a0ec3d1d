"""The package as others find it: installed by pip, without PyTorch, with types."""

import ast
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

import cameo
from cameo import _cameo

SOURCE = pathlib.Path(__file__).resolve().parents[2]


class Package(unittest.TestCase):
    def test_pip_installs_it(self):
        with tempfile.TemporaryDirectory() as folder:
            subprocess.run([sys.executable, "-m", "pip", "install", "--quiet", "--no-index", "--no-deps",
                            "--no-build-isolation", "--root-user-action=ignore", "--target", folder, str(SOURCE)],
                           check=True, capture_output=True, text=True)
            code = "import cameo; print(cameo.__file__, cameo.__version__)"
            environment = {**os.environ, "PYTHONPATH": folder}
            told = subprocess.run([sys.executable, "-c", code], env=environment, cwd=folder, check=True,
                                  capture_output=True, text=True).stdout
            self.assertEqual(told.split(), [os.path.join(folder, "cameo", "__init__.py"), cameo.__version__])
            self.assertTrue(os.path.exists(os.path.join(folder, "cameo", "py.typed")))

    def test_pytorch_is_needed_for_models_only(self):
        code = ("import sys; sys.modules['torch'] = None; import cameo\n"
                f"cameo.export({str(SOURCE / 'examples/models/digits.pt')!r}, f='/nowhere/digits.onnx')")
        told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
        self.assertIn("say what the inputs are", told.stderr)

    def test_the_stub_tells_what_there_is(self):
        stub = ast.parse((SOURCE / "python/cameo/_cameo.pyi").read_text())
        told = {node.name for node in stub.body if isinstance(node, (ast.ClassDef, ast.FunctionDef))}
        told |= {node.target.id for node in stub.body if isinstance(node, ast.AnnAssign)} - {"__version__"}
        self.assertEqual(told, {name for name in dir(_cameo) if not name.startswith("__")})
        for node in stub.body:
            if isinstance(node, ast.ClassDef):
                members = {item.target.id if isinstance(item, ast.AnnAssign) else item.name for item in node.body
                           if isinstance(item, (ast.AnnAssign, ast.FunctionDef))}
                self.assertLessEqual(members, set(dir(getattr(_cameo, node.name))), node.name)

    def test_everything_public_is_explained(self):
        for name in cameo.__all__:
            self.assertTrue(getattr(cameo, name).__doc__, name)


if __name__ == "__main__":
    unittest.main()
