"""Archives as other writers, other machines and older releases leave them, made from one of PyTorch's own."""

import pickletools
import zipfile
from unittest import mock

import numpy
import torch

import unpickle

_PICKLES = ("data", "constants")


def _records(file):
    """Contents by name relative to the root folder."""
    with zipfile.ZipFile(file) as archive:
        return {name.split("/", 1)[1]: archive.read(name) for name in archive.namelist()}


def _write(file, records, root="archive", method=zipfile.ZIP_STORED):
    with zipfile.ZipFile(file, "w", method) as archive:
        for name, contents in records.items():
            archive.writestr(f"{root}/{name}", contents)


def without_padding(source, target):
    _write(target, _records(source))


def deflated(source, target):
    _write(target, _records(source), method=zipfile.ZIP_DEFLATED)


def zip64(source, target):
    with mock.patch.object(zipfile, "ZIP64_LIMIT", 0):
        _write(target, _records(source))


def odd_root(source, target):
    _write(target, _records(source), root=" a model.v1.2 (final)")


def with_extra_files(source, target):
    _write(target, {**_records(source), "extra/labels.txt": b"cat\ndog\n", "extra/data.pkl": b"no pickle"})


def cuda(source, target):
    """Saved on a machine with a GPU: only the location of each storage says so."""
    records = _records(source)
    for name in _PICKLES:
        records[f"{name}.pkl"] = records[f"{name}.pkl"].replace(b"X\3\0\0\0cpu", b"X\6\0\0\0cuda:0")
    _write(target, records)


def big_endian(source, target):
    records = _records(source)
    reader = torch._C.PyTorchFileReader(str(source))
    for name in _PICKLES:
        for key, dtype in unpickle.storage_dtypes(reader, name).items():
            records[f"{name}/{key}"] = _swapped(records[f"{name}/{key}"], dtype)
    _write(target, {**records, "byteorder": b"big"})


def _swapped(contents, dtype):
    size = torch._utils._element_size(dtype) // (2 if dtype.is_complex else 1)
    return numpy.frombuffer(contents, f"<u{size}").byteswap().tobytes()


def of_version(version):
    """The file-format version as written since then; version 1 with the marks of that time."""

    def rewrite(source, target):
        records = _records(source)
        records.pop("version", None)
        records.pop(".data/version", None)
        records["version" if version < 6 else ".data/version"] = b"%d\n" % version
        _write(target, _first_version(records) if version == 1 else records)

    return rewrite


def _first_version(records):
    records = {name: contents for name, contents in records.items() if not name.endswith(".debug_pkl")}
    for name in records:
        if name.endswith(".py"):
            records[name] = b"op_version_set = 1\n" + records[name]
    for name in _PICKLES:
        records[f"{name}.pkl"] = _six_items_a_storage(records[f"{name}.pkl"])
    return records


def _six_items_a_storage(data):
    """Each storage's reference once ended in a None."""
    tuple_at, cuts = None, []
    for opcode, _, position in pickletools.genops(data):
        if opcode.name == "TUPLE":
            tuple_at = position
        elif opcode.name == "BINPERSID":
            cuts.append(tuple_at)
    pieces = [data[begin:end] for begin, end in zip([0, *cuts], [*cuts, len(data)])]
    return b"N".join(pieces)


def damaged(source, target):
    """One bit of the first storage differs."""
    records = _records(source)
    first = records["data/0"]
    _write(target, {**records, "data/0": bytes([first[0] ^ 1]) + first[1:]})


WRITERS = {
    "without padding": without_padding,
    "deflated": deflated,
    "zip64": zip64,
    "odd root": odd_root,
    "extra files": with_extra_files,
    "cuda": cuda,
    "big-endian": big_endian,
    **{f"version {version}": of_version(version) for version in range(1, 11)},
}
