"""destination_test.py CAMEO RUN_MODEL: outputs that are not new files. Devices, FIFOs and standard output are written through,
links are followed, and a file that is replaced keeps its mode and its owner. Run as root, it tests as another user, too."""

import os
import stat
import subprocess
import sys
import threading
import unittest

import onnx
import torch

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from support import CAMEO, NOBODY, Layers, WriterTest, traced

EXAMPLE = torch.linspace(-1, 1, 2 * 3 * 8 * 8).reshape(2, 3, 8, 8)
INPUT = "f32[2,3,8,8]"
ROOT = os.geteuid() == 0
as_root = unittest.skipUnless(ROOT, "only root makes device nodes and gives files away")


def command(*arguments, code=0, **options):
    result = subprocess.run([CAMEO, *map(str, arguments)], capture_output=True, timeout=300, **options)
    if result.returncode != code:
        raise AssertionError(f"{arguments}: {result.returncode}\n{result.stderr.decode()}")
    return result


class Destinations(WriterTest):
    user = None  # whose rights the command has

    def setUp(self):
        super().setUp()
        torch.manual_seed(0)
        traced(Layers(), EXAMPLE).save("model.pt")
        os.mkdir("out")
        self.rights = {} if self.user is None else {"user": self.user, "group": self.user}
        if self.user is not None:
            os.chown("out", self.user, self.user)
        self.whole = command("export", "-q", "model.pt", "-i", INPUT, "-o", "-").stdout
        onnx.load_model_from_string(self.whole)
        with open("whole.onnx", "wb") as file:
            file.write(self.whole)

    def cameo(self, *arguments, **options):
        return command(*arguments, **self.rights, **options)

    def export_to(self, path, *more, **options):
        return self.cameo("export", "model.pt", "-i", INPUT, "-o", path, *more, **options)

    def old(self, path, text=b"old", mode=None, owner=None):
        with open(path, "wb") as file:
            file.write(text)
        owner = self.user if owner is None else owner
        if owner is not None:
            os.chown(path, owner, owner)
        if mode is not None:
            os.chmod(path, mode)
        return os.stat(path)

    def fifo(self, path):
        """Makes a FIFO and reads it in a thread. The result waits, and returns what was read."""
        os.mkfifo(path)
        os.chmod(path, 0o666)
        seen = []
        thread = threading.Thread(target=lambda: seen.append(self.read(path)), daemon=True)
        thread.start()

        def wait():
            thread.join(timeout=60)
            self.assertTrue(stat.S_ISFIFO(os.stat(path).st_mode))
            return seen[0]
        return wait

    def writers(self):
        """{name: arguments up to -o} of the commands that write."""
        return {"export": ["export", "model.pt", "-i", INPUT, "-o"],
                "simplify": ["simplify", "whole.onnx", "-o"],
                "simplify and verify": ["simplify", "whole.onnx", "--verify", "-o"],
                "infer": ["infer", "whole.onnx", "-o"],
                "extract": ["extract", "whole.onnx", "-o"],
                "cast": ["cast", "whole.onnx", "--to", "f16", "-o"],
                "quantize": ["quantize", "whole.onnx", "--min-elements", "1", "-o"],
                "print": ["print", "whole.onnx", "-o"],
                "run": ["run", "whole.onnx", "-o"]}

    def test_every_writer_writes_to_standard_output(self):
        for name, arguments in self.writers().items():
            ending = {"run": "npy", "print": "txt"}.get(name, "onnx")
            self.cameo(*arguments, f"out/file.{ending}")
            expected = self.read(f"out/file.{ending}")
            for path in ("-",) if name == "run" else ("-", "/dev/stdout", "/dev/fd/1"):
                self.assertEqual(self.cameo(*arguments, path).stdout, expected, (name, path))

    def test_every_writer_writes_to_a_fifo(self):
        for index, (name, arguments) in enumerate(self.writers().items()):
            ending = {"run": "npy", "print": "txt"}.get(name, "onnx")
            self.cameo(*arguments, f"out/file.{ending}")
            read = self.fifo(f"out/{index}.{ending}")
            self.cameo(*arguments, f"out/{index}.{ending}")
            self.assertEqual(read(), self.read(f"out/file.{ending}"), name)

    def test_a_report_goes_to_a_fifo(self):
        read = self.fifo("out/report.json")
        self.export_to("out/model.onnx", "--report", "out/report.json")
        self.assertIn(b'"model"', read())

    @as_root
    def test_every_writer_writes_to_a_device(self):
        for ending in ("onnx", "npy", "txt"):
            os.mknod(f"out/null.{ending}", stat.S_IFCHR | 0o666, os.makedev(1, 3))  # what is written to it is lost
            os.chmod(f"out/null.{ending}", 0o666)
        for name, arguments in self.writers().items():
            ending = {"run": "npy", "print": "txt"}.get(name, "onnx")
            self.cameo(*arguments, f"out/null.{ending}")
            self.assertTrue(stat.S_ISCHR(os.lstat(f"out/null.{ending}").st_mode), name)
        self.assertEqual(sorted(os.listdir("out")), ["null.npy", "null.onnx", "null.txt"])

    @as_root
    def test_a_full_device_is_an_error(self):
        os.mknod("out/full", stat.S_IFCHR | 0o666, os.makedev(1, 7))
        os.chmod("out/full", 0o666)
        told = self.export_to("out/full", code=1).stderr
        self.assertIn(b"No space left on device [cannot-write]", told)

    def test_standard_output_is_appended_to(self):
        """A file that a shell has opened keeps what it holds."""
        self.old("out/log", b"before ")
        with open("out/log", "ab") as log:
            subprocess.run([CAMEO, "export", "-q", "model.pt", "-i", INPUT, "-o", "-"], stdout=log, check=True,
                           timeout=300, **self.rights)
        self.assertEqual(self.read("out/log"), b"before " + self.whole)

    def test_nothing_is_written_after_an_error(self):
        result = self.cameo("export", "model.pt", "-i", "f32[2,7,8,8]", "-o", "-", code=1)
        self.assertEqual(result.stdout, b"")

    def test_a_link_is_followed(self):
        os.mkdir("out/below")
        if self.user is not None:
            os.chown("out/below", self.user, self.user)
        for target in ("below/old.onnx", "below/new.onnx", os.path.abspath("out/below/absolute.onnx")):
            self.old("out/below/old.onnx")
            os.symlink(target, "out/link.onnx")
            os.symlink("link.onnx", "out/again.onnx")
            self.export_to("out/again.onnx")
            self.assertEqual(os.readlink("out/link.onnx"), target)
            self.assertEqual(os.readlink("out/again.onnx"), "link.onnx")
            self.assertEqual(self.read(os.path.join("out", target)), self.whole)
            os.remove("out/link.onnx"), os.remove("out/again.onnx")
        self.assertEqual(len(os.listdir("out/below")), 3)

    def test_a_link_to_a_model_with_external_data(self):
        os.mkdir("out/below")
        if self.user is not None:
            os.chown("out/below", self.user, self.user)
        os.symlink("below/model.onnx", "out/link.onnx")
        for _ in range(2):
            self.export_to("out/link.onnx", "--external-data", "always")
            self.assertTrue(os.path.islink("out/link.onnx"))
            self.assertEqual(sorted(os.listdir("out")), ["below", "link.onnx", "link.onnx.data"])
            self.assertEqual(os.listdir("out/below"), ["model.onnx"])

    def test_a_loop_of_links(self):
        os.symlink("b.onnx", "out/a.onnx"), os.symlink("a.onnx", "out/b.onnx")
        told = self.export_to("out/a.onnx", code=1).stderr
        self.assertIn(b"Too many levels of symbolic links [cannot-write]", told)
        self.assertEqual(sorted(os.listdir("out")), ["a.onnx", "b.onnx"])

    def test_mode_and_owner_stay(self):
        for mode in (0o600, 0o640, 0o755):
            for way in ("never", "always"):
                self.old("out/model.onnx", mode=mode), self.old("out/model.onnx.data", mode=mode)
                self.export_to("out/model.onnx", "--external-data", way)
                found = os.stat("out/model.onnx")
                self.assertEqual(stat.S_IMODE(found.st_mode), mode)
                self.assertEqual(stat.S_IMODE(os.stat("out/model.onnx.data").st_mode), mode)
                self.assertEqual(found.st_uid, os.geteuid() if self.user is None else self.user)
                self.assertNotEqual(self.read("out/model.onnx"), b"old")

    def test_a_new_file_has_the_usual_mode(self):
        self.export_to("out/model.onnx", umask=0o027)
        self.assertEqual(stat.S_IMODE(os.stat("out/model.onnx").st_mode), 0o640)

    @as_root
    def test_a_file_of_somebody_else_stays_theirs(self):
        """Root may give a file away. Another user must write into the existing file."""
        other = 12345
        for way in ("never", "always"):
            before = [self.old(f"out/model.onnx{end}", mode=0o666, owner=other) for end in ("", ".data")]
            self.export_to("out/model.onnx", "--external-data", way)
            after = [os.stat(f"out/model.onnx{end}") for end in ("", ".data")]
            for old, new in zip(before, after):
                self.assertEqual((new.st_uid, new.st_gid, new.st_mode), (old.st_uid, old.st_gid, old.st_mode))
            onnx.load("out/model.onnx")
            self.assertEqual(sorted(os.listdir("out")), ["model.onnx", "model.onnx.data"])

    def test_a_folder(self):
        for name, arguments in self.writers().items():
            os.makedirs("out/folder.npy", exist_ok=True)
            told = self.cameo(*arguments, "out/folder.npy", code=1).stderr.decode()
            self.assertIn("cannot write out/folder.npy: it is a folder [cannot-write]", told, name)
            self.assertIn("hint: name a file in it with -o", told)
        self.assertEqual(os.listdir("out"), ["folder.npy"])

    def test_external_data_needs_a_file(self):
        for path in ("-", "/dev/stdout"):
            result = self.export_to(path, "--external-data", "always", code=1)
            self.assertIn(b"[cannot-write]", result.stderr)
            self.assertEqual(result.stdout, b"")

    def test_verify_needs_a_file(self):
        told = self.export_to("-", "--verify", code=2).stderr
        self.assertIn(b"--verify reads the exported model", told)

    def test_stale_data_is_removed(self):
        self.export_to("out/model.onnx", "--external-data", "always")
        self.export_to("out/model.onnx")
        self.assertEqual(os.listdir("out"), ["model.onnx"])
        self.assertEqual(self.read("out/model.onnx"), self.whole)

    def test_data_of_others_stays(self):
        self.export_to("out/model.onnx")
        self.old("out/model.onnx.data", b"not the data of a model")
        self.export_to("out/model.onnx")
        self.assertEqual(self.read("out/model.onnx.data"), b"not the data of a model")
        self.export_to("out/model.onnx", "--external-data", "always")
        self.cameo("infer", "out/model.onnx", "-o", "out/other.onnx")  # it names the data of the first
        data = self.read("out/model.onnx.data")
        self.export_to("out/model.onnx")
        self.assertEqual(self.read("out/model.onnx.data"), data)

    def test_data_that_the_new_model_names_stays(self):
        self.export_to("out/model.onnx", "--external-data", "always")
        data = self.read("out/model.onnx.data")
        self.cameo("infer", "out/model.onnx", "-o", "out/model.onnx")
        self.assertEqual(self.read("out/model.onnx.data"), data)
        onnx.load("out/model.onnx")


@as_root
class AsNobody(Destinations):
    user = NOBODY

    def test_a_file_that_may_not_be_written(self):
        self.old("out/model.onnx", mode=0o444)
        self.assertIn(b"Permission denied [cannot-write]", self.export_to("out/model.onnx", code=1).stderr)
        self.assertEqual(self.read("out/model.onnx"), b"old")

    def test_a_folder_that_may_not_be_written(self):
        """The file is writable: its contents are replaced."""
        before = self.old("out/model.onnx", mode=0o600)
        os.chown("out", 0, 0)
        self.export_to("out/model.onnx")
        self.assertEqual(self.read("out/model.onnx"), self.whole)
        self.assertEqual(os.stat("out/model.onnx").st_ino, before.st_ino)

    def test_a_device_that_may_not_be_written(self):
        os.mknod("out/null", stat.S_IFCHR | 0o600, os.makedev(1, 3))
        self.assertIn(b"Permission denied [cannot-write]", self.export_to("out/null", code=1).stderr)
        self.assertTrue(stat.S_ISCHR(os.lstat("out/null").st_mode))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1] + sys.argv[3:])
