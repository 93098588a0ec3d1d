"""Runs the command of each *.txt file beside this one and compares the answer with the one in the file.

    mistakes_test.py CAMEO             fails and shows the difference
    mistakes_test.py CAMEO --rebase    writes the answers of today into the files

The first line of a file, behind "# ", says what the user does. Then come the command behind "$ ", its exit code unless 0, its
standard error behind "! ", and, where the command answers on standard output, that. mistake_files.py makes the files that the
commands name. Places in Python files are written without folder and line, and times as 0.00 s, since these vary.
"""
import difflib
import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
HERE = pathlib.Path(__file__).resolve().parent
LEAST = 60  # mistakes


def answer(cameo, mistake, command):
    words = shlex.split(command)
    assert words[0] == "cameo", command
    environment = {"PATH": os.environ["PATH"], "ASAN_OPTIONS": os.environ.get("ASAN_OPTIONS", ""), "COLUMNS": "100"}
    result = subprocess.run([cameo, *words[1:]], capture_output=True, text=True, timeout=60, env=environment)
    text = f"{mistake}\n$ {command}\n"
    if result.returncode != 0:
        text += f"exit {result.returncode}\n"
    text += "".join(f"! {line}\n" for line in result.stderr.splitlines()) + result.stdout
    text = re.sub(r"(  time +)[\d.]+ s", r"\g<1>0.00 s", text)
    return re.sub(r"at \S*/(\w+\.py):[\d:]+", r"at \1:<line>", text)


def main():
    import mistake_files

    cameo, rebase = os.path.abspath(sys.argv[1]), "--rebase" in sys.argv
    paths = sorted(HERE.glob("*.txt"))
    failures = []
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        mistake_files.all()
        for path in paths:
            expected = path.read_text()
            mistake, command = expected.splitlines()[:2]
            assert mistake.startswith("# ") and command.startswith("$ "), path.name
            actual = answer(cameo, mistake, command.removeprefix("$ "))
            if rebase:
                path.write_text(actual)
            elif actual != expected:
                failures.append(path.name)
                sys.stdout.writelines(difflib.unified_diff(
                    expected.splitlines(True), actual.splitlines(True), f"{path.name} (expected)", f"{path.name} (printed)"))
        os.chdir("/")
    print(f"{len(paths)} mistakes, {len(failures)} with another answer")
    return 1 if failures or len(paths) < LEAST else 0


if __name__ == "__main__":
    sys.exit(main())
