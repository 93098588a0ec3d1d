"""golden_test.py CAMEO [--rebase]: one program, exported in each of the five ways.

A file in cases/ holds the program, `--- type`, and after `--- expect` the warnings or errors and the graph.
"""
import glob
import os
import re
import sys
import tempfile

import torch
from exported import export, model_text

HERE = os.path.dirname(os.path.abspath(__file__))


def program_of(text):
    # TorchScript reads the source of a function from its file.
    with tempfile.NamedTemporaryFile("w+", suffix=".py") as file:
        file.write("import torch\nfrom torch import Tensor\n\n\n" + text)
        file.seek(0)
        scope = {}
        exec(compile(file.read(), file.name, "exec"), scope)
        return torch.jit.script(scope["Net"]().eval())


def outcome(cameo, program, kind):
    model, said = export(cameo, program, "-i", "x=f32[n,3]", "--operator-export-type", kind)
    said = "\n".join(line for line in said.splitlines() if re.match(r"\S+: (warning|error)", line))
    return said + "\n" + (model_text(model) if model else "")


def main():
    cameo, rebase = sys.argv[1], "--rebase" in sys.argv
    failed = 0
    for path in sorted(glob.glob(os.path.join(HERE, "cases", "*.txt"))):
        with open(path) as file:
            text = file.read()
        program, kind, *expected = re.split(r"^--- \w+ *\n?", text, flags=re.M)
        got = outcome(cameo, program_of(program), kind.strip())
        if rebase:
            with open(path, "w") as file:
                file.write(re.split(r"^--- expect", text, flags=re.M)[0] + "--- expect\n" + got)
        elif got != "".join(expected):
            failed += 1
            print(f"FAIL {os.path.basename(path)}: expected\n{''.join(expected)}got\n{got}")
    sys.exit(1 if failed else 0)


main()
