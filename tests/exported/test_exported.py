"""test_exported.py CAMEO [--programs FOLDER] [CASE...]: the programs of tests/exported/programs, which PyTorch 2 wrote.

Each program is exported without options, run in ONNX Runtime with the inputs of two sizes, and compared with the results of
PyTorch: element types and shapes exactly, numbers within the tolerances of judge.py. make_programs.py writes the programs.
"""
import argparse
import json
import pathlib
import shutil
import sys
import tempfile
import zipfile

import numpy

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent / "support")]
import sigterm  # noqa: E402, F401
from judge import judge  # noqa: E402


def unpacked(programs, scratch):
    """Folders with a manifest: those of `programs`, and its archives unpacked."""
    for archive in sorted(programs.glob("*.zip")):
        folder = scratch / archive.stem
        zipfile.ZipFile(archive).extractall(folder)
        shutil.copy(archive.with_suffix(".json"), folder / "manifest.json")
        yield folder
    yield from sorted(path.parent for path in programs.glob("**/manifest.json"))


def failures_of(cameo, folder, only):
    """(number of programs, [(file, why)])"""
    manifest = json.loads((folder / "manifest.json").read_text())
    count, failures = 0, []
    for entry in manifest["cases"]:
        if only and not any(word in entry["case"] for word in only):
            continue
        arrays = numpy.load(folder / f"{entry['case']}.npz")
        for file in entry["files"]:
            count += 1
            why = judge(cameo, folder / file, arrays, entry)
            if why:
                failures.append((f"{folder.name}/{file}", why))
    return count, failures


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("cameo", type=pathlib.Path)
    parser.add_argument("only", nargs="*", help="run the cases whose names contain one of these")
    parser.add_argument("--programs", type=pathlib.Path, default=HERE / "programs")
    arguments = parser.parse_args()
    total, failures = 0, []
    with tempfile.TemporaryDirectory() as scratch:
        for folder in unpacked(arguments.programs, pathlib.Path(scratch)):
            count, failed = failures_of(arguments.cameo.resolve(), folder, arguments.only)
            total += count
            failures += failed
    for file, why in failures:
        print(f"FAIL {file}: {why}")
    print(f"{total - len(failures)} passed, {len(failures)} failed")
    sys.exit(1 if failures or not total else 0)


if __name__ == "__main__":
    main()
