"""live.py CAMEO SCRIPT: writes the programs of operators.py, torchvision_models.py or transformers_models.py with PyTorch 2.14,
and compares them with ONNX Runtime, some at a time. Programs of more than 64 MB are removed once they are right.

The programs and results.json are kept in .cache/torch2/scratch/SCRIPT, so that a second call resumes the first. With --check
it is an error if a name of SCRIPT.txt is not whole; --rebase writes that list anew.
"""
import argparse
import contextlib
import json
import os
import pathlib
import signal
import subprocess
import sys
import time

import compare

PROJECT = pathlib.Path(__file__).resolve().parent.parent.parent
LARGE = 64 << 20


def command_in_root(script, *arguments):
    return [PROJECT / "scripts/torch2", "run", "sid", "nice", "python3", f"/cameo/tests/torch2/{script}.py", *arguments]


def environment(scratch):
    return {**os.environ, "TORCH2_SCRATCH": str(scratch)}


def names_of(scratch, script):
    done = subprocess.run(command_in_root(script, "--list"), env=environment(scratch), check=True, stdout=subprocess.PIPE, text=True)
    return done.stdout.split()


def remove_large(folder, found):
    for file, why in found.items():
        if why is None and (folder / file).exists() and (folder / file).stat().st_size > LARGE:
            (folder / file).unlink()


def wait_for(manifest, writer):
    while not manifest.exists():
        if writer.poll() is not None and not manifest.exists():
            sys.exit(f"the programs of {manifest.parent.name} could not be written")
        time.sleep(1)


def is_written(folder, before):
    """Whether the programs are there, but for those that were removed because they are right."""
    if not (folder / "manifest.json").exists():
        return False
    cases = json.loads((folder / "manifest.json").read_text())["cases"]
    files = [file for entry in cases for file in entry.get("files", [])]
    return all((folder / file).exists() or before.get(file, "unknown") is None for file in files)


@contextlib.contextmanager
def writing(scratch, script, names, options):
    """A process that writes programs; it ends with the block."""
    for name in names:
        (scratch / script / name / "manifest.json").unlink(missing_ok=True)
    writer = subprocess.Popen(command_in_root(script, script, *options, "--only", *names), env=environment(scratch), start_new_session=True)
    try:
        yield writer
    finally:
        if writer.poll() is None:
            os.killpg(writer.pid, signal.SIGTERM)
        writer.wait()


def write_and_compare(cameo, scratch, script, names, results, *options):
    """One process writes the programs, while this one compares those that are written."""
    folder = scratch / script
    missing = [name for name in names if not is_written(folder / name, results.get(name, {}))]
    with writing(scratch, script, missing, options) if missing else contextlib.nullcontext() as writer:
        for number, name in enumerate(names, 1):
            wait_for(folder / name / "manifest.json", writer)
            results[name] = compare.judge_name(cameo, folder / name, results.get(name, {}))
            remove_large(folder / name, results[name])
            (folder / "results.json").write_text(json.dumps(results, indent=1))
            print(f"{number} of {len(names)}: {name}: {compare.word(results[name])}", flush=True)


def grouped(folder):
    return any(len(entry.get("samples", [])) > 1 for entry in json.loads((folder / "manifest.json").read_text())["cases"])


def compare_singly(cameo, scratch, script, names, results):
    """A program of several samples is wrong if one of them is. These samples are compared one by one."""
    again = [name for name in names if name not in whole(results) and grouped(scratch / script / name)]
    for name in again:
        (scratch / script / name / "manifest.json").unlink()
        results[name] = {}
    write_and_compare(cameo, scratch, script, again, results, "--single")


def whole(results):
    return {name for name, found in results.items() if compare.word(found) == "whole"}


def check(results, listed):
    lost = sorted(set(listed.read_text().split()) - whole(results))
    for name in lost:
        print(f"LOST {name}: {'; '.join(sorted({why for why in results.get(name, {}).values() if why}))[:300]}")
    return not lost


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("cameo", type=pathlib.Path)
    parser.add_argument("script", choices=["operators", "torchvision_models", "transformers_models"])
    parser.add_argument("--scratch", type=pathlib.Path, default=PROJECT / ".cache/torch2/scratch")
    parser.add_argument("--only", nargs="*", help="names of operators or models")
    parser.add_argument("--again", action="store_true", help="compare programs again that were right")
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--rebase", action="store_true")
    arguments = parser.parse_args()
    folder, listed = arguments.scratch / arguments.script, pathlib.Path(__file__).with_name(f"{arguments.script}.txt")
    folder.mkdir(parents=True, exist_ok=True)
    kept = folder / "results.json"
    results = json.loads(kept.read_text()) if kept.exists() and not arguments.again else {}
    names = arguments.only or names_of(arguments.scratch, arguments.script)
    place = arguments.cameo.resolve(), arguments.scratch, arguments.script
    write_and_compare(*place, names, results)
    compare_singly(*place, names, results)
    print(*compare.summary(results, 60), sep="\n")
    if arguments.rebase:
        listed.write_text("\n".join(sorted(whole(results))) + "\n")
    sys.exit(0 if not arguments.check or check(results, listed) else 1)


if __name__ == "__main__":
    main()
