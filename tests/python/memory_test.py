"""Weights stay where they are: an export takes little memory beyond the model's own."""

import os
import tempfile
import unittest

import cameo
import torch

MEGABYTE = 1 << 20


def status(key):
    with open("/proc/self/status") as file:
        return next(int(line.split()[1]) * 1024 for line in file if line.startswith(key))


def peak_growth(function):
    """How much memory a call takes at most, beyond what is in use before it."""
    with open("/proc/self/clear_refs", "w") as file:
        file.write("5")
    before = status("VmRSS")
    function()
    return status("VmHWM") - before


class Memory(unittest.TestCase):
    def check(self, **options):
        small, model = torch.nn.Linear(8, 8), torch.nn.Sequential(torch.nn.Linear(4096, 4096), torch.nn.Linear(4096, 64))
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "model.onnx")
            cameo.export(small, torch.randn(1, 8), path, **options)
            model(torch.randn(1, 4096))
            growth = peak_growth(lambda: cameo.export(model, torch.randn(1, 4096), path, **options))
            self.assertGreater(os.path.getsize(path), 64 * MEGABYTE)
        self.assertLess(growth, 24 * MEGABYTE)

    def test_a_trace_copies_no_weights(self):
        self.check(dynamo=False)

    @unittest.skipUnless(hasattr(torch, "export"), "PyTorch 1")
    def test_a_captured_program_copies_no_weights(self):
        self.check(dynamo=True)


if __name__ == "__main__":
    unittest.main()
