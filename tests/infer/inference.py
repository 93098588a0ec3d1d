"""The official shape inference and Cameo's, asked about the same files."""
import pathlib
import subprocess
import sys

import onnx
import onnx.shape_inference

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "check"))
from oracle import testdata  # noqa: E402,F401


MADE_UP = "unk__"  # what names begin with that the official library gives to sizes


def official(path):
    """The model with what the official library infers; None where that fails."""
    try:
        return onnx.shape_inference.infer_shapes(onnx.load(path, load_external_data=False), data_prop=True)
    except Exception:  # an InferenceError, or whatever the library does not stand
        return None


def cameo(tool, path, output, *options):
    """The model with what Cameo infers, and its diagnostics."""
    run = subprocess.run([tool, "infer", path, "-o", output, *options], capture_output=True, text=True)
    assert run.returncode == 0, f"{path}: exit code {run.returncode}\n{run.stderr[-2000:]}"
    return onnx.load(output, load_external_data=False), run.stderr


def graphs(graph, place=""):
    """The graph and its subgraphs, each with where it stands."""
    yield place, graph
    for index, node in enumerate(graph.node):
        for attribute in node.attribute:
            for each in ([attribute.g] if attribute.HasField("g") else []) + list(attribute.graphs):
                yield from graphs(each, f"{place}{node.name or node.op_type}[{index}].{attribute.name}/")


def types(model):
    """What a model says of the types of what its nodes make: {place and name: TypeProto}."""
    found = {}
    for place, graph in graphs(model.graph):
        made = {name for node in graph.node for name in node.output}
        for value in list(graph.value_info) + list(graph.output):
            if value.name in made and value.HasField("type"):
                found[place + value.name] = value.type
    return found


def worse(theirs, ours, names):
    """What the type `theirs` says and `ours` does not; empty if ours says as much or more.

    A name that the official library made up stands for whatever Cameo says there, in the whole model: `names`.
    """
    kind = theirs.WhichOneof("value")
    if kind is None:
        return ""
    if ours is None or ours.WhichOneof("value") != kind:
        return f"{kind} against {ours.WhichOneof('value') if ours else 'nothing'}"
    if kind in ("sequence_type", "optional_type"):
        return worse(getattr(theirs, kind).elem_type, getattr(ours, kind).elem_type, names)
    if kind != "tensor_type":
        return ""
    a, b = theirs.tensor_type, ours.tensor_type
    if a.elem_type and a.elem_type != b.elem_type:
        return f"element type {a.elem_type} against {b.elem_type}"
    if not a.HasField("shape"):
        return ""
    if not b.HasField("shape"):
        return f"shape {shape(a)} against none"
    if len(a.shape.dim) != len(b.shape.dim):
        return f"shape {shape(a)} against {shape(b)}"
    for mine, other in zip(b.shape.dim, a.shape.dim):
        mine_said = mine.dim_param or mine.dim_value
        if other.HasField("dim_value") and mine.dim_value != other.dim_value:
            return f"shape {shape(a)} against {shape(b)}"
        if other.dim_param.startswith(MADE_UP) and names.setdefault(other.dim_param, mine_said) == mine_said:
            continue
        if other.HasField("dim_param") and not mine.HasField("dim_value") and mine.dim_param != other.dim_param:
            return f"shape {shape(a)} against {shape(b)}"
    return ""


def disagreements(official_model, ours):
    """(name, what is worse) of every value of which the official library knows something that Cameo does not."""
    found, names = types(ours), {}
    for name, theirs in types(official_model).items():
        why = worse(theirs, found.get(name), names)
        if why:
            yield name, why


def shape(tensor):
    sizes = [dim.dim_param or (str(dim.dim_value) if dim.HasField("dim_value") else "?") for dim in tensor.shape.dim]
    return f"[{', '.join(sizes)}]"
