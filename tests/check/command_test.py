"""command_test.py CAMEO: `cameo check` as a user meets it."""
import json
import os
import subprocess
import sys
import unittest

import onnx

import bases

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))
from folder_case import FolderCase  # noqa: E402

CAMEO = os.path.abspath(sys.argv.pop(1))


class Check(FolderCase):
    def save(self, name, model):
        onnx.save(model, self.folder / name)

    def check(self, *arguments):
        return subprocess.run([CAMEO, "check", *arguments], cwd=self.folder, capture_output=True, text=True)

    def test_valid(self):
        self.save("good.onnx", bases.dense())
        run = self.check("good.onnx")
        self.assertEqual((run.returncode, run.stdout, run.stderr), (0, "good.onnx: valid\n", ""))

    def test_all_faults_of_all_files(self):
        broken = bases.dense()
        broken.graph.node[0].op_type = "Matmul"
        broken.graph.node[2].attribute[0].name = "axes"
        self.save("broken.onnx", broken)
        custom = bases.dense()
        custom.graph.node[1].domain = "com.example"
        custom.opset_import.add(domain="com.example", version=1)
        self.save("custom.onnx", custom)
        run = self.check("broken.onnx", "nowhere.onnx", "custom.onnx")
        self.assertEqual(run.returncode, 1)
        self.assertEqual(run.stderr, "")
        self.assertEqual(run.stdout, """\
broken.onnx: error: [check] Matmul 'multiply': ai.onnx has no such operator [unknown-operator]
  hint: did you mean 'MatMul'?
broken.onnx: error: [check] Softmax 'normalise': it has no attribute 'axes' in opset 13 [unknown-attribute]
  hint: did you mean 'axis'?
broken.onnx: 2 errors
nowhere.onnx: error: [read] no such file [no-such-file]
  hint: check the path and the spelling
nowhere.onnx: 1 error
custom.onnx: warning: [check] Add 'add': the operators of the domain 'com.example' are not known and were not checked [unchecked-domain]
custom.onnx: valid, 1 warning
""")

    def test_json(self):
        self.save("good.onnx", bases.loop())
        broken = bases.branches()
        broken.graph.node[0].attribute[0].g.node[0].input[0] = "gone"
        self.save("broken.onnx", broken)
        run = self.check("--json", "good.onnx", "broken.onnx")
        self.assertEqual(run.returncode, 1)
        branch = broken.graph.node[0].attribute[0].name
        self.assertEqual(json.loads(run.stdout), [
            {"file": "good.onnx", "valid": True, "diagnostics": []},
            {"file": "broken.onnx", "valid": False, "diagnostics": [
                {"severity": "error", "stage": "check", "code": "unknown-value", "file": "broken.onnx",
                 "message": f"{broken.graph.node[0].attribute[0].g.node[0].op_type} (node 0): it uses 'gone', which "
                            "nothing makes", "notes": [f"in {branch} of If 'choose'"]}]}])

    def test_full(self):
        value, node = onnx.helper.make_tensor_value_info, onnx.helper.make_node
        graph = onnx.helper.make_graph(
            [node("Add", ["x", "w"], ["sum"], name="add"), node("Abs", ["x"], ["y"], name="abs"),
             node("Neg", ["gone"], ["z"], name="neg")],
            "shapes", [value("x", onnx.TensorProto.FLOAT, ["batch", 4]), value("w", onnx.TensorProto.FLOAT, [3])],
            [value("y", onnx.TensorProto.FLOAT, ["batch", 5]), value("sum", onnx.TensorProto.FLOAT, ["a", "b"]),
             value("z", onnx.TensorProto.FLOAT, ["n"])])
        self.save("shapes.onnx", onnx.helper.make_model(graph, opset_imports=[onnx.helper.make_opsetid("", 17)]))
        name = "shapes.onnx: error: [check] "
        gone = name + "Neg 'neg': it uses 'gone', which nothing makes [unknown-value]\n"
        run = self.check("shapes.onnx")
        self.assertEqual((run.returncode, run.stdout), (1, gone + "shapes.onnx: 1 error\n"))
        run = self.check("shapes.onnx", "--full")
        lines = run.stdout.splitlines(keepends=True)
        self.assertEqual(run.returncode, 1)
        self.assertRegex(lines.pop(1), r"^shapes.onnx: error: \[check\] Add 'add': .*4 and 3.* \[shape-mismatch\]$")
        self.assertEqual("".join(lines), gone + name + (
            "Abs 'abs': of its output 'y', f32[batch, 4] is inferred, and the file says f32[batch, 5] "
            "[type-contradiction]\n") + "shapes.onnx: 3 errors\n")
        self.save("good.onnx", bases.loop())
        self.assertEqual(self.check("good.onnx", "--full").stdout, "good.onnx: valid\n")

    def test_no_onnx(self):
        (self.folder / "text.onnx").write_text("hello, world\n")
        run = self.check("text.onnx")
        self.assertEqual(run.returncode, 1)
        self.assertRegex(run.stdout, r"^text.onnx: error: \[read\] this is not an ONNX file, or it is damaged: ")

    def test_external_data(self):
        onnx.save(bases.dense(), str(self.folder / "model.onnx"), save_as_external_data=True, location="weights.bin",
                  size_threshold=0, convert_attribute=False)
        self.assertEqual(self.check("model.onnx").stdout, "model.onnx: valid\n")
        weights = self.folder / "weights.bin"
        weights.write_bytes(weights.read_bytes()[:-1])
        run = self.check("model.onnx")
        self.assertEqual(run.returncode, 1)
        self.assertIn("[external-range]", run.stdout)
        weights.unlink()
        self.assertIn("[external-file]", self.check("model.onnx").stdout)

    def test_usage(self):
        run = self.check()
        self.assertEqual(run.returncode, 2)
        self.assertIn("see cameo check --help", run.stderr)


if __name__ == "__main__":
    unittest.main()
