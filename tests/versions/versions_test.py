"""Operators whose meaning changed with the file format: programs that claim an older version mean what they meant then.
PyTorch itself, which keeps the old meanings, judges."""

import os
import sys
import tempfile
import zipfile

import torch

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))
from suite import Suite

FOLDER = tempfile.TemporaryDirectory()


def saved(name, function, version):
    """The function as an archive of an older version."""
    new, old = os.path.join(FOLDER.name, f"{name}-new.pt"), os.path.join(FOLDER.name, f"{name}.pt")
    torch.jit.save(torch.jit.script(function), new)
    with zipfile.ZipFile(new) as source, zipfile.ZipFile(old, "w") as target:
        for entry in source.infolist():
            root, _, record = entry.filename.partition("/")
            data = f"{version}\n".encode() if record in ("version", ".data/version") else source.read(entry)
            target.writestr(f"{root}/version" if record == ".data/version" else entry.filename, data)
    return old


def divide(x, y):
    return x / y


def divide_number(x):
    return x / 2


def divide_float(x):
    return x / 2.0


def divide_in_place(x, y):
    z = x.clone()
    z /= y
    return z


def fill(x):
    return x + torch.full([3], 7)


suite = Suite()
whole, other = torch.tensor([7, -7, 8]), torch.tensor([2, 2, -3])
real = torch.tensor([7.0, -7.0, 8.0])
for version in (2, 3):
    suite.add(f"div-int-{version}", saved(f"div-int-{version}", divide, version), [whole, other], how="saved")
    suite.add(f"div-number-{version}", saved(f"div-number-{version}", divide_number, version), [whole], how="saved")
    suite.add(f"div-float-number-{version}", saved(f"div-float-number-{version}", divide_float, version), [whole], how="saved")
    suite.add(f"div-real-{version}", saved(f"div-real-{version}", divide, version), [real, other], how="saved")
    suite.add(f"div-in-place-{version}", saved(f"div-in-place-{version}", divide_in_place, version), [whole, other], how="saved")
suite.add("div-int-4", saved("div-int-4", divide, 4), [whole, other], how="saved")
suite.add("full-4", saved("full-4", fill, 4), [whole], how="saved")
suite.add("full-5", saved("full-5", fill, 5), [whole], how="saved")
suite.main()
