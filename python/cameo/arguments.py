"""The arguments of a model: which are positional, which go by name, and the tensors within them."""

import copy
import dataclasses
import inspect
import re
from typing import Any, Callable, Dict, Iterator, List, Mapping, MutableMapping, NamedTuple, Optional, Sequence, Tuple

import torch
from torch.utils import _pytree as pytree

from .input import Input


class Call(NamedTuple):
    """``model(*args, **kwargs)``"""

    args: Tuple[Any, ...]
    kwargs: Dict[str, Any]


class Slot(NamedTuple):
    """Where a tensor stood."""

    index: int


def split(args: Any, kwargs: Optional[Mapping[str, Any]] = None) -> Call:
    """What ``args`` of an export means: a tensor, several, or several that end in a dict of keywords."""
    if kwargs:
        return Call(tuple(args) if isinstance(args, (tuple, list)) else () if args is None else (args,), dict(kwargs))
    if isinstance(args, Mapping):
        return Call((), dict(args))
    if not isinstance(args, (tuple, list)):
        return Call((args,), {})
    if args and isinstance(args[-1], Mapping):
        return Call(tuple(args[:-1]), dict(args[-1]))
    return Call(tuple(args), {})


def bind(function: Callable, args: Any, kwargs: Optional[Mapping[str, Any]] = None) -> inspect.BoundArguments:
    """The arguments by their names. A dict at the end that holds no keywords of the model is an argument itself."""
    signature = inspect.signature(function)
    call = split(args, kwargs)
    try:
        return signature.bind(*call.args, **call.kwargs)
    except TypeError as error:
        if isinstance(args, (tuple, list)) and call.kwargs and not kwargs:
            try:
                return signature.bind(*args)
            except TypeError:
                pass
        raise TypeError(f"the model cannot be called with these arguments: {error}") from None


def refuse_texts(bound: inspect.BoundArguments) -> None:
    """A model that is run needs tensors."""
    for name, value in named(bound):
        for where, leaf in leaves(value, name):
            if isinstance(leaf, Input):
                raise TypeError(f"the argument '{where}' is a cameo.Input, and a model that is run needs a tensor")


def keywords_of(bound: inspect.BoundArguments) -> Optional[str]:
    """The name of the parameter ``**kwargs``, if there is one and it got arguments."""
    kinds = {name: bound.signature.parameters[name].kind for name in bound.arguments}
    return next((name for name, kind in kinds.items() if kind is inspect.Parameter.VAR_KEYWORD), None)


def named(bound: inspect.BoundArguments) -> Iterator[Tuple[str, Any]]:
    """The arguments in the order of the signature; those of ``**kwargs`` by their own names."""
    keywords = keywords_of(bound)
    for name, value in bound.arguments.items():
        if name == keywords:
            yield from value.items()
        else:
            yield name, value


def parts(value: Any) -> Optional[List[Tuple[Any, Any]]]:
    """What a container holds, by key, index or field. None for a value that holds nothing."""
    if isinstance(value, torch.Tensor):
        return None
    if isinstance(value, Mapping):
        return list(value.items())
    if isinstance(value, (tuple, list)):
        return list(enumerate(value))
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return [(field.name, getattr(value, field.name)) for field in dataclasses.fields(value)]
    return _registered_parts(value)


def leaves(value: Any, name: str) -> Iterator[Tuple[str, Any]]:
    """The values in a nested one, under names made of where they stand."""
    inner = parts(value)
    if inner is None:
        yield re.sub(r"\W", "_", name), value
    else:
        for key, part in inner:
            yield from leaves(part, f"{name}_{key}")


def _registered_parts(value: Any) -> Optional[List[Tuple[Any, Any]]]:
    """Of an object whose class PyTorch was told how to take apart, such as a cache of transformers."""
    node = getattr(pytree, "SUPPORTED_NODES", {}).get(type(value))
    return list(enumerate(node.flatten_fn(value)[0])) if node else None


# The types of the tensors that torch.onnx.export makes of Python's numbers.
_NUMBERS = {int: torch.int64, float: torch.float64}


class Flat:
    """The tensors of a nested value in the order in which they stand, and the way back. With ``numbers``, Python's
    numbers are tensors without axes."""

    def __init__(self, numbers: bool) -> None:
        self._takes_numbers = numbers
        self.numbers: Dict[str, Any] = {}  # those that became tensors
        self.names: List[str] = []
        self.tensors: List[torch.Tensor] = []
        self.fixed: List[Tuple[str, Any]] = []

    def take(self, value: Any, name: str) -> Any:
        """``value`` with a slot for each tensor, which is kept under a name made of where it stood."""
        if isinstance(value, torch.Tensor):
            return self._slot(value, name)
        if self._takes_numbers and type(value) in _NUMBERS:
            slot = self._slot(torch.tensor(value, dtype=_NUMBERS[type(value)]), name)
            self.numbers[self.names[-1]] = value
            return slot
        if isinstance(value, Mapping):
            return _like_mapping(value, [(k, self.take(v, f"{name}_{k}")) for k, v in value.items()])
        if isinstance(value, (tuple, list)):
            return like_sequence(value, [self.take(v, f"{name}_{i}") for i, v in enumerate(value)])
        if dataclasses.is_dataclass(value) and not isinstance(value, type):
            fields = {f.name: getattr(value, f.name) for f in dataclasses.fields(value)}
            return dataclasses.replace(value, **{k: self.take(v, f"{name}_{k}") for k, v in fields.items()})
        if value is not None:
            self.fixed.append((name, value))
        return value

    def _slot(self, tensor: torch.Tensor, name: str) -> Slot:
        self.names.append(self._unique(name))
        self.tensors.append(tensor)
        return Slot(len(self.tensors) - 1)

    def _unique(self, name: str) -> str:
        name = re.sub(r"\W", "_", name)
        while name in self.names:
            name += "_"
        return name


def flatten(bound: inspect.BoundArguments, numbers: bool) -> Flat:
    """Takes the tensors out of the arguments, which keep slots instead; with ``numbers``, also Python's numbers."""
    flat = Flat(numbers)
    for name, value in bound.arguments.items():
        if bound.signature.parameters[name].kind is inspect.Parameter.VAR_KEYWORD:
            bound.arguments[name] = {key: flat.take(item, key) for key, item in value.items()}
        else:
            bound.arguments[name] = flat.take(value, name)
    return flat


def fill(value: Any, tensors: Sequence[torch.Tensor]) -> Any:
    """The value with a tensor in each slot."""
    if isinstance(value, Slot):
        return tensors[value.index]
    if isinstance(value, Mapping):
        return _like_mapping(value, [(k, fill(v, tensors)) for k, v in value.items()])
    if isinstance(value, (tuple, list)):
        return like_sequence(value, [fill(v, tensors) for v in value])
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return dataclasses.replace(value, **{f.name: fill(getattr(value, f.name), tensors)
                                             for f in dataclasses.fields(value)})
    return value


def like_sequence(value: Any, items: list) -> Any:
    if hasattr(value, "_fields"):
        return type(value)(*items)
    return type(value)(items)


def _like_mapping(value: Any, items: list) -> Any:
    if not isinstance(value, MutableMapping):
        return dict(items)
    out = copy.copy(value)
    out.update(items)
    return out
