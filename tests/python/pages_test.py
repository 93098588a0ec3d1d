"""The Python code of the pages runs, and prints and warns as its comments say. The C++ code of the pages compiles.

The blocks of a page run one after the other, in a folder of their own. A block below a line <!-- not run: REASON --> is left out.
"""

import contextlib
import io
import os
import pathlib
import re
import subprocess
import tempfile
import unittest
import warnings

import cameo
import torch

ROOT = pathlib.Path(__file__).resolve().parents[2]
BLOCK = re.compile(r"(?m)^(<!-- not run: .+ -->\n\n?)?```(python|cpp)\n((?:.*\n)*?)```$")
PRINTED = re.compile(r"(?m)^ *print\(.*\)(?:\n| +)# (.*)$")
WARNED = re.compile(r"(?m)^# ExportWarning: (.*)$")

# Names that the code of a page uses and does not define.
SETUP = {
    "docs/export.md": """
import torch
from types import SimpleNamespace
self = SimpleNamespace(energy=lambda positions: (positions ** 2).sum())
positions = torch.randn(4, 3)
""",
    "docs/qat.md": """
import torch
class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.conv, self.bn, self.relu = torch.nn.Conv2d(3, 4, 3), torch.nn.BatchNorm2d(4), torch.nn.ReLU()
    def forward(self, x):
        return self.relu(self.bn(self.conv(x)))
example = torch.randn(2, 3, 8, 8)
train = lambda model: model(example)
""",
    "docs/python.md": "import numpy as np\nimages = np.zeros((2, 3, 224, 224), np.float32)\n",
    "docs/design/control-flow.md": "import torch\n",
    "docs/design/opsets.md": "import torch\n",
    "docs/design/symbolic-sizes.md": "import torch\n",
}
HEADERS = "converter", "export", "format", "inspect", "model", "session"
PARAMETERS = {
    "docs/converters.md": "cameo::Registry& registry, cameo::Converter gelu, cameo::Conversion& c, cameo::Tensor x, cameo::Tensor y, "
                          "cameo::Sizes shape",
    "docs/cpp.md": "const std::string& program",
}


def blocks(language):
    """(page, code) of each block that is to be run."""
    for page in sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")]):
        name = page.relative_to(ROOT).as_posix()
        if "zh-CN" not in name:
            for left_out, of, code in BLOCK.findall(page.read_text()):
                if of == language and not left_out:
                    yield name, code


def by_page(language):
    pages = {}
    for name, code in blocks(language):
        pages.setdefault(name, []).append(code)
    return pages


class Pages(unittest.TestCase):
    def run_block(self, code, file, names):
        # Scripted functions and warnings read the source of the code from a file.
        pathlib.Path(file).write_text(code)
        with warnings.catch_warnings(record=True) as caught, contextlib.redirect_stdout(io.StringIO()) as printed:
            warnings.simplefilter("always")
            exec(compile(code, os.path.abspath(file), "exec"), names)
        warned = [str(each.message).splitlines()[0] for each in caught if each.category is cameo.ExportWarning]
        self.assertEqual(printed.getvalue().splitlines(), PRINTED.findall(code))
        self.assertEqual(warned, WARNED.findall(code))

    def test_python(self):
        pages = by_page("python")
        self.assertGreater(len(pages), 5)
        for page, codes in pages.items():
            torch.manual_seed(0)
            names = {"__name__": "page"}
            exec(SETUP.get(page, ""), names)
            with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
                for number, code in enumerate(codes):
                    with self.subTest(page=page, code=code):
                        self.run_block(code, f"block_{number}.py", names)

    def test_cpp(self):
        programs = [*blocks("cpp")]
        self.assertGreater(len(programs), 5)
        includes = "".join(f'#include "cameo/{header}.h"\n' for header in HEADERS) + "#include <cstdio>\n#include <span>\n"
        for page, code in programs:
            function = f"{includes}void example({PARAMETERS.get(page, '')}) {{\n{code}}}\n"
            text = code if "int main()" in code else function
            with self.subTest(page=page, code=code):
                done = subprocess.run(["c++", "-std=c++20", "-fsyntax-only", "-x", "c++", "-I", ROOT / "include", "-"],
                                      input=text, text=True, capture_output=True, check=False)
                self.assertEqual(done.returncode, 0, done.stderr[:2000])


if __name__ == "__main__":
    unittest.main()
