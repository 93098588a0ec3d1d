"""Conversions of one's own: ``@cameo.converter``, and those that ``torch.onnx`` was told of."""

import sys
import traceback
from typing import Any, Callable, Iterator, List, NamedTuple, Sequence, Tuple

from . import _cameo, marks, versions
from .errors import Error
from .symbolic import Graph, Value, ValueList
from .traced_types import Operators


class _Entry(NamedTuple):
    schema: str
    function: Callable
    first: int
    last: int


_entries: List[_Entry] = []
raised: List[BaseException] = []  # by converters in the present export


def converter(schema: str, first_opset: int = 0, last_opset: int = sys.maxsize) -> Callable[[Callable], Callable]:
    """Registers a function as the conversion of an operator, in place of Cameo's own if there is one.

    >>> @cameo.converter("mylib::scaled_relu(Tensor x, float a=1.0) -> Tensor")
    ... def scaled_relu(g, x, a):
    ...     return g.op("Mul", g.op("Relu", x), g.constant(a))

    The schema is the operator's, as PyTorch writes it. The function is given the graph and the arguments: tensors are
    values of the graph, with ``type()``, ``setType()`` and ``contents()``; everything else is as it is in Python. Raises
    :class:`cameo.Error` for a schema that is not valid. An exception of the function is the cause of the error of the export.
    """
    _cameo.Registry().add(schema, lambda conversion: [])  # refuses a schema that is not valid

    def register(function: Callable) -> Callable:
        _entries.append(_Entry(schema, function, first_opset, last_opset))
        return function

    return register


def unregister(function: Callable) -> None:
    """Takes a conversion back."""
    _entries[:] = [entry for entry in _entries if entry.function is not function]


def told(error: BaseException) -> str:
    """An exception of a converter, with the line that raised it. The engine calls this."""
    raised.append(error)
    frames = traceback.extract_tb(error.__traceback__)
    where = f" ({frames[-1].filename}, line {frames[-1].lineno})" if frames else ""
    return f"{type(error).__name__}: {error}{where}"


def adapt(function: Callable, traced: Operators) -> Callable:
    """A symbolic function as the engine calls it."""
    def convert(conversion: "_cameo.Conversion") -> List["_cameo.Tensor"]:
        graph, arguments = Graph(conversion), conversion.arguments()
        results = tensors(function(graph, *[_wrapped(graph, argument) for argument in arguments]))
        traced.complete(conversion, [argument for argument in arguments if isinstance(argument, _cameo.Tensor)], results)
        return results

    return convert


def tensors(result: Any) -> List["_cameo.Tensor"]:
    values: Sequence[Any] = result if isinstance(result, (tuple, list)) else [result]
    if not all(isinstance(value, Value) for value in values):
        raise TypeError(f"a symbolic function has to return values of the graph, not {result!r}")
    return [value.tensor for value in values]


def _wrapped(graph: Graph, argument: Any) -> Any:
    if isinstance(argument, _cameo.Tensor):
        return Value(graph, argument)
    if isinstance(argument, list):
        return ValueList(graph, [_wrapped(graph, item) for item in argument])
    return argument


def _registered(opset: int) -> Iterator[Tuple[str, Callable]]:
    yield from _torch_symbolics(opset)
    yield from ((entry.schema, entry.function) for entry in _entries if entry.first <= opset <= entry.last)


def registry(opset: int, traced: Operators) -> "_cameo.Registry":
    """The converters of an export to this opset. ``traced`` knows the types of results that they do not state."""
    out = _cameo.Registry()
    for schema, function in _registered(opset):
        out.add(schema, adapt(function, traced))
    marks.register(out)
    return out


def only_of_user(opset: int) -> List[str]:
    """The operators for which the user registered a converter and Cameo has none."""
    names = {schema.partition("(")[0].partition(".")[0] for schema, _ in _registered(opset)}
    return sorted(name for name in names if not _cameo.converts(name))


def _torch_symbolics(opset: int) -> List[tuple]:
    """What ``torch.onnx.register_custom_op_symbolic`` was told, if PyTorch is there at all."""
    known = versions.symbolic_registry()
    if known is None:
        return []
    import torch

    out = []
    for name, group in known._registry.items():
        functions = group._functions
        if not functions._overrides:
            continue
        version = max((version for version in functions if version <= opset), default=None)
        if version is not None and functions.overridden(version):
            schemas = map(str, torch._C._jit_get_schemas_for_operator(name))
            out += [(s, functions[version]) for s in schemas if "Tensor" in s and "!" not in s and is_readable(s)]
    return out


def is_readable(schema: str) -> bool:
    """Whether a converter can be registered for this overload. Overloads on dicts, such as aten::copy has, are not readable."""
    try:
        _cameo.Registry().add(schema, lambda conversion: [])
    except Error:
        return False
    return True
