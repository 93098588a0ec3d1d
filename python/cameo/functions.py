"""Calls of ``torch.autograd.Function`` in a trace. A saved program cannot hold them, so each becomes an operator that
says which call it was."""

from typing import Any, Callable, Iterator, List, NamedTuple, Optional, Sequence

import torch

from . import _cameo, traced_types
from .converters import tensors
from .symbolic import Graph, Value

_NAMESPACE = "cameo_py"
_NUMBER = "cameo_call"  # the attribute of a node that says which call of the trace it is
_library = None
_defined = set()


class _Call(NamedTuple):
    symbolic: Callable
    convention: str  # a letter an argument: d for tensors, c for everything else
    constants: Sequence[Any]
    traced: traced_types.Call


class Calls:
    """The calls of one trace."""

    def __init__(self, fixed_sizes: bool) -> None:
        self._fixed_sizes = fixed_sizes
        self._calls: List[_Call] = []
        self._traced: List[traced_types.Call] = []
        self._kinds = set()

    def take(self, module: torch.jit.ScriptModule, other: Optional[torch.jit.ScriptModule]) -> None:
        """Puts operators in place of the calls. A function without ``symbolic`` is replaced by what it does.

        ``other`` is a trace of the same model with other sizes.
        """
        calls = [node for graph in _graphs(module) for node in _python_calls(graph)]
        others = [node for graph in _graphs(other) for node in _python_calls(graph)] if other else []
        self._traced = traced_types.paired([traced_types.Run.of(node) for node in calls],
                                           [traced_types.Run.of(node) for node in others])
        for i, node in enumerate(calls):
            node.i_(_NUMBER, i)
        for graph in _graphs(module):
            while (node := next(_python_calls(graph), None)) is not None:
                self._replace(graph, node)

    def _replace(self, graph: Any, node: Any) -> None:
        function = getattr(node.pyobj(), "__self__", None)
        graph.setInsertPoint(node)
        if hasattr(function, "symbolic"):
            result = self._operator(graph, node, function.symbolic)
        elif node.hasAttribute("Subgraph"):
            result, = graph.insertGraph(node.g("Subgraph"), list(node.inputs()))
        else:
            raise RuntimeError(f"ONNX export failed: Couldn't export Python operator {node.pyname()}\n\nDefined at:\n"
                               f"{node.sourceRange()}")
        result.setType(node.output().type())
        node.output().replaceAllUsesWith(result)
        node.destroy()

    def _operator(self, graph: Any, node: Any, symbolic: Callable) -> Any:
        type = node.output().type()
        several = type.kind() == "TupleType"
        types = type.elements() if several else [type]
        inputs = list(node.inputs())
        number = graph.insertConstant(len(self._calls))
        traced = (self._traced[node.i(_NUMBER)] if node.hasAttribute(_NUMBER)
                  else traced_types.Call(traced_types.Run.of(node), None))
        self._calls.append(_Call(symbolic, node.cconv(), node.scalar_args(), traced))
        self._kinds.add((len(inputs), len(types)))
        call = graph.create(f"{_NAMESPACE}::{_define(len(inputs), len(types))}", [number, *inputs], len(types))
        call.insertBefore(node)
        call.copyMetadata(node)
        if not several:
            return call.output()
        for output, known in zip(call.outputs(), types):
            output.setType(known)
        tuple_of = graph.create("prim::TupleConstruct", list(call.outputs()), 1)
        tuple_of.insertBefore(node)
        return tuple_of.output()

    def register(self, registry: "_cameo.Registry") -> None:
        for kind in sorted(self._kinds):
            registry.add(f"{_NAMESPACE}::{_schema(*kind)}", self._convert)

    def _convert(self, conversion: "_cameo.Conversion") -> List["_cameo.Tensor"]:
        number, *operands = conversion.arguments()
        call = self._calls[number]
        graph = Graph(conversion)
        given, constants = iter(operands), iter(call.constants)
        args = [Value(graph, next(given)) if letter == "d" else next(constants) for letter in call.convention]
        results = tensors(call.symbolic(graph, *args))
        call.traced.complete(conversion, operands, results, self._fixed_sizes)
        return results


def _graphs(module: torch.jit.ScriptModule) -> Iterator[Any]:
    for part in module.modules():
        for name in part._c._method_names():
            yield part._c._get_method(name).graph


def _python_calls(graph: Any) -> Iterator[Any]:
    for node in graph.nodes():
        if node.kind() == "prim::PythonOp":
            yield node
        for block in node.blocks():
            yield from _python_calls(block)


def _schema(inputs: int, outputs: int) -> str:
    parameters = "".join(f", Tensor a{i}" for i in range(inputs))
    results = "Tensor" if outputs == 1 else f"({', '.join(['Tensor'] * outputs)})"
    return f"call_{inputs}_{outputs}(int number{parameters}) -> {results}"


def _define(inputs: int, outputs: int) -> str:
    """The operator that stands for a call, which PyTorch has to know to save it."""
    global _library
    schema = _schema(inputs, outputs)
    if schema not in _defined:
        _library = _library or torch.library.Library(_NAMESPACE, "DEF")
        _library.define(schema)
        _defined.add(schema)
    return schema.partition("(")[0]
