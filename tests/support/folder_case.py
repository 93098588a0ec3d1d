"""A test case in an empty folder of its own, which goes away with it."""
import os
import pathlib
import tempfile
import unittest

import sigterm  # noqa: F401


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
