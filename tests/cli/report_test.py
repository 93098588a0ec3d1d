"""report_test.py CAMEO: --report."""
import json
import os

import torch

import command


class Fine(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = torch.nn.Linear(4, 2)
        self.register_buffer("calls", torch.zeros(1))

    def forward(self, x, y):
        if x.size(0) > 100:
            raise ValueError("too many rows")
        self.calls += 1
        return self.linear(x)


class Unsupported(torch.nn.Module):
    def forward(self, x):
        a = torch.special.airy_ai(x)
        return a + torch.igamma(x, x)


class Report(command.TestCase):
    def report(self, name, module=None, code=0):
        result = self.export(self.script(module or Fine()), *(["-i", "f32[n,4]"] * (1 if module else 2)), "--report", name, code=code)
        with open(name) as file:
            return file.read(), result

    def test_json(self):
        text, _ = self.report("out.json")
        report = json.loads(text)
        self.assertEqual(report["model"], "model.pt")
        self.assertEqual(report["output"], "model.onnx")
        self.assertIs(report["exported"], True)
        self.assertEqual(report["inputs"], [{"name": "x", "type": "f32[n, 4]"}, {"name": "y", "type": "f32[n, 4]"}])
        self.assertEqual(report["outputs"], [{"name": "output", "type": "f32[n, 2]"}])
        self.assertEqual(report["operators"], {"Gemm": 1})
        self.assertEqual([report["nodes"], report["parameters"], report["opset"]], [1, 10, 17])
        self.assertEqual(report["bytes"], os.path.getsize("model.onnx"))
        self.assertEqual(report["changed_buffers"], ["calls"])
        self.assertEqual(report["assumptions"], ["n <= 100 (otherwise: too many rows)"])
        self.assertEqual(list(report["timings"])[:2], ["read", "evaluate"])
        self.assertEqual([d["code"] for d in report["diagnostics"]], ["state-not-kept", "unused-input"])

    def test_json_of_a_failure(self):
        text, result = self.report("out.json", Unsupported(), code=1)
        report = json.loads(text)
        self.assertIs(report["exported"], False)
        self.assertEqual([d["message"] for d in report["diagnostics"]],
                         ["aten::special_airy_ai cannot be converted to ONNX", "aten::igamma cannot be converted to ONNX"])
        self.assertIn("aten::special_airy_ai", result.stderr)

    def test_sarif(self):
        text, _ = self.report("out.sarif", Unsupported(), code=1)
        report = json.loads(text)
        self.assertEqual(report["version"], "2.1.0")
        run, = report["runs"]
        self.assertEqual(run["tool"]["driver"]["name"], "cameo")
        self.assertEqual(run["tool"]["driver"]["rules"], [{"id": "unsupported-operator"}])
        self.assertEqual(run["invocations"], [{"executionSuccessful": False}])
        first, second = run["results"]
        self.assertEqual([first["ruleId"], first["level"], first["message"]["text"].splitlines()[0]],
                         ["unsupported-operator", "error", "aten::special_airy_ai cannot be converted to ONNX"])
        self.assertIn("hint: write a converter", first["message"]["text"])
        place = first["locations"][0]["physicalLocation"]
        self.assertTrue(place["artifactLocation"]["uri"].endswith("report_test.py"), place)
        self.assertEqual(place["region"]["snippet"]["text"].strip(), "a = torch.special.airy_ai(x)")
        self.assertEqual(place["region"]["startLine"] + 1, second["locations"][0]["physicalLocation"]["region"]["startLine"])
        report = json.loads(self.report("fine.sarif")[0])
        state, *others = report["runs"][0]["results"]
        self.assertEqual(state["ruleId"], "state-not-kept")
        self.assertEqual(others, [
            {"ruleId": "unused-input", "level": "warning",
             "message": {"text": "input 'y' reaches no output\nhint: a trace does not record computations of Python: item(), int(), shapes"},
             "locations": [{"physicalLocation": {"artifactLocation": {"uri": "model.pt"}}}]}])

    def test_markdown(self):
        text, _ = self.report("out.md")
        self.assertTrue(text.startswith("# model.onnx\n\nONNX model, opset 17, exported from `model.pt` by cameo "), text)
        for line in ("| `x` | `f32[n, 4]` |", "| `output` | `f32[n, 2]` |", "| Gemm | 1 |", "- `n <= 100 (otherwise: too many rows)`",
                     "- `calls`", "model.pt: warning: [evaluate] input 'y' reaches no output [unused-input]"):
            self.assertIn(f"\n{line}\n", text)

    def test_unknown_format(self):
        result = self.export(self.script(Fine()), "-i", "f32[n,4]", "-i", "f32[n,4]", "--report", "out.xml", code=1)
        self.assertEqual(result.stderr.splitlines()[0], "out.xml: error: [write] the extension of a report file must be "
                                                        ".json, .sarif or .md [unknown-report]")
        self.assertEqual(sorted(os.listdir(".")), ["model.pt"])


command.main()
