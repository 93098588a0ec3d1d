"""install_test.py SOURCE BUILD: `cmake --install`, and projects that use what it installs."""

import os
import shutil
import subprocess
import sys
import unittest

import onnx

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from support import BUILD, MODEL, SOURCE, VERSION, InstallTest

PROJECTS = SOURCE / "tests" / "install"


class Install(InstallTest):
    def setUp(self):
        super().setUp()
        self.run_("cmake", "--install", BUILD, "--prefix", self.folder / "first")
        shutil.move("first", "moved")  # the files do not depend on their place
        self.prefix = self.folder / "moved"
        self.libraries = next(self.prefix.rglob("libcameo.a")).parent

    def check_program(self, program, **options):
        output = self.run_(program, MODEL, "model.onnx", **options)
        self.assertRegex(output, rf"^{VERSION}: \d+ nodes\n$")
        self.run_(self.prefix / "bin" / "cameo", "check", "model.onnx")

    def test_the_command(self):
        self.check_command(self.prefix / "bin" / "cameo")
        self.assertRegex(self.run_(self.prefix / "bin" / "cameo", "--version"),
                         rf"^cameo {VERSION}\ncommit        ([0-9a-f]{{12}}|not known)\nopsets        \d+ to \d+, default \d+\n"
                         r"ONNX Runtime  .+\nlibtorch      .+\n$")
        self.check_shared_files(self.prefix / "share")
        model = onnx.load("model.onnx")
        self.assertEqual((model.producer_name, model.producer_version), ("cameo", VERSION))

    def complete(self, *words):
        """What bash offers for the last word."""
        script = self.prefix / "share" / "bash-completion" / "completions" / "cameo"
        line = " ".join(f"'{word}'" for word in words)
        return self.run_("bash", "-c", f"compopt() {{ :; }}; source {script}; COMP_WORDS=({line}); "
                                       f"COMP_CWORD={len(words) - 1}; _cameo; printf '%s\\n' \"${{COMPREPLY[@]}}\"").split()

    def test_completion(self):
        self.assertEqual(self.complete("cameo", "ex"), ["export", "extract"])
        self.assertEqual(self.complete("cameo", "export", "--ops"), ["--opset"])
        self.assertEqual(self.complete("cameo", "export", "--external-data", "a"), ["auto", "always"])
        self.assertEqual(self.complete("cameo", "help", "sim"), ["simplify"])
        with open("model.pt", "w"):
            self.assertEqual(self.complete("cameo", "export", "mod"), ["model.pt"])
        for shell, end in (("zsh", "zsh/site-functions/_cameo"), ("fish", "fish/vendor_completions.d/cameo.fish")):
            text = (self.prefix / "share" / end).read_text()
            self.assertIn("external-data", text)
            if shutil.which(shell):
                self.run_(shell, "-n", self.prefix / "share" / end)

    def test_man_pages(self):
        page = (self.prefix / "share" / "man" / "man1" / "cameo-export.1").read_text()
        self.assertIn("\\fB\\-\\-opset\\fR \\fIN\\fR\n", page)
        if shutil.which("man"):
            text = self.run_("man", "--warnings", "-l", self.prefix / "share" / "man" / "man1" / "cameo-export.1",
                             env=dict(os.environ, MANWIDTH="100", LC_ALL="C.UTF-8"))
            self.assertIn("cameo-export - Write a saved PyTorch program as an ONNX model", text)

    def test_find_package(self):
        self.run_("cmake", "-G", "Ninja", "-S", PROJECTS / "find_package", "-B", "project", f"-DCMAKE_PREFIX_PATH={self.prefix}")
        self.run_("cmake", "--build", "project")
        self.check_program(self.folder / "project" / "with_static")
        self.check_program(self.folder / "project" / "with_shared")

    def test_pkg_config(self):
        if shutil.which("pkg-config") is None:
            self.skipTest("pkg-config is not installed")
        settings = dict(os.environ, PKG_CONFIG_PATH=str(self.libraries / "pkgconfig"))
        flags = self.run_("pkg-config", "--cflags", "--libs", "cameo", env=settings).split()
        self.run_("c++", "-std=c++20", PROJECTS / "main.cpp", "-o", "program", *flags)
        self.check_program("./program", env=dict(os.environ, LD_LIBRARY_PATH=str(self.libraries)))

    def test_the_shared_library_exports_the_names_of_cameo(self):
        symbols = subprocess.run(["nm", "-DC", "--defined-only", self.libraries / "libcameo.so"], capture_output=True,
                                 text=True, check=True).stdout.splitlines()
        names = [line.split(" ", 2)[2] for line in symbols]
        self.assertTrue(any(name.startswith("cameo::export_onnx(") for name in names))
        self.assertEqual([name for name in names if "cameo::" not in name], [])

    def test_destdir(self):
        self.run_("cmake", "--install", BUILD, "--prefix", "/opt/cameo",
                  env=dict(os.environ, DESTDIR=str(self.folder / "image")))
        self.check_command(self.folder / "image" / "opt" / "cameo" / "bin" / "cameo")
        self.check_shared_files(self.folder / "image" / "opt" / "cameo" / "share")

    def test_add_subdirectory(self):
        """Nothing but the library becomes a part of the other project. `make package-test` also builds it."""
        output = self.run_("cmake", "-G", "Ninja", "-S", PROJECTS / "add_subdirectory", "-B", "project",
                           f"-DCAMEO_SOURCE={SOURCE}")
        self.assertNotRegex(output, "GTest|benchmark|Torch|pybind|CLI11|Python")
        targets = self.run_("cmake", "--build", "project", "--target", "help")
        self.assertIn("libcameo.a", targets)
        self.assertNotRegex(targets, r"\w+_test|example_|cameo_cli|cameo_python|cameo_torch|cameo_shared|install/local.*cameo")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1] + sys.argv[3:])
