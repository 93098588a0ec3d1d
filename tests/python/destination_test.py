"""Files that the Python package writes: never a device replaced, links followed, mode kept. The mechanism is that of the command
(tests/write/destination_test.py)."""

import os
import pathlib
import stat
import sys
import threading
import unittest

import torch
from torch import nn

import cameo

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))
from folder_case import FolderCase  # noqa: E402

X = torch.ones(2, 64)


class Destinations(FolderCase):
    def writers(self):
        """Functions that write a model to a path."""
        model = nn.Linear(64, 64)
        program = cameo.export(model, X)
        return {"export": lambda path: cameo.export(model, X, path), "save": program.save,
                "save inside": lambda path: program.save(path, external_data=False),
                "simplify": lambda path: cameo.simplify(program, path), "infer": lambda path: cameo.infer(program, path),
                "extract": lambda path: cameo.extract(program, path, outputs=["output"]),
                "cast": lambda path: cameo.cast(program, path, "f16"),
                "quantize": lambda path: cameo.quantize(program, path, weights="uint8")}

    def test_a_device(self):
        if os.geteuid() != 0:
            self.skipTest("only root makes device nodes")
        os.mknod("null.onnx", stat.S_IFCHR | 0o666, os.makedev(1, 3))  # what is written to it is lost
        for name, write in self.writers().items():
            write("null.onnx")
            self.assertTrue(stat.S_ISCHR(os.lstat("null.onnx").st_mode), name)
        self.assertEqual(os.listdir(), ["null.onnx"])

    def test_a_fifo(self):
        os.mkfifo("pipe.onnx")
        for name, write in self.writers().items():
            write("file.onnx")
            seen = []
            reader = threading.Thread(target=lambda: seen.append(pathlib.Path("pipe.onnx").read_bytes()))
            reader.start()
            write("pipe.onnx")
            reader.join(timeout=60)
            self.assertEqual(seen, [pathlib.Path("file.onnx").read_bytes()], name)

    def test_a_report_in_a_fifo(self):
        os.mkfifo("report.json")
        seen = []
        reader = threading.Thread(target=lambda: seen.append(pathlib.Path("report.json").read_text()))
        reader.start()
        cameo.export(nn.Linear(64, 64), X, "model.onnx", report="report.json")
        reader.join(timeout=60)
        self.assertIn('"model"', seen[0])

    def test_links_and_modes(self):
        os.symlink("real.onnx", "link.onnx")
        for name, write in self.writers().items():
            pathlib.Path("real.onnx").write_bytes(b"old")
            os.chmod("real.onnx", 0o600)
            write("link.onnx")
            self.assertEqual(os.readlink("link.onnx"), "real.onnx", name)
            self.assertEqual(stat.S_IMODE(os.stat("real.onnx").st_mode), 0o600, name)
            self.assertGreater(os.path.getsize("real.onnx"), 64 * 64, name)

    def test_a_folder(self):
        os.mkdir("folder")
        for name, write in self.writers().items():
            with self.assertRaisesRegex(cameo.Error, "it is a folder", msg=name):
                write("folder")

    def test_stale_data(self):
        program = cameo.export(nn.Linear(64, 64), X)
        program.save("model.onnx", external_data=True)
        first = os.path.getsize("model.onnx.data")
        program.save("model.onnx", external_data=True)
        self.assertEqual(os.path.getsize("model.onnx.data"), first)
        program.save("model.onnx", external_data=False)
        self.assertEqual(os.listdir(), ["model.onnx"])


if __name__ == "__main__":
    unittest.main()
