"""Holds what Cameo reads of an archive against what PyTorch loads."""

import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from oracle import Oracle


@dataclass
class Tools:
    cameo: Path
    digest: Path

    @staticmethod
    def from_arguments():
        if len(sys.argv) < 3:
            sys.exit(f"usage: {sys.argv[0]} CAMEO ARCHIVE_DIGEST")
        return Tools(Path(sys.argv[1]), Path(sys.argv[2]))


@dataclass
class Result:
    tensors: int = 0
    bytes: int = 0
    faults: tuple = ()


def check(tools, file, oracle_file=None):
    """`oracle_file` is what PyTorch loads, where it cannot read the file that Cameo gets."""
    faults = list(_inspect(tools.cameo, file))
    lines, records, more = _digest(tools.digest, file)
    oracle = Oracle(oracle_file or file)
    faults += more
    faults += [f"PyTorch alone has {line}" for line in sorted(oracle.lines - lines)]
    faults += [f"Cameo alone has {line}" for line in sorted(lines - oracle.lines)]
    faults += [f"constants.pkl and PyTorch's graphs differ in {line}" for line in sorted(oracle.unlisted)]
    faults += _compare_sharing(oracle.storages, records)
    return Result(len(oracle.lines), oracle.bytes, tuple(faults))


def _inspect(cameo, file):
    for options in ([], ["--json"], ["--code"]):
        ran = subprocess.run([cameo, "inspect", file, *options], capture_output=True)
        if ran.returncode or ran.stderr or not ran.stdout:
            yield f"inspect {' '.join(options)}: exit {ran.returncode}: {ran.stderr.decode(errors='replace')}"


def _digest(program, file):
    ran = subprocess.run([program, file], capture_output=True, text=True)
    faults = [f"archive_digest: exit {ran.returncode}: {ran.stderr}"] if ran.returncode or ran.stderr else []
    rows = [line.rsplit("\t", 1) for line in ran.stdout.splitlines()]
    return {line for line, _ in rows}, {line.split("\t")[0]: record for line, record in rows}, faults


def _compare_sharing(storages, records):
    """Tensors share a record exactly where PyTorch has them share a storage."""
    pairs = {(address, records[path]) for path, address in storages.items() if path in records}
    for side, name in ((0, "PyTorch"), (1, "Cameo")):
        shared = [pair[side] for pair in pairs]
        if len(shared) != len(set(shared)):
            yield f"only for {name} some tensors share a storage"
