"""Exports a program with the command, runs the model in ONNX Runtime and compares with the results of PyTorch."""
import pathlib
import subprocess
import tempfile

import numpy
import onnx
import onnx.numpy_helper

# Relative to the largest element of a result. float16 has 11 bits of precision and bfloat16 has 8, and each layer rounds
# anew. ONNX Runtime computes some operators of float64 with float32 coefficients.
TOLERANCES = {"float32": 1e-5, "float64": 1e-7, "float16": 4e-3, "bfloat16": 3e-2}
_BFLOAT16, _FLOAT = onnx.TensorProto.BFLOAT16, onnx.TensorProto.FLOAT


def run(*command, timeout=300):
    try:
        return subprocess.run([str(each) for each in command], capture_output=True, text=True, timeout=timeout)
    except subprocess.TimeoutExpired:
        return subprocess.CompletedProcess(command, -1, "", f"error: not done within {timeout} s")


def export(cameo, program, model, *options):
    """None, or the diagnostics of the command."""
    done = run(cameo, "export", program, "-q", "--no-sync", "-o", model, *options)
    if done.returncode == 0:
        return None
    return done.stderr.strip() or f"the command ended with {done.returncode}"


def _float_from_bfloat16(array):
    return numpy.left_shift(array, 16, dtype=numpy.uint32).view(numpy.float32)


def _tensors_in(graph):
    yield from graph.initializer
    for node in graph.node:
        for attribute in node.attribute:
            if attribute.HasField("t"):
                yield attribute.t
            for inner in [*attribute.graphs, *([attribute.g] if attribute.HasField("g") else [])]:
                yield from _tensors_in(inner)


def _graphs_in(graph):
    yield graph
    for node in graph.node:
        for attribute in node.attribute:
            for inner in [*attribute.graphs, *([attribute.g] if attribute.HasField("g") else [])]:
                yield from _graphs_in(inner)


def _without_bfloat16(model):
    """The model with float in the place of bfloat16: ONNX Runtime has few operators of bfloat16, and NumPy has no such type."""
    for tensor in _tensors_in(model.graph):
        if tensor.data_type == _BFLOAT16:
            values = numpy.frombuffer(tensor.raw_data, numpy.uint16) if tensor.raw_data else numpy.array(tensor.int32_data, numpy.uint16)
            tensor.CopyFrom(onnx.numpy_helper.from_array(_float_from_bfloat16(values).reshape(tensor.dims), tensor.name))
    for graph in _graphs_in(model.graph):
        for value in [*graph.input, *graph.output, *graph.value_info]:
            if value.type.tensor_type.elem_type == _BFLOAT16:
                value.type.tensor_type.elem_type = _FLOAT
        for node in graph.node:
            for attribute in node.attribute:
                if attribute.name in ("to", "dtype") and attribute.i == _BFLOAT16:
                    attribute.i = _FLOAT


def _names(model):
    """The names of inputs and outputs, and the element types of the outputs."""
    constants = {tensor.name for tensor in model.graph.initializer}
    inputs = [value.name for value in model.graph.input if value.name not in constants]
    types = [value.type.tensor_type.elem_type for value in model.graph.output]
    return inputs, [value.name for value in model.graph.output], types


_PARTS = {"complex64": "float32", "complex128": "float64"}


def _with_parts(array):
    """Complex numbers as models have them: with a last axis for their real and imaginary parts."""
    return numpy.stack([array.real, array.imag], -1) if numpy.iscomplexobj(array) else array


def _type_name(number):
    name = onnx.TensorProto.DataType.Name(number).lower()
    return {"float": "float32", "double": "float64"}.get(name, name)


