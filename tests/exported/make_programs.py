"""Writes the test programs with the PyTorch 2 that runs this script, each with inputs and expected results.

    scripts/torch2 run sid python3 /cameo/tests/exported/make_programs.py 2.14 [CASE...]
    scripts/torch2 run trixie python3 /cameo/tests/exported/make_programs.py 2.6 [CASE...]
    scripts/torch2 run sid python3 /cameo/tests/exported/make_programs.py quantized-2.14 [CASE...]

The folder (of .cache/torch2/scratch) receives per case CASE.pt2, CASE-decomposed.pt2 (after run_decompositions()) and
CASE.npz, and manifest.json for all. Without CASE it is packed too: FOLDER.json is the manifest, and FOLDER.zip has the other
files. They belong into tests/exported/programs.
The arrays of CASE.npz are called `RUN.in.K` and `RUN.out.K`: run 0 has the example inputs, and run 1 inputs of a second size.
K counts the tensors of the arguments or of the results in order. Numbers among the results are arrays without axes. Elements
of bfloat16 are stored as uint16; the manifest has the element type.
"""
import argparse
import copy
import importlib
import json
import logging
import pathlib
import sys
import traceback
import warnings
import zipfile

import torch
import torch.utils._pytree as pytree

sys.path.insert(0, str(pathlib.Path(__file__).parent))
from case import CASES  # noqa: E402
from files import array_of, inputs_of, type_of, write_arrays  # noqa: E402

FAMILIES = ("networks", "weights", "mutation", "sizes", "arguments", "types", "control_flow", "operators")
QUANTIZATION = ("quantization",)  # in archives of their own, whose names begin with "quantized"
VERSION = tuple(int(part) for part in torch.__version__.split(".")[:2])


def run(module, args, kwargs):
    """The leaves of the results. The module and the arguments stay as they are."""
    torch.manual_seed(1)
    with torch.no_grad():
        return pytree.tree_leaves(copy.deepcopy(module)(*copy.deepcopy(args), **copy.deepcopy(kwargs)))


def same(left, right):
    """Whether two lists of leaves agree, as a check of the exported program against its module."""
    for a, b in zip(left, right, strict=True):
        if isinstance(a, torch.Tensor):
            torch.testing.assert_close(a, b, rtol=1e-4, atol=1e-5, equal_nan=True)
        elif isinstance(a, float):
            assert abs(a - b) < 1e-6, f"{a} and {b}"
        else:
            assert a == b, f"{a} and {b}"


def save(exported, path, expected):
    """Writes a program, and checks that PyTorch reads it and computes the expected results with it."""
    torch.export.save(exported, path)
    for (args, kwargs), results in expected:
        torch.manual_seed(1)
        with torch.no_grad():
            same(pytree.tree_leaves(torch.export.load(path).module()(*copy.deepcopy(args), **copy.deepcopy(kwargs))), results)


def write_case(case, folder):
    """The entry of the manifest."""
    torch.manual_seed(0)
    program = case.make()
    module = program.module.train(program.train)
    runs = program.runs()
    expected = [(each, run(module, *each)) for each in runs]
    options = {"prefer_deferred_runtime_asserts_over_guards": True} if program.deferred else {}
    with torch.no_grad():
        exported = torch.export.export(copy.deepcopy(module), tuple(copy.deepcopy(program.inputs)), copy.deepcopy(program.kwargs),
                                       dynamic_shapes=program.dynamic, strict=program.strict, **options)
    save(exported, folder / f"{case.name}.pt2", expected)
    entry = {"case": case.name, "about": (case.make.__doc__ or "").strip(), "files": [f"{case.name}.pt2"], "inputs": inputs_of(exported),
             "outputs": [type_of(value) for value in expected[0][1] if array_of(value) is not None], "runs": len(runs),
             "ranges": {str(k): str(v) for k, v in exported.range_constraints.items()}}
    if case.decomposed <= VERSION:
        save(exported.run_decompositions(), folder / f"{case.name}-decomposed.pt2", expected)
        entry["files"].append(f"{case.name}-decomposed.pt2")
    if case.refused:
        entry["refused"] = case.refused
    if case.tolerance:
        entry["tolerance"] = case.tolerance
    write_arrays(folder / f"{case.name}.npz", expected, entry["inputs"])
    return entry


def pack(folder, entries):
    """The files of the manifest in an archive that does not depend on the time."""
    names = sorted(name for entry in entries for name in (*entry["files"], f"{entry['case']}.npz"))
    with zipfile.ZipFile(folder.with_name(folder.name + ".zip"), "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for name in names:
            archive.writestr(zipfile.ZipInfo(name), (folder / name).read_bytes(), zipfile.ZIP_DEFLATED, 9)
    folder.with_name(folder.name + ".json").write_text((folder / "manifest.json").read_text())


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("cases", nargs="*", metavar="case")
    arguments = parser.parse_args()
    warnings.simplefilter("ignore")
    logging.disable(logging.CRITICAL)
    torch.set_num_threads(1)
    for family in QUANTIZATION if arguments.folder.name.startswith("quantized") else FAMILIES:
        importlib.import_module(f"cases.{family}")
    arguments.folder.mkdir(parents=True, exist_ok=True)
    manifest, failed = arguments.folder / "manifest.json", []
    entries = {entry["case"]: entry for entry in json.loads(manifest.read_text())["cases"]} if manifest.exists() and arguments.cases else {}
    for name, case in CASES.items():
        if (arguments.cases and name not in arguments.cases) or case.since > VERSION:
            continue
        try:
            entries[name] = write_case(case, arguments.folder)
        except Exception as error:
            failed.append(name)
            print(f"FAIL {name}: {traceback.format_exc(limit=-3) if arguments.cases else str(error)[:300]}", flush=True)
    manifest.write_text(json.dumps({"torch": torch.__version__, "cases": list(entries.values())}, indent=1) + "\n")
    if not arguments.cases and not failed:
        pack(arguments.folder, entries.values())
    print(f"{len(entries)} cases, {len(failed)} failed: {' '.join(failed)}")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
