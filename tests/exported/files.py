"""The files of a test program: inputs and results as arrays, and what the manifest says about them. Needs PyTorch 2."""
import numpy
import torch
import torch.utils._pytree as pytree


def array_of(value):
    """A leaf of the arguments or results as an array, or None for None and strings."""
    if isinstance(value, torch.Tensor):
        value = value.detach().contiguous()
        return (value.view(torch.uint16) if value.dtype == torch.bfloat16 else value.resolve_conj()).numpy()
    if isinstance(value, bool):
        return numpy.array(value, dtype=numpy.bool_)
    if isinstance(value, int):
        return numpy.array(value, dtype=numpy.int64)
    if isinstance(value, float):
        return numpy.array(value, dtype=numpy.float64)
    return None


def type_of(value):
    if isinstance(value, torch.Tensor):
        return str(value.dtype).removeprefix("torch.")
    return {bool: "bool", int: "int64", float: "float64"}[type(value)]


def dims_of(value):
    return [int(n) if str(n).lstrip("-").isdigit() else str(n) for n in value.shape]


def inputs_of(exported):
    """The user inputs of the graph: name, element type and sizes, or the value of a constant input."""
    nodes = {node.name: node for node in exported.graph.nodes if node.op == "placeholder"}
    found = []
    for spec in exported.graph_signature.input_specs:
        if spec.kind.name != "USER_INPUT":
            continue
        value = nodes[spec.arg.name].meta.get("val")
        if isinstance(value, torch.Tensor):
            found.append({"name": spec.arg.name, "type": type_of(value), "dims": dims_of(value)})
        elif isinstance(value, (torch.SymInt, torch.SymFloat, torch.SymBool)):
            kinds = {torch.SymInt: "int64", torch.SymFloat: "float64", torch.SymBool: "bool"}
            found.append({"name": spec.arg.name, "type": kinds[type(value)], "dims": []})
        else:
            found.append({"name": spec.arg.name, "constant": getattr(spec.arg, "value", value)})
    return found


def write_arrays(path, runs, inputs):
    """The tensors and the runtime numbers of each run; constant inputs are part of the program."""
    arrays = {}
    for number, ((args, kwargs), results) in enumerate(runs):
        leaves = pytree.tree_leaves((tuple(args), kwargs))
        assert len(leaves) >= len(inputs), f"{len(leaves)} arguments for {len(inputs)} inputs"
        values = [leaf for leaf, spec in zip(leaves, inputs) if "constant" not in spec]
        for k, value in enumerate(values):
            arrays[f"{number}.in.{k}"] = array_of(value)
        kept = [value for value in results if array_of(value) is not None]
        for k, value in enumerate(kept):
            arrays[f"{number}.out.{k}"] = array_of(value)
    numpy.savez_compressed(path, **arrays)
