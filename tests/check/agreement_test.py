#!/usr/bin/python3
"""usage: agreement_test.py CAMEO

Cameo's checker and the official one agree on every model of libonnx-testdata; what they do not agree on is in
EXPLAINED.
"""
import sys

import oracle

# By folder: the errors that only Cameo reports, and why it is right.
EARLY_CONSTANT = "opset 6, where Constant makes floats only; the official checker does not look at element types"
EXPLAINED = {
    "test_PixelShuffle": (["output-element-type"], EARLY_CONSTANT),
    "test_operator_repeat": (["output-element-type"], EARLY_CONSTANT),
    "test_operator_repeat_dim_overflow": (["output-element-type"], EARLY_CONSTANT),
}


def main(tool):
    models = oracle.testdata()
    failures = []
    explained = set()
    for path, codes in zip(models, oracle.cameo(tool, models)):
        refused = oracle.official(path)
        name = path.parent.name
        if bool(refused) == bool(codes):
            continue
        if refused is None and name in EXPLAINED and EXPLAINED[name][0] == codes:
            explained.add(name)
            continue
        failures.append(f"{path}: official: {refused or 'valid'}; cameo: {', '.join(codes) or 'valid'}")
    failures += [f"{name}: explained, but there is no such disagreement" for name in EXPLAINED.keys() - explained]
    print(*failures, sep="\n", end="\n" if failures else "")
    print(f"{len(models)} models, {len(explained)} explained disagreements, {len(failures)} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    sys.exit(main(sys.argv[1]))
