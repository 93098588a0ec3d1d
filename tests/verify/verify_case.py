"""A test case that runs `cameo verify`. The command is the first argument of the test program."""
import json
import os
import subprocess
import sys

import onnx
import torch

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))
from folder_case import FolderCase  # noqa: E402

CAMEO = os.path.abspath(sys.argv[1])


class VerifyCase(FolderCase):
    def setUp(self):
        super().setUp()
        torch.manual_seed(0)

    def cameo(self, *arguments, code=0, **environment):
        done = subprocess.run([CAMEO, *arguments], capture_output=True, text=True, env={**os.environ, **environment})
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        return done.stdout if code == 0 else done.stderr

    def report(self, *arguments, code=0):
        done = subprocess.run([CAMEO, "verify", *arguments, "--json"], capture_output=True, text=True)
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        return json.loads(done.stdout)

    def change(self, op_type, attribute, value):
        """Changes an attribute of the first such node of model.onnx. Returns the name of the node."""
        model = onnx.load("model.onnx")
        node = next(node for node in model.graph.node if node.op_type == op_type)
        kept = [each for each in node.attribute if each.name != attribute]
        del node.attribute[:]
        node.attribute.extend([*kept, onnx.helper.make_attribute(attribute, value)])
        onnx.save(model, "model.onnx")
        return node.name
