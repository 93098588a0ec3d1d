"""Conversions of one's own: ``@cameo.converter``, and those that ``torch.onnx`` was told of."""

import sys
import traceback
from typing import Any, Callable, List, NamedTuple, Sequence

from . import _cameo, versions
from .symbolic import Graph, Value


class _Entry(NamedTuple):
    schema: str
    function: Callable
    first: int
    last: int


_entries: List[_Entry] = []


def converter(schema: str, first_opset: int = 0, last_opset: int = sys.maxsize) -> Callable[[Callable], Callable]:
    """Registers a function as the conversion of an operator, in place of Cameo's own if there is one.

    >>> @cameo.converter("mylib::scaled_relu(Tensor x, float a=1.0) -> Tensor")
    ... def scaled_relu(g, x, a):
    ...     return g.op("Mul", g.op("Relu", x), g.constant(a))

    The schema is the operator's, as PyTorch writes it. The function is given the graph and the arguments: tensors are
    values of the graph, with ``type()``, ``setType()`` and ``contents()``; everything else is as it is in Python.
    """
    def register(function: Callable) -> Callable:
        _entries.append(_Entry(schema, function, first_opset, last_opset))
        return function

    return register


def unregister(function: Callable) -> None:
    """Takes a conversion back."""
    _entries[:] = [entry for entry in _entries if entry.function is not function]


def told(error: BaseException) -> str:
    """An exception of a converter, with the line that raised it."""
    frames = traceback.extract_tb(error.__traceback__)
    where = f" ({frames[-1].filename}, line {frames[-1].lineno})" if frames else ""
    return f"{type(error).__name__}: {error}{where}"


def adapt(function: Callable) -> Callable:
    """A symbolic function as the engine calls it."""
    def convert(conversion: "_cameo.Conversion") -> List["_cameo.Tensor"]:
        graph = Graph(conversion)
        return tensors(function(graph, *[_wrapped(graph, argument) for argument in conversion.arguments()]))

    return convert


def tensors(result: Any) -> List["_cameo.Tensor"]:
    values: Sequence[Any] = result if isinstance(result, (tuple, list)) else [result]
    if not all(isinstance(value, Value) for value in values):
        raise TypeError(f"a symbolic function has to return values of the graph, not {result!r}")
    return [value.tensor for value in values]


def _wrapped(graph: Graph, argument: Any) -> Any:
    if isinstance(argument, _cameo.Tensor):
        return Value(graph, argument)
    return [_wrapped(graph, item) for item in argument] if isinstance(argument, list) else argument


def registry(opset: int) -> "_cameo.Registry":
    """All that an export to this opset has to know."""
    out = _cameo.Registry()
    for schema, function in _torch_symbolics(opset):
        out.add(schema, adapt(function))
    for entry in _entries:
        if entry.first <= opset <= entry.last:
            out.add(entry.schema, adapt(entry.function))
    return out


def _torch_symbolics(opset: int) -> List[tuple]:
    """What ``torch.onnx.register_custom_op_symbolic`` was told, if PyTorch is there at all."""
    known = versions.symbolic_registry()
    if known is None:
        return []
    import torch

    out = []
    for name in known.all_functions():
        functions = known.get_function_group(name)._functions
        version = max((version for version in functions if version <= opset), default=None)
        if version is not None and functions.overridden(version):
            schemas = map(str, torch._C._jit_get_schemas_for_operator(name))
            out += [(s, functions[version]) for s in schemas if "Tensor" in s and "!" not in s]
    return out
