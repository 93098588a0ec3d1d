"""A test case in an empty folder of its own, which goes away with it, also when the test is told to end."""
import os
import pathlib
import signal
import sys
import tempfile
import unittest

signal.signal(signal.SIGTERM, lambda number, _: sys.exit(128 + number))


class FolderCase(unittest.TestCase):
    """The folder is self.folder, and the current one."""
    maxDiff = None

    def setUp(self):
        super().setUp()
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.addCleanup(os.chdir, os.getcwd())
        self.folder = pathlib.Path(folder.name)
        os.chdir(self.folder)
