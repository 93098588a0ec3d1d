#!/usr/bin/python3
"""usage: exports_test.py CAMEO

What torch.onnx 1.13 writes of torchvision's models, with as many of its nodes left as are needed, and with the
same outputs in ONNX Runtime.
"""
import json
import pathlib
import subprocess
import sys
import tempfile
import unittest
import warnings
from collections import Counter

import onnx
import torch
import torchvision.models as models

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import sigterm  # noqa: E402,F401

warnings.filterwarnings("ignore")
CAMEO = str(pathlib.Path(sys.argv[1]).resolve())


def ssdlite():
    return models.detection.ssdlite320_mobilenet_v3_large(weights=None, weights_backbone=None)


def count(graph, counts):
    for node in graph.node:
        counts[node.op_type] += 1
        for attribute in node.attribute:
            if attribute.type == onnx.AttributeProto.GRAPH:
                count(attribute.g, counts)
    return counts


class Exports(unittest.TestCase):
    def check(self, make, args, share, opset, dynamic=None, verify=1):
        torch.manual_seed(0)
        with tempfile.TemporaryDirectory() as scratch:
            model, small = f"{scratch}/model.onnx", f"{scratch}/small.onnx"
            torch.onnx.export(make().eval(), args, model, opset_version=opset, input_names=["x"], dynamic_axes=dynamic)
            command = [CAMEO, "simplify", model, "-o", small, "--json"]
            if verify:
                command.append(f"--verify={verify}")
            done = subprocess.run(command, capture_output=True, text=True)
            self.assertEqual(done.returncode, 0, done.stderr)
            told = json.loads(done.stdout)
            before = count(onnx.load(model).graph, Counter())
            after = count(onnx.load(small).graph, Counter())
            onnx.checker.check_model(onnx.load(small))
        self.assertEqual(told["nodes"], {"before": sum(before.values()), "after": sum(after.values())})
        print(f"{make.__name__} at {opset}{' with dynamic axes' if dynamic else ''}: "
              f"{sum(before.values())} nodes, then {sum(after.values())}", flush=True)
        self.assertLessEqual(sum(after.values()), share * sum(before.values()))
        self.assertEqual({op for op in ("Constant", "Dropout") if after[op]}, set())
        return after

    def test_swin(self):
        image = torch.randn(1, 3, 224, 224)
        after = self.check(models.swin_t, image, 1 / 2, 13)
        self.assertEqual(after["Shape"], 0)

    def test_shufflenet(self):
        image = torch.randn(1, 3, 224, 224)
        after = self.check(models.shufflenet_v2_x1_0, image, 2 / 3, 13)
        self.assertEqual(after["Shape"], 0)
        after = self.check(models.shufflenet_v2_x1_0, image, 1 / 3, 11, {"x": {0: "batch"}}, verify=2)
        self.assertEqual(after["Shape"], 0)

    def test_ssdlite(self):
        image = torch.rand(3, 320, 320)
        self.check(ssdlite, ([image],), 1 / 2, 13)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1] + sys.argv[2:])
