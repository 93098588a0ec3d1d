"""The tensors that stand as constants in the graphs that PyTorch compiles from a loaded program."""

import torch


def tensors(module, units):
    for graph in _graphs(module, units):
        for node in _nodes(graph):
            if node.kind() == "prim::Constant":
                yield from _tensors_in(node.output().toIValue())


def _graphs(module, units):
    for one in _modules(module, set()):
        for name in one._method_names():
            yield one._get_method(name).graph
    for function in units.get_functions():
        yield function.graph


def _modules(module, seen):
    name = module._type().qualified_name()
    if name not in seen:
        seen.add(name)
        yield module
        for _, child in torch._C.ModuleDict(module).items():
            yield from _modules(child, seen)


def _nodes(block):
    for node in block.nodes():
        yield node
        for inner in node.blocks():
            yield from _nodes(inner)


def _tensors_in(value):
    if isinstance(value, torch.Tensor):
        yield value
    elif isinstance(value, (list, tuple)):
        for item in value:
            yield from _tensors_in(item)
    elif isinstance(value, torch._C.ScriptObject):
        yield from _tensors_in(value._get_method("unpack")())
