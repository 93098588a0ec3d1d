"""What the tests of `cameo export` share: a folder of their own, saved programs, the command, ONNX Runtime.

    class Names(command.TestCase):
        def test_default(self):
            model = self.export_model(self.script(Net()), "--input", "f32[n]")
"""
import io
import os
import subprocess
import sys
import unittest
import zipfile

import numpy
import onnx
import torch

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))
from folder_case import FolderCase  # noqa: E402

CAMEO = os.path.abspath(sys.argv[1])


def cameo(*arguments):
    return subprocess.run([CAMEO, *map(str, arguments)], capture_output=True, text=True, timeout=120)


def dims(value):
    return [dim.dim_param or dim.dim_value for dim in value.type.tensor_type.shape.dim]


def names(values):
    return [value.name for value in values]


def run_onnx(path, *inputs, **named):
    """The outputs of a model in ONNX Runtime, or its words if it refuses."""
    arguments = []
    for name, value in [*enumerate(inputs), *named.items()]:
        file = f"in_{name}.npy"
        numpy.save(file, value.detach().numpy())
        arguments.append(f"@{file}" if isinstance(name, int) else f"{name}=@{file}")
    result = cameo("run", path, *arguments, "-o", "results.npz", "--threads", 1)
    if result.returncode != 0:
        return result.stderr
    with numpy.load("results.npz") as results:
        return [torch.from_numpy(results[name]) for name in results]


class TestCase(FolderCase):
    def setUp(self):
        super().setUp()
        torch.manual_seed(0)

    def script(self, module, path="model.pt"):
        torch.jit.save(torch.jit.script(module.eval()), path)
        return path

    def trace(self, module, *inputs, path="model.pt"):
        with torch.no_grad():
            torch.jit.save(torch.jit.trace(module.eval(), inputs, check_trace=False), path)
        return path

    def add_examples(self, path, *inputs):
        """Example inputs without their bytes, as releases since 2.1 write them into a traced program."""
        def records(source):
            with zipfile.ZipFile(source) as archive:
                return {name.split("/", 1)[1]: archive.read(name) for name in archive.namelist()}
        contents, examples = records(path), io.BytesIO()
        torch.save({"forward": list(inputs)}, examples)
        contents["traced_inputs.pkl"] = records(examples)["data.pkl"]
        for i in range(len(inputs)):
            contents[f"traced_inputs/{i}"] = b""
        with zipfile.ZipFile(path, "w") as archive:
            for record, data in contents.items():
                archive.writestr(f"model/{record}", data)
        return path

    def export(self, *arguments, code=0):
        result = cameo("export", *arguments)
        self.assertEqual(result.returncode, code, result.stdout + result.stderr)
        return result

    def export_model(self, *arguments, path="model.onnx"):
        """Exports; the model as onnx reads it, checked."""
        self.export(*arguments)
        return self.checked(path)

    def checked(self, path):
        model = onnx.load(path)
        onnx.checker.check_model(model, full_check=True)
        return model

    def messages(self, *arguments, code=0):
        """The first line of each diagnostic, without the file's name."""
        lines = self.export(*arguments, code=code).stderr.splitlines()
        return [line.split(": ", 1)[1] for line in lines if not line.startswith(" ")]

    def assert_runs(self, path, program, *inputs):
        """ONNX Runtime gives what PyTorch gives."""
        with torch.no_grad():
            expected = torch.jit.load(program)(*inputs)
        expected = expected if isinstance(expected, tuple) else (expected,)
        results = run_onnx(path, *inputs)
        self.assertIsInstance(results, list, results)
        for got, wanted in zip(results, expected):
            torch.testing.assert_close(got, torch.as_tensor(wanted), rtol=1e-4, atol=1e-5)


def main():
    unittest.main(argv=sys.argv[:1], warnings="ignore")
