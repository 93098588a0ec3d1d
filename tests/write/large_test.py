"""large_test.py CAMEO RUN_MODEL: six gigabytes of weights, in a file with holes. They go to a file of their own in one pass,
little memory is taken for it, and ONNX Runtime loads the result."""

import os
import subprocess
import sys
import unittest
import zipfile
import zlib

import torch

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from support import CAMEO, RUN_MODEL, WriterTest

GIGABYTE = 1 << 30
MEGABYTE = 1 << 20
ROWS = GIGABYTE // 4 // 1024


class Small(torch.nn.Module):
    """Six weights of 4 kB, which become 1 GB each."""

    def __init__(self):
        super().__init__()
        for i in range(6):
            setattr(self, f"w{i}", torch.nn.Parameter(torch.zeros(1, 1024)))

    def forward(self, x):
        return x + self.w0 + self.w1 + self.w2 + self.w3 + self.w4 + self.w5


def grown(source, target):
    """The same program with ROWS rows in each weight: the pickle says so, and the records are holes."""
    def resized(pickle):
        columns, rows = b"M\x00\x04", b"J" + ROWS.to_bytes(4, "little")
        for old, new in ((columns + b"tQ", b"J" + (ROWS * 1024).to_bytes(4, "little") + b"tQ"),  # elements of a storage
                         (b"(K\x01" + columns + b"t", b"(" + rows + columns + b"t")):  # a shape
            assert pickle.count(old) == 6
            pickle = pickle.replace(old, new)
        return pickle

    zeros = bytes(MEGABYTE)
    crc = 0
    for _ in range(GIGABYTE // MEGABYTE):
        crc = zlib.crc32(zeros, crc)
    directory = []
    with zipfile.ZipFile(source) as old, open(target, "wb") as out:
        for item in old.infolist():
            weight = "/data/" in item.filename
            text = b"" if weight else old.read(item)
            if item.filename.endswith("data.pkl"):
                text = resized(text)
            size = GIGABYTE if weight else len(text)
            name = item.filename.encode()
            offset = out.tell()
            check = crc if weight else zlib.crc32(text)
            padding = -(offset + 30 + len(name) + 4) % 64
            extra = b"FB" + padding.to_bytes(2, "little") + bytes(padding)
            fields = (check.to_bytes(4, "little") + size.to_bytes(4, "little") * 2 + len(name).to_bytes(2, "little"))
            out.write(b"PK\x03\x04" + bytes([0, 0, 0, 8] + [0] * 6) + fields + len(extra).to_bytes(2, "little") + name + extra)
            out.write(text) if not weight else out.seek(size, os.SEEK_CUR)
            far = offset >= 0xFFFFFFFF
            wide = b"\x01\x00\x08\x00" + offset.to_bytes(8, "little") if far else b""
            directory.append(b"PK\x01\x02" + bytes([0, 0, 0, 0, 0, 8] + [0] * 6) + fields + len(wide).to_bytes(2, "little") +
                             bytes(10) + (0xFFFFFFFF if far else offset).to_bytes(4, "little") + name + wide)
        start = out.tell()
        out.write(b"".join(directory))
        size, count, end = out.tell() - start, len(directory), out.tell()
        out.write(b"PK\x06\x06" + (44).to_bytes(8, "little") + bytes([45, 0, 45, 0]) + bytes(8) + count.to_bytes(8, "little") * 2 +
                  size.to_bytes(8, "little") + start.to_bytes(8, "little"))
        out.write(b"PK\x06\x07" + bytes(4) + end.to_bytes(8, "little") + (1).to_bytes(4, "little"))
        out.write(b"PK\x05\x06" + bytes(4) + count.to_bytes(2, "little") * 2 + size.to_bytes(4, "little") + b"\xff\xff\xff\xff" + bytes(2))


class Large(WriterTest):
    def test_six_gigabytes(self):
        torch.jit.script(Small().eval()).save("small.pt")
        grown("small.pt", "large.pt")
        self.assertGreater(os.path.getsize("large.pt"), 6 * GIGABYTE)
        measured = ["/usr/bin/time", "--format=%M", CAMEO, "export", "-q", "large.pt", "-i", "f32[1024]"]
        told = subprocess.run(measured, capture_output=True, text=True, timeout=600)
        self.assertEqual(told.returncode, 0, told.stderr)
        if b"__asan_init" not in self.read(CAMEO):  # it takes memory of its own
            self.assertLess(int(told.stderr.split()[-1]) * 1024, 64 * MEGABYTE)
        self.assertGreaterEqual(os.path.getsize("large.onnx.data"), 6 * GIGABYTE)
        self.assertLess(os.path.getsize("large.onnx"), MEGABYTE)
        subprocess.run([RUN_MODEL, "large.onnx"], check=True, timeout=600)
        told = self.export("large.pt", "-i", "f32[1024]", "--external-data", "never", code=1)
        self.assertIn("[too-large-for-one-file]", told)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1] + sys.argv[3:])
