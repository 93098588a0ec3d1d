"""durability_test.py CAMEO RUN_MODEL: a full disk, a folder that may not be written, a kill in the middle. No partial file
appears under the final name, nothing else is left, and an old output stays as it was."""

import os
import random
import shutil
import signal
import subprocess
import sys
import time
import unittest

import torch

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from support import CAMEO, NOBODY, WriterTest, traced

MEGABYTE = 1 << 20


class Wide(torch.nn.Module):
    def __init__(self, megabytes):
        super().__init__()
        self.weight = torch.nn.Parameter(torch.rand(megabytes, MEGABYTE // 4))

    def forward(self, x):
        return x + self.weight


def in_small_folder(size, script):
    """Runs a shell script in a tmpfs of that size: mounted by the superuser, by anybody in a name space, or with sudo."""
    unchanged = ("--propagation", "unchanged")  # works within a chroot too, whose root is no mount point
    mount = f"mount -t tmpfs -o size={size} tmpfs full"
    ways = (["unshare", "--mount", *unchanged], ["unshare", "--user", "--map-root-user", "--mount", *unchanged],
            ["sudo", "-n", "unshare", "--mount", *unchanged])
    for way in ways:
        if shutil.which(way[0]) and subprocess.run([*way, "sh", "-c", mount], capture_output=True).returncode == 0:
            return subprocess.run([*way, "sh", "-c", f"{mount} && cd full && {script}"],
                                  capture_output=True, text=True, timeout=300)
    raise AssertionError("a small disk cannot be mounted here, not even in a name space")


class Durability(WriterTest):
    def setUp(self):
        super().setUp()
        traced(Wide(8), torch.zeros(1)).save("model.pt")

    def full_disk(self, *arguments):
        """What is in the folder afterwards, by name, with the text of the old output."""
        os.makedirs("full", exist_ok=True)
        export = f"{CAMEO} export -q ../model.pt -i 'f32[1]' -o out.onnx {' '.join(arguments)}"
        result = in_small_folder("6m", f"echo old > out.onnx && echo olddata > out.onnx.data; {export}; "
                                       "echo code $?; ls -A; cat out.onnx out.onnx.data")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("No space left on device", result.stderr)
        self.assertIn("[cannot-write]", result.stderr)
        self.assertIn("hint: free some space", result.stderr)
        return result.stdout.split()

    def test_a_full_disk(self):
        for way in ("never", "always"):
            self.assertEqual(self.full_disk("--external-data", way),
                             ["code", "1", "out.onnx", "out.onnx.data", "old", "olddata"])

    def test_a_folder_that_may_not_be_written(self):
        os.mkdir("closed")
        with open("closed/out.onnx", "w") as old:
            old.write("old")
        os.chmod("closed", 0o555)
        for way in ("never", "always"):
            told = self.export("model.pt", "-i", "f32[1]", "-o", "closed/out.onnx", "--external-data", way, code=1,
                               **({"user": NOBODY} if os.geteuid() == 0 else {}))
            self.assertIn("Permission denied [cannot-write]", told)
            self.assertEqual(os.listdir("closed"), ["out.onnx"])
            self.assertEqual(self.read("closed/out.onnx"), b"old")

    def test_a_kill_in_the_middle(self):
        traced(Wide(96), torch.zeros(1)).save("large.pt")
        command = ["large.pt", "-i", "f32[1]", "-o", "out.onnx", "--external-data"]
        for way in ("never", "always"):
            began = time.monotonic()
            self.export(*command, way)
            whole = time.monotonic() - began
            names = {"out.onnx", "out.onnx.data"} if way == "always" else {"out.onnx"}
            complete = {name: self.read(name) for name in names}
            old = {name: f"old {name}".encode() for name in names}
            choose, killed, tries = random.Random(0), 0, 0
            while killed < 10 and tries < 100:
                tries += 1
                for name, text in old.items():
                    with open(name, "wb") as file:
                        file.write(text)
                process = subprocess.Popen([CAMEO, "export", "-q", *command, way])
                time.sleep(choose.uniform(0.005, max(whole, 0.01)))
                process.send_signal(signal.SIGKILL)
                if process.wait() == -signal.SIGKILL:
                    killed += 1
                else:
                    whole *= 0.8  # the export that was timed found a busier machine
                left = {name: self.read(name) for name in os.listdir() if name.startswith("out.onnx")}
                for waiting in [name for name in left if name.endswith(".tmp")]:
                    self.assertEqual(left.pop(waiting), complete[waiting.rsplit(".", 2)[0]])
                    os.remove(waiting)
                self.assertIn(left, self.states(old, complete), {name: text[:20] for name, text in left.items()})
            self.assertEqual(killed, 10)
            for name in names:
                os.remove(name)

    @staticmethod
    def states(old, new):
        """All that may be found: the old output or the new one; between them, for a moment, data without a model, but never
        a model with the data of another. In the moment before a whole file replaces an old one it has a name of its own."""
        data = "out.onnx.data"
        return [old, new, {data: old[data]}, {data: new[data]}] if data in old else [old, new]

    def test_a_new_output_appears_at_once(self):
        """Nothing is to be seen in the folder while it is written."""
        traced(Wide(96), torch.zeros(1)).save("large.pt")
        seen = set()
        process = subprocess.Popen([CAMEO, "export", "-q", "large.pt", "-i", "f32[1]", "-o", "out.onnx"])
        while process.poll() is None:
            seen.update((name, os.path.getsize(name)) for name in os.listdir() if name.startswith("out"))
        self.assertEqual(process.returncode, 0)
        self.assertLessEqual(seen, {("out.onnx", os.path.getsize("out.onnx"))})


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1] + sys.argv[3:])
