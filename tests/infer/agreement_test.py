#!/usr/bin/python3
"""usage: agreement_test.py CAMEO

On every model of libonnx-testdata Cameo infers what the official library infers, or something more exact; what
they do not agree on is in EXPLAINED. The rest of the file stays as it was.
"""
import os
import pathlib
import sys
import tempfile

import onnx

import inference

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))
from agreement import conclude  # noqa: E402

# By folder and value: why Cameo is right to say something else, or less.
EXPLAINED = {
    ("test_loop13_seq", "seq_res"):
        "the sequence before the loop is said to hold scalars, and the body puts vectors into it",
}


def rest(model):
    """The model without what inference adds."""
    copy = onnx.ModelProto()
    copy.CopyFrom(model)
    for _, graph in inference.graphs(copy.graph):
        del graph.value_info[:]
        for output in graph.output:
            output.ClearField("type")
    return copy


def main(tool):
    models = inference.testdata()
    failures, explained, known = [], set(), 0
    with tempfile.TemporaryDirectory() as folder:
        output = pathlib.Path(folder) / "out.onnx"
        for path in models:
            ours, _ = inference.cameo(tool, path, output)
            if rest(ours) != rest(onnx.load(path, load_external_data=False)):
                failures.append(f"{path}: the rest of the model has changed")
            official = inference.official(path)
            known += len(inference.types(official)) if official else 0
            for name, why in inference.disagreements(official, ours) if official else ():
                key = (path.parent.name, name)
                if key in EXPLAINED:
                    explained.add(key)
                else:
                    failures.append(f"{path}: {name}: {why}")
    return conclude(f"{len(models)} models, {known} values", failures, EXPLAINED, explained)


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    sys.exit(main(sys.argv[1]))
