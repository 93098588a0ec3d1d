"""plugin_test.py CAMEO PLUGINS EXAMPLE: what is said of files that are no plug-ins, or not ours."""
import os
import sys

import torch

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "cli"))
import command
from library import PLUGINS


class Net(torch.nn.Module):
    def forward(self, x):
        return torch.relu(x)


class Plugin(command.TestCase):
    def said(self, plugin):
        self.script(Net())
        result = self.export("model.pt", "-i", "f32[2]", "--plugin", plugin, code=1)
        self.assertFalse(os.path.exists("model.onnx"))
        return result.stderr

    def test_missing(self):
        self.assertEqual(self.said("absent.so"), "absent.so: error: [read] no such file [no-such-file]\n"
                                                 "  hint: check the path and the spelling\n")

    def test_no_library(self):
        with open("text.so", "w") as file:
            file.write("These are words, and no shared library of any kind. " * 20)
        self.assertEqual(self.said("text.so"), "text.so: error: [convert] not a plug-in: invalid ELF header [not-a-plugin]\n"
                                               "  hint: it must be a shared library\n")

    def test_no_plugin(self):
        path = os.path.join(PLUGINS, "no_plugin.so")
        self.assertEqual(self.said(path),
                         f"{path}: error: [convert] not a plug-in: it has no function cameo_plugin_abi [not-a-plugin]\n"
                         "  hint: cameo/converter.h says what a plug-in is\n")

    def test_other_version(self):
        path = os.path.join(PLUGINS, "other_version.so")
        self.assertEqual(self.said(path),
                         f"{path}: error: [convert] the plug-in is built for interface 0, libstdc++, and this is interface "
                         "1, libstdc++ [plugin-version]\n  hint: build it again with the headers of this Cameo\n")

    def test_failing(self):
        path = os.path.join(PLUGINS, "failing.so")
        self.assertEqual(self.said(path), f"{path}: error: [convert] the plug-in failed: no licence [plugin-failed]\n")

    def test_bad_schema(self):
        path = os.path.join(PLUGINS, "bad_schema.so")
        self.assertEqual(self.said(path),
                         f"{path}: error: [convert] the schema 'mylib::op(Tensor x)' cannot be read: expected "
                         "name(parameters) -> returns [bad-schema]\n"
                         "  hint: it is written like 'mylib::op(Tensor x, float a=1.0) -> Tensor'\n")


command.main()
