"""packages_test.py SOURCE BUILD: the packages that `make package` makes, each unpacked and used."""

import hashlib
import os
import pathlib
import subprocess
import sys
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from support import BUILD, INPUT, MODEL, RUNTIME, SOURCE, VERSION, InstallTest

PACKAGES = SOURCE / "build" / "packages"
# Nothing of the machine's own Python packages and of Cameo's sources.
BARE = {"PATH": "/usr/bin:/bin", "HOME": "/nonexistent", "LC_ALL": "C"}


def make(*kinds):
    """The files of these kinds, made anew."""
    result = subprocess.run([SOURCE / "scripts" / "package", *kinds], capture_output=True, text=True, timeout=800,
                            env=dict(os.environ, CAMEO_BUILD_DIR=str(BUILD)))
    if result.returncode != 0:
        raise AssertionError(result.stdout + result.stderr)
    return [SOURCE / line.removeprefix("package: ") for line in result.stdout.splitlines() if line.startswith("package: ")]


def digest(path):
    return hashlib.sha256(pathlib.Path(path).read_bytes()).hexdigest()


class Packages(InstallTest):
    def made_twice(self, kind):
        """The files, which are the same if they are made again."""
        first = make(kind)
        digests = [digest(path) for path in first]
        for path in first:
            path.unlink()
        self.assertEqual(first, make(kind))
        self.assertEqual(digests, [digest(path) for path in first])
        return first

    def check_runs(self, cameo):
        self.check_command(cameo, env=BARE)
        missing = subprocess.run([cameo, "run", "model.onnx"], capture_output=True, text=True, env=BARE)
        if missing.returncode != 0:  # the system has no ONNX Runtime
            self.assertIn("[onnxruntime-missing]", missing.stderr)
            self.assertIn("pip install onnxruntime", missing.stderr)
        self.run_(cameo, "run", "model.onnx", env=dict(BARE, CAMEO_ONNXRUNTIME=str(RUNTIME)))

    def test_tarball(self):
        tarball, = self.made_twice("tarball")
        self.run_("tar", "-xzf", tarball)
        root = self.folder / f"cameo-{VERSION}-linux-{os.uname().machine}"
        self.check_runs(root / "bin" / "cameo")
        self.check_shared_files(root / "share")
        self.assertTrue((root / "share" / "doc" / "cameo" / "LICENSE").exists())

    def test_debian_packages(self):
        command, library = self.made_twice("deb")
        self.run_("dpkg-deb", "--extract", command, "command")
        self.check_runs(self.folder / "command" / "usr" / "bin" / "cameo")
        self.check_shared_files(self.folder / "command" / "usr" / "share")
        self.assertIn("libc6", self.run_("dpkg-deb", "--field", command, "Depends"))
        listed = self.run_("dpkg-deb", "--contents", library)
        for name in ("libcameo.a", "cameoConfig.cmake", "cameo.pc", "cameo/export.h"):
            self.assertIn(name, listed)

    def test_wheel(self):
        wheel, = self.made_twice("wheel")
        self.run_("/usr/bin/python3", "-m", "pip", "install", "--no-index", "--no-deps", "--no-compile", "--target", "site", wheel)
        cameo = self.folder / "site" / "bin" / "cameo"
        self.check_runs(cameo)
        program = (f"import cameo, numpy\nassert cameo.__version__ == {VERSION!r}\n"
                   "session = cameo.Session('model.onnx')\n"
                   "given = session.get_inputs()[0]\n"
                   "result, = session.run(None, {given.name: numpy.zeros(given.shape, numpy.float32)})\n"
                   "print(cameo.__file__, result.shape)\n")
        output = self.run_("/usr/bin/python3", "-c", program,
                           env=dict(BARE, PYTHONPATH=str(self.folder / "site"), CAMEO_ONNXRUNTIME=str(RUNTIME)))
        self.assertIn(str(self.folder / "site"), output)
        self.assertIn("(1, 10)", output)
        self.assertTrue((self.folder / "site" / "cameo" / "py.typed").exists())

    def test_onnx_runtime_of_pip_and_npm(self):
        """The command finds it beside itself, where the two put it."""
        wheel, = make("wheel")
        self.run_("/usr/bin/python3", "-m", "pip", "install", "--no-index", "--no-deps", "--no-compile", "--prefix", "prefix", wheel)
        cameo = next(self.folder.joinpath("prefix").rglob("bin/cameo"))
        self.run_(cameo, "export", MODEL, "-i", INPUT, "-o", "model.onnx", env=BARE)
        places = ["lib/python3.11/site-packages/onnxruntime/capi/libonnxruntime.so.1.30.0",
                  "lib/node_modules/onnxruntime-node/bin/napi-v6/linux/"
                  f"{ {'x86_64': 'x64', 'aarch64': 'arm64'}[os.uname().machine] }/libonnxruntime.so.1"]
        for place in places:
            library = cameo.parent.parent / place
            library.parent.mkdir(parents=True)
            library.symlink_to(RUNTIME)
            self.run_(cameo, "run", "model.onnx", env=BARE)
            self.assertIn(str(library), self.run_(cameo, "--version", env=BARE))
            library.unlink()

    def test_npm(self):
        package, = self.made_twice("npm")
        self.run_("tar", "-xzf", package)
        self.check_runs(self.folder / "package" / "bin" / "cameo")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1] + sys.argv[3:])
