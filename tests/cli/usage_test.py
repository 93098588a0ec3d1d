"""usage_test.py CAMEO: answers to wrong usage, and the commands about the command itself."""

import os
import subprocess
import sys
import unittest

CAMEO = os.path.abspath(sys.argv[1])
WRONG = {
    "export x --export_params": "there is no option --export-params; did you mean --no-params?",
    "export x --outptu y": "there is no option --outptu; did you mean --output?",
    "export x --opset y": "--opset: 'y' is not a valid value",
    "export x --opset": "--opset: the value is missing",
    "export x --external-data z": "--external-data: 'z' is not one of auto, always, never, link",
    "print x --style z": "--style: 'z' is not one of onnx, text, torch, torch-0.3, annotated",
    "run x --repeat 0": "--repeat: '0' is not a positive number",
    "run x --threads -1": "--threads: '-1' is not a number of at least 0",
    "exprot": "there is no command 'exprot'; did you mean export?",
    "help exprot": "there is no command 'exprot'; did you mean export?",
    "man exprot": "there is no command 'exprot'",
    "completion tcsh": "there is no completion for the shell 'tcsh'; there is one for bash, zsh and fish",
}


def run(line, **options):
    return subprocess.run([CAMEO, *line.split()], capture_output=True, text=True, timeout=60, **options)


class Usage(unittest.TestCase):
    def test_wrong_usage(self):
        for line, answer in WRONG.items():
            result = run(line)
            self.assertEqual(result.returncode, 2, line)
            self.assertEqual(result.stderr.splitlines()[0], "cameo: " + answer, line)
            self.assertEqual(result.stdout, "", line)

    def test_help_of_a_command(self):
        self.assertEqual(run("help export").stdout, run("export --help").stdout)
        self.assertEqual(run("help").stdout, run("--help").stdout)
        self.assertIn("--opset", run("help export").stdout)

    def test_a_model_that_is_missing(self):
        result = run("run nothing.onnx")
        self.assertEqual(result.returncode, 1)
        self.assertIn("nothing.onnx: error: [read] no such file [no-such-file]", result.stderr)

    def test_doctor(self):
        nothing = {"PATH": "/usr/bin:/bin", "CAMEO_ONNXRUNTIME": "/no/such.so", "CAMEO_TORCH": "/no/bridge.so"}
        result = run("doctor", env=nothing)
        self.assertEqual(result.returncode, 1)
        for text in ("ONNX Runtime  missing", "/no/such.so", "libtorch      missing", "/no/bridge.so", "hint: install ONNX Runtime",
                     "needed for: cameo run"):
            self.assertIn(text, result.stdout)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1] + sys.argv[2:])
