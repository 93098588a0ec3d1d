"""Calls of ``torch.autograd.Function`` in a trace. A saved program cannot hold them, so each becomes an operator that
says which call it was."""

from typing import Any, Callable, Iterator, List, NamedTuple, Sequence

import torch

from . import _cameo
from .converters import tensors
from .symbolic import Graph, Value, element_type

_NAMESPACE = "cameo_py"
_library = None
_defined = set()


class _Call(NamedTuple):
    symbolic: Callable
    convention: str  # a letter an argument: d for tensors, c for everything else
    constants: Sequence[Any]
    types: Sequence[Any]  # of the results, when it was traced


class Calls:
    """The calls of one trace."""

    def __init__(self, fixed_sizes: bool) -> None:
        self._fixed_sizes = fixed_sizes
        self._calls: List[_Call] = []
        self._kinds = set()

    def take(self, module: torch.jit.ScriptModule) -> None:
        """Puts operators in place of the calls. A function without ``symbolic`` is replaced by what it does."""
        for part in module.modules():
            for name in part._c._method_names():
                graph = part._c._get_method(name).graph
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
        self._calls.append(_Call(symbolic, node.cconv(), node.scalar_args(), types))
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
        for result, type in zip(results, call.types):
            self._complete(conversion, result, type)
        return results

    def _complete(self, conversion: "_cameo.Conversion", result: "_cameo.Tensor", type: Any) -> None:
        """What the symbolic function left open is as it was in the run."""
        if result.shape is None:
            sizes = type.sizes() if self._fixed_sizes else [None] * type.dim()
            conversion.set_type(result, element_type(type.scalarType()), sizes)


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
