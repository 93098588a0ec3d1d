"""Marks: names for places of a model, at which ``cameo split`` cuts the exported file."""

import functools
import inspect
import sys
from typing import Any, Callable, Dict, List, Optional, Sequence

from . import _cameo, flag

_SCHEMA = "mark(Tensor x, str name) -> Tensor"
_library: Any = None
_calls: Dict[str, int] = {}  # of each marked function, in the current run of the model


def mark(function: str, inputs: Optional[Sequence[str]] = None, outputs: Optional[Sequence[str]] = None) -> Callable:
    """Marks the tensors that a function takes and returns, while a model that calls it is exported.

    >>> class Head(torch.nn.Module):
    ...     @cameo.mark("head", inputs=["feat"], outputs=["scores"])
    ...     def forward(self, feat):
    ...         return self.linear(feat)

    The exported model says in its metadata which values these are, and has no additional nodes. ``cameo split --cut
    mark:head[0]:input`` cuts it at the first call. ``inputs`` and ``outputs`` name the tensors, by default the parameters
    of the function and ``output``; elements of lists and dicts get a dot and their index or key.
    """

    def decorate(marked: Callable) -> Callable:
        parameters = list(inspect.signature(marked).parameters)

        @functools.wraps(marked)
        def call(*args: Any, **kwargs: Any) -> Any:
            if not flag.is_in_onnx_export():
                return marked(*args, **kwargs)
            number = _calls[function] = _calls.get(function, -1) + 1
            first = 1 if parameters[:1] == ["self"] else 0
            names = list(inputs) if inputs is not None else parameters[first:]
            given = [_marked(arg, f"{function}[{number}]:input", _name(names, i, "input"))
                     for i, arg in enumerate(args[first:])]
            named = {key: _marked(value, f"{function}[{number}]:input", key) for key, value in kwargs.items()}
            results = marked(*args[:first], *given, **named)
            place = f"{function}[{number}]:output"
            if isinstance(results, tuple) and not hasattr(results, "_fields"):
                return tuple(_marked(result, place, _name(outputs, i, "output")) for i, result in enumerate(results))
            return _marked(results, place, _name(outputs, 0, "output"))

        return call

    return decorate


def _name(names: Optional[Sequence[str]], index: int, otherwise: str) -> str:
    return names[index] if names is not None and index < len(names) else f"{otherwise}.{index}"


def _marked(value: Any, place: str, name: str) -> Any:
    """The same value, with its tensors passed through the operator that the export knows."""
    torch = sys.modules["torch"]
    if isinstance(value, torch.Tensor):
        _define()
        return torch.ops.cameo.mark(value, f"{place}:{name}")
    if type(value) in (list, tuple):
        return type(value)(_marked(item, place, f"{name}.{i}") for i, item in enumerate(value))
    if type(value) is dict:
        return {key: _marked(item, place, f"{name}.{key}") for key, item in value.items()}
    return value


def _define() -> None:
    global _library
    if _library is None:
        torch = sys.modules["torch"]
        _library = torch.library.Library("cameo", "DEF")
        _library.define(_SCHEMA)
        _library.impl("mark", lambda x, name: x.clone(), "CompositeExplicitAutograd")


def restart() -> None:
    """Before each run of the model: calls are counted from 0."""
    _calls.clear()


def register(registry: "_cameo.Registry") -> None:
    registry.add(f"cameo::{_SCHEMA}", _convert)


def _convert(conversion: "_cameo.Conversion") -> List["_cameo.Tensor"]:
    x, name = conversion.arguments()
    marked, = conversion.node("cameo::Mark", [x], [("name", "s", name)], 1)
    conversion.set_type(marked, x.dtype, x.shape)
    return [marked]
