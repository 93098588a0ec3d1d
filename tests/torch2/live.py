"""live.py CAMEO SCRIPT: writes the programs of operators.py, torchvision_models.py or transformers_models.py with PyTorch 2.14,
and compares them with ONNX Runtime, some at a time. Programs of more than 64 MB are removed once they are right.

The programs and results.json are kept in .cache/torch2/scratch/SCRIPT, so that a second call resumes the first. With --check
it is an error if a name of SCRIPT.txt is not whole; --rebase writes that list anew.
"""
import argparse
import json
import os
import pathlib
import subprocess
import sys

import compare

PROJECT = pathlib.Path(__file__).resolve().parent.parent.parent
LARGE = 64 << 20


def in_root(scratch, script, *arguments):
    command = [PROJECT / "scripts/torch2", "run", "sid", "nice", "python3", f"/cameo/tests/torch2/{script}.py", *arguments]
    return subprocess.run(command, env={**os.environ, "TORCH2_SCRATCH": str(scratch)}, check=True, stdout=subprocess.PIPE, text=True).stdout


def remove_large(folder, found):
    for file, why in found.items():
        if why is None and (folder / file).exists() and (folder / file).stat().st_size > LARGE:
            (folder / file).unlink()


def write_and_compare(cameo, scratch, script, names, results):
    folder = scratch / script
    for start in range(0, len(names), 10):
        batch = names[start:start + 10]
        if any(not (folder / name / "manifest.json").exists() for name in batch):
            in_root(scratch, script, script, "--only", *batch)
        for name in batch:
            results[name] = compare.judge_name(cameo, folder / name, results.get(name, {}))
            remove_large(folder / name, results[name])
        (folder / "results.json").write_text(json.dumps(results, indent=1))
        print(f"{min(start + 10, len(names))} of {len(names)}", flush=True)


def whole(results):
    return {name for name, found in results.items() if found and compare.word(found) == "whole"}


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
    names = arguments.only or in_root(arguments.scratch, arguments.script, "--list").split()
    write_and_compare(arguments.cameo.resolve(), arguments.scratch, arguments.script, names, results)
    print(*compare.summary(results, 60), sep="\n")
    if arguments.rebase:
        listed.write_text("\n".join(sorted(whole(results))) + "\n")
    sys.exit(0 if not arguments.check or check(results, listed) else 1)


if __name__ == "__main__":
    main()
