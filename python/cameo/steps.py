"""The nodes of a trace in the order in which the model ran them, across the methods of its modules."""

from typing import Any, Dict, Iterator, List, Mapping, NamedTuple

import torch

from . import source


class Traced(NamedTuple):
    sizes: Mapping[str, int]
    program: torch.jit.ScriptModule


class Step(NamedTuple):
    node: Any
    operands: List[int]  # which values of its method it reads, by the order in which they are defined

    def same_as(self, other: "Step") -> bool:
        """Whether the other trace does the same here, with constants that may be others."""
        return (self.node.kind() == other.node.kind() and self.operands == other.operands
                and source.lines(self.node) == source.lines(other.node))

    @property
    def module(self) -> str:
        """The path of the module that the step belongs to; "" is the model itself."""
        return self.node.scopeName().rpartition("/")[2].partition(".")[2]


def of(program: torch.jit.ScriptModule) -> Iterator[Step]:
    return _method(program, "forward")


def _method(module: Any, name: str) -> Iterator[Step]:
    graph = module._c._get_method(name).graph
    inputs = list(graph.inputs())
    modules = {inputs[0].debugName(): module}
    return _block(graph, {value.debugName(): i for i, value in enumerate(inputs)}, modules)


def _block(block: Any, numbers: Dict[str, int], modules: Dict[str, Any]) -> Iterator[Step]:
    for node in block.nodes():
        inputs = [value.debugName() for value in node.inputs()]
        yield Step(node, [numbers[name] for name in inputs])
        if node.kind() == "prim::GetAttr" and inputs[0] in modules:
            part = getattr(modules[inputs[0]], node.s("name"), None)
            if isinstance(part, torch.jit.ScriptModule):
                modules[node.output().debugName()] = part
        elif node.kind() == "prim::CallMethod" and inputs[0] in modules:
            yield from _method(modules[inputs[0]], node.s("name"))
        for inner in node.blocks():
            for value in inner.inputs():
                numbers[value.debugName()] = len(numbers)
            yield from _block(inner, numbers, modules)
        for value in node.outputs():
            numbers[value.debugName()] = len(numbers)


def constant(step: Step) -> Any:
    return step.node.output().toIValue()


def equal(a: Any, b: Any) -> bool:
    if isinstance(a, torch.Tensor) and isinstance(b, torch.Tensor):
        return a.shape == b.shape and a.dtype == b.dtype and torch.equal(torch.nan_to_num(a), torch.nan_to_num(b))
    return type(a) is type(b) and (a == b or a != a)
