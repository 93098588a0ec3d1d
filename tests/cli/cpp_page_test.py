"""cpp_page_test.py CAMEO EXAMPLE_API EXAMPLE_MODEL: the examples of docs/cpp.md are those of examples/api.cpp, and run."""
import os
import pathlib
import re
import subprocess
import sys
import textwrap

import command

ROOT = pathlib.Path(__file__).resolve().parents[2]
DIGITS = ROOT / "examples/models/digits.pt"
EXAMPLE_API, EXAMPLE_MODEL = [os.path.abspath(path) for path in sys.argv[2:4]]


def run(*arguments):
    return subprocess.run(list(map(str, arguments)), capture_output=True, text=True, check=False)


class CppPage(command.TestCase):
    def test_each_example_is_compiled(self):
        code = (ROOT / "examples/api.cpp").read_text().replace("(program)", '("model.pt")')
        blocks = re.findall(r"```cpp\n(.*?)```", (ROOT / "docs/cpp.md").read_text(), re.DOTALL)
        self.assertEqual(len(blocks), 5)
        for block in blocks:
            self.assertIn(textwrap.indent(block, "  "), code)

    def test_the_examples_run(self):
        ran = run(EXAMPLE_API, DIGITS)
        self.assertEqual((ran.returncode, ran.stderr), (0, ""))
        for line in ("forward takes 1 arguments\n", "scores: f32[batch, 10]\n"):
            self.assertIn(line, ran.stdout)
        self.assertEqual(len(ran.stdout.splitlines()[-1].split()), 10)
        self.assertEqual(run(command.CAMEO, "check", "small.onnx").returncode, 0)

    def test_a_model_from_bytes(self):
        self.assertEqual(run(EXAMPLE_API, DIGITS).returncode, 0)
        ran = run(EXAMPLE_MODEL, "model.onnx", "smaller.onnx")
        self.assertEqual((ran.returncode, ran.stderr), (0, ""))
        self.assertIn("in   image: f32[batch, 1, 28, 28]\n", ran.stdout)
        self.assertEqual(run(command.CAMEO, "diff", "small.onnx", "smaller.onnx").returncode, 0)


command.main()
