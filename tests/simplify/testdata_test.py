#!/usr/bin/python3
"""usage: testdata_test.py SIMPLIFY_MANY

Every model of libonnx-testdata computes the same on its test data after it was simplified, is valid, and is not
changed by being simplified again.
"""
import json
import pathlib
import subprocess
import sys
import tempfile

import numpy as np
import onnx
from onnx import numpy_helper

# Of the largest element. Models of more than this opset are unknown to the official checker.
TOLERANCE = 1e-5
NEWEST_OPSET = onnx.defs.onnx_opset_version()
# Random numbers differ from run to run.
RANDOM = {"Bernoulli", "Multinomial", "RandomNormal", "RandomNormalLike", "RandomUniform", "RandomUniformLike"}


def testdata():
    folder = (pathlib.Path(onnx.__file__).parent / "backend" / "test" / "data").resolve()
    return sorted(folder.glob("*/*/model.onnx"))


def inputs(model, folder, npz):
    """Writes the test data of a model; "-" if it has none that is made of tensors only."""
    defaults = {tensor.name for tensor in model.graph.initializer}
    arrays = {}
    for i, value in enumerate(v for v in model.graph.input if v.name not in defaults):
        path = folder / "test_data_set_0" / f"input_{i}.pb"
        if not path.exists() or not value.type.HasField("tensor_type"):
            return "-"
        arrays[value.name] = numpy_helper.to_array(onnx.TensorProto.FromString(path.read_bytes()))
    if not arrays or any(a.dtype == object for a in arrays.values()):
        return "-"
    np.savez(npz, **arrays)
    return npz


def asked(model):
    """The inputs that have no default."""
    defaults = {tensor.name for tensor in model.graph.initializer}
    return [value for value in model.graph.input if value.name not in defaults]


def faults(report, model, output):
    if "error" in report:
        return [report["error"]]
    found = []
    if not report["same_again"]:
        found.append("changes when it is simplified again")
    if report["after"] > report["before"]:
        found.append(f"grew from {report['before']} to {report['after']} nodes")
    is_random = any(node.op_type in RANDOM for node in model.graph.node)
    if not is_random and report.get("difference", 0) > TOLERANCE:
        found.append(f"differs by {report['difference']}")
    simplified = onnx.load(output)
    if asked(simplified) != asked(model) or list(simplified.graph.output) != list(model.graph.output):
        found.append("other inputs or outputs")
    try:
        onnx.checker.check_model(simplified)
    except Exception as error:
        found.append(f"invalid: {error}")
    return found


def main(tool):
    with tempfile.TemporaryDirectory() as scratch:
        jobs = []
        for i, path in enumerate(testdata()):
            model = onnx.load(path)
            if any(o.version > NEWEST_OPSET for o in model.opset_import if o.domain == ""):
                continue
            jobs.append((path, inputs(model, path.parent, f"{scratch}/{i}.npz"), f"{scratch}/{i}.onnx", model))
        lines = "".join(f"{path}\t{npz}\t{output}\n" for path, npz, output, _ in jobs)
        done = subprocess.run([tool], input=lines, capture_output=True, text=True)
        reports = [json.loads(line) for line in done.stdout.splitlines()]
        failures = [] if len(reports) == len(jobs) else [f"stopped after {len(reports)}: {done.stderr[-500:]}"]
        for report, (path, _, output, model) in zip(reports, jobs):
            valid = True
            try:
                onnx.checker.check_model(model)
            except Exception:
                valid = False
            if valid:
                failures += [f"{path.parent.name}: {fault}" for fault in faults(report, model, output)]
    ran = sum("difference" in report for report in reports)
    print(*failures, sep="\n", end="\n" if failures else "")
    print(f"{len(jobs)} models, {ran} of them run, {len(failures)} failures; "
          f"{sum(r.get('before', 0) for r in reports)} nodes became {sum(r.get('after', 0) for r in reports)}")
    return 1 if failures or ran < 900 else 0


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    sys.exit(main(sys.argv[1]))
