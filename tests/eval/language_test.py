"""Runs the language suite: see README.md beside this file."""

import argparse
import glob
import importlib.util
import os
import re
import sys
import tempfile

import torch

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "support"))
from suite import Suite  # noqa: E402

PRELUDE = """\
import math
from collections import namedtuple
from enum import Enum
from typing import Any, Dict, Final, List, NamedTuple, Optional, Tuple, Union

import torch
import torch.nn.functional as F
from torch import Tensor, nn


"""


def sections(text):
    """[(title, body)]: the program first, under the title "program"."""
    parts = re.split(r"^--- *(\w+) *\n", text, flags=re.M)
    return [("program", parts[0])] + [(parts[i], parts[i + 1]) for i in range(1, len(parts), 2)]


def values(body):
    names = {k: getattr(torch, k) for k in dir(torch)}
    out, axes = [], []
    for line in body.splitlines():
        if not line.strip():
            continue
        text, _, dims = line.partition(" @ ")
        out.append(eval(text, names))
        axes.append({i: d.strip() for i, d in enumerate(dims.split(",")) if d.strip() not in ("", "_")} if dims else {})
    return out, axes


def load(source, name, folder):
    path = os.path.join(folder, "case_" + name.replace("-", "_") + ".py")
    with open(path, "w") as file:
        file.write(PRELUDE + source)
    spec = importlib.util.spec_from_file_location("case_" + name.replace("-", "_"), path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    if hasattr(module, "Net"):
        torch.manual_seed(1)
        return module.Net().eval()
    return module.forward


def summary(result, folder):
    """What a golden says of an export."""
    if "error" in result:
        text = result["error"].replace(folder + os.sep, "")
        return re.sub(r"\S*model\.pt", "model.pt", text).strip() + "\n"
    lines = [f"{name}: {type_}" for name, type_ in result["graph_inputs"]]
    lines += [f"-> {name}: {type_}" for name, type_ in result["graph_outputs"]]
    lines += [f"assumes {a}" for a in result["assumptions"]]
    lines += [f"changes {b}" for b in result["changed_buffers"]]
    lines.append(", ".join(f"{op} {n}" for op, n in sorted(result["operators"].items())) or "no nodes")
    return "\n".join(lines) + "\n"


def add(suite, path, folder, rebase=False):
    name = os.path.splitext(os.path.basename(path))[0]
    with open(path) as file:
        text = file.read()
    parts = sections(text)
    found = dict(parts)
    inputs, axes = values(found.get("inputs", ""))
    more = [values(body)[0] for title, body in parts if title == "more"]
    options = {}
    for line in found.get("options", "").splitlines():
        key, _, value = line.partition("=")
        if key.strip():
            options[key.strip()] = eval(value)
    bad = name.startswith("bad-")

    def judge(result):
        got = summary(result, folder)
        if rebase:
            kept = re.split(r"^--- *expect *\n", text, flags=re.M)[0].rstrip("\n")
            with open(path, "w") as out:
                out.write(f"{kept}\n--- expect\n{got}")
            return None
        expected = found.get("expect", "")
        return None if got == expected else f"expected\n{expected}got\n{got}"

    suite.add(name, load(found["program"], name, folder), inputs, dynamic=axes, more=more, check=judge,
              error=[] if bad else None, **options)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("only", nargs="*", help="run the cases whose names contain one of these")
    parser.add_argument("--tool", default="build/release/tests/support/export_check")
    parser.add_argument("--rebase", action="store_true", help="write what comes out as what is expected")
    parser.add_argument("--keep", help="keep all files in this new folder")
    args = parser.parse_args()
    torch.manual_seed(0)
    suite = Suite()
    with tempfile.TemporaryDirectory() as folder:
        for path in sorted(glob.glob(os.path.join(HERE, "cases", "*.txt"))):
            if not args.only or any(word in os.path.basename(path) for word in args.only):
                add(suite, path, folder, args.rebase)
        sys.exit(0 if suite.run(args.tool, keep=args.keep) else 1)


if __name__ == "__main__":
    main()
