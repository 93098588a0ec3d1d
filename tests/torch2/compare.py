"""compare.py CAMEO FOLDER [--only WORD...]: exports the programs of FOLDER, runs them in ONNX Runtime and compares with PyTorch.

FOLDER/NAME/manifest.json describes the programs of an operator or a model NAME; operators.py and the scripts of models write
it. Results are kept in FOLDER/results.json: a program that passed is not run again with the same command, unless --again is
given. The summary says which names are whole (all programs are right), in part, or not right at all, and counts the reasons.
"""
import argparse
import collections
import concurrent.futures
import json
import pathlib
import re
import sys

import numpy

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent / "exported"), str(HERE.parent / "support")]
import sigterm  # noqa: E402, F401
from judge import judge  # noqa: E402


def judge_entry(cameo, folder, entry):
    """{file: what is wrong, or None}"""
    arrays = numpy.load(folder / f"{entry['case']}.npz")
    found = {}
    for file in entry["files"]:
        try:
            found[file] = judge(cameo, folder / file, arrays, entry)
        except Exception as error:
            found[file] = f"compare: {type(error).__name__}: {error}"
    return found


def judge_name(cameo, folder, before):
    """{file: what is wrong, or None} of an operator or a model."""
    found = {}
    for entry in json.loads((folder / "manifest.json").read_text())["cases"]:
        if "files" not in entry:
            continue
        if all(before.get(file, "unknown") is None for file in entry["files"]):
            found.update((file, None) for file in entry["files"])
        else:
            found.update(judge_entry(cameo, folder, entry))
    return found


def unsupported(why):
    """The names of operators that the diagnostics call not supported."""
    return set(re.findall(r"\b((?:aten|prims|torchvision|quantized_decomposed|higher_order|_operator|torch|math|[a-z_]\w*)::[\w.]+)[^\n]*not supported", why))


def reason(why):
    """A failure without its details, to be counted."""
    text = why.split("\n")[0]
    text = re.sub(r"/\S*/", "", text)
    text = re.sub(r"'[^']*'", "'…'", re.sub(r"\d+(\.\d+)?(e[-+]?\d+)?", "N", text))
    return text[:140]


def word(found):
    wrong = sum(why is not None for why in found.values())
    if not found:
        return "no program"
    return "whole" if not wrong else "in part" if wrong < len(found) else "not"


def summary(results, most):
    """Lines of text."""
    words = collections.Counter(word(found) for found in results.values())
    files = [why for found in results.values() for why in found.values()]
    yield f"{len(results)} names: {words['whole']} whole, {words['in part']} in part, {words['not']} not; PyTorch exports no program of {words['no program']}"
    yield f"{len(files)} programs: {sum(why is None for why in files)} right, {sum(why is not None for why in files)} wrong"
    missing, reasons = collections.Counter(), collections.Counter()
    for why in filter(None, files):
        names = unsupported(why)
        missing.update(names)
        if not names:
            reasons[reason(why)] += 1
    for title, counts in (("operators that are not supported", missing), ("other reasons", reasons)):
        if counts:
            yield f"\n{title}, by programs:"
            yield from (f"{count:>6} {text}" for text, count in counts.most_common(most))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("cameo", type=pathlib.Path)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--only", nargs="*", default=[], help="names that contain one of these words")
    parser.add_argument("--again", action="store_true", help="run programs again that passed")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--most", type=int, default=60, help="lines of each table")
    arguments = parser.parse_args()
    file = arguments.folder / "results.json"
    results = json.loads(file.read_text()) if file.exists() else {}
    folders = sorted(path.parent for path in arguments.folder.glob("*/manifest.json"))
    chosen = [folder for folder in folders if not arguments.only or any(each in folder.name for each in arguments.only)]
    cameo = arguments.cameo.resolve()
    with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        before = [{} if arguments.again else results.get(folder.name, {}) for folder in chosen]
        for folder, found in zip(chosen, pool.map(lambda pair: judge_name(cameo, *pair), zip(chosen, before))):
            results[folder.name] = found
            file.write_text(json.dumps(results, indent=1))
            for each, why in found.items():
                if why and arguments.only:
                    print(f"{folder.name}/{each}: {why}", flush=True)
    print(*summary(results, arguments.most), sep="\n")
    sys.exit(0 if all(why is None for found in results.values() for why in found.values()) else 1)


if __name__ == "__main__":
    main()
