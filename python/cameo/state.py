"""The state that a model keeps from one run to the next, such as tensors that its modules cache in attributes."""

import collections
import contextlib
import functools
import sys
from typing import Any, Dict, Iterator, List, NamedTuple, Sequence, Tuple

import torch

_TABLES = ("_parameters", "_buffers", "_modules")
_CONTAINERS = (dict, collections.OrderedDict, list, set)


class Attribute(NamedTuple):
    module: str  # the path of the module; "" is the model itself
    name: str

    def text(self) -> str:
        return f"'{self.name}' of {f'module {self.module!r}' if self.module else 'the model'}"


class State:
    """The attributes of all modules, with the contents of their containers and of tensors that are not parameters."""

    def __init__(self, model: torch.nn.Module) -> None:
        self._paths = {module: path for path, module in model.named_modules()}
        self._attributes = [(module, dict(vars(module))) for module in model.modules()]
        self._containers: Dict[int, Tuple[Any, Any]] = {}
        self._tensors: Dict[int, Tuple[torch.Tensor, int, torch.Tensor]] = {}
        for _, attributes in self._attributes:
            for value in attributes.values():
                self._keep(value, 3)

    def _keep(self, value: Any, depth: int) -> None:
        if isinstance(value, torch.Tensor):
            if not isinstance(value, torch.nn.Parameter) and not value.is_inference():
                self._tensors.setdefault(id(value), (value, value._version, value.detach().clone()))
        elif type(value) in _CONTAINERS and depth and id(value) not in self._containers:
            self._containers[id(value)] = (value, value.copy())
            for item in _items(value):
                self._keep(item, depth - 1)

    def restore(self) -> None:
        for module, attributes in self._attributes:
            vars(module).clear()
            vars(module).update(attributes)
        for container, copy in self._containers.values():
            container.clear()
            container.extend(copy) if isinstance(container, list) else container.update(copy)
        with torch.no_grad():
            for tensor, version, contents in self._tensors.values():
                if tensor._version != version:
                    tensor.set_(contents.clone())

    def changed(self) -> List[Attribute]:
        """The attributes and buffers that hold tensors, and that the model has set since."""
        out = []
        for module, attributes in self._attributes:
            before = {**attributes, **self._before(attributes["_buffers"])}
            out += [Attribute(self._paths[module], name) for name, value in {**vars(module), **module._buffers}.items()
                    if name not in _TABLES and _holds_tensors(value) and self._differs(before.get(name), value)]
        return out

    def _before(self, container: Any) -> Any:
        return self._containers.get(id(container), (container, container))[1]

    def _differs(self, before: Any, now: Any) -> bool:
        if before is not now:
            return True
        if isinstance(now, torch.Tensor):
            return id(now) in self._tensors and now._version != self._tensors[id(now)][1]
        items, others = _items(self._before(now)), _items(now)
        return len(items) != len(others) or any(a is not b for a, b in zip(items, others))

    def caches(self) -> List[List[Tuple[torch.nn.Module, str]]]:
        """The plain attributes that hold tensors and might be caches, with the same one of modules of one class together."""
        groups: Dict[Tuple[type, str], List[Tuple[torch.nn.Module, str]]] = {}
        for module, attributes in self._attributes:
            for name, value in attributes.items():
                if isinstance(value, torch.Tensor) or isinstance(value, dict) and name not in _TABLES and _holds_tensors(value):
                    groups.setdefault((type(module), name), []).append((module, name))
        return list(groups.values())

    def attributes(self, groups: Sequence[Sequence[Tuple[torch.nn.Module, str]]]) -> List[Attribute]:
        return [Attribute(self._paths[module], name) for group in groups for module, name in group]


def structure(model: torch.nn.Module) -> List[Any]:
    """The modules and parameters. A model that makes some of them when it first runs has others afterwards."""
    return [(id(module), type(module), [(name, id(value), type(value)) for name, value in module._parameters.items()])
            for module in model.modules()]


def empty(group: Sequence[Tuple[torch.nn.Module, str]]) -> None:
    """Sets the attributes as they are before a cache is filled: None, or a dict without items."""
    for module, name in group:
        value = vars(module)[name]
        vars(module)[name] = None if isinstance(value, torch.Tensor) else type(value)()


def _items(container: Any) -> List[Any]:
    return list(container.values()) if isinstance(container, dict) else list(container)


def _holds_tensors(value: Any) -> bool:
    if isinstance(value, torch.Tensor):
        return True
    return isinstance(value, (dict, list, tuple)) and any(map(_holds_tensors, _items(value)))


@contextlib.contextmanager
def without_function_caches(model: torch.nn.Module) -> Iterator[None]:
    """The functions that ``functools.lru_cache`` wraps run each time, where the code of the model's classes calls them.

    A trace that takes a tensor from such a cache holds it as a constant.
    """
    classes = {base for module in model.modules() for base in type(module).__mro__
               if not base.__module__.startswith(("torch.", "builtins"))}
    spaces: Dict[int, Any] = {id(cls): cls for cls in classes}
    names = {cls.__module__ for cls in classes} | {getattr(module.forward, "__module__", "") for module in model.modules()}
    spaces.update((id(sys.modules[name]), sys.modules[name]) for name in names
                  if name in sys.modules and name.partition(".")[0] not in ("torch", "cameo"))
    wrapped = [(space, name, value) for space in spaces.values() for name, value in list(vars(space).items())
               if isinstance(value, functools._lru_cache_wrapper)]
    try:
        for space, name, value in wrapped:
            setattr(space, name, value.__wrapped__)
        yield
    finally:
        for space, name, value in wrapped:
            setattr(space, name, value)