def difference(got, wanted, kind, tolerance=None):
    """What differs between two arrays, or None. Elements of bfloat16 are floats in both."""
    if got.dtype != wanted.dtype:
        return f"elements of {got.dtype} instead of {wanted.dtype}"
    if got.shape != wanted.shape:
        return f"shape {list(got.shape)} instead of {list(wanted.shape)}"
    if kind not in TOLERANCES:
        return None if numpy.array_equal(got, wanted) else "other numbers"
    got, wanted = got.astype(numpy.float64), wanted.astype(numpy.float64)
    finite = numpy.isfinite(wanted)
    if not numpy.array_equal(numpy.where(finite, 0, got), numpy.where(finite, 0, wanted), equal_nan=True):
        return "not finite at other places"
    allowed = (tolerance or TOLERANCES[kind]) * (1 + numpy.abs(wanted[finite]).max(initial=0))
    error = numpy.abs(got[finite] - wanted[finite]).max(initial=0)
    return None if error <= allowed else f"off by {error:.3g}, {allowed:.3g} allowed"


def _compare_run(cameo, model, folder, feeds, wanted, kinds, names, meaningful, tolerance):
    inputs, outputs = names
    numpy.savez(folder / "in.npz", **dict(zip(inputs, feeds)))
    command = [cameo, "run", model, "--threads", "1", "-o", folder / "out.npz"]
    done = run(*command, *(["--npz", folder / "in.npz"] if feeds else []))
    if done.returncode != 0:
        return "run: " + (done.stderr.strip() or f"the command ended with {done.returncode}")
    got = numpy.load(folder / "out.npz")
    for k, name in enumerate(outputs):
        if not meaningful[k] and (got[name].dtype, got[name].shape) == (wanted[k].dtype, wanted[k].shape):
            continue
        why = difference(got[name], wanted[k], kinds[k], tolerance)
        if why:
            return f"output {k} ('{name}'): {why}"
    return None


def judge_model(cameo, path, arrays, entry):
    """What is wrong with the model of a program, or None. `arrays` and `entry` are those of the program."""
    model = onnx.load(path, load_external_data=False)
    inputs, outputs, types = _names(model)
    kinds = [_PARTS.get(kind, kind) for kind in entry["outputs"]]
    types = [_type_name(number) for number in types]
    if types != kinds:
        return f"the outputs have the types {types} instead of {kinds}"
    specs = [spec for spec in entry["inputs"] if "constant" not in spec]
    if len(inputs) != len(specs):
        return f"the model has the inputs {inputs} instead of {[spec['name'] for spec in specs]}"
    if "bfloat16" in kinds + [spec["type"] for spec in specs] or any(t.data_type == _BFLOAT16 for t in _tensors_in(model.graph)):
        _without_bfloat16(model)
        onnx.save(model, path)
    for number in range(entry["runs"]):
        with tempfile.TemporaryDirectory() as folder:
            feeds = [_with_parts(arrays[f"{number}.in.{k}"]) for k in range(len(specs))]
            wanted = [_with_parts(arrays[f"{number}.out.{k}"]) for k in range(len(kinds))]
            feeds = [_float_from_bfloat16(a) if spec["type"] == "bfloat16" else a for a, spec in zip(feeds, specs)]
            wanted = [_float_from_bfloat16(a) if kind == "bfloat16" else a for a, kind in zip(wanted, kinds)]
            why = _compare_run(cameo, path, pathlib.Path(folder), feeds, wanted, kinds, (inputs, outputs),
                               entry.get("meaningful", [True] * len(kinds)), entry.get("tolerance"))
        if why:
            return f"run {number}: {why}"
    return None


def judge(cameo, program, arrays, entry, *options):
    """What is wrong with a program, or None."""
    with tempfile.TemporaryDirectory() as folder:
        model = pathlib.Path(folder) / "model.onnx"
        diagnostics = export(cameo, program, model, *options)
        if "refused" in entry:
            if diagnostics is None:
                return "was exported, though it should not be"
            return None if entry["refused"] in diagnostics else f"the diagnostics lack {entry['refused']!r}: {diagnostics}"
        if diagnostics is not None:
            return "export: " + diagnostics
        return judge_model(cameo, model, arrays, entry)
