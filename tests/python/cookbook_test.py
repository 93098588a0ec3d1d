"""The Python code of docs/cookbook.md runs, and prints what its comments say."""

import contextlib
import io
import pathlib
import re
import tempfile
import unittest
import warnings

import torch

ROOT = pathlib.Path(__file__).resolve().parents[2]
PRINTED = re.compile(r"^print\(.*\)\s+# (.*)$", re.MULTILINE)


class Cookbook(unittest.TestCase):
    def test_code(self):
        blocks = re.findall(r"```python\n(.*?)```", (ROOT / "docs/cookbook.md").read_text(), re.DOTALL)
        self.assertGreater(len(blocks), 10)
        torch.manual_seed(0)
        names = {"__name__": "cookbook"}
        with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            for i, block in enumerate(blocks):
                # Scripted functions and warnings read the source of the code from a file.
                path = pathlib.Path(folder, f"block_{i}.py")
                path.write_text(block)
                printed = io.StringIO()
                with self.subTest(block=block), contextlib.redirect_stdout(printed):
                    exec(compile(block, str(path), "exec"), names)
                    self.assertEqual(printed.getvalue().splitlines(), PRINTED.findall(block))


if __name__ == "__main__":
    unittest.main()
