#!/usr/bin/python3
"""usage: agreement_test.py CAMEO

Cameo's checker and the official one agree on every model of libonnx-testdata; what they do not agree on is in
EXPLAINED.
"""
import os
import sys

import oracle

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))
from agreement import conclude  # noqa: E402

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
    return conclude(f"{len(models)} models", failures, EXPLAINED, explained)


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    sys.exit(main(sys.argv[1]))
