"""What the tests of installed files share."""

import os
import pathlib
import re
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))
from folder_case import FolderCase  # noqa: E402

SOURCE, BUILD = (pathlib.Path(path).resolve() for path in sys.argv[1:3])
VERSION = re.search(r"^project\(cameo VERSION ([\d.]+)", (SOURCE / "CMakeLists.txt").read_text(), re.MULTILINE)[1]
MODEL = SOURCE / "examples" / "models" / "digits.pt"
INPUT = "image=f32[1,1,28,28]"
RUNTIME = SOURCE / ".cache" / "onnxruntime" / "libonnxruntime.so.1"
SHARED = ["man/man1/cameo.1", "man/man1/cameo-export.1", "bash-completion/completions/cameo", "zsh/site-functions/_cameo",
          "fish/vendor_completions.d/cameo.fish"]


class InstallTest(FolderCase):
    def run_(self, *command, code=0, **options):
        """The standard output of a command."""
        result = subprocess.run([str(word) for word in command], capture_output=True, text=True, timeout=800, **options)
        self.assertEqual(result.returncode, code, f"{command}\n{result.stdout[-3000:]}{result.stderr[-3000:]}")
        return result.stdout

    def check_command(self, cameo, **options):
        """The command exports, and reports its version."""
        self.assertIn(f"cameo {VERSION}\n", self.run_(cameo, "--version", **options))
        self.run_(cameo, "export", MODEL, "-i", INPUT, "-o", "model.onnx", **options)
        self.run_(cameo, "check", "model.onnx", **options)

    def check_shared_files(self, share):
        for name in SHARED:
            path = share / name
            self.assertTrue(path.exists() or path.with_name(path.name + ".gz").exists(), path)
