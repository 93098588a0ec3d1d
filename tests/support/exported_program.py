"""Writes torch.export programs (.pt2) as PyTorch 2.7 does, without PyTorch 2.

    write_program("model.pt2", inputs={"x": ("float32", ["n", 3])}, weights={"layer.weight": tensor},
                  nodes=[node("aten.linear.default", ["linear"], input="x", weight="p_layer_weight")], outputs=["linear"],
                  ranges={"n": (2, 64)}, samples=[torch.randn(4, 3)])

A size that is a text is an expression of symbols. A weight is a graph input, called p_ and its name with _ for each dot.
"""
import io
import json
import zipfile

import torch

_TYPES = {"uint8": 1, "int64": 5, "float16": 6, "float32": 7, "float64": 8, "bool": 12}


def _size(size):
    return {"as_int": size} if isinstance(size, int) else {"as_expr": {"expr_str": size, "hint": None}}


def _meta(kind, sizes):
    return {"dtype": _TYPES[kind], "sizes": [_size(n) for n in sizes], "requires_grad": False, "device": {"type": "cpu", "index": None},
            "strides": [{"as_int": 1} for _ in sizes], "storage_offset": {"as_int": 0}, "layout": 7}


def _argument(value):
    if isinstance(value, dict):  # as the file has it: {"as_sym_int": {"as_name": "n"}}
        return value
    if isinstance(value, str):
        return {"as_tensor": {"name": value}}
    if isinstance(value, bool):
        return {"as_bool": value}
    if isinstance(value, int):
        return {"as_int": value}
    if isinstance(value, float):
        return {"as_float": value}
    return {"as_ints": value}


def node(target, outputs, module=None, **inputs):
    """A call of torch.ops.TARGET, with the first argument positional. `module` is the path of the module that calls it."""
    metadata = {"nn_module_stack": f"root,,Net;L__self__{module},{module},torch.nn.Module"} if module else {}
    return {"target": f"torch.ops.{target}", "inputs": [{"name": name, "arg": _argument(value), "kind": 1 if i == 0 else 2} for i, (name, value) in enumerate(inputs.items())],
            "outputs": [_argument(name) for name in outputs], "metadata": metadata, "is_hop_single_tensor_return": None}


def _saved(value):
    buffer = io.BytesIO()
    torch.save(value, buffer)
    return buffer.getvalue()


def _spec(kind, count=0):
    leaf = {"type": None, "context": None, "children_spec": []}
    context = "[]" if kind == "builtins.dict" else "null"
    return {"type": kind, "context": context, "children_spec": [leaf] * count}


def _signature(inputs, weights, outputs):
    parameters = [{"parameter": {"arg": {"name": graph_name(name)}, "parameter_name": name}} for name in weights]
    users = [{"user_input": {"arg": {"as_tensor": {"name": name}}}} for name in inputs]
    return {"input_specs": parameters + users, "output_specs": [{"user_output": {"arg": {"as_tensor": {"name": name}}}} for name in outputs]}


def graph_name(weight):
    return "p_" + weight.replace(".", "_")


def write_program(path, inputs, nodes, outputs, weights=None, ranges=None, samples=None, sym_ints=()):
    weights = weights or {}
    names = [*map(graph_name, weights), *inputs]
    metas = {graph_name(name): _meta(str(value.dtype).removeprefix("torch."), list(value.shape)) for name, value in weights.items()}
    metas.update({name: _meta(*meta) for name, meta in inputs.items()})
    graph = {"inputs": [{"as_tensor": {"name": name}} for name in names], "outputs": [{"as_tensor": {"name": name}} for name in outputs],
             "nodes": nodes, "tensor_values": metas, "sym_int_values": {name: _size(text) for name, text in dict(sym_ints).items()}, "sym_bool_values": {},
             "sym_float_values": {}, "custom_obj_values": {}, "is_single_tensor_return": False}
    in_spec = {**_spec("builtins.tuple"), "children_spec": [_spec("builtins.tuple", len(inputs)), _spec("builtins.dict")]}
    call = {"fqn": "", "signature": {"inputs": [], "outputs": [], "in_spec": json.dumps([1, in_spec]),
                                     "out_spec": json.dumps([1, _spec("builtins.tuple", len(outputs))]), "forward_arg_names": list(inputs)}}
    program = {"graph_module": {"graph": graph, "signature": _signature(inputs, weights, outputs), "module_call_graph": [call], "metadata": {},
                                "treespec_namedtuple_fields": {}},
               "opset_version": {"aten": 10}, "range_constraints": {name: {"min_val": low, "max_val": high} for name, (low, high) in (ranges or {}).items()},
               "schema_version": {"major": 8, "minor": 7}, "verifiers": ["TRAINING"], "torch_version": "2.7.0"}
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("serialized_exported_program.json", json.dumps(program))
        archive.writestr("serialized_state_dict.pt", _saved(weights))
        archive.writestr("serialized_constants.pt", _saved({}))
        if samples is not None:
            archive.writestr("serialized_example_inputs.pt", _saved((tuple(samples), {})))
        archive.writestr("version", "8.7")
