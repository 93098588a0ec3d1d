"""Exports through the command, and what the exported graphs look like."""
import os
import subprocess
import tempfile

import onnx
import torch
from onnx import AttributeProto, numpy_helper


def run(cameo, *arguments):
    return subprocess.run([cameo, *map(str, arguments)], capture_output=True, text=True, timeout=120)


def export(cameo, program, *arguments):
    """The model and what the command says on standard error; the model is None if it fails."""
    with tempfile.TemporaryDirectory() as folder:
        path, output = os.path.join(folder, "model.pt"), os.path.join(folder, "model.onnx")
        torch.jit.save(program, path)
        result = run(cameo, "export", path, "-q", "-o", output, *arguments)
        model = onnx.load(output) if result.returncode == 0 else None
        return model, result.stderr.replace(folder + os.sep, "")


def attribute_text(attribute, indent):
    if attribute.type == AttributeProto.TENSOR:
        return str(numpy_helper.to_array(attribute.t).tolist())
    if attribute.type in (AttributeProto.GRAPH, AttributeProto.GRAPHS):
        graphs = attribute.graphs or [attribute.g]
        return "".join("\n" + graph_text(graph, indent + "  ") for graph in graphs)
    value = onnx.helper.get_attribute_value(attribute)
    return value.decode() if isinstance(value, bytes) else str(value)


def graph_text(graph, indent=""):
    """A node a line; inputs and results by name."""
    names = lambda values: ", ".join(value.name for value in values)
    lines = [f"{indent}{graph.name}({names(graph.input)}) -> ({names(graph.output)})"]
    for initializer in graph.initializer:
        lines.append(f"{indent}  {initializer.name} = {numpy_helper.to_array(initializer).tolist()}")
    for node in graph.node:
        attributes = "".join(f" {a.name}={attribute_text(a, indent + '  ')}" for a in node.attribute)
        kind = f"{node.domain}::{node.op_type}" if node.domain else node.op_type
        lines.append(f"{indent}  {', '.join(node.output)} = {kind}({', '.join(node.input)}){attributes}")
    return "\n".join(lines)


def model_text(model):
    opsets = ", ".join(f"{opset.domain or 'ai.onnx'} {opset.version}" for opset in model.opset_import)
    return f"{opsets}\n{graph_text(model.graph)}\n"
