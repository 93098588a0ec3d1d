"""Every program at every opset from 9 to 27: exported once an opset, checked by Cameo, compared with PyTorch in ONNX Runtime
and, as far as the official checker knows the opset, checked in full. What cannot be said stands in refusals/, and nothing else
does."""

import argparse
import glob
import os
import re
import sys
import tempfile
import warnings

import onnx
import torch

HERE = os.path.dirname(os.path.abspath(__file__))
for folder in ("support", "eval"):
    sys.path.insert(0, os.path.join(HERE, "..", folder))
import language_test  # noqa: E402
from small_models import add_models  # noqa: E402
from suite import Suite  # noqa: E402

OPSETS = range(9, 28)
LAST_CHECKED = onnx.defs.onnx_opset_version()
os.environ["ALLOW_RELEASED_ONNX_OPSET_ONLY"] = "0"
warnings.filterwarnings("ignore")


def add_language(suite, folder):
    for path in sorted(glob.glob(os.path.join(HERE, "..", "eval", "cases", "*.txt"))):
        if not os.path.basename(path).startswith("bad-"):
            language_test.add(suite, path, folder)


def refusal(result):
    """The sentences of the diagnostics if all say that a newer opset is needed."""
    if result.get("codes") and set(result["codes"]) == {"needs-opset"}:
        return "; ".join(re.findall(r"error: \[convert\] (.*) \[needs-opset\]", result["error"]))
    return None


def fault(path, opset, result):
    """What is wrong with a model that was exported, or None."""
    if not result["ok"]:
        return result["message"]
    model = onnx.load(path)
    if [(o.domain, o.version) for o in model.opset_import] != [("", opset)]:
        return f"imports {model.opset_import}"
    if opset <= LAST_CHECKED:
        if model.ir_version != onnx.helper.OP_SET_ID_VERSION_MAP["ai.onnx", opset]:
            return f"is of IR version {model.ir_version}"
        try:
            onnx.checker.check_model(model, full_check=True)
        except Exception as error:
            return f"{type(error).__name__} of the checker: {error}"
    return None


def ranges(numbers):
    """[9, 10, 11, 13] as "9-11 13"."""
    runs = []
    for n in numbers:
        if runs and runs[-1][1] == n - 1:
            runs[-1][1] = n
        else:
            runs.append([n, n])
    return " ".join(str(a) if a == b else f"{a}-{b}" for a, b in runs)


def listed(found):
    """{(program, sentence): [opsets]} as lines."""
    return "".join(f"{name} {ranges(opsets)}: {sentence}\n" for (name, sentence), opsets in sorted(found.items()))


def run(suite, args, folder):
    """The refusals and the failures."""
    cases = [c for c in suite.cases if not args.only or any(word in c["name"] for word in args.only)]
    prepared, failures = suite.prepare(cases, folder)
    jobs = [(case["name"], opset, os.path.join(folder, f"{case['name']}.{opset}.onnx"), entry)
            for case, entry in prepared for opset in args.opsets]
    entries = [dict(entry, opset=opset, save=path, check=True) for _, opset, path, entry in jobs]
    refused = {}
    for (name, opset, path, _), result in zip(jobs, suite.export(args.tool, entries, folder)):
        sentence = refusal(result)
        if sentence:
            refused.setdefault((name, sentence), []).append(opset)
        else:
            why = fault(path, opset, result)
            if why:
                failures.append((f"{name} at {opset}", why))
    return refused, failures


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("programs", choices=["language", "models"])
    parser.add_argument("only", nargs="*", help="run the cases whose names contain one of these")
    parser.add_argument("--tool", default="build/release/tests/support/export_check")
    parser.add_argument("--opsets", type=lambda text: [int(n) for n in text.split(",")], default=OPSETS)
    parser.add_argument("--rebase", action="store_true", help="write what is refused as what is expected")
    args = parser.parse_args()
    torch.manual_seed(0)
    suite = Suite()
    golden = os.path.join(HERE, "refusals", args.programs + ".txt")
    with tempfile.TemporaryDirectory() as folder:
        if args.programs == "language":
            add_language(suite, folder)
        else:
            add_models(suite)
        refused, failures = run(suite, args, folder)
    got = listed(refused)
    if args.rebase:
        with open(golden, "w") as file:
            file.write(got)
    elif args.only or args.opsets is not OPSETS:
        print(got, end="")
    elif got != open(golden).read():
        failures.append(("refusals", f"expected\n{open(golden).read()}got\n{got}"))
    for name, why in failures:
        print(f"FAIL {name}: {why}")
    print(f"{len(suite.cases)} programs, {len(failures)} failures")
    sys.exit(1 if failures else 0)


main()
